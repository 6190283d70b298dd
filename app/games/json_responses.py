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
from app.games.outcome import Outcome, Result
from app.http.templates import NO_STORE
from app.i18n.speaking import say


def state_response(game: Game) -> Response:
    """The state of a game."""
    return json_response(state_of(game))


def new_game_response(game: Game, status: int = 201, *, more: JsonObject | None = None) -> Response:
    """The state of a game that was just dealt, ``more`` that is known of it, and its address."""
    response = json_response(state_of(game) | (more or {}), status)
    response.headers["Location"] = f"/api/v1/games/{game.id}"
    return response


def json_response(content: JsonObject | list[JsonObject], status: int = 200) -> Response:
    """JSON about a game, which must not be cached: a program can save a transfer with ``since``."""
    return Response(orjson.dumps(content), status, NO_STORE, media_type="application/json")


def respond_json(outcome: Outcome) -> Response:
    """The game after an accepted action, or the error that says why it was refused."""
    match outcome.result:
        case Result.ACCEPTED:
            return state_response(outcome.game)
        case Result.REFUSED | Result.IMPOSSIBLE:
            raise IllegalMoveError(outcome.sentence)
        case Result.ASKED:
            return json_response(state_of(outcome.game) | {"asked": say(outcome.sentence)}, 202)
        case Result.STALE:
            raise StaleVersionError(outcome.sentence, state_of(outcome.game))
        case Result.OVER:
            raise GameOverError(outcome.sentence)
        case Result.FULL:
            raise GameFullError(outcome.sentence)
