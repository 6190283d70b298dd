"""Connections and transactions, with the same interface for SQLite and PostgreSQL.

Callers pass a function that takes a connection. It runs in one transaction, on any thread, and may be retried: it
must have no side effects outside the connection.

Also the statements that SQLAlchemy has no portable form for: prepared once for speed, and upserts.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar, cast

from sqlalchemy import Connection, Engine, Insert, Table, Update, create_engine, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import Compiled, ExceptionContext
from sqlalchemy.exc import DBAPIError

from app.db.address import engine_url, split_options
from app.db.file_modes import create_file, create_folder
from app.db.replica import Replica, end_of_log
from app.db.writer import GroupWriter, Writer


class PreparedStatement:
    """An INSERT or UPDATE that SQLAlchemy compiles once for each database.

    This saves a third of the cost of a move on SQLite. Values go to the driver unchanged, so the columns must not
    need conversion.
    """

    def __init__(self, statement: Insert | Update) -> None:
        self._statement = statement
        self._compiled: dict[str, tuple[str, list[str] | None]] = {}

    def __call__(self, connection: Connection, values: Mapping[str, object]) -> int:
        """Execute it with a value for each parameter; return the number of rows changed."""
        text, order = self._text(connection)
        if order is None:  # the driver takes parameters by name
            return connection.exec_driver_sql(text, dict(values)).rowcount
        return execute(connection, text, tuple([values[name] for name in order]))

    def _text(self, connection: Connection) -> tuple[str, list[str] | None]:
        """The statement for a database, and the order of its parameters unless they are passed by name."""
        dialect = connection.dialect
        compiled_text = self._compiled.get(dialect.name)
        if compiled_text is None:
            compiled = self._statement.compile(dialect=dialect)
            compiled_text = (str(compiled), _order(compiled))
            self._compiled[dialect.name] = compiled_text
        return compiled_text


def execute(connection: Connection, text: str, values: tuple[object, ...] = ()) -> int:
    """Execute a statement without result rows directly on SQLite's driver; return the number of rows changed."""
    driver = cast("sqlite3.Connection", connection.connection.dbapi_connection)
    try:
        return driver.execute(text, values).rowcount
    except sqlite3.Error:
        # Nothing was done. Run it again through SQLAlchemy, for the exception that callers expect.
        return connection.exec_driver_sql(text, values).rowcount


def _order(compiled: Compiled) -> list[str] | None:
    order: list[str] | None = getattr(compiled, "positiontup", None)
    return order


def insert_into(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """An INSERT with ``on_conflict_do_update`` and ``excluded``."""
    is_postgres = connection.dialect.name == "postgresql"
    return (postgresql.insert if is_postgres else sqlite.insert)(table)


def insert_or_ignore(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """An INSERT that does nothing if the row exists."""
    return insert_into(connection, table).on_conflict_do_nothing()


T = TypeVar("T")
Work = Callable[[Connection], T]

_POSTGRES_THREADS = 6
_SQLITE_READERS = 2
_DEADLOCK = "40P01"
_READ_ONLY = "25006"
_DEADLOCK_RETRIES = 4
_RETRY_PAUSE_S = 0.02


class Database:
    """Reads run concurrently; writes are durable when they return.

    SQLite has one lock for writing, so one writer commits all waiting work together (group commit). PostgreSQL runs
    each write in its own transaction.
    """

    def __init__(
        self,
        url: str,
        replica_url: str = "",
        *,
        start_writer: Callable[[Engine], Writer] = GroupWriter,
    ) -> None:
        """Connect to ``url`` lazily; nothing is touched before the first transaction.

        On SQLite all writes go through the writer that ``start_writer`` starts. On PostgreSQL a replica may do some of
        the reading.
        """
        self.url = engine_url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.engine = _sqlite(self.url, "DEFERRED") if self.is_sqlite else _postgres(self.url)
        # On PostgreSQL each statement sees what was committed before it, in a transaction or not. Without one, a
        # statement takes one round trip to the server instead of three.
        self._autocommit = (
            self.engine
            if self.is_sqlite
            else self.engine.execution_options(isolation_level="AUTOCOMMIT")
        )
        threads = _SQLITE_READERS if self.is_sqlite else _POSTGRES_THREADS
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="database")
        # However many long reads are asked for, a thread is left for those that a move or a page waits for.
        self._long_reads = asyncio.Semaphore(threads - 1)
        self._writer = start_writer(_sqlite(self.url, "IMMEDIATE")) if self.is_sqlite else None
        self._replica = Replica(engine_url(replica_url), threads) if replica_url else None

    async def read(self, work: Work[T]) -> T:
        """Run ``work``, which must not write. On SQLite it reads one consistent snapshot."""
        return await self._in_thread(self._autocommit, work)

    async def read_elsewhere(self, work: Work[T], *, is_short: bool = False) -> T:
        """Read on the replica if there is one: for lists and long logs, which would keep the primary from writing.

        It sees everything that was written before. Without a replica, or if it does not keep up, this is ``read``.
        Unless it ``is_short``, it waits while all threads but one have such reads to do.
        """
        if is_short:
            return await self._read_elsewhere(work)
        async with self._long_reads:
            return await self._read_elsewhere(work)

    async def _read_elsewhere(self, work: Work[T]) -> T:
        if self._replica is None or self._replica.is_resting:
            return await self.read(work)
        position = await self.read(end_of_log)
        run = partial(self._replica.read, work, position)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, run)
        except Exception as error:
            if not self._replica.is_to_blame(error):
                raise
        return await self.read(work)

    async def write(
        self,
        work: Work[T],
        *,
        is_one_statement: bool = False,
        meanwhile: Callable[[], None] | None = None,
    ) -> T:
        """Run ``work`` in a transaction and return its result once it is durable.

        An exception rolls back the transaction and is raised to the caller. Work that is one statement, and does no
        harm when done twice, takes a third of the time on PostgreSQL: it is a transaction by itself. ``meanwhile`` may
        be called while the disk works, to prepare what will be needed then; nothing may depend on it.
        """
        if self._writer:
            return await self._writer.submit(work, meanwhile)
        return await self._in_thread(self._autocommit if is_one_statement else self.engine, work)

    async def close(self) -> None:
        """Finish what is in progress, then close every connection."""
        if self._writer:
            await asyncio.to_thread(self._writer.close)
        await asyncio.to_thread(self._threads.shutdown)
        if self._replica:
            self._replica.close()
        self.engine.dispose()

    async def _in_thread(self, engine: Engine, work: Work[T]) -> T:
        run = partial(_in_transaction, engine, work)
        return await asyncio.get_running_loop().run_in_executor(self._threads, run)


