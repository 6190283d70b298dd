"""The jobs of this server process: handed in, looked at, cancelled, and done by workers in turn."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from typing import Final, TypeVar

from app.jobs.errors import JobFailedError, TooManyJobsError
from app.jobs.job import Job, QueuedJob, State, Urgency
from app.jobs.queue import FairQueue
from app.jobs.workers import Worker

T = TypeVar("T")

_POLITENESS: Final = {Urgency.WAITED_FOR: 10, Urgency.BACKGROUND: 19}
_RETRY_AFTER: Final = 5  # seconds
_MOST_WAITING: Final = 200
_MOST_KEPT: Final = 1000


class Jobs:
    """Workers for what players wait for, and one more, of the lowest priority, for the background.

    So nobody's job waits for background work, which gets what the machine has left. Processes start
    with the first job for them. All of this belongs to one event loop.
    """

    def __init__(
        self,
        workers: int = 1,
        *,
        most_per_owner: int = 3,
        keep_seconds: float = 300.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``most_per_owner`` jobs of one player may wait or run; how one ended is kept ``keep_seconds``."""
        self._workers = {Urgency.WAITED_FOR: workers, Urgency.BACKGROUND: 1}
        self._most_per_owner = most_per_owner
        self._keep_seconds = keep_seconds
        self._clock = clock
        self._orders: dict[str, QueuedJob] = {}  # the oldest first
        self._lines = {urgency: FairQueue() for urgency in Urgency}
        self._hands: dict[Urgency, list[Worker]] = {}
        self._tasks: list[asyncio.Task[None]] = []

    async def submit(
        self,
        owner: str,
        work: Callable[[], object],
        *,
        seconds: float,
        key: str | None = None,
    ) -> Job:
        """Have something done that a player waits for, and return at once.

        ``work`` is a function of a module, usually a ``partial`` with plain arguments, since it goes to another
        process; after ``seconds`` it is asked to stop, and soon made to. With a ``key`` the owner's job of the same
        key is answered with, if it is under way or done. Raises ``TooManyJobsError``.
        """
        self._forget()
        mine = [order for order in self._orders.values() if order.owner == owner]
        for order in mine:
            if key is not None and order.key == key and order.is_worth_having:
                return order.snapshot()
        open_ones = sum(not order.state.has_ended for order in mine)
        if (
            open_ones >= self._most_per_owner
            or len(self._lines[Urgency.WAITED_FOR]) >= _MOST_WAITING
        ):
            raise TooManyJobsError(_RETRY_AFTER)
        return self._put(owner, work, seconds, Urgency.WAITED_FOR, key).snapshot()

    async def look(self, job_id: str, owner: str) -> Job | None:
        """How an owner's job stands; ``None`` when it is not known, or not any more."""
        self._forget()
        order = self._orders.get(job_id)
        return order.snapshot() if order and order.owner == owner else None

    async def find(self, key: str, owner: str) -> Job | None:
        """An owner's newest job of a key."""
        for order in reversed(self._orders.values()):
            if order.owner == owner and order.key == key:
                return order.snapshot()
        return None

    async def forget(self, job_id: str, owner: str) -> None:
        """Let go of a job that has ended, so that the same may be asked anew."""
        order = self._orders.get(job_id)
        if order and order.owner == owner and order.state.has_ended:
            del self._orders[job_id]

    async def wait(self, job_id: str, owner: str) -> Job | None:
        """An owner's job once it has ended: for whoever has other things to do meanwhile, so never in a request."""
        order = self._orders.get(job_id)
        if order is None or order.owner != owner:
            return None
        await order.ended.wait()
        return order.snapshot()

    async def cancel(self, job_id: str, owner: str) -> bool:
        """Give up an owner's job; false when there is nothing to give up."""
        order = self._orders.get(job_id)
        if order is None or order.owner != owner or order.state.has_ended:
            return False
        self._cancel(order)
        return True

    async def run(
        self,
        work: Callable[[], T],
        *,
        seconds: float,
        owner: str = "background",
        urgency: Urgency = Urgency.BACKGROUND,
    ) -> T:
        """Have something done and wait for it: for the background, never for a request.

        Raises ``JobFailedError``. A coroutine that is cancelled gives its job up.
        """
        order = self._put(owner, work, seconds, urgency, None)
        try:
            await order.ended.wait()
        finally:
            if not order.state.has_ended:
                self._cancel(order)
            del self._orders[order.id]
        if order.state is not State.DONE:
            raise JobFailedError(order.failure)
        result: T = order.result  # type: ignore[assignment] # it is what ``work`` returned
        return result

    async def close(self) -> None:
        """Give up everything, and leave no process behind."""
        for order in list(self._orders.values()):
            if not order.state.has_ended:
                self._cancel(order)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for order in self._orders.values():
            if not order.state.has_ended:
                order.end(State.CANCELLED, self._clock())
        self._tasks.clear()
        self._hands.clear()

    def _put(
        self,
        owner: str,
        work: Callable[[], object],
        seconds: float,
        urgency: Urgency,
        key: str | None,
    ) -> QueuedJob:
        order = QueuedJob(
            id=secrets.token_urlsafe(12),
            owner=owner,
            work=work,
            seconds=seconds,
            urgency=urgency,
            key=key,
        )
        self._orders[order.id] = order
        self._lines[urgency].put(order)
        if urgency not in self._hands:
            line = self._lines[urgency]
            self._hands[urgency] = hands = [
                Worker(line, _POLITENESS[urgency], self._clock)
                for _ in range(self._workers[urgency])
            ]
            self._tasks += [asyncio.create_task(hand.work(), name="worker") for hand in hands]
        return order

    def _cancel(self, order: QueuedJob) -> None:
        order.stop.set()
        if self._lines[order.urgency].remove(order):
            order.end(State.CANCELLED, self._clock())

    def _forget(self) -> None:
        """Let go of what ended long ago, or of the first to end when there are too many."""
        ended = [order for order in self._orders.values() if order.state.has_ended]
        due = self._clock() - self._keep_seconds
        for number, order in enumerate(ended):
            if order.ended_at <= due or len(ended) - number > _MOST_KEPT:
                del self._orders[order.id]
