"""Yukon, Russian Solitaire and Scorpion: groups of cards in any order."""

from app.engine.rules import Rule
from app.rulesets.yukon import RUSSIAN, SCORPION, YUKON
from tests.support.table import Table

RUN = "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S AS"


def test_yukon_deals_one_to_seven_and_five_open_ones_on_all_but_the_first():
    table = Table.dealt(YUKON)
    assert [table.size(f"t{n}") for n in range(1, 8)] == [1, 6, 7, 8, 9, 10, 11]
    downs = [table.position.piles[n].down for n in YUKON.layout.tableau]
    assert downs == [0, 1, 2, 3, 4, 5, 6]
    assert RUSSIAN.deal == YUKON.deal


def test_scorpion_hides_three_cards_in_each_of_four_piles_and_deals_three_at_once():
    table = Table.dealt(SCORPION)
    assert [table.position.piles[n].down for n in SCORPION.layout.tableau] == [3, 3, 3, 3, 0, 0, 0]
    after = table.after("deal")
    assert [after.size(f"t{n}") for n in range(1, 8)] == [8, 8, 8, 7, 7, 7, 7]
    assert after.refusal("deal") is Rule.STOCK_EMPTY
