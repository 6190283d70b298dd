"""Writing results: recorded when a game ends, hidden and restored by moderators."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, null, update

from app.daily import repository
from app.daily.model import finish_ms, score_of
from app.db.schema import daily_attempts
from app.engine.transition import cards_home
from app.games.attempt_verdicts import AttemptVerdict
from app.games.model import Game, Kind, Status

_a = daily_attempts.c

IsNamed = Callable[[Connection, str], bool]
"""Whether a player has created an account, so that their attempts are ranked."""


class ResultRecorder:
    """A callback for status changes of games: stores the results of attempts."""

    def __init__(self, is_named: IsNamed) -> None:
        self._is_named = is_named

    def __call__(self, connection: Connection, game: Game) -> None:
        """Store the result of ``game`` if it is an attempt that has ended in time.

        Attempts that are still open when the time is up get their results when the day is closed.
        """
        if game.kind is not Kind.DAILY or not game.has_ended:
            return
        attempt = repository.find_attempt(connection, game.id)
        if attempt is None or game.updated_ms > finish_ms(attempt.day):
            return
        repository.end_attempt(
            connection,
            game.id,
            AttemptVerdict.SOLVED if game.status is Status.WON else AttemptVerdict.UNSOLVED,
            score_of(game),
            cards_home=cards_home(game.rules, game.position),
            ended_ms=game.updated_ms,
            listed=self._is_named(connection, game.owner_id),
        )


def hide(connection: Connection, game_id: str, reason: str) -> bool:
    """Hide a result and tell its player the reason; ``False`` if there was none to hide."""
    hidden = (
        update(daily_attempts)
        .where(
            _a.game_id == game_id, _a.verdict.in_((AttemptVerdict.SOLVED, AttemptVerdict.UNSOLVED))
        )
        .values(verdict=AttemptVerdict.HIDDEN, stood=_a.verdict, reason=reason)
    )
    return connection.execute(hidden).rowcount == 1


def restore(connection: Connection, game_id: str) -> bool:
    """Restore a hidden result; ``False`` if it was not hidden."""
    restored = (
        update(daily_attempts)
        .where(_a.game_id == game_id, _a.verdict == AttemptVerdict.HIDDEN)
        .values(verdict=_a.stood, stood=null(), reason=null())
    )
    return connection.execute(restored).rowcount == 1
