"""The write-behind buffer keeps its rows while the database is unavailable."""

from __future__ import annotations

import pytest
from sqlalchemy.exc import IntegrityError, OperationalError

from app.db import writer
from app.db.writer import WriteBuffer

pytestmark = pytest.mark.anyio


class Table:
    """Stands in for a database with one table."""

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.error: Exception | None = None
        self.buffer = WriteBuffer(self._write, self._insert)

    async def _write(self, work) -> None:
        if self.error:
            raise self.error
        work(None)

    def _insert(self, _connection, rows) -> None:
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
