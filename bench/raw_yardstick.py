"""The limit that a move is measured against: durable writes and the same bytes, and nothing else.

A raw ASGI application on the same server as the site. It reads the form, stores the move with one group-committing
writer on the standard library's sqlite3 (WAL, synchronous FULL), and answers with a body of a given size. It knows no
rules, players or pages. Run as ``python -m bench.raw_yardstick PORT FILE BYTES``.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
import threading
from queue import Empty, SimpleQueue
from typing import TypeAlias
from urllib.parse import parse_qsl

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from bench.yardstick import open_games

_LARGEST_GROUP = 64

Job: TypeAlias = tuple[str, str, int, asyncio.Future[int]]
"""A game, a move, the version that it was made at, and what waits for the version that it leads to."""


class RawWriter:
    """One thread that stores moves, and commits all that wait in one transaction."""

    def __init__(self, path: str) -> None:
        self._connection = open_games(path)
        self._loop = asyncio.get_running_loop()
        self._jobs: SimpleQueue[Job] = SimpleQueue()
        threading.Thread(target=self._serve, daemon=True).start()

    async def store(self, game_id: str, move: str, version: int) -> int:
        """The version of the game after the move, once it is durable."""
        stored: asyncio.Future[int] = self._loop.create_future()
        self._jobs.put((game_id, move, version, stored))
        return await stored

    def _serve(self) -> None:
        while True:
            group = [self._jobs.get()]
            while len(group) < _LARGEST_GROUP:
                try:
                    group.append(self._jobs.get_nowait())
                except Empty:
                    break
            self._connection.execute("BEGIN IMMEDIATE")
            versions = [self._store(*job[:3]) for job in group]
            self._connection.execute("COMMIT")
            self._loop.call_soon_threadsafe(_deliver, group, versions)

    def _store(self, game_id: str, move: str, version: int) -> int:
        self._connection.execute(
            "UPDATE games SET version = ? WHERE id = ? AND version = ?",
            (version + 1, game_id, version),
        )
        try:
            self._connection.execute(
                "INSERT INTO moves VALUES (?, ?, ?, ?)",
                (game_id, version + 1, move, 1_700_000_000_000),
            )
        except sqlite3.IntegrityError:
            return version
        return version + 1


def _deliver(group: list[Job], versions: list[int]) -> None:
    for (*_, stored), version in zip(group, versions, strict=True):
        stored.set_result(version)


def make_app(path: str, size: int) -> ASGIApp:
    """The application; ``size`` is that of its answers in bytes."""
    writers: list[RawWriter] = []
    padding = b"x" * size

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        if not writers:
            writers.append(RawWriter(path))
        form = dict(parse_qsl((await receive())["body"].decode()))
        game_id = scope["path"].split("/")[2]
        version = await writers[0].store(game_id, form["move"], int(form["version"]))
        body = b"%d" % version + padding[len(str(version)) :]
        headers = [
            (b"content-type", b"text/html; charset=utf-8"),
            (b"content-length", b"%d" % len(body)),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return app


if __name__ == "__main__":
    application = make_app(sys.argv[2], int(sys.argv[3]))
    uvicorn.run(
        application, port=int(sys.argv[1]), log_level="warning", access_log=False, lifespan="off"
    )
