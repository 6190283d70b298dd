"""A fair queue: owners take turns, so that many jobs of one player do not delay other players."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Iterator

from app.jobs.job import QueuedJob


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
