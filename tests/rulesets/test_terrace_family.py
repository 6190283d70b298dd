"""Terrace's relatives."""

import pytest

from app.engine.rules import Rule
from app.rulesets.terrace_family import GENERALS_PATIENCE, MAMY_SUSAN, QUEEN_OF_ITALY
from tests.support.table import Table

# Game, table, action, and the rule that refuses it.
JUDGED = [
    (QUEEN_OF_ITALY, "f1: 3C\nr1: 5S", "r1-t1", Rule.SOURCE_ZONE),
    (QUEEN_OF_ITALY, "f1: 3C\nt2: 5S 4H", "t2-t1", None),
    (MAMY_SUSAN, "r1: [5H] 4S\nt1: 5H", "r1-t1", Rule.SOURCE_ZONE),
]


@pytest.mark.parametrize(("rules", "table", "action", "rule"), JUDGED)
def test_an_action_is_judged(rules, table, action, rule):
    assert Table.of(rules, table).refusal(action) is rule


@pytest.mark.parametrize(
    ("rules", "sizes"),
    [
        (MAMY_SUSAN, {"r1": 6, "t10": 4, "stock": 58}),
    ],
    ids=lambda value: getattr(value, "id", ""),
)
def test_an_opening_has_the_right_sizes(rules, sizes):
    table = Table.dealt(rules)
    assert {pile: table.size(pile) for pile in sizes} == sizes


def test_the_first_move_chooses_the_base_and_fills_the_table():
    for rules in (GENERALS_PATIENCE, QUEEN_OF_ITALY):
        table = Table.dealt(rules)
        assert table.legal()
        assert all("-f" in action for action in table.legal())
        assert all(table.after("t1-f1").size(f"t{n}") == 1 for n in range(1, 10))


def test_generals_patience_builds_home_in_suit_and_round_the_corner():
    table = Table.of(GENERALS_PATIENCE, "f1: KC\nt1: AC\nt2: AD\nt3: KS\nt4: 2C")
    assert table.refusal("t1-f1") is None
    assert table.refusal("t2-f1") is Rule.BUILD
    assert table.refusal("t3-f2") is None
    assert table.refusal("t4-f2") is Rule.FOUNDATION_BASE
