"""Searches for answers, each done by one process; all the others read in the database how far it is."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

from sqlalchemy.exc import SQLAlchemyError

from app.analysis import repository
from app.analysis.repository import Question, Subject
from app.db.engine import Database
from app.jobs.job import Job, State, TooManyJobsError
from app.jobs.service import Jobs

TELL_EVERY: Final = 1.0  # seconds
_HOLDS_MS: Final = 10_000  # what was said; then whoever said it counts as dead
_SAY_AGAIN_MS: Final = 4_000

_log = logging.getLogger("fairdeal.coach")


class Task(NamedTuple):
    """What a worker is to find out within how many seconds, and the answer if it comes to nothing."""

    topic: str
    work: Callable[[], str]
    seconds: float
    otherwise: str


class _Errand(NamedTuple):
    """A search of this process, under a mark that no other search has."""

    mark: str
    subject: Subject
    player_id: str
    job_id: str
    otherwise: str


class AnalysisRunner:
    """The searches of this process."""

    def __init__(self, database: Database, jobs: Jobs, clock: Callable[[], int]) -> None:
        self._database = database
        self._jobs = jobs
        self._clock = clock
        self._running: dict[Subject, asyncio.Task[None]] = {}

    async def see_to(
        self, subject: Subject, question: Question, player_id: str, task: Task
    ) -> None:
        """Have somebody work on an open question: this process, unless one already does.

        Raises ``TooManyJobsError``.
        """
        now = self._clock()
        if subject in self._running or question.until_ms > now:
            return
        mark, until = secrets.token_hex(8), now + _HOLDS_MS
        take = partial(repository.take_on, subject=subject, worker=mark, now_ms=now, until_ms=until)
        if not await self._database.write(take):
            return
        try:
            job = await self._jobs.submit(player_id, task.work, seconds=task.seconds)
        except TooManyJobsError:
            await self._database.write(partial(repository.let_go, subject=subject, worker=mark))
            raise
        errand = _Errand(mark, subject, player_id, job.id, task.otherwise)
        self._running[subject] = running = asyncio.create_task(self._run(errand), name="errand")
        running.add_done_callback(lambda _: self._running.pop(subject, None))

    async def give_up(self, subject: Subject) -> None:
        """Stop a search here. One elsewhere stops when it finds its question taken back."""
        running = self._running.get(subject)
        if running:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    async def close(self) -> None:
        """Leave what is under way to other processes."""
        for subject in list(self._running):
            await self.give_up(subject)

    async def _run(self, errand: _Errand) -> None:
        ended: Job | None = None
        try:
            ended = await self._accompany(errand)
            if ended and ended.state is not State.CANCELLED:
                is_done = ended.state is State.DONE and isinstance(ended.result, str)
                text = str(ended.result) if is_done else errand.otherwise
                await self._database.write(
                    partial(repository.answer, subject=errand.subject, text=text)
                )
        except SQLAlchemyError as error:
            # Whoever asks next has it looked for again.
            _log.warning("An answer could not be kept: %s", str(error).partition("\n")[0])
        finally:
            if ended is None or ended.state is State.CANCELLED:
                await self._jobs.cancel(errand.job_id, errand.player_id)
                await self._let_go(errand)

    async def _accompany(self, errand: _Errand) -> Job | None:
        """The job once it has ended; ``None`` when nobody waits for it any more."""
        ending = asyncio.ensure_future(self._jobs.wait(errand.job_id, errand.player_id))
        told, told_ms = 0, self._clock()
        try:
            while True:
                done, _ = await asyncio.wait({ending}, timeout=TELL_EVERY)
                if done:
                    return ending.result()
                job = await self._jobs.status(errand.job_id, errand.player_id)
                percent, now = int(100 * job.progress.share) if job else told, self._clock()
                if percent != told or now - told_ms >= _SAY_AGAIN_MS:
                    if not await self._say(errand, percent, now):
                        return None
                    told, told_ms = percent, now
        finally:
            ending.cancel()

    async def _say(self, errand: _Errand, percent: int, now: int) -> bool:
        go_on = partial(
            repository.go_on,
            subject=errand.subject,
            worker=errand.mark,
            percent=percent,
            until_ms=now + _HOLDS_MS,
        )
        try:
            return await self._database.write(go_on)
        except SQLAlchemyError as error:
            _log.warning("Progress could not be told: %s", str(error).partition("\n")[0])
            return True

    async def _let_go(self, errand: _Errand) -> None:
        let_go = partial(repository.let_go, subject=errand.subject, worker=errand.mark)
        try:
            await self._database.write(let_go)
        except SQLAlchemyError as error:
            _log.warning("A search could not be handed on: %s", str(error).partition("\n")[0])
