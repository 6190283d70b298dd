"""Sees to it that the coming deals are made and that days which are over are closed, without being asked."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from app.daily.closing import AtWorkError, Closing
from app.daily.days import closes_ms, day_of, settled_ms
from app.daily.preparing import Preparing

_LOOK_EVERY: Final = 300.0  # seconds

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
        self._preparing = preparing
        self._closing = closing
        self._clock = clock
        self._look_every = look_every
        self._bell = asyncio.Event()
        self._due_ms = 0

    def glance(self) -> None:
        """What every request for a daily page does: start the work if it has become due."""
        if self._clock() >= self._due_ms:
            self._bell.set()

    async def run(self) -> None:
        """Work from the first glance on, until cancelled."""
        await self._bell.wait()
        while True:
            self._bell.clear()
            self._due_ms = self._next_ms()
            await self.work()
            try:
                await asyncio.wait_for(self._bell.wait(), self._look_every)
            except TimeoutError:
                continue

    async def work(self) -> None:
        """Make what is missing, and close what is over. Whatever goes wrong is logged and tried again later."""
        for job in (self._preparing.run, self._close):
            try:
                await job()
            except Exception:  # noqa: BLE001 - whatever it was, the other job is still owed
                _log.exception("The daily work could not be done")

    async def _close(self) -> None:
        for day in await self._closing.due():  # the oldest first
            try:
                await self._closing.close(day)
            except AtWorkError:
                break  # whoever is at it goes on with the later days too

    def _next_ms(self) -> int:
        """When there will be something new to do: at midnight, and when yesterday has settled."""
        now = self._clock()
        today = day_of(now)
        moments = (settled_ms(day_of(now - 86_400_000)), closes_ms(today))
        return min(moment for moment in moments if moment > now)
