"""Runs searches as background jobs. A lease in the database makes sure that only one process works on a question.

The other processes read the progress from the database.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

from sqlalchemy.exc import SQLAlchemyError

from app.analysis import repository
from app.analysis.repository import Question, Subject
from app.clock import Clock
from app.db.engine import Database
from app.db.leases import new_holder
from app.errors import first_line
from app.jobs.queue import Job, JobState
from app.jobs.service import Jobs
from app.logs import logger_of
from app.single_flight import KeyedTasks

CHECK_SECONDS: Final = 1.0
_LEASE_MS: Final = 10_000
_HEARTBEAT_MS: Final = 4_000

_log: Final = logger_of("analysis")


class Task(NamedTuple):
    """A search, its time limit, and the answer if it fails.

    ``prepare`` makes its work, in a thread and only once that is needed: a long game is replayed for it.
    """

    topic: str
    prepare: Callable[[], Callable[[], str]]
    seconds: float
    fallback: str


class _Search(NamedTuple):
    """A search of this process. ``worker`` is its unique id as the holder of the lease."""

    worker: str
    subject: Subject
    player_id: str
    job_id: str
    fallback: str


class AnalysisRunner:
    """The searches of this process."""

    def __init__(self, database: Database, jobs: Jobs, clock: Clock) -> None:
        self._database = database
        self._jobs = jobs
        self._clock = clock
        self._running: KeyedTasks[Subject, None] = KeyedTasks()

    async def ensure_running(
        self, subject: Subject, question: Question, player_id: str, task: Task
    ) -> None:
        """Start a search for an open question, unless a process is already working on it.

        Raises ``TooManyJobsError``.
        """
        now = self._clock()
        if subject in self._running or question.until_ms > now:
            return
        worker, until = new_holder(), now + _LEASE_MS
        acquire = partial(
            repository.acquire_lease, subject=subject, worker=worker, now_ms=now, until_ms=until
        )
        if not await self._database.write(acquire):
            return
        try:
            work = await asyncio.to_thread(task.prepare)
            job = self._jobs.submit(player_id, work, seconds=task.seconds)
        except BaseException:  # a request that ends here, too, leaves the search to the next
            await self._release(subject, worker)
            raise
        search = _Search(worker, subject, player_id, job.id, task.fallback)
        self._running.start(subject, partial(self._run, search), name="analysis")

    def check_capacity(self, player_id: str) -> None:
        """Raise ``TooManyJobsError`` if a search for this player would be refused now."""
        self._jobs.check_capacity(player_id)

    async def cancel(self, subject: Subject) -> None:
        """Stop a search of this process. One in another process stops when it finds its question withdrawn."""
        await self._running.cancel(subject)

    async def close(self) -> None:
        """Leave unfinished searches to other processes."""
        await self._running.close()

    async def _run(self, search: _Search) -> None:
        ended: Job | None = None
        try:
            ended = await self._supervise(search)
            if ended and ended.state is not JobState.CANCELLED:
                is_done = ended.state is JobState.DONE and isinstance(ended.result, str)
                text = str(ended.result) if is_done else search.fallback
                await self._database.write(
                    partial(repository.save_answer, subject=search.subject, text=text)
                )
        except SQLAlchemyError as error:
            # The next request starts the search again.
            _log.warning("Could not store an answer: %s", first_line(error))
        finally:
            if ended is None or ended.state is JobState.CANCELLED:
                self._jobs.cancel(search.job_id, search.player_id)
                await self._release(search.subject, search.worker)

    async def _supervise(self, search: _Search) -> Job | None:
        """The job once it has ended; ``None`` when its question was withdrawn."""
        ending = asyncio.ensure_future(self._jobs.wait(search.job_id, search.player_id))
        stored, stored_ms = (0, ""), self._clock()
        try:
            while True:
                done, _ = await asyncio.wait({ending}, timeout=CHECK_SECONDS)
                if done:
                    return ending.result()
                job = self._jobs.status(search.job_id, search.player_id)
                now, so_far = self._clock(), stored
                if job:
                    so_far = int(100 * job.progress.share), job.progress.found
                if so_far != stored or now - stored_ms >= _HEARTBEAT_MS:
                    if not await self._renew(search, *so_far, now):
                        return None
                    stored, stored_ms = so_far, now
        finally:
            ending.cancel()

    async def _renew(self, search: _Search, percent: int, found: str, now: int) -> bool:
        renew = partial(
            repository.renew_lease,
            subject=search.subject,
            worker=search.worker,
            percent=percent,
            found=found,
            until_ms=now + _LEASE_MS,
        )
        try:
            return await self._database.write(renew)
        except SQLAlchemyError as error:
            _log.warning("Could not store progress: %s", first_line(error))
            return True

    async def _release(self, subject: Subject, worker: str) -> None:
        release = partial(repository.release_lease, subject=subject, worker=worker)
        try:
            await self._database.write(release)
        except SQLAlchemyError as error:
            _log.warning("Could not release a search: %s", first_line(error))
