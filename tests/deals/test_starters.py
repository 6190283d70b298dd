"""The deals that come with the program."""

from __future__ import annotations

from collections import Counter

import pytest

from app.db.engine import Database
from app.deals import repository
from app.deals.model import DealKind
from app.deals.refill import add_starters
from app.deals.starters import FILE, read_shipped, starter_deals, starters
from app.rulesets import RULESETS
from app.rulesets.bristol import BRISTOL

pytestmark = pytest.mark.anyio

LINES = FILE.read_text(encoding="ascii").splitlines()


def test_every_deal_of_the_file_is_won_by_its_way_and_every_game_has_some():
    found = read_shipped()
    assert len(found) == len(LINES)
    assert len({deal.code for _, deal in found}) == len(found)
    have = Counter(rules.id for rules, _ in found)
    assert {rules.id for rules in RULESETS if have[rules.id] < 3} == set()
    for rules in RULESETS:
        checked = {deal.code: deal.grade.difficulty for game, deal in found if game is rules}
        assert starter_deals(rules) == checked, rules.id


def test_a_solution_that_does_not_win_proves_nothing():
    line = next(line for line in LINES if line.startswith("bristol "))
    assert len(list(starters([line]))) == 1
    head, *way = line.split(" t", 1)
    short = line.rsplit(" ", 1)[0]
    wrong = f"{head} deal t{way[0]}"
    other_cards = line.replace(line.split()[2], "7KQ4M-2XWTP")
    other_rules = line.replace("bristol 1 ", "bristol 999 ")
    assert list(starters([short, wrong, other_cards, other_rules])) == []


async def test_they_are_laid_out_once_and_only_where_there_never_was_a_deal(database: Database):
    deals = read_shipped()
    kept = BRISTOL.id

    def have(connection) -> dict[str, int]:
        return {rules.id: repository.count(connection, DealKind.OPEN, rules) for rules in RULESETS}

    await database.write(lambda connection: add_starters(connection, deals, 2, 0))
    assert await database.read(have) == dict.fromkeys((rules.id for rules in RULESETS), 2)
    for _ in range(2):
        await database.write(
            lambda connection: repository.draw(connection, DealKind.OPEN, BRISTOL, 1)
        )
    await database.write(lambda connection: add_starters(connection, deals, 2, 2))
    assert (await database.read(have))[kept] == 0
    mine = next(deal for rules, deal in deals if rules is BRISTOL)
    grade = await database.read(
        lambda connection: repository.grade(connection, mine.grade.fingerprint, BRISTOL)
    )
    assert grade == mine.grade.difficulty
