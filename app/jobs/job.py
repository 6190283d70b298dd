"""What is asked of the workers, and how it stands."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum


class Urgency(IntEnum):
    """Who waits: a player, or nobody in particular."""

    WAITED_FOR = 0
    BACKGROUND = 1


class State(StrEnum):
    """How a job stands; from the third on it has ended."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def has_ended(self) -> bool:
        """Whether nothing more will come."""
        return self not in {State.QUEUED, State.RUNNING}


class Failure(StrEnum):
    """Why a job failed."""

    BROKEN = "broken"  # its function raised an exception, which is in the log
    KILLED = "killed"  # its process was ended from outside, twice
    TOO_LONG = "too_long"  # it went on after its time was up, and was stopped


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a job has come: a share of 0 to 1, and a word for what it is at."""

    share: float = 0.0
    word: str = ""


@dataclass(frozen=True, slots=True)
class Job:
    """A job as it stands at the moment."""

    id: str
    owner: str
    state: State
    progress: Progress
    result: object = None
    failure: Failure | None = None


@dataclass(eq=False, slots=True)
class QueuedJob:
    """A job on its way: what to do, within how many seconds, and what has become of it so far."""

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
    is_killed: bool = False  # by us, since it would not stop
    ended_at: float = 0.0
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    stop: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_worth_having(self) -> bool:
        """Whether there is no reason to ask for the same once more."""
        return self.state not in {State.FAILED, State.CANCELLED} and not self.stop.is_set()

    def snapshot(self) -> Job:
        """What may be shown of it."""
        return Job(self.id, self.owner, self.state, self.progress, self.result, self.failure)

    def end(self, state: State, at: float) -> None:
        """Nothing more will come."""
        self.state = state
        self.ended_at = at
        self.ended.set()
