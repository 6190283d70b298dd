"""Searches for a deal while a player waits: one for each player, kind of deal and game."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from enum import Enum, auto
from functools import partial
from typing import Final, NamedTuple

from app.clock import Clock
from app.deals import proving
from app.deals.model import DealKind, Proven
from app.engine.ruleset import Ruleset
from app.jobs.queue import JobProgress, JobState
from app.jobs.service import Jobs
from app.logs import logger_of

WAIT_SECONDS: Final = 12.0
"""Seconds that a player may have to wait for a proof."""
PATIENCE_SECONDS: Final = 5.0
"""Seconds after which a player who waits at a page gets a deal without a proof; the search goes on for the stock."""
_FORGOTTEN_SECONDS: Final = 60.0  # after which a search that failed says nothing about the next one
_MOST_SEARCHES: Final = 1000

_log: Final = logger_of("deals")

_Key = tuple[str, DealKind, str]


class SearchState(Enum):
    """How the search for a deal that a player waits for stands."""

    READY = auto()  # a deal can be drawn
    SEARCHING = auto()
    FAILED = auto()  # none was proven in time; asking again starts a new search


class _DealSearch(NamedTuple):
    """A search on behalf of a player; ``None`` while they have too many jobs for it."""

    since_ms: int
    task: asyncio.Task[bool] | None

    @property
    def has_found(self) -> bool:
        """Whether it has added a deal to the stock."""
        task = self.task
        return task is not None and task.done() and not task.cancelled() and task.result()


class DealSearches:
    """The searches of this process; they run in worker processes."""

    def __init__(
        self, jobs: Jobs, clock: Clock, store: Callable[[Proven], Awaitable[bool]]
    ) -> None:
        """``store`` adds a deal that was found to the stock; whether it was new."""
        self._jobs = jobs
        self._clock = clock
        self._store = store
        self._searches: dict[_Key, _DealSearch] = {}

    def find_or_start(
        self, owner: str, kind: DealKind, rules: Ruleset, seconds: float
    ) -> SearchState:
        """How the search of a player stands; if there is none, start one of at most ``seconds`` at once.

        Call it again every second or so. An open deal has failed after ``PATIENCE_SECONDS``, however long the search
        takes or has to wait for a worker. Raises ``TooManyJobsError``.
        """
        key = (owner, kind, rules.id)
        search = self._searches.get(key) or _DealSearch(self._clock(), None)
        if kind is DealKind.SEALED and search.has_found:
            return SearchState.READY
        waited = (self._clock() - search.since_ms) / 1000
        has_ended = search.task is not None and search.task.done()
        if has_ended or (search.task is None and waited >= _FORGOTTEN_SECONDS):
            del self._searches[key]
            if search.task and not search.has_found and waited < _FORGOTTEN_SECONDS:
                return SearchState.FAILED
            search = _DealSearch(
                self._clock(), None
            )  # found, but another player drew it; or long ago
        elif kind is DealKind.OPEN and waited >= PATIENCE_SECONDS:
            return SearchState.FAILED
        if search.task is None:
            self._start(key, rules, search, seconds)
        return SearchState.SEARCHING

    def progress(self, owner: str, kind: DealKind, rules: Ruleset) -> JobProgress:
        """The progress of this player's search."""
        job = self._jobs.find(_job_key(kind, rules), owner)
        return job.progress if job else JobProgress()

    def forget_found(self, owner: str, kind: DealKind, rules: Ruleset) -> bool:
        """Forget a player's search if it has added a deal to the stock; whether it has."""
        key = (owner, kind, rules.id)
        search = self._searches.get(key)
        if search is None or not search.has_found:
            return False
        del self._searches[key]
        return True

    async def close(self) -> None:
        """Stop all searches."""
        tasks = [search.task for search in self._searches.values() if search.task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _start(self, key: _Key, rules: Ruleset, search: _DealSearch, most_seconds: float) -> None:
        if len(self._searches) >= _MOST_SEARCHES:
            self._searches = {
                key: search
                for key, search in self._searches.items()
                if search.task and not search.task.done()
            }
        self._searches[key] = search  # they wait from now on, even if there are too many jobs
        owner, kind, _ = key
        seconds = min(WAIT_SECONDS, most_seconds)
        work = partial(proving.find, kind, rules.id, rules.revision, seconds, is_waited_for=True)
        job = self._jobs.submit(
            owner, work, seconds=proving.with_grading(seconds), key=_job_key(kind, rules)
        )
        task = asyncio.create_task(self._store_result(job.id, owner))
        self._searches[key] = search._replace(task=task)

    async def _store_result(self, job_id: str, owner: str) -> bool:
        job = await self._jobs.wait(job_id, owner)
        self._jobs.forget(job_id, owner)  # or the next search would find this result
        if job is None or job.state is not JobState.DONE or not isinstance(job.result, Proven):
            return False
        try:
            return await self._store(job.result)
        except Exception:  # noqa: BLE001 - the search has failed, and the player may ask for another
            _log.exception("Could not store a deal that was found")
            return False


def _job_key(kind: DealKind, rules: Ruleset) -> str:
    return f"pool/{kind}/{rules.id}"
