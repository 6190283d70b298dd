"""The scheduler of periodic tasks.

A task runs in every server process, or in the one process that holds its lease. A task that fails is logged and runs
again after its period.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from typing import Final

from app.clock import Clock
from app.db.engine import Database
from app.db.leases import Lease, new_holder
from app.logs import logger_of

_log: Final = logger_of("jobs")


class FirstRun(Enum):
    """When a task runs for the first time."""

    AT_ONCE = "at once"
    AFTER_THE_PERIOD = "after the period"
    WHEN_WOKEN = "when woken"


@dataclass(frozen=True, slots=True, kw_only=True)
class PeriodicTask:
    """Work to repeat every ``seconds``, or sooner when ``wake`` is set.

    With a ``lease`` only the process that holds it runs the task; the lease lasts ``lease_ms`` milliseconds, by default
    twice the period. ``at_close`` runs the task once more when the process stops. What ``run`` returns is for
    other callers.
    """

    name: str
    seconds: float
    run: Callable[[], Awaitable[object]]
    first: FirstRun = FirstRun.AFTER_THE_PERIOD
    wake: asyncio.Event | None = None
    lease: str | None = None
    lease_ms: int | None = None
    at_close: bool = False

    def __post_init__(self) -> None:
        if self.first is FirstRun.WHEN_WOKEN and not self.wake:
            raise ValueError(f"{self.name}: without `wake` it would never run.")


class Scheduler:
    """Runs periodic tasks in the background of one server process."""

    def __init__(self, database: Database, clock: Clock, tasks: Sequence[PeriodicTask]) -> None:
        self._database = database
        self._clock = clock
        self._tasks = tasks
        self._holder = new_holder()
        self._running: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._running = asyncio.create_task(self._run_all(), name="scheduler")

    async def close(self) -> None:
        """Stop, and run the tasks with ``at_close`` once more."""
        if self._running:
            self._running.cancel()
            with suppress(asyncio.CancelledError):
                await self._running
        for task in self._tasks:
            if task.at_close:
                await self.run(task)

    async def run(self, task: PeriodicTask) -> None:
        """Run one task now, unless another process holds its lease."""
        try:
            if task.lease is None or await self._hold(task, task.lease):
                await task.run()
        except Exception:  # noqa: BLE001 - after any error the task runs again
            _log.exception("The periodic task %r failed", task.name)

    async def _run_all(self) -> None:
        # When it is cancelled, a group waits for what each task has to clean up; `gather` waits for the first only.
        async with asyncio.TaskGroup() as group:
            for task in self._tasks:
                group.create_task(self._repeat(task))

    async def _repeat(self, task: PeriodicTask) -> None:
        if task.first is FirstRun.AFTER_THE_PERIOD:
            await _pause(task)
        elif task.first is FirstRun.WHEN_WOKEN and task.wake:
            await task.wake.wait()
        while True:
            if task.wake:
                task.wake.clear()
            await self.run(task)
            await _pause(task)

    async def _hold(self, task: PeriodicTask, name: str) -> bool:
        lasts_ms = task.lease_ms or int(task.seconds * 2000)
        return await Lease(self._database, name, self._clock, lasts_ms, self._holder).hold()


async def _pause(task: PeriodicTask) -> None:
    if task.wake is None:
        await asyncio.sleep(task.seconds)
        return
    with suppress(TimeoutError):
        # Before Python 3.12 `wait_for` loses a cancellation that comes as the event is set.
        async with asyncio.timeout(task.seconds):
            await task.wake.wait()
