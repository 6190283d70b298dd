"""Partitions of the event log for the coming months, made before they begin."""

from __future__ import annotations

from functools import partial

from app.clock import Clock, month_of
from app.db.engine import Database
from app.db.event_partitions import prepare_months
from app.jobs.scheduler import FirstRun, PeriodicTask


class EventMonths:
    """Prepares this month and the next ones."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def prepare(self) -> None:
        """Make the partitions that are missing."""
        await self._database.write(partial(prepare_months, month=month_of(self._clock())))

    def tasks(self) -> list[PeriodicTask]:
        """None on SQLite, which keeps all months together."""
        if self._database.is_sqlite:
            return []
        prepare = PeriodicTask(
            name="prepare the months of the event log",
            seconds=3600,
            run=self.prepare,
            first=FirstRun.AT_ONCE,
            lease="db/months",
        )
        return [prepare]
