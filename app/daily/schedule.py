"""The periodic tasks of the daily deal: preparing upcoming deals and closing past days."""

from __future__ import annotations

import asyncio
from typing import Final

from app.clock import Clock, day_of
from app.daily.closing import ClosingInProgressError, DayClosing
from app.daily.model import closes_ms, settled_ms
from app.daily.preparing import DealPreparation
from app.daily.streaks import ONE_DAY
from app.jobs.scheduler import FirstRun, PeriodicTask

_INTERVAL: Final = 300.0  # seconds
_MIN_WAKE_INTERVAL_MS: Final = 10_000


class DailySchedule:
    """Decides when the tasks are due. Every process runs them; leases ensure that one does the work."""

    def __init__(
        self,
        preparing: DealPreparation,
        closing: DayClosing,
        clock: Clock,
        interval: float = _INTERVAL,
    ) -> None:
        self._preparing = preparing
        self._closing = closing
        self._clock = clock
        self._interval = interval
        self._close_wake = asyncio.Event()
        self._prepare_wake = asyncio.Event()
        self._due_ms = 0
        self._preparation_woken_ms = 0

    def tasks(self) -> list[PeriodicTask]:
        """The tasks for the scheduler, which start with the first request for a daily page.

        There are two, so that closing a day does not wait for proofs, which take minutes.
        """
        return [
            PeriodicTask(
                name=name,
                seconds=self._interval,
                run=run,
                first=FirstRun.WHEN_WOKEN,
                wake=wake,
            )
            for name, run, wake in (
                ("close daily deals", self._close, self._close_wake),
                ("prepare daily deals", self._preparing.run, self._prepare_wake),
            )
        ]

    def wake_if_due(self) -> None:
        """Wake the tasks if they are due. Every request for a daily page does so."""
        if self._clock() >= self._due_ms:
            self._due_ms = self._next_ms()
            self._close_wake.set()
            self._prepare_wake.set()

    def wake_preparation(self) -> None:
        """Wake the preparation because a player asks for a missing deal, at most every ten seconds."""
        if self._clock() >= self._preparation_woken_ms + _MIN_WAKE_INTERVAL_MS:
            self._preparation_woken_ms = self._clock()
            self._prepare_wake.set()

    async def _close(self) -> None:
        for day in await self._closing.list_due_days():
            try:
                await self._closing.close(day)
            except ClosingInProgressError:
                break  # the other process will close the later days as well

    def _next_ms(self) -> int:
        """When tasks are due next: at midnight, or when yesterday can be closed."""
        now = self._clock()
        today = day_of(now)
        moments = (settled_ms(today - ONE_DAY), closes_ms(today))
        return min(moment for moment in moments if moment > now)
