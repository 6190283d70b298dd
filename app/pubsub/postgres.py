"""Notices between processes: Postgres carries them, from outside of any transaction that writes.

Two connections stand beside the pool: one listens, one sends. Whichever breaks is made again, and
after each new beginning the listener says so, because what was sent meanwhile is lost.
"""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from typing import Any, Final, LiteralString

import psycopg
from sqlalchemy.engine import URL

_log = logging.getLogger("fairdeal.live")
_LISTEN: Final[LiteralString] = "LISTEN fairdeal"
_NOTIFY: Final[LiteralString] = "SELECT pg_notify('fairdeal', %s)"
_LARGEST = 7000  # bytes; Postgres carries just under 8000
_MOST_WAITING = (
    20_000  # notices kept while there is no connection: every listener looks for itself as well
)
_CHECK_EVERY = 10.0  # seconds of silence after which the connection is tried
_PATIENCE = 5.0
_RETRY: Final = (0.1, 0.5, 1.0, 2.0, 5.0)
_BROKEN: Final = (psycopg.Error, OSError, TimeoutError)

_Connection = psycopg.AsyncConnection[tuple[Any, ...]]


class PostgresNotifier:
    """Sends words to all other processes on the same database, and hears theirs."""

    def __init__(self, url: URL, hear: Callable[[str], None], begun: Callable[[], None]) -> None:
        """``hear`` gets each word of the others, ``begun`` is called whenever listening begins (again)."""
        self.process = secrets.token_hex(6)
        self.listening = asyncio.Event()
        self._address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._hear = hear
        self._begun = begun
        self._waiting: dict[str, str] = {}
        self._has_waiting = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Connect in the background."""
        self._tasks = [
            asyncio.create_task(self._keep(self._listen), name="live: listening"),
            asyncio.create_task(self._keep(self._send), name="live: sending"),
        ]

    async def close(self) -> None:
        """Send what waits, if that is possible at once, then disconnect."""
        if self._waiting and self.listening.is_set():
            await asyncio.sleep(0.05)
        for task in self._tasks:
            task.cancel()
        for task in self._tasks:
            with suppress(asyncio.CancelledError):
                await task

    def put(self, about: str, word: str) -> None:
        """Send ``word`` soon; of several words about the same only the last is sent."""
        if len(self._waiting) < _MOST_WAITING or about in self._waiting:
            self._waiting[about] = word
            self._has_waiting.set()

    async def _keep(self, work: Callable[[_Connection], Awaitable[None]]) -> None:
        failures = 0
        while True:
            began = asyncio.get_running_loop().time()
            try:
                connection = await psycopg.AsyncConnection.connect(
                    self._address,
                    autocommit=True,
                    connect_timeout=int(_PATIENCE),
                    keepalives_idle=10,
                    keepalives_interval=5,
                    keepalives_count=2,
                    tcp_user_timeout=15_000,
                )
                async with connection:
                    await work(connection)
            except _BROKEN as error:
                if asyncio.get_running_loop().time() - began > _CHECK_EVERY:
                    failures = 0
                reason = str(error).strip().partition("\n")[0]
                _log.warning("The connection for notices is gone: %s", reason)
            pause = _RETRY[min(failures, len(_RETRY) - 1)]
            failures += 1
            await asyncio.sleep(pause * random.uniform(0.5, 1.0))  # noqa: S311 - nobody guesses it

    async def _listen(self, connection: _Connection) -> None:
        await connection.execute(_LISTEN)
        self.listening.set()
        try:
            self._begun()
            while True:
                async for notify in connection.notifies(timeout=_CHECK_EVERY):
                    self._read(notify.payload)
                async with asyncio.timeout(_PATIENCE):
                    await connection.execute("SELECT 1")
        finally:
            self.listening.clear()

    def _read(self, payload: str) -> None:
        sender, *words = payload.split(" ")
        if sender == self.process:
            return  # its readers know already
        for word in words:
            self._hear(word)

    async def _send(self, connection: _Connection) -> None:
        while True:
            await self._has_waiting.wait()
            self._has_waiting.clear()
            for payload, batch in self._take():
                try:
                    async with asyncio.timeout(_PATIENCE):
                        await connection.execute(_NOTIFY, (payload,))
                except _BROKEN:
                    self._waiting = batch | self._waiting  # what came since is newer
                    self._has_waiting.set()
                    raise

    def _take(self) -> Iterator[tuple[str, dict[str, str]]]:
        """What waits, in payloads of a size that Postgres carries."""
        while self._waiting:
            payload, batch = self.process, {}
            while self._waiting and len(payload) < _LARGEST:
                about = next(iter(self._waiting))
                batch[about] = word = self._waiting.pop(about)
                payload += f" {word}"
            yield payload, batch
