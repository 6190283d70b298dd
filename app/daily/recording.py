"""Booking how an attempt ends, in the very transaction that stores the move that ends it."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection

from app.daily import attempts
from app.daily.days import finish_ms
from app.daily.ranking import Effort, Verdict
from app.engine.transition import cards_home
from app.games.model import Game, Kind, Status

IsNamed = Callable[[Connection, str], bool]
"""Whether a player has claimed a name, so that their runs have a place on the boards."""


class Booking:
    """What the play service calls whenever a game's status changes."""

    def __init__(self, is_named: IsNamed) -> None:
        self._is_named = is_named

    def __call__(self, connection: Connection, game: Game) -> None:
        """Book ``table`` if it is an attempt that has ended in time.

        What is still open when its time runs out is booked by the closing of the day.
        """
        if game.kind is not Kind.DAILY or not game.has_ended:
            return
        attempt = attempts.attempt_of_game(connection, game.id)
        if attempt is None or game.updated_ms > finish_ms(attempt.day):
            return
        attempts.end(
            connection,
            game.id,
            Verdict.SOLVED if game.status is Status.WON else Verdict.UNSOLVED,
            effort_of(game),
            cards_home=cards_home(game.rules, game.position),
            ended_ms=game.updated_ms,
            listed=self._is_named(connection, game.owner_id),
        )


def effort_of(game: Game) -> Effort:
    """What a table took so far, as boards count it."""
    return Effort(game.actions, game.elapsed_ms // 1000)
