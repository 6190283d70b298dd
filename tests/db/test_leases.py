"""Leases: one process at a time does the work, and another one when its time is up."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection, func, select

from app.db.engine import Database
from app.db.leases import Lease, LeaseLostError, new_holder
from app.db.migrate import upgrade
from app.db.schema import leases

pytestmark = pytest.mark.anyio


def count(connection: Connection) -> int:
    return connection.scalar(select(func.count()).select_from(leases)) or 0


async def test_one_process_holds_a_lease_until_it_is_released_or_runs_out(database_url: str):
    database = Database(database_url)
    upgrade(database)
    now = 1_000
    one, two = (Lease(database, "work", lambda: now, 100, new_holder()) for _ in range(2))
    assert await one.hold()
    assert await one.hold()
    assert not await two.hold()
    now += 100
    assert await two.hold()
    with pytest.raises(LeaseLostError):
        await one.write(count)
    await one.release()  # which is not its own any more
    assert not await one.hold()
    now += 99
    assert await two.write(count) == 1
    now += 99  # renewed by writing
    assert not await one.hold()
    await two.release()
    assert await one.hold()
    await database.close()
