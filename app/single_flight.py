"""Single flight: callers that ask for the same thing at the same time share one computation."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


class SingleFlight(Generic[K, T]):
    """Runs at most one task for each key; callers that ask while it runs share its result or its exception."""

    def __init__(self) -> None:
        self._running: dict[K, asyncio.Task[T]] = {}

    def __contains__(self, key: K) -> bool:
        return key in self._running

    async def run(self, key: K, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """The result of ``work``, begun now unless it runs already."""
        task = self._running.get(key)
        if task is None:
            task = self._running[key] = asyncio.create_task(work())
            task.add_done_callback(lambda _: self._running.pop(key, None))
        # Shielded: if one of those who asked leaves, the others still get the result.
        return await asyncio.shield(task)

    async def close(self) -> None:
        """Cancel everything that runs."""
        tasks = [*self._running.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
