import pytest

from app.engine.deal import opening
from app.engine.fc_solve import write_board
from app.engine.microsoft import deck_of_number
from app.engine.notation import parse_position
from app.rulesets.bristol import BRISTOL
from app.rulesets.freecell import FREECELL


def test_an_opening_as_fc_solve_prints_it():
    board = write_board(FREECELL, opening(FREECELL, deck_of_number(24, FREECELL)))
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
    with pytest.raises(ValueError, match="no words for Bristol"):
        write_board(BRISTOL, opening(BRISTOL, BRISTOL.deck))
