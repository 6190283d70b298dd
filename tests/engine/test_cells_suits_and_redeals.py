"""What the games beside the first eight add to the vocabulary: cells, suits, units, redeals and other fills."""

from collections import Counter

import pytest

from app.engine.cards import Suit
from app.engine.deal import opening
from app.engine.history import History
from app.engine.rules import Rule
from app.engine.shuffle import deck_of_code, parse_code
from app.engine.transition import is_lost
from app.rulesets.beleaguered_castle import BELEAGUERED_CASTLE
from app.rulesets.bristol_family import BELVEDERE, DOVER, GOTHAM, NEW_YORK, SPIKE, VINCENT
from app.rulesets.canfield import CANFIELD
from app.rulesets.forty_thieves import FORTY_THIEVES
from app.rulesets.freecell import BAKERS_GAME, EIGHT_OFF, FREECELL
from app.rulesets.klondike import DRAW_THREE, KLONDIKE, ONE_PASS, THREE_PASSES
from app.rulesets.spider import ONE_SUIT, SPIDER, TWO_SUITS
from app.rulesets.terrace_family import MAMY_SUSAN, QUEEN_OF_ITALY
from app.rulesets.yukon import RUSSIAN, SCORPION, YUKON
from tests.support.table import Table

RUN = "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S AS"
MIXED = RUN.replace("5S", "5H")
FILLED = "t3: KC\nt4: KD\nt5: KH\nt6: KC\nt7: KD\nt8: KH"

# Game, table, action, and the rule that refuses it.
JUDGED = [
    # suits on foundations and in the tableau
    (KLONDIKE, "f1: AS\nt1: 2S", "t1-f1", None),
    (KLONDIKE, "f1: AS\nt1: 2C", "t1-f1", Rule.BUILD),
    (KLONDIKE, "t1: 9S\nt2: 8H", "t2-t1", None),
    (KLONDIKE, "t1: 9S\nt2: 8C", "t2-t1", Rule.BUILD),
    (BAKERS_GAME, "t1: 9S\nt2: 8S", "t2-t1", None),
    (BAKERS_GAME, "t1: 9S\nt2: 8H", "t2-t1", Rule.BUILD),
    (FORTY_THIEVES, "t1: 9S\nt2: 8S 7S", "t2-t1:2", Rule.ONE_CARD),
    (RUSSIAN, "t1: 9S\nt2: 8S 2H KD", "t2-t1:3", None),
    (RUSSIAN, "t1: 9S\nt2: 8C 2H KD", "t2-t1:3", Rule.BUILD),
    # back from a foundation
    (KLONDIKE, "f1: AS 2S\nt1: 3H", "f1-t1", None),
    (KLONDIKE, "f1: AS 2S\nt1: 3C", "f1-t1", Rule.BUILD),
    (KLONDIKE, "f1: AS", "f1-f2", Rule.SOURCE_ZONE),
    (FREECELL, "f1: AS 2S\nt1: 3H", "f1-t1", Rule.LEAVES_FOUNDATION),
    # empty piles
    (KLONDIKE, "t1: KS QH", "t1-t2:2", None),
    (KLONDIKE, "waste: QS", "waste-t2", Rule.EMPTY_PILE),
    (FREECELL, "t1: 5S 4H", "t1-t2", None),
    (EIGHT_OFF, "t1: 5S 4S", "t1-t2", Rule.EMPTY_PILE),
    (EIGHT_OFF, "c1: KS", "c1-t2", None),
    (FORTY_THIEVES, "waste: 5S", "waste-t1", None),
    (DOVER, "r1: 5S", "r1-t1", None),
    (DOVER, "t2: 6C 5S", "t2-t1", Rule.EMPTY_PILE),
    (QUEEN_OF_ITALY, "f1: 3C\nr1: 5S", "r1-t1", Rule.SOURCE_ZONE),
    (QUEEN_OF_ITALY, "f1: 3C\nt2: 5S 4H", "t2-t1", None),
    (CANFIELD, "f1: 3C\nwaste: 5S", "waste-t1", None),
    (VINCENT, "t1: KS QS", "t1-t2:2", None),
    (SPIKE, "r2: KS", "r2-t1", None),
    # units
    (SPIDER, "t1: 9C\nt2: 8S 7S", "t2-t1:2", None),
    (SPIDER, "t1: 9C\nt2: 8S 7H", "t2-t1:2", Rule.NOT_A_RUN),
    (SPIDER, "t1: 8C\nt2: 8S 7H", "t2-t1", None),
    (YUKON, "t1: 9C\nt2: 8H KS 2D", "t2-t1:3", None),
    (YUKON, "t1: 9C\nt2: [8H] KS 2D", "t2-t1:3", Rule.FACE_DOWN),
    (YUKON, "t1: KC 2D", "t1-t2:2", None),
    (GOTHAM, "f1: 3C\nt1: AC\nt2: KD QC", "t2-t1:2", None),
    # runs to foundations
    (SPIDER, f"t1: 2D {RUN}", "t1-f1:13", None),
    (SPIDER, f"t1: 2D {MIXED}", "t1-f1:13", Rule.NOT_A_RUN),
    (SCORPION, f"t1: 2D {RUN}", "t1-f1:13", None),
    (SCORPION, f"t1: 2D {MIXED}", "t1-f1:13", Rule.WHOLE_RUN),
    (SCORPION, "t1: AS", "t1-f1", Rule.WHOLE_RUN),
    # cells, and runs by way of them
    (FREECELL, "t1: 5S", "t1-c3", None),
    (FREECELL, "c1: 4H\nt1: 5S", "c1-t1", None),
    (FREECELL, "c1: 4H", "c1-c2", Rule.SOURCE_ZONE),
    (FREECELL, f"t1: 9C\nt2: 8H 7C 6H 5C 4H\n{FILLED}", "t2-t1:5", None),
    (FREECELL, f"c1: AC\nt1: 9C\nt2: 8H 7C 6H 5C 4H\n{FILLED}", "t2-t1:5", Rule.TOO_MANY),
    (FREECELL, f"c1: AC\nt1: 9C\nt2: 8H 7C 6H 5C 4H\n{FILLED[:-7]}", "t2-t1:5", None),
    # to the empty pile itself, that pile does not count as one on the way
    (FREECELL, f"t2: 8H 7C 6H 5C 4H 3C\nt1: KS\n{FILLED[:-7]}", "t2-t8:5", None),
    (FREECELL, f"t2: 8H 7C 6H 5C 4H 3C\nt1: KS\n{FILLED[:-7]}", "t2-t8:6", Rule.TOO_MANY),
    (EIGHT_OFF, "t1: 9C\nt2: 8C 7C 6C", "t2-t1:3", None),
    # the stock
    (NEW_YORK, "f1: 3C\nstock: [4D] 5S\nr2: KH", "stock-r2", None),
    (NEW_YORK, "f1: 3C\nt1: 5S\nr2: KH", "t1-r2", Rule.SOURCE_ZONE),
    (NEW_YORK, "f1: 3C\nstock: 4C", "stock-f1", None),
    (SPIDER, "stock: [5C]\n" + "\n".join(f"t{n}: 5C" for n in range(1, 11)), "deal", None),
    (MAMY_SUSAN, "r1: [5H] 4S\nt1: 5H", "r1-t1", Rule.SOURCE_ZONE),
    (BELEAGUERED_CASTLE, "t1: 9S\nt2: 8S", "t2-t1", None),
]


