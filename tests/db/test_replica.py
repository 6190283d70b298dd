"""Reading on a standby: everything that was acknowledged before is seen, and a standby that lags is left alone."""

from __future__ import annotations

import psycopg
import pytest
from sqlalchemy import Connection, text

from app.db.engine import Database
from tests.support.postgres import NoServerError
from tests.support.standby import Pair, running_pair

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def pair():
    try:
        with running_pair() as started:
            with psycopg.connect(started.primary.address) as connection:
                connection.execute("CREATE TABLE numbers (n int)")
            yield started
    except NoServerError as reason:
        pytest.skip(str(reason))


@pytest.fixture
async def database(pair: Pair):
    opened = Database(pair.primary.address, pair.standby.address)
    yield opened
    await opened.close()


def add(number: int):
    return lambda connection: connection.execute(
        text("INSERT INTO numbers VALUES (:n)"), {"n": number}
    )


def port_and_last(connection: Connection) -> tuple[int, int]:
    row = connection.execute(text("SELECT current_setting('port'), max(n) FROM numbers")).one()
    return int(row[0]), row[1]


async def test_what_was_just_written_is_read_on_the_standby(database: Database, pair: Pair):
    for number in range(1, 40):
        await database.write(add(number))
        assert await database.read_elsewhere(port_and_last) == (pair.standby.port, number)
    assert await database.read(port_and_last) == (pair.primary.port, 39)


async def test_what_another_process_wrote_is_read_on_the_standby(database: Database, pair: Pair):
    other = Database(pair.primary.address)
    await other.write(add(100))
    assert await database.read_elsewhere(port_and_last) == (pair.standby.port, 100)
    await other.close()


async def test_the_primary_reads_what_the_standby_does_not_have_in_time(
    database: Database, pair: Pair
):
    with psycopg.connect(pair.standby.address, autocommit=True) as standby:
        standby.execute("SELECT pg_wal_replay_pause()")
        try:
            await database.write(add(200))
            assert await database.read_elsewhere(port_and_last) == (pair.primary.port, 200)
        finally:
            standby.execute("SELECT pg_wal_replay_resume()")
    # It rests for a while, then it is asked again.
    assert await database.read_elsewhere(port_and_last) == (pair.primary.port, 200)


async def test_without_a_standby_the_primary_reads(pair: Pair):
    database = Database(pair.primary.address, "postgresql://postgres@127.0.0.1:1/postgres")
    await database.write(add(300))
    assert await database.read_elsewhere(port_and_last) == (pair.primary.port, 300)
    await database.close()


async def test_a_mistake_in_the_query_is_raised(database: Database):
    with pytest.raises(Exception, match="no_such_table"):
        await database.read_elsewhere(lambda c: c.execute(text("SELECT * FROM no_such_table")))
