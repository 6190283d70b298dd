"""A hand: takes orders from a line, one after another, and has them done in a process of its own."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from app.jobs.job import Failure, Progress, QueuedJob, State
from app.jobs.process import KilledError, WorkerProcess
from app.jobs.queue import FairQueue
from app.jobs.worker_main import Raised, Returned

_GRACE: Final = 3.0  # seconds that a job has for stopping by itself
_TRIES: Final = 2
_IDLE: Final = 60.0  # seconds

_log = logging.getLogger("fairdeal.jobs")


class Worker:
    """Works until cancelled. The process starts with the first order."""

    def __init__(
        self, line: FairQueue, politeness: int, clock: Callable[[], float], idle: float = _IDLE
    ) -> None:
        """``politeness`` is the process's niceness; it is ended when there was nothing to do for ``idle`` seconds."""
        self._line = line
        self._clock = clock
        self._idle = idle
        self.process = WorkerProcess("fairdeal-worker", politeness)

    async def work(self) -> None:
        """Do whatever comes."""
        try:
            while True:
                try:
                    order = await asyncio.wait_for(self._line.next(), self._idle)
                except TimeoutError:
                    await self.process.rest()  # what long searches took of the memory goes back
                    order = await self._line.next()
                await self._do(order)
        finally:
            await self.process.close()

    async def _do(self, order: QueuedJob) -> None:
        order.state = State.RUNNING
        try:
            await self.process.begin(order.work)
            self._end(order, await self._outcome(order))
        except KilledError:
            self._bury(order)
        except Exception:  # noqa: BLE001 - what cannot be sent, for one, raises all kinds of things
            _log.exception("A job could not be handed over")
            self._fail(order, Failure.BROKEN)

    async def _outcome(self, order: QueuedJob) -> Returned | Raised:
        """What the job comes to. It is asked to stop when its time is up or nobody wants it, then made to."""

        def tell(progress: Progress) -> None:
            order.progress = progress

        outcome = asyncio.ensure_future(self.process.outcome(tell))
        stop = asyncio.ensure_future(order.stop.wait())
        try:
            await asyncio.wait(
                {outcome, stop}, timeout=order.seconds, return_when=asyncio.FIRST_COMPLETED
            )
            if not outcome.done():
                self.process.ask_to_stop()
                await asyncio.wait({outcome}, timeout=_GRACE)
            if not outcome.done():
                order.is_killed = True
                self.process.kill()
            return await outcome
        finally:
            stop.cancel()
            outcome.cancel()

    def _end(self, order: QueuedJob, end: Returned | Raised) -> None:
        match end:
            case Returned(result):
                # Late or not: what a function returns when asked to stop is the best that it could do.
                order.result = result
                order.end(State.CANCELLED if order.stop.is_set() else State.DONE, self._clock())
            case Raised(trace):
                _log.error("A job failed:\n%s", trace)
                self._fail(order, Failure.BROKEN)

    def _bury(self, order: QueuedJob) -> None:
        """The process is dead: by us, or else it is worth a second try."""
        order.deaths += 1
        if order.is_killed or order.stop.is_set():
            self._fail(order, Failure.TOO_LONG)
        elif order.deaths < _TRIES:
            _log.warning("A worker process was killed; its job is begun again")
            order.state, order.progress = State.QUEUED, Progress()
            self._line.put_first(order)
        else:
            _log.error("A job is given up: %d worker processes died of it", order.deaths)
            self._fail(order, Failure.KILLED)

    def _fail(self, order: QueuedJob, failure: Failure) -> None:
        if order.stop.is_set():
            order.end(State.CANCELLED, self._clock())
        else:
            order.failure = failure
            order.end(State.FAILED, self._clock())
