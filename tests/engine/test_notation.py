"""Positions as text and back. The oracle tests cover all positions that occur in play."""

import pytest

from app.engine.cards import Card
from app.engine.notation import format_pile, format_position, parse_pile, parse_position
from app.engine.position import EMPTY, Pile
from app.rulesets.bristol import BRISTOL
from tests.support.table import Table


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card.parse(name) for name in text.split())


@pytest.mark.parametrize(
    ("text", "pile"),
    [
        ("-", EMPTY),
        ("KH", Pile(cards("KH"), 0)),
        ("KH QS JD", Pile(cards("KH QS JD"), 0)),
        ("[KH] QS JD", Pile(cards("KH QS JD"), 1)),
        ("[KH QS JD]", Pile(cards("KH QS JD"), 3)),
    ],
)
def test_cards_bottom_first_and_face_down_ones_in_brackets(text, pile):
    assert parse_pile(text) == pile
    assert format_pile(pile) == text


def test_a_position_names_every_pile_in_layout_order():
    text = format_position(BRISTOL, Table.dealt(BRISTOL).position)
    names = [line.partition(":")[0] for line in text.splitlines()]
    assert names == list(BRISTOL.layout.ids)
    assert "t1: AC 2C 3C" in text.splitlines()
    assert parse_position(BRISTOL, text) == Table.dealt(BRISTOL).position


def test_missing_piles_are_empty_and_whitespace_does_not_matter():
    position = parse_position(BRISTOL, "\n  t2 :  5C   4D\n\tstock:[2C]\n")
    assert position == parse_position(BRISTOL, "stock: [2C]\nt2: 5C 4D\nt1: -")
    assert parse_position(BRISTOL, "").piles == (EMPTY,) * len(BRISTOL.layout.ids)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("t9: 5C", "Line 1: 't9' is not a pile of Bristol."),
        ("t1: 5C\nwaste: 4C", "Line 2: 'waste' is not a pile of Bristol."),
        ("t1 5C", "Line 1: 't1 5C' is not a pile of Bristol."),
        ("t1: 5C\n\nt2: 4C", "Line 2: '' is not a pile of Bristol."),
        ("t1: 5C\nt1: 4C", "Line 2: t1 is listed twice."),
        ("t1: 5X", "Line 1: '5X' is not a card: write a rank (A23456789TJQK) and a suit (CDHS)."),
        (
            "t1: 5C - 4C",
            "Line 1: '-' is not a card: write a rank (A23456789TJQK) and a suit (CDHS).",
        ),
        ("t1: [5C 4C", "Line 1: '[5C 4C' has an unmatched bracket."),
        ("t1: 5C] 4C", "Line 1: '5C] 4C' has an unmatched bracket."),
    ],
)
def test_errors_name_the_line(text, sentence):
    with pytest.raises(ValueError) as caught:  # noqa: PT011  # the whole sentence is compared
        parse_position(BRISTOL, text)
    assert str(caught.value) == sentence


@pytest.mark.parametrize("text", ["[5C] [4C]", "4C [5C]", "[[5C]]", "[5C]]", "[5C]4C]"])
def test_brackets_only_once_and_in_front(text):
    with pytest.raises(ValueError, match=r"bracket|is not a card"):
        parse_pile(text)
