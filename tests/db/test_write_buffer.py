"""The write-behind buffer keeps its rows while the database is unavailable."""

from __future__ import annotations

from collections import Counter

import pytest
from sqlalchemy.exc import IntegrityError, OperationalError

from app.db import writer
from app.db.writer import WriteBuffer

pytestmark = pytest.mark.anyio


class Table:
    """Stands in for a database with one table."""

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.tried: Counter[int] = Counter()
        self.error: Exception | None = None
        self.buffer = WriteBuffer(self._write, self._insert)

    async def _write(self, work) -> None:
        if self.error:
            raise self.error
        work(None)

    def _insert(self, _connection, rows) -> None:
        for row in rows:
            self.tried[row["number"]] += 1
            if row["number"] < 0:
                raise IntegrityError("", {}, Exception("a constraint"))
        self.numbers += [row["number"] for row in rows]

    async def fail(self, error: Exception) -> None:
        """Flush once while writing raises an error."""
        self.error = error
        with pytest.raises(type(error)):
            await self.buffer.flush()
        self.error = None

    def add(self, numbers) -> None:
        for number in numbers:
            self.buffer.add({"number": number})


async def test_rows_wait_in_order_while_the_database_is_unavailable():
    table = Table()
    table.add(range(3))
    await table.fail(OperationalError("", {}, Exception("connection refused")))
    table.add(range(3, 1000))
    await table.buffer.flush()
    assert table.numbers == list(range(1000))


async def test_a_full_buffer_drops_the_oldest_rows():
    table = Table()
    table.add(range(writer._MAX_WAITING))
    await table.fail(OperationalError("", {}, Exception("connection refused")))
    table.add(range(writer._MAX_WAITING, writer._MAX_WAITING + 10))
    await table.buffer.flush()
    assert table.numbers == list(range(10, writer._MAX_WAITING + 10))


async def test_rows_that_can_never_be_written_do_not_hold_up_the_others():
    table = Table()
    table.add(range(3))
    await table.fail(IntegrityError("", {}, Exception("a constraint")))
    table.add([7])
    await table.buffer.flush()
    assert table.numbers == [7]


async def test_a_row_that_can_never_be_written_takes_no_other_with_it():
    table = Table()
    table.add([*range(250), -1, *range(250, 700), -2])
    with pytest.raises(IntegrityError):
        await table.buffer.flush()
    assert table.numbers == list(range(700))
    assert len(table.buffer) == 0
    assert max(table.tried.values()) <= 10  # not each row by itself


async def test_rows_wait_if_the_database_is_lost_while_a_faulty_one_is_looked_for(monkeypatch):
    table = Table()
    table.add([0, 1, -1, 2])
    insert, calls = table._insert, []

    def lose(connection, rows):
        calls.append(rows)
        if len(calls) == 3:
            raise OperationalError("", {}, Exception("connection refused"))
        insert(connection, rows)

    monkeypatch.setattr(table.buffer, "_insert_rows", lose)
    with pytest.raises(OperationalError):
        await table.buffer.flush()
    with pytest.raises(IntegrityError):
        await table.buffer.flush()
    assert table.numbers == [0, 1, 2]
