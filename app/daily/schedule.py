"""Sees to it that the coming deals are made and that days which are over are closed, without being asked."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from app.daily.closing import AtWorkError, Closing
from app.daily.days import closes_ms, day_of, settled_ms
from app.daily.preparing import Preparing

_LOOK_EVERY: Final = 300.0  # seconds
_HURRY_EVERY_MS: Final = 10_000

Job = Callable[[], Awaitable[None]]

_log = logging.getLogger("fairdeal.daily")


class Caretaker:
    """Works in the background of each server process; the jobs themselves let only one of them do a thing."""

    def __init__(
        self,
        preparing: Preparing,
        closing: Closing,
        clock: Callable[[], int],
        look_every: float = _LOOK_EVERY,
    ) -> None:
        self._closing = closing
        self._clock = clock
        self._look_every = look_every
        # Side by side: proving deals takes minutes, and the closing of a day need not wait for that.
        self._preparing = preparing
        self._jobs = {job: asyncio.Event() for job in (self._close, self._prepare)}
        self._due_ms = 0
        self._hurried_ms = 0

    def glance(self) -> None:
        """What every request for a daily page does: start the work if it has become due."""
        if self._clock() >= self._due_ms:
            self._due_ms = self._next_ms()
            for bell in self._jobs.values():
                bell.set()

    def hurry(self) -> None:
        """Somebody looks for a deal that is not there: do not wait for the next round."""
        if self._clock() >= self._hurried_ms + _HURRY_EVERY_MS:
            self._hurried_ms = self._clock()
            self._jobs[self._prepare].set()

    async def run(self) -> None:
        """Work from the first glance on, until cancelled."""
        await asyncio.gather(*(self._repeat(job, bell) for job, bell in self._jobs.items()))

    async def work(self) -> None:
        """Close what is over and make what is missing, once."""
        await asyncio.gather(*map(self._try, self._jobs))

    async def _repeat(self, job: Job, bell: asyncio.Event) -> None:
        await bell.wait()
        while True:
            bell.clear()
            await self._try(job)
            with suppress(TimeoutError):
                await asyncio.wait_for(bell.wait(), self._look_every)

    async def _try(self, job: Job) -> None:
        """Do a job; whatever goes wrong is logged, and it is tried again later."""
        try:
            await job()
        except Exception:  # noqa: BLE001 - whatever it was, the next time is owed all the same
            _log.exception("The daily work could not be done")

    async def _close(self) -> None:
        for day in await self._closing.due():  # the oldest first
            try:
                await self._closing.close(day)
            except AtWorkError:
                break  # whoever is at it goes on with the later days too

    async def _prepare(self) -> None:
        await self._preparing.run()

    def _next_ms(self) -> int:
        """When there will be something new to do: at midnight, and when yesterday has settled."""
        now = self._clock()
        today = day_of(now)
        moments = (settled_ms(day_of(now - 86_400_000)), closes_ms(today))
        return min(moment for moment in moments if moment > now)
