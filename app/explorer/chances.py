"""The chances to win at positions of a deal, judged in worker processes from what shows, and stored."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Final

from app.db.engine import Database
from app.engine.history import History
from app.explorer import repository
from app.explorer.position_chances import judge_position
from app.jobs.admission import TooManyJobsError
from app.jobs.queue import JobState
from app.jobs.service import Jobs
from app.logs import logger_of
from app.single_flight import KeyedTasks
from app.solver.sight import see

_SECONDS: Final = 30.0
_MOST_RUNNING: Final = 50

_log: Final = logger_of("explorer")


class Chances:
    """Answers at once with stored chances, and has unknown ones computed for a player who asks."""

    def __init__(self, database: Database, jobs: Jobs) -> None:
        self._database = database
        self._jobs = jobs
        self._running: KeyedTasks[int, None] = KeyedTasks()

    async def find(
        self, position: int, history: History, player_id: str | None
    ) -> Mapping[str, float] | None:
        """The chance after each action, or ``None`` while it is unknown. Only players start a computation."""
        known = await self._database.read(partial(repository.find_chances, position=position))
        is_free = position not in self._running and len(self._running) < _MOST_RUNNING
        if known is None and player_id is not None and is_free:
            with suppress(TooManyJobsError):  # the next visit is early enough
                self._start(position, history, player_id)
        return known

    async def close(self) -> None:
        """Stop all computations."""
        await self._running.close()

    def _start(self, position: int, history: History, player_id: str) -> None:
        rules = history.rules
        work = partial(judge_position, rules.id, rules.revision, see(history.position))
        job = self._jobs.submit(player_id, work, seconds=_SECONDS, key=f"explorer/{position}")
        store = partial(self._store, position, job.id, player_id)
        self._running.start(position, store, name="chances")

    async def _store(self, position: int, job_id: str, player_id: str) -> None:
        try:
            job = await self._jobs.wait(job_id, player_id)
            if job and job.state is JobState.DONE and isinstance(job.result, dict):
                keep = partial(repository.keep_chances, position=position, chances=job.result)
                await self._database.write(keep)
        except Exception:  # noqa: BLE001 - it runs in the background
            _log.exception("Could not store the chances of a position")
