"""A client of event streams, of a site in the test's own process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, MutableMapping
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI

from app.games.topics import game_topic
from app.pubsub.hub import UNKNOWN
from app.pubsub.service import PubSub
from tests.support.patience import PATIENCE


class Stream:
    """The client side of a stream."""

    def __init__(self) -> None:
        self.status = 0
        self.text = ""
        self.reads = asyncio.Event()
        self.reads.set()
        self.is_held = asyncio.Event()
        self.disconnected = asyncio.Event()
        self._received = asyncio.Event()

    async def receive(self) -> MutableMapping[str, Any]:
        await self.disconnected.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: MutableMapping[str, Any]) -> None:
        if not self.reads.is_set():
            self.is_held.set()
        await self.reads.wait()
        self.status = message.get("status", self.status)
        self.text += message.get("body", b"").decode()
        self._received.set()

    async def until(self, text: str) -> None:
        async with asyncio.timeout(PATIENCE):
            while text not in self.text:
                self._received.clear()
                await self._received.wait()


@asynccontextmanager
async def listening(
    site: FastAPI, game: str, *, query: str = "", **headers: str
) -> AsyncIterator[tuple[Stream, asyncio.Task[None]]]:
    scope: MutableMapping[str, Any] = {
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "path": f"/api/v1/games/{game}/stream",
        "raw_path": b"",
        "query_string": query.encode(),
        "root_path": "",
        "scheme": "http",
        "headers": [(b"host", b"fairdeal.test")]
        + [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
        "client": ("192.0.2.1", 1),
        "server": ("fairdeal.test", 80),
    }
    stream = Stream()
    task = asyncio.create_task(site(scope, stream.receive, stream.send))
    try:
        yield stream, task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def first_poll(site: FastAPI, game: str) -> None:
    """Wait until the site has read the version that change subscribers of a game start from."""
    pubsub: PubSub = site.state.services.pubsub
    topic = game_topic(game)
    async with asyncio.timeout(PATIENCE):
        while pubsub._hub.version(topic) == UNKNOWN or topic in pubsub._publishing:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
