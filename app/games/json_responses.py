"""The responses of the JSON API about a game."""

from __future__ import annotations

import orjson
from fastapi import Response

from app.errors import (
    GameFullError,
    GameOverError,
    IllegalMoveError,
    StaleVersionError,
)
from app.games.json_state import JsonObject, state_of
from app.games.model import Game
from app.games.outcome import ActionOutcome, ActionResult
from app.http.templates import NO_STORE
from app.i18n.speaking import say


def state_response(game: Game) -> Response:
    """The state of a game."""
    return json_response(state_of(game))


def new_game_response(game: Game, status: int = 201, *, more: JsonObject | None = None) -> Response:
    """The state of a new game, ``more`` facts about it, and its address."""
    response = json_response(state_of(game) | (more or {}), status)
    response.headers["Location"] = f"/api/v1/games/{game.id}"
    return response


def json_response(content: JsonObject | list[JsonObject], status: int = 200) -> Response:
    """JSON about a game, which must not be cached: a program can save a transfer with ``since``."""
    return Response(orjson.dumps(content), status, NO_STORE, media_type="application/json")


def respond_json(outcome: ActionOutcome) -> Response:
    """The game after an accepted action, or the error that says why it was refused."""
    match outcome.result:
        case ActionResult.ACCEPTED:
            return state_response(outcome.game)
        case ActionResult.REFUSED | ActionResult.IMPOSSIBLE:
            raise IllegalMoveError(outcome.sentence)
        case ActionResult.ASKED:
            return json_response(state_of(outcome.game) | {"asked": say(outcome.sentence)}, 202)
        case ActionResult.STALE:
            raise StaleVersionError(outcome.sentence, state_of(outcome.game))
        case ActionResult.OVER:
            raise GameOverError(outcome.sentence)
        case ActionResult.FULL:
            raise GameFullError(outcome.sentence)
