from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.engine.cards import Card, fresh_deck
from app.engine.shuffle import SEED_BYTES, pack_deck, unpack_deck

decks = st.integers(1, 2).flatmap(lambda count: st.permutations(fresh_deck(count)))


@given(decks)
def test_a_packed_deck_comes_out_in_the_same_order(deck: list[Card]) -> None:
    assert unpack_deck(pack_deck(deck)) == tuple(deck)


@given(decks)
def test_a_packed_deck_is_never_as_long_as_a_seed(deck: list[Card]) -> None:
    assert len(pack_deck(deck)) == len(deck) != SEED_BYTES
