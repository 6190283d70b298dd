"""Small tables: whatever lies on them has its place on the drawing."""

from __future__ import annotations

import pytest

from app.engine.history import Line
from app.engine.ruleset import GameSpec
from app.engine.shuffle import deck_of_seed
from app.games.model import Entry, Kind, Table
from app.races.mini_table import CARD_H, CARD_W, room_for, small_board
from app.rulesets import GAMES
from tests.support.leaks import a_line_of_play

LENGTH = 60


def tables(spec: GameSpec) -> list[Table]:
    """A table after each action of some play."""
    deck = deck_of_seed(bytes(range(32)), spec.decks)
    line = Line.start(spec, deck)
    found = [
        Table.start(game_id="g", kind=Kind.RACE, line=line, code=None, owner_id="anna", at_ms=0)
    ]
    for number, word in enumerate(a_line_of_play(spec, deck, LENGTH), 1):
        entry = Entry(action=word, at_ms=number * 1000, actor_id="anna", key=None)
        found.append(found[-1].after(entry))
    return found


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.id)
def test_every_card_lies_on_the_board_and_the_tallest_column_fills_it(spec: GameSpec):
    played = tables(spec)
    tall = room_for(played)
    boards = [small_board(table, tall) for table in played]
    assert len({(board.width, board.height) for board in boards}) == 1
    faces = [face for board in boards for face in board.cards]
    assert max(face.x for face in faces) + CARD_W <= boards[0].width + 0.1
    assert max(face.y for face in faces) + CARD_H == pytest.approx(boards[0].height, abs=0.2)


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.id)
def test_what_lies_face_down_has_no_text(spec: GameSpec):
    for table in tables(spec):
        hidden = sum(pile.down for pile in table.position.piles[spec.layout.tableau.start :])
        shown = small_board(table).cards
        assert sum(not face.text for face in shown) >= hidden
