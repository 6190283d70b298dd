"""Tasks by key, at most one for each; and single flight: callers who ask for the same thing share one computation."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


class KeyedTasks(Generic[K, T]):
    """Tasks in the background, at most one for each key. One that ends is forgotten."""

    def __init__(self) -> None:
        self._running: dict[K, asyncio.Task[T]] = {}

    def __contains__(self, key: K) -> bool:
        return key in self._running

    def __len__(self) -> int:
        return len(self._running)

    def start(
        self, key: K, work: Callable[[], Coroutine[Any, Any, T]], *, name: str | None = None
    ) -> asyncio.Task[T]:
        """The task of ``key``: begun now, under ``name``, unless one runs already."""
        task = self._running.get(key)
        if task is None:
            task = self._running[key] = asyncio.create_task(work(), name=name)
            task.add_done_callback(lambda _: self._running.pop(key, None))
        return task

    async def cancel(self, key: K) -> None:
        """Stop the task of ``key``, if one runs, and wait until it has stopped."""
        await self._stop([self._running[key]] if key in self._running else [])

    async def close(self) -> None:
        """Stop everything that runs, and wait until it has stopped."""
        await self._stop(self.tasks())

    def tasks(self) -> list[asyncio.Task[T]]:
        """Those that run now."""
        return [*self._running.values()]

    async def _stop(self, tasks: list[asyncio.Task[T]]) -> None:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class SingleFlight(Generic[K, T]):
    """Callers that ask for the same key while its task runs share its result or its exception."""

    def __init__(self) -> None:
        self._tasks: KeyedTasks[K, T] = KeyedTasks()

    def __contains__(self, key: K) -> bool:
        return key in self._tasks

    async def run(self, key: K, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """The result of ``work``, begun now unless it runs already."""
        # Shielded: if one of those who asked leaves, the others still get the result.
        return await asyncio.shield(self._tasks.start(key, work))

    async def close(self) -> None:
        """Cancel everything that runs."""
        await self._tasks.close()
