"""Forty Thieves."""

import pytest

from app.engine.rules import Rule
from app.rulesets.forty_thieves import FORTY_THIEVES
from tests.support.table import Table

# Game, table, action, and the rule that refuses it.
JUDGED = [
    (FORTY_THIEVES, "t1: 9S\nt2: 8S 7S", "t2-t1:2", Rule.ONE_CARD),
    (FORTY_THIEVES, "waste: 5S", "waste-t1", None),
]


@pytest.mark.parametrize(("rules", "table", "action", "rule"), JUDGED)
def test_an_action_is_judged(rules, table, action, rule):
    assert Table.of(rules, table).refusal(action) is rule


@pytest.mark.parametrize(
    ("rules", "sizes"),
    [
        (FORTY_THIEVES, {"t10": 4, "stock": 64}),
    ],
    ids=lambda value: getattr(value, "id", ""),
)
def test_an_opening_has_the_right_sizes(rules, sizes):
    table = Table.dealt(rules)
    assert {pile: table.size(pile) for pile in sizes} == sizes


def test_one_way_through_the_stock():
    table = Table.of(FORTY_THIEVES, "stock: [2C 3C]").after("deal", "deal")
    assert table["waste"] == "3C 2C"
    assert table.refusal("deal") is Rule.STOCK_EMPTY


def test_foundations_go_up_in_suit_from_the_ace():
    table = Table.of(FORTY_THIEVES, "f1: AC\nt1: 2C\nt2: 2D\nwaste: AD")
    assert table.refusal("t1-f1") is None
    assert table.refusal("t2-f1") is Rule.BUILD
    assert table.refusal("waste-f2") is None
