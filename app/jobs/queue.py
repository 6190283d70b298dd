"""Jobs for worker processes, their states and errors, and the fair queue in which they wait."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Final, NamedTuple


class Urgency(IntEnum):
    """Whether a player waits for a job."""

    INTERACTIVE = 0
    BACKGROUND = 1


class JobState(StrEnum):
    """The state of a job; the last three are final."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def has_ended(self) -> bool:
        """Whether the state is final."""
        return self not in {JobState.QUEUED, JobState.RUNNING}


class Failure(StrEnum):
    """Why a job failed."""

    BROKEN = "broken"  # its function raised an exception, which is in the log
    KILLED = "killed"  # its process was killed twice, by something else
    TOO_LONG = "too_long"  # it did not stop at its time limit


@dataclass(frozen=True, slots=True)
class JobProgress:
    """How far a job has come, from 0 to 1, and what it has found so far, as text."""

    share: float = 0.0
    found: str = ""


@dataclass(frozen=True, slots=True)
class Job:
    """A snapshot of a job."""

    id: str
    owner: str
    state: JobState
    progress: JobProgress
    result: object = None
    failure: Failure | None = None


class Origin(NamedTuple):
    """Where a job comes from. The named players of a network take turns and places apart from its guests."""

    network: str = ""  # of the site itself
    is_named: bool = False


THE_SITE: Final = Origin()

current_origin: Final[ContextVar[Origin]] = ContextVar("origin", default=THE_SITE)
"""The origin of the request being answered, set when its player is found."""


@dataclass(eq=False, slots=True)
class QueuedJob:
    """A job in a queue or a worker: a function, its time limit in seconds, and its state."""

    id: str
    owner: str
    work: Callable[[], object]
    urgency: Urgency
    seconds: float
    key: str | None = None
    origin: Origin = THE_SITE
    state: JobState = JobState.QUEUED
    progress: JobProgress = field(default_factory=JobProgress)
    result: object = None
    failure: Failure | None = None
    deaths: int = 0
    is_killed: bool = False  # by its worker, since it did not stop
    ended_at: float = 0.0
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    stop: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_reusable(self) -> bool:
        """Whether the same job need not be submitted again."""
        return self.state not in {JobState.FAILED, JobState.CANCELLED} and not self.stop.is_set()

    def snapshot(self) -> Job:
        """The job at this moment."""
        return Job(self.id, self.owner, self.state, self.progress, self.result, self.failure)

    def end(self, state: JobState, at: float) -> None:
        """Set the final state."""
        self.state = state
        self.ended_at = at
        self.ended.set()


class JobFailedError(Exception):
    """The job that a coroutine awaited has failed; ``failure`` is ``None`` if it was cancelled."""

    def __init__(self, failure: Failure | None) -> None:
        super().__init__(f"The job was {failure or 'cancelled'}.")
        self.failure = failure


class FairQueue:
    """Jobs of one urgency. Networks take turns, and in each network its players.

    The player who was served last waits longest; the jobs of one player are first in, first out.
    """

    def __init__(self) -> None:
        self._origins: OrderedDict[Origin, OrderedDict[str, deque[QueuedJob]]] = OrderedDict()
        self._not_empty = asyncio.Event()

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __iter__(self) -> Iterator[QueuedJob]:
        for owners in self._origins.values():
            for jobs in owners.values():
                yield from jobs

    def put(self, job: QueuedJob) -> None:
        """Add a job."""
        self._of_owner(job).append(job)
        self._not_empty.set()

    def put_first(self, job: QueuedJob) -> None:
        """Add a job that was started before, as the next one."""
        self._of_owner(job).appendleft(job)
        self._origins[job.origin].move_to_end(job.owner, last=False)
        self._origins.move_to_end(job.origin, last=False)
        self._not_empty.set()

    def remove(self, job: QueuedJob) -> bool:
        """Remove a job; ``False`` if it is not in the queue."""
        owners = self._origins.get(job.origin)
        jobs = owners.get(job.owner) if owners else None
        if not owners or not jobs or job not in jobs:
            return False
        jobs.remove(job)
        if not jobs:
            del owners[job.owner]
        if not owners:
            del self._origins[job.origin]
        return True

    async def next(self) -> QueuedJob:
        """Wait for the next job; its network goes to the end, and there its player."""
        while not self._origins:
            self._not_empty.clear()
            await self._not_empty.wait()
        origin, owners = self._origins.popitem(last=False)
        owner, jobs = owners.popitem(last=False)
        job = jobs.popleft()
        if jobs:
            owners[owner] = jobs
        if owners:
            self._origins[origin] = owners
        return job

    def _of_owner(self, job: QueuedJob) -> deque[QueuedJob]:
        owners = self._origins.setdefault(job.origin, OrderedDict())
        return owners.setdefault(job.owner, deque())
