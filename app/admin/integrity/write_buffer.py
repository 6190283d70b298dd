"""A write-behind buffer: rows wait in memory and are written together, so that no request waits for the database."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from sqlalchemy import Connection

from app.db.engine import Database

_MAX_WAITING: Final = (
    5_000  # more than that in a few seconds is a flood: the oldest rows are dropped
)
_BATCH_SIZE: Final = 500

Row = dict[str, Any]
InsertRows = Callable[[Connection, list[Row]], None]


class WriteBuffer:
    """Rows of one table. A crash loses those that wait, so they must not be part of any game's state."""

    def __init__(self, database: Database, insert_rows: InsertRows) -> None:
        self._database = database
        self._insert_rows = insert_rows
        self._waiting: deque[Row] = deque(maxlen=_MAX_WAITING)

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, row: Row) -> None:
        """Have a row written with the next flush."""
        self._waiting.append(row)

    async def flush(self) -> None:
        """Write all rows, some at a time."""
        while self._waiting:
            count = min(_BATCH_SIZE, len(self._waiting))
            rows = [self._waiting.popleft() for _ in range(count)]
            await self._database.write(partial(_insert, insert_rows=self._insert_rows, rows=rows))


def _insert(connection: Connection, insert_rows: InsertRows, rows: list[Row]) -> None:
    insert_rows(connection, rows)
