"""Spider with one, two and four suits."""

from collections import Counter

import pytest

from app.engine.cards import Suit
from app.engine.deal import opening
from app.engine.rules import Rule
from app.engine.shuffle import deck_of_code, parse_code
from app.rulesets.spider import ONE_SUIT, SPIDER, TWO_SUITS
from tests.support.table import Table

RUN = "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S AS"


@pytest.mark.parametrize(
    ("rules", "suits"),
    [(ONE_SUIT, {Suit.SPADES}), (TWO_SUITS, {Suit.SPADES, Suit.HEARTS}), (SPIDER, set(Suit))],
)
def test_a_game_has_its_suits_and_each_rank_as_often_as_any(rules, suits):
    position = opening(rules, deck_of_code(parse_code("7KQ4M-2XWTP"), 2))
    cards = [card for pile in position.piles for card in pile.cards]
    assert {card.suit for card in cards} == suits
    assert set(Counter(cards).values()) == {104 // (13 * len(suits))}
    assert Counter(cards) == Counter(rules.deck)


def test_a_deal_needs_a_card_in_every_pile():
    table = Table.of(SPIDER, "stock: [5C]\n" + "\n".join(f"t{n}: 5C" for n in range(1, 10)))
    assert table.refusal("deal") is Rule.DEAL_NEEDS_CARDS
    assert table.sentence("deal") == "Fill every empty column before you deal."
