"""FreeCell and its relatives: cells, and runs by way of them."""

import pytest

from app.engine.rules import Rule
from app.rulesets.freecell import BAKERS_GAME, EIGHT_OFF, FREECELL
from tests.support.table import Table

FILLED = "t3: KC\nt4: KD\nt5: KH\nt6: KC\nt7: KD\nt8: KH"

# Game, table, action, and the rule that refuses it.
JUDGED = [
    (BAKERS_GAME, "t1: 9S\nt2: 8S", "t2-t1", None),
    (BAKERS_GAME, "t1: 9S\nt2: 8H", "t2-t1", Rule.BUILD),
    (FREECELL, "f1: AS 2S\nt1: 3H", "f1-t1", Rule.LEAVES_FOUNDATION),
    (FREECELL, "t1: 5S 4H", "t1-t2", None),
    (EIGHT_OFF, "t1: 5S 4S", "t1-t2", Rule.EMPTY_PILE),
    (EIGHT_OFF, "c1: KS", "c1-t2", None),
    (FREECELL, "t1: 5S", "t1-c3", None),
    (FREECELL, "c1: 4H\nt1: 5S", "c1-t1", None),
    (FREECELL, "c1: 4H", "c1-c2", Rule.SOURCE_ZONE),
    (FREECELL, f"t1: 9C\nt2: 8H 7C 6H 5C 4H\n{FILLED}", "t2-t1:5", None),
    (FREECELL, f"c1: AC\nt1: 9C\nt2: 8H 7C 6H 5C 4H\n{FILLED}", "t2-t1:5", Rule.TOO_MANY),
    (FREECELL, f"c1: AC\nt1: 9C\nt2: 8H 7C 6H 5C 4H\n{FILLED[:-7]}", "t2-t1:5", None),
    (FREECELL, f"t2: 8H 7C 6H 5C 4H 3C\nt1: KS\n{FILLED[:-7]}", "t2-t8:5", None),
    (FREECELL, f"t2: 8H 7C 6H 5C 4H 3C\nt1: KS\n{FILLED[:-7]}", "t2-t8:6", Rule.TOO_MANY),
    (EIGHT_OFF, "t1: 9C\nt2: 8C 7C 6C", "t2-t1:3", None),
]


@pytest.mark.parametrize(("rules", "table", "action", "rule"), JUDGED)
def test_an_action_is_judged(rules, table, action, rule):
    assert Table.of(rules, table).refusal(action) is rule


@pytest.mark.parametrize(
    ("rules", "sizes"),
    [
        (FREECELL, {"stock": 0, "t1": 7, "t4": 7, "t5": 6, "t8": 6, "c1": 0}),
        (EIGHT_OFF, {"c1": 1, "c4": 1, "c5": 0, "t8": 6}),
    ],
    ids=lambda value: getattr(value, "id", ""),
)
def test_an_opening_has_the_right_sizes(rules, sizes):
    table = Table.dealt(rules)
    assert {pile: table.size(pile) for pile in sizes} == sizes


def test_all_cards_lie_open_and_none_is_dealt_later():
    for rules in (FREECELL, BAKERS_GAME, EIGHT_OFF):
        table = Table.dealt(rules)
        assert not any(pile.down for pile in table.position.piles)
        assert table.sentence("deal") == "All cards are dealt at the start of this game."
