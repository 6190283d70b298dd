"""The doorbell: who waits for a table is told that it has a new version, and nothing else.

Missing a ring does no harm. A listener asks for the table as it is, and looks by itself now and
then, which is also how it learns of moves that another process accepted.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable

_LOOK_EVERY = 5.0  # seconds between looks of one's own
_ANSWER_FIRST = 0.05  # seconds; whoever moved gets the answer before everybody is told

CurrentVersion = Callable[[str], Awaitable[int]]


class Doorbell:
    """Rings for the listeners of one process. Belongs to that process's event loop."""

    def __init__(self, look_every: float = _LOOK_EVERY) -> None:
        """Let listeners look for themselves every ``look_every`` seconds."""
        self._listeners: defaultdict[str, set[asyncio.Event]] = defaultdict(set)
        self._look_every = look_every
        self._closed = False

    def ring(self, game_id: str, _version: int) -> None:
        """Soon wake everybody who listens to a table; the version is for them to find out."""
        if game_id in self._listeners:
            asyncio.get_running_loop().call_later(_ANSWER_FIRST, self._wake, game_id)

    def _wake(self, game_id: str) -> None:
        for listener in self._listeners.get(game_id, ()):
            listener.set()

    def close(self) -> None:
        """Let every listener go."""
        self._closed = True
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.set()

    async def versions(
        self, game_id: str, since: int, current: CurrentVersion
    ) -> AsyncIterator[int]:
        """Each newer version of a table as it becomes known, coalesced, until the bell closes."""
        bell = asyncio.Event()
        self._listeners[game_id].add(bell)
        try:
            seen = since
            while not self._closed:
                bell.clear()
                version = await current(game_id)
                if version > seen:
                    seen = version
                    yield version
                    continue
                try:
                    await asyncio.wait_for(bell.wait(), self._look_every)
                except TimeoutError:
                    continue
        finally:
            self._listeners[game_id].discard(bell)
            if not self._listeners[game_id]:
                del self._listeners[game_id]
