import pytest

from app.engine.deal import opening
from app.engine.microsoft import LAST_NUMBER, deck_of_number
from app.engine.shuffle import read_deck
from app.rulesets.freecell import BAKERS_GAME, EIGHT_OFF, FREECELL

# Rows as rosettacode.org/wiki/Deal_cards_for_FreeCell prints them.
GAME_1 = """
JD 2D 9H JC 5D 7H 7C 5H
KD KC 9S 5S AD QC KH 3H
2S KS 9D QD JS AS AH 3C
4C 5C TS QH 4H AC 4D 7S
3S TD 4S TH 8H 2C JH 7D
6D 8S 8D QS 6C 3D 8C TC
6S 9C 2H 6H
"""
GAME_617 = """
7D AD 5C 3S 5S 8C 2D AH
TD 7S QD AC 6D 8H AS KH
TH QC 3H 9D 6S 8D 3D TC
KD 5H 9S 3C 8S 7H 4D JS
4C QS 9C 9H 7C 6H 2C 2S
4S TS 2H 5D JC 6C JH QH
JD KS KC 4H
"""
# Columns, from the tests of fc-solve.
GAME_24 = """
4C 2C 9C 8C QS 4S 2H
5H QH 3C AC 3H 4H QD
QC 9S 6H 9H 3S KS 3D
5D 2S JC 5C JH 6D AS
2D KD TH TC TD 8D
7H JS KH TS KC 7C
AH 5S 6S AD 8H JD
7S 6C 7D 4D 8S 9D
"""


def columns(number: int) -> list[list[str]]:
    position = opening(FREECELL, deck_of_number(number, FREECELL))
    return [[card.text for card in position.piles[i].cards] for i in FREECELL.layout.tableau]


@pytest.mark.parametrize(("number", "rows"), [(1, GAME_1), (617, GAME_617)])
def test_known_layouts_are_dealt_row_by_row(number, rows):
    dealt = rows.split()
    assert columns(number) == [dealt[column::8] for column in range(8)]


def test_a_known_layout_by_columns():
    assert columns(24) == [line.split() for line in GAME_24.strip().splitlines()]


@pytest.mark.parametrize("number", [1, 11982, 32_000, 1_000_000, LAST_NUMBER])
def test_every_number_gives_a_whole_deck(number):
    deck = deck_of_number(number, BAKERS_GAME)
    assert read_deck([card.text for card in deck], 1) == deck


@pytest.mark.parametrize("number", [-1, 0, LAST_NUMBER + 1])
def test_other_numbers_are_refused(number):
    with pytest.raises(ValueError, match=r"numbered from 1 to 2,147,483,647\."):
        deck_of_number(number, FREECELL)


def test_a_game_that_is_dealt_otherwise_is_refused():
    with pytest.raises(ValueError, match="Eight Off isn't one"):
        deck_of_number(1, EIGHT_OFF)
