"""Connections and transactions, the same for callers on SQLite and on Postgres.

A caller hands over a plain function of a connection; it runs in one transaction, on a thread of
the database's choice, and may run twice: it must keep its hands off everything but the connection.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from app.db.prepared import execute
from app.db.writer import GroupWriter

T = TypeVar("T")
Work = Callable[[Connection], T]

_POSTGRES_THREADS = 6
_SQLITE_READERS = 2
_DEADLOCK = "40P01"


def engine_url(url: str) -> URL:
    """What users write, made exact: ``postgres://`` and ``postgresql://`` mean psycopg here."""
    parsed = make_url(url)
    if parsed.get_backend_name() in {"postgres", "postgresql"}:
        return parsed.set(drivername="postgresql+psycopg")
    return parsed


class Database:
    """Reads run side by side; writes are durable when they return.

    SQLite has one writer (several would fight for its one lock), which commits whatever waits
    together. Postgres runs each write in a transaction of its own.
    """

    def __init__(self, url: str) -> None:
        """Connect to ``url`` lazily; nothing is touched before the first transaction."""
        self.url = engine_url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.engine = _sqlite(self.url, "DEFERRED") if self.is_sqlite else _postgres(self.url)
        # On Postgres each statement sees what was committed before it, in a transaction or not: without one, a
        # read of one row costs one exchange with the server instead of three.
        self._reading = (
            self.engine
            if self.is_sqlite
            else self.engine.execution_options(isolation_level="AUTOCOMMIT")
        )
        threads = _SQLITE_READERS if self.is_sqlite else _POSTGRES_THREADS
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="database")
        self._writer = GroupWriter(_sqlite(self.url, "IMMEDIATE")) if self.is_sqlite else None

    async def read(self, work: Work[T]) -> T:
        """Run ``work``, which must not write. On SQLite all of it sees one state of the database."""
        return await self._in_thread(self._reading, work)

    async def write(self, work: Work[T]) -> T:
        """Run ``work`` in a transaction and return its result once that is durable.

        An exception rolls it back and reaches the caller.
        """
        if self._writer:
            return await self._writer.submit(work)
        return await self._in_thread(self.engine, work)

    async def close(self) -> None:
        """Finish what is under way, then let every connection go."""
        if self._writer:
            await asyncio.to_thread(self._writer.close)
        await asyncio.to_thread(self._threads.shutdown)
        self.engine.dispose()

    async def _in_thread(self, engine: Engine, work: Work[T]) -> T:
        run = partial(_in_transaction, engine, work)
        return await asyncio.get_running_loop().run_in_executor(self._threads, run)


def _in_transaction(engine: Engine, work: Work[T]) -> T:
    """Do the work; once more if Postgres gave it up, or the connection turns out to have died, unless of the commit.

    Asking each connection beforehand whether it lives would double what a short transaction costs. What became of
    a commit that was not acknowledged nobody knows, so that is for the caller to find out.
    """
    with engine.connect() as connection:
        try:
            result = work(connection)
        except DBAPIError as error:
            if not (error.connection_invalidated or _was_given_up(error)):
                raise
        else:
            connection.commit()
            return result
    with engine.begin() as connection:
        return work(connection)


def _was_given_up(error: DBAPIError) -> bool:
    """Whether this transaction and another waited for each other, and Postgres let the other one go on."""
    return getattr(error.orig, "sqlstate", None) == _DEADLOCK


def _postgres(url: URL) -> Engine:
    return create_engine(url, pool_size=_POSTGRES_THREADS, max_overflow=0)


def _sqlite(url: URL, begin: str) -> Engine:
    if url.database:
        Path(url.database).expanduser().parent.mkdir(parents=True, exist_ok=True)
    # The driver's own transaction handling is off; we say BEGIN, and which kind, ourselves. It may wait for a lock
    # that long, twice.
    arguments = {"isolation_level": None, "check_same_thread": False, "timeout": 5.0}
    engine = create_engine(url, connect_args=arguments)

    def connected(connection: sqlite3.Connection, _record: object) -> None:
        connection.executescript(
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;"
            "PRAGMA cache_size=-32000; PRAGMA temp_store=MEMORY"
        )

    def begun(connection: Connection) -> None:
        execute(connection, f"BEGIN {begin}")

    event.listen(engine, "connect", connected)
    event.listen(engine, "begin", begun)
    return engine