@pytest.mark.parametrize(("rules", "table", "action", "rule"), JUDGED)
def test_an_action_is_judged(rules, table, action, rule):
    assert Table.of(rules, table).refusal(action) is rule


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
        history = history.apply(next(a for a in legal(history) if str(a) == "deal"))
    before = history.position
    history = history.apply(next(a for a in legal(history) if str(a) == "deal"))
    assert history.position.redeals == 1
    assert history.undo().position == before
    assert history.position.piles[0] == deal.position.piles[0]


def legal(history):
    from app.engine.rules import legal_actions  # noqa: PLC0415 - for one test

    return legal_actions(history.rules, history.position)


def test_the_reserve_fills_an_empty_pile_at_once_and_shows_its_next_card():
    table = Table.of(CANFIELD, "f1: 3C\nr1: [9H] 8S\nt1: 4C\nt2: 9D\nt3: 2H\nt4: KS")
    after = table.after("t1-f1")
    assert (after["t1"], after["r1"]) == ("8S", "9H")


def test_new_york_ends_only_when_no_card_can_be_placed():
    assert not is_lost(NEW_YORK, Table.of(NEW_YORK, "f1: 3C\nstock: 5S").position)


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


OPENINGS = [
    (KLONDIKE, {"stock": 24, "t1": 1, "t7": 7}),
    (FREECELL, {"stock": 0, "t1": 7, "t4": 7, "t5": 6, "t8": 6, "c1": 0}),
    (EIGHT_OFF, {"c1": 1, "c4": 1, "c5": 0, "t8": 6}),
    (SPIDER, {"stock": 50, "t1": 6, "t4": 6, "t5": 5, "t10": 5}),
    (YUKON, {"t1": 1, "t2": 6, "t7": 11}),
    (SCORPION, {"stock": 3, "t1": 7, "t7": 7}),
    (CANFIELD, {"r1": 13, "f1": 1, "t4": 1, "stock": 34}),
    (FORTY_THIEVES, {"t10": 4, "stock": 64}),
    (BELEAGUERED_CASTLE, {"f1": 1, "f4": 1, "t1": 6, "t8": 6}),
    (BELVEDERE, {"f1": 1, "f2": 0, "t8": 3, "r3": 1, "stock": 24}),
    (NEW_YORK, {"f1": 1, "t8": 1, "r1": 0, "stock": 95}),
    (GOTHAM, {"f1": 1, "t8": 3, "stock": 79}),
    (MAMY_SUSAN, {"r1": 6, "t10": 4, "stock": 58}),
]


@pytest.mark.parametrize(("rules", "sizes"), OPENINGS, ids=lambda value: getattr(value, "id", ""))
def test_an_opening_has_the_right_sizes(rules, sizes):
    table = Table.dealt(rules)
    assert {pile: table.size(pile) for pile in sizes} == sizes


def test_only_the_upper_cards_of_a_column_are_face_up():
    table = Table.dealt(YUKON)
    piles = {str(name): table.position.piles[n] for name, n in YUKON.layout.index.items()}
    assert [piles[f"t{n}"].down for n in range(1, 8)] == [0, 1, 2, 3, 4, 5, 6]
    scorpion = Table.dealt(SCORPION).position
    assert [scorpion.piles[n].down for n in SCORPION.layout.tableau] == [3, 3, 3, 3, 0, 0, 0]
    canfield = Table.dealt(CANFIELD)
    assert canfield["r1"].count("]") == 1
    assert canfield["r1"].endswith("] KC")
