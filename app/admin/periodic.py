"""What a site does for itself while it runs, each thing every so often; some of it in one process only."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple

from app.db import leases
from app.db.engine import Database

_log: Final = logging.getLogger("fairdeal.admin")


class Duty(NamedTuple):
    """Something to be done every so many seconds, by each process or by one of them."""

    name: str
    seconds: float
    work: Callable[[], Awaitable[None]]
    for_one: bool = False
    """Whoever does it holds a lease: the others leave it alone, until that one has been silent for a while."""


class Housekeeping:
    """Does its duties in the background of a server process."""

    def __init__(
        self, database: Database, clock: Callable[[], int], duties: Sequence[Duty]
    ) -> None:
        """``clock`` gives milliseconds since 1970, UTC."""
        self._database = database
        self._clock = clock
        self._duties = duties
        self._holder = secrets.token_hex(8)
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Start; every duty is due for the first time after its seconds."""
        self._task = asyncio.create_task(self._run(), name="housekeeping")

    async def close(self) -> None:
        """Stop, after what each process has to do for itself has been done a last time."""
        if self._task:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        for duty in self._duties:
            if not duty.for_one:
                await self.do(duty)

    async def do(self, duty: Duty) -> None:
        """Do one thing now, unless another process is at it. What goes wrong is logged and tried again later."""
        try:
            if not duty.for_one or await self._holds(duty):
                await duty.work()
        except Exception:  # noqa: BLE001 - whatever it was
            _log.exception("What is done every so often could not be done: %s", duty.name)

    async def _run(self) -> None:
        await asyncio.gather(*map(self._repeat, self._duties))

    async def _repeat(self, duty: Duty) -> None:
        while True:
            await asyncio.sleep(duty.seconds)
            await self.do(duty)

    async def _holds(self, duty: Duty) -> bool:
        now_ms = self._clock()
        until_ms = now_ms + int(duty.seconds * 2000)
        name = f"admin/{duty.name}"
        return await self._database.write(
            partial(leases.take, name=name, holder=self._holder, now_ms=now_ms, until_ms=until_ms)
        )
