"""Small tables: whatever lies on them has its place on the drawing."""

from __future__ import annotations

import pytest

from app.engine.history import History
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_seed
from app.games.model import Game, GameEvent, Kind
from app.races.mini_table import CARD_H, CARD_W, room_for, small_board
from app.rulesets import RULESETS
from tests.support.leaks import a_line_of_play

LENGTH = 60


def tables(rules: Ruleset) -> list[Game]:
    """A table after each action of some play."""
    deck = deck_of_seed(bytes(range(32)), rules.decks)
    history = History.start(rules, deck)
    found = [
        Game.start(
            game_id="g", kind=Kind.RACE, history=history, code=None, owner_id="anna", at_ms=0
        )
    ]
    for number, word in enumerate(a_line_of_play(rules, deck, LENGTH), 1):
        entry = GameEvent(action=word, at_ms=number * 1000, actor_id="anna", key=None)
        found.append(found[-1].after(entry))
    return found


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
def test_every_card_lies_on_the_board_and_the_tallest_column_fills_it(rules: Ruleset):
    played = tables(rules)
    tall = room_for(played)
    boards = [small_board(game, tall) for game in played]
    assert len({(board.width, board.height) for board in boards}) == 1
    faces = [face for board in boards for face in board.cards]
    assert max(face.x for face in faces) + CARD_W <= boards[0].width + 0.1
    assert max(face.y for face in faces) + CARD_H == pytest.approx(boards[0].height, abs=0.2)


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
def test_what_lies_face_down_has_no_text(rules: Ruleset):
    for game in tables(rules):
        hidden = sum(pile.down for pile in game.position.piles[rules.layout.tableau.start :])
        shown = small_board(game).cards
        assert sum(not face.text for face in shown) >= hidden
