"""A live layer on a database, and readers of it that remember."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

from app.db.engine import Database
from app.pubsub.hub import Guard, Subscriber
from app.pubsub.service import PubSub
from app.pubsub.topics import Notice, Topic

TABLE = Topic("table", "g")


class Versions:
    """Stands for the database: how far each table is."""

    def __init__(self) -> None:
        self.now: dict[str, int] = {}
        self.asked = 0

    async def look(self, ids: Sequence[str]) -> Mapping[str, int]:
        self.asked += 1
        return {name: self.now[name] for name in ids if name in self.now}


class Ears:
    """A reader that remembers."""

    def __init__(self, live: PubSub, *topics: Topic, guard: Guard | None = None) -> None:
        self.heard: list[int] = []
        self.came = asyncio.Event()
        self.reader = Subscriber(topics, self._wake, None, guard)
        live.join(self.reader)

    def _wake(self) -> None:
        self.heard += [news.version for news in self.reader.take() if isinstance(news, Notice)]
        self.came.set()

    async def hear(self, version: int, seconds: float = 5) -> None:
        """Wait until a version was heard."""
        async with asyncio.timeout(seconds):
            while version not in self.heard:
                self.came.clear()
                await self.came.wait()


@asynccontextmanager
async def a_live(
    database: Database, versions: Versions, *, look_every: float = 60, answer_first: float = 0.01
) -> AsyncIterator[PubSub]:
    """The live layer of one process."""
    live = PubSub(database, look_every=look_every, answer_first=answer_first)
    live.looks("table", versions.look)
    live.start()
    try:
        yield live
    finally:
        await live.close()
