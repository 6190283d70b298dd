"""Messages between processes with Postgres LISTEN and NOTIFY, outside of all transactions.

It has two connections outside the pool, one to listen and one to send, and reconnects when one is lost. Messages sent
without a connection are lost, so each new connection of the listener is reported.
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

_log = logging.getLogger("fairdeal.pubsub")
_LISTEN: Final[LiteralString] = "LISTEN fairdeal"
_NOTIFY: Final[LiteralString] = "SELECT pg_notify('fairdeal', %s)"
_MAX_PAYLOAD = 7000  # bytes; Postgres allows just under 8000
_MAX_WAITING = 20_000  # messages kept without a connection; processes also poll
_PING_EVERY = 10.0  # seconds without a message
_TIMEOUT = 5.0
_RETRY: Final = (0.1, 0.5, 1.0, 2.0, 5.0)
_CONNECTION_ERRORS: Final = (psycopg.Error, OSError, TimeoutError)

_Connection = psycopg.AsyncConnection[tuple[Any, ...]]


class PostgresNotifier:
    """Sends messages to all other processes on the same database, and receives theirs."""

    def __init__(
        self, url: URL, on_message: Callable[[str], None], on_connect: Callable[[], None]
    ) -> None:
        """``on_message`` gets each message of other processes; ``on_connect`` is called at each new connection."""
        self.process_id = secrets.token_hex(6)
        self.listening = asyncio.Event()
        self._address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._on_message = on_message
        self._on_connect = on_connect
        self._waiting: dict[str, str] = {}
        self._has_waiting = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Connect in the background."""
        self._tasks = [
            asyncio.create_task(self._reconnect_forever(self._listen), name="pubsub: listen"),
            asyncio.create_task(self._reconnect_forever(self._send_waiting), name="pubsub: send"),
        ]

    async def close(self) -> None:
        """Send waiting messages if connected, then disconnect."""
        if self._waiting and self.listening.is_set():
            await asyncio.sleep(0.05)
        for task in self._tasks:
            task.cancel()
        for task in self._tasks:
            with suppress(asyncio.CancelledError):
                await task

    def send(self, key: str, message: str) -> None:
        """Send ``message`` soon; of several waiting messages with one key only the last is sent."""
        if len(self._waiting) < _MAX_WAITING or key in self._waiting:
            self._waiting[key] = message
            self._has_waiting.set()

    async def _reconnect_forever(self, work: Callable[[_Connection], Awaitable[None]]) -> None:
        failures = 0
        while True:
            began = asyncio.get_running_loop().time()
            try:
                connection = await psycopg.AsyncConnection.connect(
                    self._address,
                    autocommit=True,
                    connect_timeout=int(_TIMEOUT),
                    keepalives_idle=10,
                    keepalives_interval=5,
                    keepalives_count=2,
                    tcp_user_timeout=15_000,
                )
                async with connection:
                    await work(connection)
            except _CONNECTION_ERRORS as error:
                if asyncio.get_running_loop().time() - began > _PING_EVERY:
                    failures = 0
                reason = str(error).strip().partition("\n")[0]
                _log.warning("Lost the database connection for notifications: %s", reason)
            pause = _RETRY[min(failures, len(_RETRY) - 1)]
            failures += 1
            await asyncio.sleep(pause * random.uniform(0.5, 1.0))  # noqa: S311 - not a secret

    async def _listen(self, connection: _Connection) -> None:
        await connection.execute(_LISTEN)
        self.listening.set()
        try:
            self._on_connect()
            while True:
                async for notify in connection.notifies(timeout=_PING_EVERY):
                    self._receive(notify.payload)
                async with asyncio.timeout(_TIMEOUT):
                    await connection.execute("SELECT 1")
        finally:
            self.listening.clear()

    def _receive(self, payload: str) -> None:
        sender, *messages = payload.split(" ")
        if sender == self.process_id:
            return  # its subscribers already know
        for message in messages:
            self._on_message(message)

    async def _send_waiting(self, connection: _Connection) -> None:
        while True:
            await self._has_waiting.wait()
            self._has_waiting.clear()
            for payload, batch in self._payloads():
                try:
                    async with asyncio.timeout(_TIMEOUT):
                        await connection.execute(_NOTIFY, (payload,))
                except _CONNECTION_ERRORS:
                    self._waiting = batch | self._waiting  # newer messages win
                    self._has_waiting.set()
                    raise

    def _payloads(self) -> Iterator[tuple[str, dict[str, str]]]:
        """The waiting messages, in payloads that Postgres allows."""
        while self._waiting:
            payload, batch = self.process_id, {}
            while self._waiting and len(payload) < _MAX_PAYLOAD:
                key = next(iter(self._waiting))
                batch[key] = message = self._waiting.pop(key)
                payload += f" {message}"
            yield payload, batch