def _in_transaction(engine: Engine, work: Work[T]) -> T:
    """Do the work, and retry after a deadlock or on a lost connection, unless it was lost during the commit.

    Testing each connection before use would double the cost of a short transaction. Whether a commit succeeded that
    was not acknowledged is unknown, so that error is left to the caller.
    """
    retries = 0
    while True:
        with engine.connect() as connection:
            try:
                result = work(connection)
            except DBAPIError as error:
                if retries >= _most_retries(error):
                    raise
            else:
                connection.commit()
                return result
        retries += 1
        # A retry at once could take its first lock before the transaction that won the deadlock does, and they would
        # deadlock again.
        time.sleep(_RETRY_PAUSE_S * retries)


def _most_retries(error: DBAPIError) -> int:
    if getattr(error.orig, "sqlstate", None) == _DEADLOCK:
        return _DEADLOCK_RETRIES
    return 1 if error.connection_invalidated else 0


def _postgres(url: URL) -> Engine:
    address, options = split_options(url)
    engine = create_engine(
        address,
        connect_args=options,
        pool_size=_POSTGRES_THREADS,
        max_overflow=0,
        hide_parameters=True,
    )

    def failed(context: ExceptionContext) -> None:
        # After a fail-over the old primary may come back as a standby. It did nothing, so the work is done again, on a
        # new connection; all others to that server are closed, too.
        if getattr(context.original_exception, "sqlstate", None) == _READ_ONLY:
            context.is_disconnect = True

    event.listen(engine, "handle_error", failed)
    return engine


def _sqlite(url: URL, begin: str) -> Engine:
    # A URI of SQLite's own, with options, names a file that is the operator's to protect.
    is_path = url.database and not url.database.startswith((":", "file:"))
    file = Path(url.database or "").expanduser() if is_path else None
    if file:
        create_folder(file)
    # isolation_level=None: the driver does not begin transactions, the "begin" listener does. A retry can wait for
    # the lock a second time.
    arguments = {"isolation_level": None, "check_same_thread": False, "timeout": 5.0}
    engine = create_engine(url, connect_args=arguments, hide_parameters=True)

    def connected(connection: sqlite3.Connection, _record: object) -> None:
        connection.executescript(
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;"
            "PRAGMA cache_size=-32000; PRAGMA temp_store=MEMORY"
        )

    def connecting(*_arguments: object) -> None:
        if file:
            create_file(file)

    def begun(connection: Connection) -> None:
        execute(connection, f"BEGIN {begin}")

    event.listen(engine, "do_connect", connecting)
    event.listen(engine, "connect", connected)
    event.listen(engine, "begin", begun)
    return engine
