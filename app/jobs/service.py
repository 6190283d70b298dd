"""The jobs of a server process: submitting them to worker processes, their status, cancelling them."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TypeVar

from app.jobs.admission import Places, TooManyJobsError, check_capacity
from app.jobs.queue import (
    FairQueue,
    Job,
    JobFailedError,
    JobState,
    QueuedJob,
    Urgency,
    current_origin,
)
from app.jobs.worker_pool import StartProcess, Worker, WorkerProcess

T = TypeVar("T")

_NICENESS: Final = {Urgency.INTERACTIVE: 10, Urgency.BACKGROUND: 19}
_MAX_KEPT: Final = 1000


class Jobs:
    """Workers for jobs that players wait for, and one of the lowest priority for background jobs.

    So no player waits for background work, which uses spare time of the CPU. Processes start with their first job.
    It belongs to one event loop.
    """

    def __init__(
        self,
        workers: int = 1,
        *,
        places: Places = Places(),  # noqa: B008 - immutable
        keep_seconds: float = 300.0,
        clock: Callable[[], float] = time.monotonic,
        start_process: StartProcess = WorkerProcess,
    ) -> None:
        """``places`` bounds the jobs that players wait for; finished jobs are kept for ``keep_seconds``."""
        self._worker_counts = {Urgency.INTERACTIVE: workers, Urgency.BACKGROUND: 1}
        self._places = places
        self._keep_seconds = keep_seconds
        self._clock = clock
        self._start_process = start_process
        self._jobs: dict[str, QueuedJob] = {}  # oldest first
        self._newest: dict[tuple[str, str], QueuedJob] = {}  # by owner and key
        self._queues = {urgency: FairQueue() for urgency in Urgency}
        self._workers: dict[Urgency, list[Worker]] = {}
        self._tasks: list[asyncio.Task[None]] = []

    def submit(
        self,
        owner: str,
        work: Callable[[], object],
        *,
        seconds: float,
        key: str | None = None,
    ) -> Job:
        """Start a job that a player waits for, and return at once.

        ``work`` must be picklable: a function of a module, usually a ``partial`` with plain arguments. It is asked to
        stop after ``seconds``, and killed soon after. With a ``key``, this owner's open or finished job with the same
        key is returned instead. It counts for the network of the request being answered. Raises ``TooManyJobsError``.
        """
        self._drop_old()
        known = self._newest.get((owner, key)) if key is not None else None
        if known and known.is_reusable:
            return known.snapshot()
        origin = current_origin.get()
        check_capacity(self._places, self._open_jobs(), owner, origin)
        job = QueuedJob(
            id=_new_id(),
            owner=owner,
            work=work,
            seconds=seconds,
            urgency=Urgency.INTERACTIVE,
            key=key,
            origin=origin,
        )
        return self._enqueue(job).snapshot()

    def check_capacity(self, owner: str) -> None:
        """Raise ``TooManyJobsError`` if a job of this player would be refused now."""
        check_capacity(self._places, self._open_jobs(), owner, current_origin.get())

    def status(self, job_id: str, owner: str) -> Job | None:
        """An owner's job; ``None`` if it is unknown or was dropped."""
        self._drop_old()
        job = self._jobs.get(job_id)
        return job.snapshot() if job and job.owner == owner else None

    def find(self, key: str, owner: str) -> Job | None:
        """An owner's newest job with a key."""
        job = self._newest.get((owner, key))
        return job.snapshot() if job else None

    def forget(self, job_id: str, owner: str) -> None:
        """Drop a finished job, so that the same one can be submitted again."""
        job = self._jobs.get(job_id)
        if job and job.owner == owner and job.state.has_ended:
            self._drop(job)

    async def wait(self, job_id: str, owner: str) -> Job | None:
        """Wait for an owner's job to end: for background tasks, never in a request."""
        job = self._jobs.get(job_id)
        if job is None or job.owner != owner:
            return None
        await job.ended.wait()
        return job.snapshot()

    async def job_in_time(
        self, owner: str, work: Callable[[], object], *, seconds: float, key: str, patience: float
    ) -> Job | None:
        """The job of ``submit`` as it is when it has ended or ``patience`` seconds are over; ``None`` without a place.

        A job that takes longer goes on for others who ask.
        """
        try:
            job = self.submit(owner, work, seconds=seconds, key=key)
        except TooManyJobsError:
            return None
        with suppress(TimeoutError):
            async with asyncio.timeout(patience):
                await self.wait(job.id, owner)
        return self.status(job.id, owner)

    async def result_in_time(
        self,
        owner: str,
        work: Callable[[], T],
        *,
        seconds: float,
        key: str,
        patience: float,
    ) -> T | None:
        """The result of ``job_in_time``; ``None`` if it is not there in time."""
        job = await self.job_in_time(owner, work, seconds=seconds, key=key, patience=patience)
        result: T | None = job.result if job else None  # type: ignore[assignment] # what ``work`` returned
        return result

    async def best_in_time(
        self, owner: str, work: Callable[[], object], *, seconds: float, key: str, grace: float
    ) -> Job | None:
        """The job of ``submit`` once it has ended; ``None`` without a place, or if it did not stop.

        After ``seconds``, waiting included, it is cancelled, and has ``grace`` seconds to hand over what it found.
        """
        try:
            job = self.submit(owner, work, seconds=seconds + grace, key=key)
        except TooManyJobsError:
            return None
        for patience in (seconds, grace):
            with suppress(TimeoutError):
                async with asyncio.timeout(patience):
                    return await self.wait(job.id, owner)
            self.cancel(job.id, owner)
        return None

    def cancel(self, job_id: str, owner: str) -> bool:
        """Cancel an owner's job; ``False`` if there is nothing to cancel."""
        job = self._jobs.get(job_id)
        if job is None or job.owner != owner or job.state.has_ended:
            return False
        self._cancel(job)
        return True

    async def run(
        self,
        work: Callable[[], T],
        *,
        seconds: float,
        owner: str = "background",
        urgency: Urgency = Urgency.BACKGROUND,
    ) -> T:
        """Run a job and wait for its result: for background tasks, never in a request.

        Raises ``JobFailedError``. Cancelling the coroutine cancels the job.
        """
        job = self._enqueue(
            QueuedJob(id=_new_id(), owner=owner, work=work, seconds=seconds, urgency=urgency)
        )
        try:
            await job.ended.wait()
        finally:
            if not job.state.has_ended:
                self._cancel(job)
            self._drop(job)
        if job.state is not JobState.DONE:
            raise JobFailedError(job.failure)
        result: T = job.result  # type: ignore[assignment] # it is what ``work`` returned
        return result

    async def close(self) -> None:
        """Cancel all jobs and stop all worker processes."""
        for job in list(self._jobs.values()):
            if not job.state.has_ended:
                self._cancel(job)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for job in self._jobs.values():
            if not job.state.has_ended:
                job.end(JobState.CANCELLED, self._clock())
        self._tasks.clear()
        self._workers.clear()

    def _enqueue(self, job: QueuedJob) -> QueuedJob:
        self._jobs[job.id] = job
        if job.key is not None:
            self._newest[job.owner, job.key] = job
        urgency = job.urgency
        self._queues[urgency].put(job)
        if urgency not in self._workers:
            queue = self._queues[urgency]
            self._workers[urgency] = workers = [
                Worker(queue, self._start_process(_NICENESS[urgency]), self._clock)
                for _ in range(self._worker_counts[urgency])
            ]
            self._tasks += [asyncio.create_task(worker.run(), name="worker") for worker in workers]
        return job

    def _open_jobs(self) -> list[QueuedJob]:
        """The jobs that players wait for."""
        return [
            job
            for job in self._jobs.values()
            if job.urgency is Urgency.INTERACTIVE and not job.state.has_ended
        ]

    def _cancel(self, job: QueuedJob) -> None:
        job.stop.set()
        if self._queues[job.urgency].remove(job):
            job.end(JobState.CANCELLED, self._clock())

    def _drop_old(self) -> None:
        """Drop jobs that ended long ago, and those that ended first if there are too many."""
        ended = [job for job in self._jobs.values() if job.state.has_ended]
        ended.sort(key=lambda job: job.ended_at)
        due = self._clock() - self._keep_seconds
        for number, job in enumerate(ended):
            if job.ended_at <= due or len(ended) - number > _MAX_KEPT:
                self._drop(job)

    def _drop(self, job: QueuedJob) -> None:
        self._jobs.pop(job.id, None)  # somebody may have looked since it ended, and dropped it
        if job.key is not None and self._newest.get((job.owner, job.key)) is job:
            del self._newest[job.owner, job.key]


def _new_id() -> str:
    return secrets.token_urlsafe(12)
