"""The stock for its users: take a deal out, or have one found while a player waits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from enum import Enum, auto
from functools import partial
from typing import Final

from app.db.engine import Database
from app.deals import proving, repository
from app.deals.repository import Kind, Proven
from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code
from app.jobs.job import Progress, State, Urgency
from app.jobs.service import Jobs

_GRADING_SECONDS: Final = 60.0
_MOST_SEARCHES: Final = 1000
PATIENCE: Final = 12.0
"""Seconds that somebody may be asked to wait for a proof."""


class Hope(Enum):
    """What somebody can hope for who waits for a deal."""

    READY = auto()  # there is one: draw it
    LOOKING = auto()
    NOTHING = auto()  # none could be proven in time; asked again, the search begins anew


class DealStock:
    """Takes nothing that takes long upon itself: that goes to ``jobs``."""

    def __init__(
        self, database: Database, jobs: Jobs, clock: Callable[[], int], seconds: float
    ) -> None:
        """``seconds`` may be spent on a proof in the background; 0 proves nothing at all."""
        self._database = database
        self._jobs = jobs
        self._clock = clock
        self._seconds = seconds
        self._searches: dict[tuple[str, Kind, str], asyncio.Task[bool]] = {}
        self.drawn = asyncio.Event()
        """Rings when a deal was taken: time to look at the stock."""

    @property
    def proves(self) -> bool:
        """Whether deals are proven here at all."""
        return self._seconds > 0

    async def draw_open(self, rules: Ruleset) -> Code | None:
        """The code of a deal that is proven winnable and that nobody was dealt; ``None`` when there is none now."""
        drawn = await self._draw(Kind.OPEN, rules)
        return Code(drawn) if isinstance(drawn, str) else None

    async def draw_sealed(self, rules: Ruleset) -> bytes | None:
        """The secret seed of a deal that is proven winnable, used for nothing else; ``None`` when there is none now."""
        drawn = await self._draw(Kind.SEALED, rules)
        return drawn if isinstance(drawn, bytes) else None

    async def hope(self, owner: str, kind: Kind, rules: Ruleset) -> Hope:
        """Whether there is a deal to draw; if not, one is looked for, at once and in this player's name.

        To be asked again every second or so. Raises ``TooManyJobsError``.
        """
        key = (owner, kind, rules.id)
        search = self._searches.get(key)
        if await self.count(kind, rules):
            return Hope.READY
        if search is None:
            await self._search(key, rules)
        elif search.done():
            del self._searches[key]
            if not search.result():
                return Hope.NOTHING
            await self._search(key, rules)  # found, and somebody else was faster
        return Hope.LOOKING

    async def progress(self, owner: str, kind: Kind, rules: Ruleset) -> Progress:
        """How far the search in this player's name has come."""
        job = await self._jobs.find(_key(kind, rules), owner)
        return job.progress if job else Progress()

    async def prove(
        self, kind: Kind, rules: Ruleset, owner: str, urgency: Urgency = Urgency.BACKGROUND
    ) -> bool:
        """Look for one deal in the background, and put it into the stock; false when none is proven in time."""
        hurried = urgency is Urgency.INTERACTIVE
        work = partial(proving.find, kind, rules.id, rules.revision, self._seconds, hurried=hurried)
        found = await self._jobs.run(
            work, seconds=_with_grading(self._seconds), owner=owner, urgency=urgency
        )
        return found is not None and await self._store(found)

    async def is_proven(self, rules: Ruleset, seed: bytes, owner: str) -> bool:
        """Whether the deal of a seed is proven winnable in time."""
        work = partial(proving.is_proven, rules.id, rules.revision, seed, self._seconds)
        return await self._jobs.run(work, seconds=2 * self._seconds, owner=owner)

    async def count(self, kind: Kind, rules: Ruleset) -> int:
        """How many deals wait to be taken."""
        return await self._database.read(
            lambda connection: repository.count(connection, kind, rules)
        )

    async def close(self) -> None:
        """Look for nothing any more."""
        for search in self._searches.values():
            search.cancel()
        await asyncio.gather(*self._searches.values(), return_exceptions=True)

    async def _draw(self, kind: Kind, rules: Ruleset) -> str | bytes | None:
        at_ms = self._clock()
        drawn = await self._database.write(
            lambda connection: repository.draw(connection, kind, rules, at_ms)
        )
        self.drawn.set()
        return drawn

    async def _search(self, key: tuple[str, Kind, str], rules: Ruleset) -> None:
        if len(self._searches) >= _MOST_SEARCHES:
            done = [key for key, search in self._searches.items() if search.done()]
            for old in done:
                del self._searches[old]
        owner, kind, _ = key
        seconds = min(PATIENCE, self._seconds)
        work = partial(proving.find, kind, rules.id, rules.revision, seconds, hurried=True)
        job = await self._jobs.submit(
            owner, work, seconds=_with_grading(seconds), key=_key(kind, rules)
        )
        self._searches[key] = asyncio.create_task(self._keep_what_comes_of(job.id, owner))

    async def _keep_what_comes_of(self, job_id: str, owner: str) -> bool:
        job = await self._jobs.wait(job_id, owner)
        await self._jobs.forget(job_id, owner)  # or the next search would find this one's end
        if job is None or job.state is not State.DONE or not isinstance(job.result, Proven):
            return False
        return await self._store(job.result)

    async def _store(self, found: Proven) -> bool:
        at_ms = self._clock()
        return await self._database.write(
            lambda connection: repository.add(connection, found, at_ms)
        )


def _key(kind: Kind, rules: Ruleset) -> str:
    return f"pool/{kind}/{rules.id}"


def _with_grading(seconds: float) -> float:
    """A proof that comes at the last moment is still followed by finding out how hard the deal is."""
    return seconds + _GRADING_SECONDS
