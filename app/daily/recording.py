"""Booking how an attempt ends, in the very transaction that stores the move that ends it."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection

from app.daily import attempts
from app.daily.days import finish_ms
from app.daily.ranking import Effort, Verdict
from app.engine.transition import cards_home
from app.games.model import Kind, Status, Table

IsNamed = Callable[[Connection, str], bool]
"""Whether a player has claimed a name, so that their runs have a place on the boards."""


class Booking:
    """What the play service calls whenever a game's status changes."""

    def __init__(self, is_named: IsNamed) -> None:
        self._is_named = is_named

    def __call__(self, connection: Connection, table: Table) -> None:
        """Book ``table`` if it is an attempt that has ended in time.

        What is still open when its time runs out is booked by the closing of the day.
        """
        if table.kind is not Kind.DAILY or not table.has_ended:
            return
        attempt = attempts.attempt_of_game(connection, table.id)
        if attempt is None or table.updated_ms > finish_ms(attempt.day):
            return
        attempts.end(
            connection,
            table.id,
            Verdict.SOLVED if table.status is Status.WON else Verdict.UNSOLVED,
            effort_of(table),
            cards_home=cards_home(table.spec, table.position),
            ended_ms=table.updated_ms,
            listed=self._is_named(connection, table.owner_id),
        )


def effort_of(table: Table) -> Effort:
    """What a table took so far, as boards count it."""
    return Effort(table.actions, table.elapsed_ms // 1000)
