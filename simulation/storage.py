"""Real SQLite behind the real ``Database``; only the thread that writes is a stand-in.

A commit happens at one moment of virtual time. The process may die just before it, when nothing is stored, or just
after it, when everything is stored and nobody has been told.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import OperationalError

from app.db.engine import Database
from app.db.writer import GroupCommit, WriteJob
from simulation.chaos import Chaos

T = TypeVar("T")

DISK_FULL: Final = "database or disk is full"


class VirtualWriter:
    """Groups waiting writes like ``GroupWriter``, at moments that the seed chooses."""

    def __init__(self, engine: Engine, chaos: Chaos, die: Callable[[str], None]) -> None:
        self._commits = GroupCommit(engine)
        self._chaos = chaos
        self._die = die
        self._waiting: deque[WriteJob[Any]] = deque()
        self._is_writing = False
        self._is_closed = False

    async def submit(
        self, work: Callable[[Connection], T], meanwhile: Callable[[], None] | None = None
    ) -> T:
        """Run ``work`` and return its result after the commit."""
        if self._is_closed:
            raise RuntimeError("The writer is closed.")
        job = WriteJob(work, meanwhile)
        self._waiting.append(job)
        if not self._is_writing:
            self._is_writing = True
            asyncio.get_running_loop().call_later(self._chaos.before(), self._write)
        return await job.result()

    def close(self) -> None:
        """Write what waits, then stop."""
        self._is_closed = True
        while self._waiting:
            self._commit()
        self._commits.close()

    def _write(self) -> None:
        if self._is_closed:
            return
        if self._chaos.happens(self._chaos.crash_before):
            self._die("before a commit")
            return
        self._commit()
        if self._chaos.happens(self._chaos.crash_after):
            self._die("after a commit")
            return
        self._is_writing = bool(self._waiting)
        if self._is_writing:
            asyncio.get_running_loop().call_later(self._chaos.before(), self._write)

    def _commit(self) -> None:
        size = min(len(self._waiting), self._chaos.group_size())
        self._commits.commit([self._waiting.popleft() for _ in range(size)])


_COMPILED: Final[dict[Any, Any]] = {}
"""Statements as SQL text: each process would compile the same ones again."""


def open_database(
    path: Path,
    chaos: Chaos,
    die: Callable[[str], None],
    is_disk_full: Callable[[], bool] = lambda: False,
) -> Database:
    """The database of one simulated process. Only processes die, never the machine, so nothing waits for a disk.

    ``is_disk_full`` is asked at each commit, which then fails.
    """

    def start_writer(engine: Engine) -> VirtualWriter:
        _without_sync(engine)
        event.listen(engine, "commit", refuse_when_full)
        return VirtualWriter(engine, chaos, die)

    def refuse_when_full(_connection: Connection) -> None:
        if is_disk_full():
            reason = sqlite3.OperationalError(DISK_FULL)
            reason.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise OperationalError("COMMIT", {}, reason)

    database = Database(f"sqlite:///{path}", start_writer=start_writer)
    _without_sync(database.engine)
    return database


def _without_sync(engine: Engine) -> None:
    def connected(connection: Any, _record: object) -> None:
        connection.execute("PRAGMA synchronous=OFF")

    event.listen(engine, "connect", connected)
    engine._compiled_cache = _COMPILED
