"""Forty Thieves."""

from app.engine.rules import Rule
from app.rulesets.forty_thieves import FORTY_THIEVES
from tests.support.table import Table


def test_one_way_through_the_stock():
    table = Table.of(FORTY_THIEVES, "stock: [2C 3C]").after("deal", "deal")
    assert table["waste"] == "3C 2C"
    assert table.refusal("deal") is Rule.STOCK_EMPTY


def test_foundations_go_up_in_suit_from_the_ace():
    table = Table.of(FORTY_THIEVES, "f1: AC\nt1: 2C\nt2: 2D\nwaste: AD")
    assert table.refusal("t1-f1") is None
    assert table.refusal("t2-f1") is Rule.BUILD
    assert table.refusal("waste-f2") is None
