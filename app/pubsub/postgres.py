"""Messages between processes with PostgreSQL LISTEN and NOTIFY, outside of all transactions and outside the pool.

There is a fixed number of channels, which topics share: PostgreSQL goes through the channels of a process one by one.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, LiteralString
from zlib import crc32

import psycopg
from psycopg import sql
from sqlalchemy.engine import URL

from app.db.address import driver_address
from app.pubsub.notifier import TIMEOUT, OnPayload
from app.pubsub.topics import Topic

CHANNELS: Final = 256
SHARED_CHANNEL: Final = "fairdeal"
"""Where earlier releases send everything. They do not hear this one: they poll until they are replaced."""

_NOTIFY: Final[LiteralString] = (
    "SELECT count(pg_notify(channel, payload)) FROM unnest(%s::text[], %s::text[]) AS t (channel, payload)"
)

_Connection = psycopg.AsyncConnection[tuple[Any, ...]]


class PostgresBroker:
    """The database as a broker."""

    name = "the database"

    def __init__(self, url: URL) -> None:
        self._address = driver_address(url)

    def channel_of(self, topic: Topic) -> str:
        """One of the channels."""
        return f"fairdeal_{crc32(str(topic).encode()) % CHANNELS}"

    @asynccontextmanager
    async def open(self, on_payload: OnPayload) -> AsyncIterator[PostgresLink]:
        """Connect, or raise ``OSError``."""
        try:
            connection = await psycopg.AsyncConnection.connect(
                self._address,
                autocommit=True,
                connect_timeout=int(TIMEOUT),
                keepalives_idle=10,
                keepalives_interval=5,
                keepalives_count=2,
                tcp_user_timeout=15_000,
            )
            async with connection:
                # What arrives while a statement runs.
                connection.add_notify_handler(lambda notify: on_payload(notify.payload))
                link = PostgresLink(connection, on_payload)
                await link.listen((SHARED_CHANNEL,), ())
                yield link
        except psycopg.Error as error:
            raise ConnectionError(str(error)) from error


class PostgresLink:
    """A connection of its own to the database."""

    def __init__(self, connection: _Connection, on_payload: OnPayload) -> None:
        self._connection = connection
        self._on_payload = on_payload

    async def listen(self, added: Collection[str], dropped: Collection[str]) -> None:
        """Start to hear some channels and stop hearing others."""
        words = [("LISTEN", name) for name in added] + [("UNLISTEN", name) for name in dropped]
        await self._connection.execute(
            sql.SQL(";").join(
                sql.SQL(word) + sql.SQL(" ") + sql.Identifier(name) for word, name in words
            )
        )

    async def publish(self, payloads: Sequence[tuple[str, str]]) -> None:
        """Send payloads, each to its channel."""
        channels, texts = zip(*payloads, strict=True)
        await self._connection.execute(_NOTIFY, (list(channels), list(texts)))

    async def wait(self, work: asyncio.Event, seconds: float) -> None:
        """Wait until there is work or something arrives."""
        loop, descriptor = asyncio.get_running_loop(), self._connection.fileno()
        loop.add_reader(descriptor, work.set)
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await work.wait()
        finally:
            loop.remove_reader(descriptor)
        server = self._connection.pgconn
        server.consume_input()
        while notify := server.notifies():
            self._on_payload(notify.extra.decode(errors="replace"))

    async def check(self) -> None:
        """Raise if the connection is broken."""
        async with asyncio.timeout(TIMEOUT):
            await self._connection.execute("SELECT 1")
