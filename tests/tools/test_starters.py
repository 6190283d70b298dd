"""Finding deals with which a site begins."""

from itertools import islice

from app.deals.starters import starters as read
from app.rulesets import RULESETS
from app.rulesets.bristol import BRISTOL
from tools.starters import first_code, starters


def test_each_deal_that_is_found_is_won_by_its_line():
    found = list(islice(starters(BRISTOL, 4, 100_000), 2))
    deals = list(read(found))
    assert [rules for rules, _ in deals] == [BRISTOL, BRISTOL]
    assert deals[0][1].code == first_code(BRISTOL)
    assert deals[0][1].grade.difficulty.games == 20
    assert not list(starters(BRISTOL, 4, 1))


def test_no_two_games_share_a_deck():
    assert len({first_code(rules) for rules in RULESETS}) == len(RULESETS)
