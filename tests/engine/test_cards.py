"""Cards and fresh decks."""

import pickle

import pytest

from app.engine.cards import RANK_LETTERS, Card, Color, Rank, Suit, fresh_deck


def test_a_card_is_rank_and_suit_as_text():
    """ "A card is rank + suit: ranks A23456789TJQK, suits CDHS (TD = ten of diamonds)." """
    names = {card.text for card in fresh_deck(1)}
    assert names == {rank + suit for rank in "A23456789TJQK" for suit in "CDHS"}
    ten = Card.parse("TD")
    assert (ten.rank, ten.suit, ten.color) == (Rank.TEN, Suit.DIAMONDS, Color.RED)
    assert ten.words == "ten of diamonds"


def test_ranks_count_from_ace_to_king():
    assert [rank.letter for rank in Rank] == list(RANK_LETTERS)
    assert [int(rank) for rank in Rank] == list(range(1, 14))


def test_diamonds_and_hearts_are_red():
    assert [suit.value for suit in Suit if suit.color is Color.RED] == ["D", "H"]


def test_a_fresh_deck_runs_clubs_diamonds_hearts_spades_ace_to_king():
    texts = [card.text for card in fresh_deck(1)]
    assert " ".join(texts[:14]) == "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AD"
    assert [texts[26], texts[39], texts[51]] == ["AH", "AS", "KS"]


def test_two_decks_hold_every_card_twice():
    """ "Two-deck games hold every card twice." """
    assert fresh_deck(2) == fresh_deck(1) + fresh_deck(1)


@pytest.mark.parametrize("card", fresh_deck(1), ids=str)
def test_parse_and_print_are_inverses_and_cards_are_interned(card):
    assert Card.parse(str(card)) is card
    assert pickle.loads(pickle.dumps(card)) is card
    assert eval(repr(card), {"Card": Card}) is card


@pytest.mark.parametrize(
    "text", ["", "T", "D", "1D", "10D", "td", "Td", "TDD", "DT", " TD", "TX", "T♦"]
)
def test_other_text_is_not_a_card(text):
    with pytest.raises(ValueError, match="is not a card"):
        Card.parse(text)
