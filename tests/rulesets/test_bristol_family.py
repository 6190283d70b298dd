"""Bristol's relatives."""

import pytest

from app.engine.rules import Rule
from app.engine.transition import is_lost
from app.rulesets.bristol_family import BELVEDERE, DOVER, GOTHAM, NEW_YORK, SPIKE, VINCENT
from tests.support.table import Table

# Game, table, action, and the rule that refuses it.
JUDGED = [
    (DOVER, "r1: 5S", "r1-t1", None),
    (DOVER, "t2: 6C 5S", "t2-t1", Rule.EMPTY_PILE),
    (VINCENT, "t1: KS QS", "t1-t2:2", None),
    (SPIKE, "r2: KS", "r2-t1", None),
    (SPIKE, "f1: AS 2S\nt1: 3H", "f1-t1", None),
    (VINCENT, "f1: AS 2S\nt1: 3S", "f1-t1", Rule.LEAVES_FOUNDATION),
    (GOTHAM, "f1: 3C\nt1: AC\nt2: KD QC", "t2-t1:2", None),
    (NEW_YORK, "f1: 3C\nstock: [4D] 5S\nr2: KH", "stock-r2", None),
    (NEW_YORK, "f1: 3C\nt1: 5S\nr2: KH", "t1-r2", Rule.SOURCE_ZONE),
    (NEW_YORK, "f1: 3C\nstock: 4C", "stock-f1", None),
]


@pytest.mark.parametrize(("rules", "table", "action", "rule"), JUDGED)
def test_an_action_is_judged(rules, table, action, rule):
    assert Table.of(rules, table).refusal(action) is rule


@pytest.mark.parametrize(
    ("rules", "sizes"),
    [
        (BELVEDERE, {"f1": 1, "f2": 0, "t8": 3, "r3": 1, "stock": 24}),
        (NEW_YORK, {"f1": 1, "t8": 1, "r1": 0, "stock": 95}),
        (GOTHAM, {"f1": 1, "t8": 3, "stock": 79}),
    ],
    ids=lambda value: getattr(value, "id", ""),
)
def test_an_opening_has_the_right_sizes(rules, sizes):
    table = Table.dealt(rules)
    assert {pile: table.size(pile) for pile in sizes} == sizes


def test_new_york_ends_only_when_no_card_can_be_placed():
    assert not is_lost(NEW_YORK, Table.of(NEW_YORK, "f1: 3C\nstock: 5S").position)


def test_belvedere_puts_one_ace_out_and_kings_at_the_bottom():
    table = Table.dealt(BELVEDERE)
    assert table["f1"] == "AC"
    kings = [table[f"t{n}"].split() for n in range(1, 9)]
    assert all(not card.startswith("K") for column in kings for card in column[3:])
