"""Beleaguered Castle."""

from app.engine.rules import Rule
from app.rulesets.beleaguered_castle import BELEAGUERED_CASTLE
from tests.support.table import Table


def test_the_aces_are_taken_out_of_the_deck():
    table = Table.dealt(BELEAGUERED_CASTLE)
    assert {table[f"f{n}"] for n in range(1, 5)} == {"AC", "AD", "AH", "AS"}
    assert not any(pile.down for pile in table.position.piles)


def test_one_card_moves_at_a_time_and_any_card_fills_an_empty_pile():
    table = Table.of(BELEAGUERED_CASTLE, "t1: 9S\nt2: 8S 7D")
    assert table.refusal("t2-t1:2") is Rule.ONE_CARD
    assert table.refusal("t2-t3") is None
