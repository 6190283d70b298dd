"""Group commit for SQLite: one thread writes, and commits all waiting work in one transaction.

A commit waits for the disk once, whether it contains one move or thirty. Callers get their results only after the
commit. What need not be durable at once goes through a write-behind buffer instead.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, Final, Generic, Protocol, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from app.db.failures import is_unavailable

T = TypeVar("T")

_LARGEST_GROUP = 64


class Writer(Protocol):
    """Runs functions of a connection one after another, in transactions that are durable before it answers."""

    async def submit(
        self, work: Callable[[Connection], T], meanwhile: Callable[[], None] | None = None, /
    ) -> T:
        """Run ``work`` and return its result after the commit that makes it durable.

        ``meanwhile`` may be called on the event loop while the disk works.
        """
        ...

    def close(self) -> None:
        """Finish all submitted work, then stop."""
        ...


class WriteJob(Generic[T]):
    """A function of a connection, and the caller on an event loop that awaits its result."""

    __slots__ = ("_future", "_work", "loop", "meanwhile")

    def __init__(
        self, work: Callable[[Connection], T], meanwhile: Callable[[], None] | None = None
    ) -> None:
        self._work = work
        # In the context of the caller, which has the reader's language.
        self.meanwhile = meanwhile and partial(copy_context().run, meanwhile)
        self.loop = asyncio.get_running_loop()
        self._future: asyncio.Future[T] = self.loop.create_future()

    def run(self, connection: Connection) -> Callable[[], None]:
        """Do the work; return a callback that delivers the result on the caller's loop."""
        result = self._work(connection)
        return lambda: None if self._future.done() else self._future.set_result(result)

    def fail(self, error: BaseException) -> None:
        def deliver() -> None:
            if not self._future.done():
                self._future.set_exception(error)

        _call_on(self.loop, [deliver])

    async def result(self) -> T:
        return await self._future


class GroupWriter:
    """Runs functions of a connection one after another on a thread, grouped into transactions."""

    def __init__(self, engine: Engine) -> None:
        """Start the thread; ``engine`` must begin its transactions with the write lock."""
        self._commits = GroupCommit(engine)
        self._jobs: SimpleQueue[WriteJob[Any] | None] = SimpleQueue()
        self._is_closed = False
        self._lock = threading.Lock()  # no job comes after the one that closes
        self._thread = threading.Thread(target=self._serve, name="writer", daemon=True)
        self._thread.start()

    async def submit(
        self, work: Callable[[Connection], T], meanwhile: Callable[[], None] | None = None
    ) -> T:
        """Run ``work`` and return its result after the commit that makes it durable.

        ``meanwhile`` is called on the event loop once the work is done and only the disk is waited for. Raises
        ``RuntimeError`` after ``close``: nobody would ever do the work.
        """
        job = WriteJob(work, meanwhile)
        with self._lock:
            if self._is_closed:
                raise RuntimeError("the writer is closed")
            self._jobs.put(job)
        return await job.result()

    def close(self) -> None:
        """Finish all submitted work, then stop."""
        with self._lock:
            self._is_closed = True
            self._jobs.put(None)
        self._thread.join()

    def _serve(self) -> None:
        closing = False
        while not closing:
            group = []
            job = self._jobs.get()
            while job is not None:
                group.append(job)
                if len(group) == _LARGEST_GROUP:
                    break
                try:
                    job = self._jobs.get_nowait()
                except Empty:
                    break
            else:
                closing = True
            if group:
                self._commits.commit(group)
        self._commits.close()


