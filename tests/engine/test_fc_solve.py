import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.actions import Deal
from app.engine.cards import Card
from app.engine.deal import opening
from app.engine.fc_solve import read_board, write_board
from app.engine.microsoft import deck_of_number
from app.engine.notation import parse_position
from app.engine.rules import legal_actions
from app.engine.shuffle import deck_of_seed
from app.engine.transition import apply
from app.engine.vocabulary import Zone
from app.rulesets.beleaguered_castle import BELEAGUERED_CASTLE
from app.rulesets.bristol import BRISTOL
from app.rulesets.freecell import EIGHT_OFF, FREECELL
from app.rulesets.klondike import KLONDIKE
from app.rulesets.yukon import RUSSIAN, YUKON


def test_an_opening_as_fc_solve_prints_it():
    board = write_board(FREECELL, opening(FREECELL, deck_of_number(24)))
    assert board.splitlines() == [
        "Foundations: H-0 C-0 D-0 S-0",
        "Freecells: - - - -",
        ": 4C 2C 9C 8C QS 4S 2H",
        ": 5H QH 3C AC 3H 4H QD",
        ": QC 9S 6H 9H 3S KS 3D",
        ": 5D 2S JC 5C JH 6D AS",
        ": 2D KD TH TC TD 8D",
        ": 7H JS KH TS KC 7C",
        ": AH 5S 6S AD 8H JD",
        ": 7S 6C 7D 4D 8S 9D",
    ]


def test_cells_foundations_and_face_down_cards():
    position = parse_position(FREECELL, "f2: AS 2S\nf3: AD\n" + "t2: [KH] QS")
    lines = write_board(FREECELL, position).splitlines()
    assert lines[:4] == ["Foundations: H-0 C-0 D-A S-2", "Freecells: - - - -", ":", ": <KH> QS"]


def test_a_game_that_the_format_cannot_say():
    with pytest.raises(ValueError, match="can't describe Bristol"):
        write_board(BRISTOL, opening(BRISTOL, BRISTOL.deck))


@given(
    st.sampled_from([FREECELL, EIGHT_OFF, YUKON, RUSSIAN, BELEAGUERED_CASTLE]),
    st.integers(0, 2**32),
    st.integers(0, 60),
)
def test_a_board_that_was_written_is_read_again(rules, seed, length):
    chance = random.Random(seed)
    position = opening(rules, deck_of_seed(chance.randbytes(32), 1))
    for _ in range(length):
        legal = legal_actions(rules, position)
        if not legal:
            break
        position = apply(rules, position, chance.choice(legal))
    board = write_board(rules, position)
    read = read_board(rules, board)
    assert write_board(rules, read) == board
    places = rules.layout.tableau.start, rules.layout.cells
    assert read.piles[places[0] :] == position.piles[places[0] :]
    assert [read.piles[i] for i in places[1]] == [position.piles[i] for i in places[1]]


# Klondike's deal 24 as PySolFC's own dealer prints it.
KLONDIKE_24 = """
Talon: TC TS AD 4D QS 3H 3S JH TD KC 8H 8S 4S 4H KS 6D 8D 7C JD 9D 2H QD 3D AS
5C
<7H> 9H
<2D> <9S> AC
<5D> <QH> <5S> 8C
<QC> <2C> <JS> <3C> 7D
<5H> <7S> <KD> <9C> <JC> 6S
<4C> <AH> <2S> <6C> <6H> <TH> KH
"""


def test_a_stock_is_a_talon_whose_first_card_is_dealt_first():
    position = read_board(KLONDIKE, KLONDIKE_24.strip())
    assert write_board(KLONDIKE, position).startswith("Talon: TC TS AD ")
    assert read_board(KLONDIKE, write_board(KLONDIKE, position)) == position
    after = apply(KLONDIKE, position, Deal())
    assert after.piles[KLONDIKE.layout.ranges[Zone.WASTE].start].cards == (Card.parse("TC"),)
    with pytest.raises(ValueError, match="can't describe a waste"):
        write_board(KLONDIKE, after)


def test_a_game_without_a_stock_has_no_talon():
    with pytest.raises(ValueError, match="'talon' is not a kind of pile"):
        read_board(FREECELL, f"Talon: 2C\n{BOARD}")


BOARD = write_board(FREECELL, opening(FREECELL, deck_of_number(24)))


@pytest.mark.parametrize("blank", ["\t", "\u00a0", "\u2003", "\x0b", "\u2028"])
def test_any_blanks_may_stand_between_cards(blank: str):
    position = opening(FREECELL, deck_of_number(24))
    board = write_board(FREECELL, position).replace(" ", blank).replace("\n", f"{blank}\r\n")
    assert read_board(FREECELL, f"\ufeff{blank}# mine\r\n{board}") == position


def test_what_other_programs_write_is_read():
    """Tens in two signs, no line for empty foundations and cells, a comment, and columns without a colon."""
    lines = ["# MS Freecell Deal #24", *BOARD.replace("T", "10").splitlines()[2:]]
    text = "\n".join(line.removeprefix(": ") for line in lines)
    assert read_board(FREECELL, text + "\n") == read_board(FREECELL, BOARD)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("4C 2C", "4C 2X", "Line 3, column 6: '2X' is not a card."),
        ("4C 2C", "4C 2H", "The board has no two of clubs; it needs one of each card."),
        ("C-0", "X-0", "Line 1, column 18: 'X-0' doesn't say how far a suit is built"),
        ("H-0", "H-Z", "Line 1, column 14: 'H-Z' doesn't say"),
        ("H-0", "C-0", "Line 1, column 18: 'C-0' doesn't say"),
        ("S-0", "S-0 S-0", "Line 1, column 30: Write only one foundation for each suit."),
        ("- - - -", "- - - - -", "Line 2: FreeCell has 4 cells."),
        ("Freecells", "Talon", "Line 2, column 1: 'talon' is not a kind of pile of this game."),
        (": 4C 2C", ": 4C <2C>", "Line 3, column 6: A face-down card can't lie on a face-up one."),
        (": AH", ": KS\n: AH", "Line 11: FreeCell has 8 columns."),
        (": AH", "#" * 5000 + "\n: AH", "A board has at most 4,096 characters."),
    ],
)
def test_what_is_wrong_with_a_board_is_said_with_its_place(old, new, complaint):
    with pytest.raises(ValueError, match="^" + re.escape(complaint)):
        read_board(FREECELL, BOARD.replace(old, new, 1))


@given(st.text(max_size=200))
def test_no_text_does_more_than_be_refused(text):
    with pytest.raises(ValueError, match=r"[.]$"):
        read_board(FREECELL, text)
