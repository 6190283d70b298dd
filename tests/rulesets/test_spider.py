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
MIXED = RUN.replace("5S", "5H")

# Game, table, action, and the rule that refuses it.
JUDGED = [
    (SPIDER, "t1: 9C\nt2: 8S 7S", "t2-t1:2", None),
    (SPIDER, "t1: 9C\nt2: 8S 7H", "t2-t1:2", Rule.NOT_A_RUN),
    (SPIDER, "t1: 8C\nt2: 8S 7H", "t2-t1", None),
    (SPIDER, f"t1: 2D {RUN}", "t1-f1:13", None),
    (SPIDER, f"t1: 2D {MIXED}", "t1-f1:13", Rule.NOT_A_RUN),
    (SPIDER, "stock: [5C]\n" + "\n".join(f"t{n}: 5C" for n in range(1, 11)), "deal", None),
]


@pytest.mark.parametrize(("rules", "table", "action", "rule"), JUDGED)
def test_an_action_is_judged(rules, table, action, rule):
    assert Table.of(rules, table).refusal(action) is rule


@pytest.mark.parametrize(
    ("rules", "sizes"),
    [
        (SPIDER, {"stock": 50, "t1": 6, "t4": 6, "t5": 5, "t10": 5}),
    ],
    ids=lambda value: getattr(value, "id", ""),
)
def test_an_opening_has_the_right_sizes(rules, sizes):
    table = Table.dealt(rules)
    assert {pile: table.size(pile) for pile in sizes} == sizes


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
