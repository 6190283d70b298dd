"""Klondike: draws, redeals, kings to empty piles, and cards back from the foundations."""

from app.engine.history import History
from app.engine.rules import Rule, legal_actions
from app.engine.shuffle import deck_of_code, parse_code
from app.engine.transition import is_lost
from app.rulesets.klondike import DRAW_THREE, KLONDIKE, ONE_PASS, THREE_PASSES
from tests.support.table import Table


def test_three_cards_are_drawn_one_after_another():
    after = Table.of(DRAW_THREE, "stock: [2C 3C 4C 5C]").after("deal")
    assert (after["stock"], after["waste"]) == ("[2C]", "5C 4C 3C")
    after = after.after("deal")
    assert (after["stock"], after["waste"]) == ("-", "5C 4C 3C 2C")


def test_the_waste_is_turned_over_and_comes_in_the_same_order_again():
    table = Table.of(KLONDIKE, "stock: [2C 3C]").after("deal", "deal")
    assert table["waste"] == "3C 2C"
    again = table.after("deal")
    assert (again["stock"], again["waste"]) == ("[2C 3C]", "-")
    assert again.position.redeals == 0  # without a limit it does not matter how often


def test_redeals_are_counted_where_they_are_limited():
    table = Table.of(THREE_PASSES, "stock: [2C]")
    for redeals in (1, 2):
        table = table.after("deal", "deal")
        assert table.position.redeals == redeals
    table = table.after("deal")
    assert table.refusal("deal") is Rule.STOCK_EMPTY
    assert table.sentence("deal") == "The stock is empty, and there are no redeals left."
    assert is_lost(THREE_PASSES, table.position)
    assert Table.of(ONE_PASS, "waste: 2C").refusal("deal") is Rule.STOCK_EMPTY
    assert (
        Table.of(KLONDIKE, "t1: KC").sentence("deal") == "The stock is empty, and so is the waste."
    )


def test_a_redeal_can_be_undone():
    history = History.start(THREE_PASSES, deck_of_code(parse_code("7KQ4M-2XWTP"), 1))
    deal = Table(THREE_PASSES, history.position)
    while history.position.piles[0].cards:
        history = history.apply(
            next(a for a in legal_actions(history.rules, history.position) if str(a) == "deal")
        )
    before = history.position
    history = history.apply(
        next(a for a in legal_actions(history.rules, history.position) if str(a) == "deal")
    )
    assert history.position.redeals == 1
    assert history.undo().position == before
    assert history.position.piles[0] == deal.position.piles[0]
