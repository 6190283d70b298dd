import pytest

from app.engine.deal import opening
from app.engine.microsoft import LAST_NUMBER, check_game, deck_of_number
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_code, parse_code, read_deck
from app.rulesets.freecell import EIGHT_OFF, FREECELL

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
    position = opening(FREECELL, deck_of_number(number))
    return [[card.text for card in position.piles[i].cards] for i in FREECELL.layout.tableau]


@pytest.mark.parametrize(("number", "rows"), [(1, GAME_1), (617, GAME_617)])
def test_known_layouts_are_dealt_row_by_row(number, rows):
    dealt = rows.split()
    assert columns(number) == [dealt[column::8] for column in range(8)]


def test_a_known_layout_by_columns():
    assert columns(24) == [line.split() for line in GAME_24.strip().splitlines()]


@pytest.mark.parametrize("number", [1, 11982, 32_000, 1_000_000, LAST_NUMBER])
def test_every_number_gives_a_whole_deck(number):
    deck = deck_of_number(number)
    assert read_deck([card.text for card in deck], 1) == deck


@pytest.mark.parametrize("number", [-1, 0, LAST_NUMBER + 1])
def test_other_numbers_are_refused(number):
    with pytest.raises(ValueError, match=r"numbered from 1 to 2,147,483,647\."):
        deck_of_number(number)


def test_a_game_that_is_dealt_otherwise_is_refused():
    with pytest.raises(ValueError, match="Eight Off isn't one"):
        check_game(EIGHT_OFF)


@pytest.mark.parametrize("typed", ["MS-11982", " ms-11982 ", "#11982", "#00011982"])
def test_a_number_stands_where_a_code_does(typed: str):
    code = parse_code(typed, FREECELL)
    assert code == "MS-11982"
    assert parse_code(code) == code
    assert deck_of_code(code, 1) == deck_of_number(11982)


@pytest.mark.parametrize("typed", ["MS119-82000", "MS11982000", "ms119 82000"])
def test_a_code_that_looks_like_a_number_stays_a_code(typed: str):
    assert parse_code(typed) == "MS119-82000"


@pytest.mark.parametrize(
    ("typed", "rules", "said"),
    [
        ("#0", FREECELL, "numbered from 1 to"),
        ("MS-2147483648", FREECELL, "numbered from 1 to"),
        ("#11982", EIGHT_OFF, "Eight Off isn't one"),
        ("#", FREECELL, "isn't a deal code"),
        ("MS-", FREECELL, "isn't a deal code"),
        ("#\u0661", FREECELL, "isn't a deal code"),
        ("MS--1", FREECELL, "isn't a deal code"),
    ],
)
def test_a_number_that_makes_no_deal_is_refused(typed: str, rules: Ruleset, said: str):
    with pytest.raises(ValueError, match=said):
        parse_code(typed, rules)