class GroupCommit:
    """Commits the work of several callers in one transaction. It belongs to one thread."""

    def __init__(self, engine: Engine) -> None:
        """``engine`` must begin its transactions with the write lock."""
        self._engine = engine
        self._connection: Connection | None = None

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
        self._engine.dispose()

    def _open(self) -> Connection:
        """The connection: kept, since getting one from the pool takes as long as a statement."""
        if self._connection is None or self._connection.closed:
            self._connection = self._engine.connect()
        return self._connection

    def _roll_back(self) -> None:
        """End what a failed COMMIT has left open, as on a full disk: otherwise the next transaction cannot begin."""
        if self._connection is not None:
            self._connection.close()

    def commit(self, group: Sequence[WriteJob[Any]]) -> None:
        """Do the work of all jobs and commit it, then deliver the results; an error goes to the job that caused it."""
        try:
            connection = self._open()
            with connection.begin():
                deliveries = [(job, job.run(connection)) for job in group]
                _call_on_loops((job.loop, job.meanwhile) for job in group if job.meanwhile)
        except BaseException as error:  # noqa: BLE001 - every error belongs to a caller
            self._roll_back()
            if len(group) == 1:
                group[0].fail(error)
                return
            # One of them failed, so nothing was written: commit each separately.
            for job in group:
                self.commit([job])
            return
        _call_on_loops((job.loop, deliver) for job, deliver in deliveries)


def _call_on_loops(calls: Iterable[tuple[asyncio.AbstractEventLoop, Callable[[], None]]]) -> None:
    """Wake each loop up once, for all jobs of a group."""
    by_loop: dict[asyncio.AbstractEventLoop, list[Callable[[], None]]] = {}
    for loop, call in calls:
        by_loop.setdefault(loop, []).append(call)
    for loop, callbacks in by_loop.items():
        _call_on(loop, callbacks)


def _call_on(loop: asyncio.AbstractEventLoop, callbacks: Sequence[Callable[[], None]]) -> None:

    def call_all() -> None:
        for callback in callbacks:
            callback()

    with suppress(RuntimeError):  # the loop has closed: nothing awaits the results
        loop.call_soon_threadsafe(call_all)


# More than that in a few seconds is a flood: the oldest rows are dropped.
_MAX_WAITING: Final = 5_000
_BATCH_SIZE: Final = 500

Row = dict[str, Any]
InsertRows = Callable[[Connection, list[Row]], None]
Write = Callable[[Callable[[Connection], None]], Awaitable[None]]
_Fault = SQLAlchemyError | UnicodeError


class WriteBuffer:
    """Rows of one table, written together some seconds later, so that no request waits for the database.

    A crash loses the waiting rows, so they must not be part of any game's state.
    """

    def __init__(self, write: Write, insert_rows: InsertRows) -> None:
        """``write`` runs a function of a connection in a transaction."""
        self._write = write
        self._insert_rows = insert_rows
        self._waiting: deque[Row] = deque(maxlen=_MAX_WAITING)

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, row: Row) -> None:
        """Queue a row for the next flush."""
        self._waiting.append(row)

    async def flush(self) -> None:
        """Write all rows, some at a time. If the database is unavailable, they wait for the next flush.

        Rows that can never be written are dropped, and raise their last error when the others are stored.
        """
        fault: _Fault | None = None
        while self._waiting:
            count = min(_BATCH_SIZE, len(self._waiting))
            rows = [self._waiting.popleft() for _ in range(count)]
            fault = await self._write_all_that_can_be(rows) or fault
        if fault:
            raise fault

    async def _write_all_that_can_be(self, rows: list[Row]) -> _Fault | None:
        """Write rows, in halves where one of them is at fault; return the error of the last one that is."""
        to_do: list[list[Row]] = [rows]
        fault: _Fault | None = None
        while to_do:
            part = to_do.pop()
            try:
                await self._write(partial(_call, insert_rows=self._insert_rows, rows=part))
            except (SQLAlchemyError, UnicodeError) as error:
                if is_unavailable(error):
                    self._put_back([row for rest in (part, *reversed(to_do)) for row in rest])
                    raise
                fault = error
                half = len(part) // 2
                to_do += [part[half:], part[:half]] if half else []
        return fault

    def _put_back(self, rows: list[Row]) -> None:
        """Queue rows before all others, as many as there is room for."""
        room = _MAX_WAITING - len(self._waiting)
        self._waiting.extendleft(reversed(rows[max(0, len(rows) - room) :]))


def _call(connection: Connection, insert_rows: InsertRows, rows: list[Row]) -> None:
    insert_rows(connection, rows)
