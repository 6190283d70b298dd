"""One position has one chance to win: the refined hint, the review and the explorer agree on it."""

from __future__ import annotations

import pytest

from app.analysis.hints import THOROUGH
from app.analysis.judging import OPENING, judge_game, turns_of
from app.engine.history import History
from app.engine.shuffle import deck_of_code, parse_code
from app.explorer.position_chances import judge_position
from app.games.model import Game
from app.games.moments import GameEvent
from app.games.replay import replay
from app.rulesets.klondike import KLONDIKE
from app.solver.advice import advise
from app.solver.sight import see


@pytest.mark.parametrize("code", ["HNT00-00002", "HNT00-00004"])
def test_the_opening_has_the_same_chance_in_a_hint_a_review_and_the_explorer(code: str):
    """With 30,000 positions, the estimates of these deals are up to 15 points apart."""
    history = History.start(KLONDIKE, deck_of_code(parse_code(code), 1))
    sight, new = see(history.position), history.unvisited_actions()
    advice = advise(KLONDIKE, sight, new, THOROUGH.positions)
    explored = judge_position(KLONDIKE.id, KLONDIKE.revision, sight)
    game = Game.start(game_id="x", history=history, code=None, owner_id="anna", at_ms=0)
    move = next(str(action) for action in new if str(action) != "deal")
    game = replay(game, [GameEvent(word, 0, "anna", None) for word in (move, "deal")])
    judged = judge_game(
        KLONDIKE, turns_of(game, [0, 1, 2]), game.history.actions(), lambda *_: False
    )
    assert advice
    assert THOROUGH.positions == OPENING
    chances = [
        max(one.chance for one in advice.estimates),
        max(explored.values()),
        judged.moves[0].before,
    ]
    assert max(chances) - min(chances) < 0.02
