"""Jobs for worker processes, their states and errors, and the fair queue in which they wait."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum


class Urgency(IntEnum):
    """Whether a player waits for a job."""

    INTERACTIVE = 0
    BACKGROUND = 1


class State(StrEnum):
    """The state of a job; the last three are final."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def has_ended(self) -> bool:
        """Whether the state is final."""
        return self not in {State.QUEUED, State.RUNNING}


class Failure(StrEnum):
    """Why a job failed."""

    BROKEN = "broken"  # its function raised an exception, which is in the log
    KILLED = "killed"  # its process was killed twice, by something else
    TOO_LONG = "too_long"  # it did not stop when its time was up


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a job has come, from 0 to 1, and a word for what it is doing."""

    share: float = 0.0
    word: str = ""


@dataclass(frozen=True, slots=True)
class Job:
    """A snapshot of a job."""

    id: str
    owner: str
    state: State
    progress: Progress
    result: object = None
    failure: Failure | None = None


@dataclass(eq=False, slots=True)
class QueuedJob:
    """A job in a queue or a worker: a function, its time limit in seconds, and its state."""

    id: str
    owner: str
    work: Callable[[], object]
    urgency: Urgency
    seconds: float
    key: str | None = None
    state: State = State.QUEUED
    progress: Progress = field(default_factory=Progress)
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
        return self.state not in {State.FAILED, State.CANCELLED} and not self.stop.is_set()

    def snapshot(self) -> Job:
        """The job at this moment."""
        return Job(self.id, self.owner, self.state, self.progress, self.result, self.failure)

    def end(self, state: State, at: float) -> None:
        """Set the final state."""
        self.state = state
        self.ended_at = at
        self.ended.set()


class TooManyJobsError(Exception):
    """This owner, or all owners together, have too many open jobs. Try again later."""

    def __init__(self, retry_after: int) -> None:
        super().__init__("Too many jobs are waiting already.")
        self.retry_after = retry_after
        """In whole seconds."""


class JobFailedError(Exception):
    """The job that a coroutine awaited has failed; ``failure`` is ``None`` if it was cancelled."""

    def __init__(self, failure: Failure | None) -> None:
        super().__init__(f"The job was {failure or 'cancelled'}.")
        self.failure = failure


class FairQueue:
    """Jobs of one urgency. The owner served last waits longest; the jobs of one owner are first in, first out."""

    def __init__(self) -> None:
        self._by_owner: OrderedDict[str, deque[QueuedJob]] = OrderedDict()
        self._not_empty = asyncio.Event()

    def __len__(self) -> int:
        return sum(map(len, self._by_owner.values()))

    def __iter__(self) -> Iterator[QueuedJob]:
        for jobs in self._by_owner.values():
            yield from jobs

    def put(self, job: QueuedJob) -> None:
        """Add a job."""
        self._by_owner.setdefault(job.owner, deque()).append(job)
        self._not_empty.set()

    def put_first(self, job: QueuedJob) -> None:
        """Add a job that was started before, as the next one."""
        self._by_owner.setdefault(job.owner, deque()).appendleft(job)
        self._by_owner.move_to_end(job.owner, last=False)
        self._not_empty.set()

    def remove(self, job: QueuedJob) -> bool:
        """Remove a job; ``False`` if it is not in the queue."""
        jobs = self._by_owner.get(job.owner)
        if jobs is None or job not in jobs:
            return False
        jobs.remove(job)
        if not jobs:
            del self._by_owner[job.owner]
        return True

    async def next(self) -> QueuedJob:
        """Wait for the next job; its owner goes to the end."""
        while not self._by_owner:
            self._not_empty.clear()
            await self._not_empty.wait()
        owner, jobs = self._by_owner.popitem(last=False)
        job = jobs.popleft()
        if jobs:
            self._by_owner[owner] = jobs
        return job
