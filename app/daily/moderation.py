"""DailyResults that are taken off the boards by those who look after the site, and put back.

A hidden result counts for nothing while it is hidden: no rank, nobody else's percentage, no day of a streak. Only its
player is told of it. What it was is kept beside it, and so is its place in the published record of the day: that
speaks of what was played, and a later act of ours must not change it.
"""

from __future__ import annotations

from sqlalchemy import Connection, null, update

from app.daily.ranking import Verdict
from app.db.schema import daily_attempts

_a = daily_attempts.c


def hide(connection: Connection, game_id: str, sentence: str) -> bool:
    """Take a result off the boards, with a reason for its player; whether it stood there."""
    hidden = (
        update(daily_attempts)
        .where(_a.game_id == game_id, _a.verdict.in_((Verdict.SOLVED, Verdict.UNSOLVED)))
        .values(verdict=Verdict.HIDDEN, stood=_a.verdict, reason=sentence)
    )
    return connection.execute(hidden).rowcount == 1


def restore(connection: Connection, game_id: str) -> bool:
    """Put a hidden result back where it stood; whether it was hidden."""
    restored = (
        update(daily_attempts)
        .where(_a.game_id == game_id, _a.verdict == Verdict.HIDDEN)
        .values(verdict=_a.stood, stood=null(), reason=null())
    )
    return connection.execute(restored).rowcount == 1
