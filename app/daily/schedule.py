"""The periodic work of the daily deal: making the coming deals, and closing the days that are over."""

from __future__ import annotations

import asyncio
from typing import Final

from app.clock import Clock, day_of
from app.daily.closing import ClosingInProgressError, DayClosing
from app.daily.days import closes_ms, settled_ms
from app.daily.preparing import DealPreparation
from app.jobs.scheduler import FirstRun, PeriodicTask

_LOOK_EVERY: Final = 300.0  # seconds
_HURRY_EVERY_MS: Final = 10_000


class DailySchedule:
    """Decides when the work is due. It may run in every process: leases let only one do a part of it."""

    def __init__(
        self,
        preparing: DealPreparation,
        closing: DayClosing,
        clock: Clock,
        look_every: float = _LOOK_EVERY,
    ) -> None:
        self._preparing = preparing
        self._closing = closing
        self._clock = clock
        self._look_every = look_every
        self._close_wake = asyncio.Event()
        self._prepare_wake = asyncio.Event()
        self._due_ms = 0
        self._hurried_ms = 0

    def tasks(self) -> list[PeriodicTask]:
        """What the scheduler repeats, from the first request for a daily page on.

        Side by side: proving deals takes minutes, and the closing of a day need not wait for that.
        """
        return [
            PeriodicTask(
                name=name,
                seconds=self._look_every,
                run=run,
                first=FirstRun.WHEN_WOKEN,
                wake=wake,
            )
            for name, run, wake in (
                ("close daily deals", self._close, self._close_wake),
                ("prepare daily deals", self._prepare, self._prepare_wake),
            )
        ]

    def wake_if_due(self) -> None:
        """What every request for a daily page does: start the work if it has become due."""
        if self._clock() >= self._due_ms:
            self._due_ms = self._next_ms()
            self._close_wake.set()
            self._prepare_wake.set()

    def wake_preparation(self) -> None:
        """A page asks for a deal that is not there: do not wait for the next round."""
        if self._clock() >= self._hurried_ms + _HURRY_EVERY_MS:
            self._hurried_ms = self._clock()
            self._prepare_wake.set()

    async def _close(self) -> None:
        for day in await self._closing.due():  # the oldest first
            try:
                await self._closing.close(day)
            except ClosingInProgressError:
                break  # the process that is closing this day goes on with the later ones too

    async def _prepare(self) -> None:
        await self._preparing.run()

    def _next_ms(self) -> int:
        """When there will be something new to do: at midnight, and when yesterday has settled."""
        now = self._clock()
        today = day_of(now)
        moments = (settled_ms(day_of(now - 86_400_000)), closes_ms(today))
        return min(moment for moment in moments if moment > now)
