"""Attempts that could not be judged when their day was closed: set aside with a reason, so that the day closes anyway.

An attempt set aside is on no board. Its moves and their hash are published with the others, so that judging it later,
with ``fairdeal daily close``, does not change the record of the day.
"""

from __future__ import annotations

from sqlalchemy import Connection, func, update

from app.daily.attempt_logs import stream_counted_events
from app.daily.model import Attempt, DailyDeal
from app.daily.verification import AttemptDigest
from app.db.engine import Database
from app.db.schema import daily_attempts
from app.games.attempt_verdicts import AttemptVerdict

_a = daily_attempts.c


class SetAside:
    """What is stored of an attempt set aside: its length and the hash of its moves, not whether they are legal."""

    def __init__(self, attempt: Attempt) -> None:
        self.game_id = attempt.game_id
        self.actions = 0
        self.ended_ms = attempt.started_ms
        self._started_ms = attempt.started_ms
        self._digest = AttemptDigest(
            attempt.ruleset, attempt.day, attempt.game_id, attempt.started_ms
        )

    async def read(self, database: Database, deal: DailyDeal) -> None:
        """Read the events of the attempt, however many."""
        async for events in stream_counted_events(database, deal, self.game_id):
            self._digest.add(events)
            self.actions += len(events)
            self.ended_ms = events[-1].at_ms

    def store(self, connection: Connection, reason: str) -> None:
        """Set the attempt aside, unless it has been judged. Hidden attempts stay hidden."""
        unverified = update(daily_attempts).where(_a.game_id == self.game_id, ~_a.checked)
        values = {
            "checked": True,
            "digest": self._digest.hexdigest(),
            "actions": func.coalesce(_a.actions, self.actions),
            "seconds": func.coalesce(_a.seconds, (self.ended_ms - self._started_ms) // 1000),
            "ended_ms": func.coalesce(_a.ended_ms, self.ended_ms),
        }
        hidden = unverified.where(_a.verdict == AttemptVerdict.HIDDEN)
        if connection.execute(hidden.values(stood=AttemptVerdict.SET_ASIDE, **values)).rowcount:
            return
        connection.execute(
            unverified.values(
                verdict=AttemptVerdict.SET_ASIDE,
                stood=_a.verdict,
                reason=reason.format(actions=f"{self.actions:,}"),
                **values,
            )
        )
