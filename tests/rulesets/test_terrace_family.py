"""Terrace's relatives."""

from app.engine.rules import Rule
from app.rulesets.terrace_family import GENERALS_PATIENCE, QUEEN_OF_ITALY
from tests.support.table import Table


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
