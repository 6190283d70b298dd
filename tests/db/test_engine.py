from __future__ import annotations

import asyncio
import re
import sqlite3
import threading
import time
from contextvars import ContextVar
from functools import partial

import pytest
from sqlalchemy import Connection, Engine, event, func, insert, select, text, update
from sqlalchemy.exc import IntegrityError, OperationalError

from app.db.address import engine_url
from app.db.engine import Database
from app.db.ids import new_id, new_link
from app.db.schema import METADATA, players
from tests.support.patience import PATIENCE

pytestmark = pytest.mark.anyio


def add(connection: Connection, name: str) -> str:
    connection.execute(insert(players), {"id": name, "name": name, "created_ms": 0})
    return name


def count(connection: Connection) -> int:
    return connection.execute(select(func.count()).select_from(players)).scalar_one()


async def test_a_write_returns_its_result_and_a_read_sees_it(database: Database) -> None:
    assert await database.write(lambda connection: add(connection, "anna")) == "anna"
    assert await database.read(count) == 1


async def test_an_exception_is_raised_and_rolls_back(database: Database) -> None:
    def spoil(connection: Connection) -> None:
        add(connection, "anna")
        raise LookupError("no")

    with pytest.raises(LookupError, match="no"):
        await database.write(spoil)
    assert await database.read(count) == 0


async def test_a_failed_write_does_not_affect_others_in_its_group(database: Database) -> None:
    names = [f"player {number}" for number in range(40)]

    def work(name: str, connection: Connection) -> str:
        add(connection, name)
        if name.endswith("7"):
            raise LookupError(name)
        return name

    results = await asyncio.gather(
        *(database.write(partial(work, name)) for name in names),
        return_exceptions=True,
    )
    for name, result in zip(names, results, strict=True):
        if name.endswith("7"):
            assert isinstance(result, LookupError)
        else:
            assert result == name
    assert await database.read(count) == 36


_language: ContextVar[str] = ContextVar("_language", default="English")


async def test_while_the_disk_works_something_else_can_be_done(sqlite_url: str) -> None:
    database = Database(sqlite_url)
    METADATA.create_all(database.engine)
    order: list[str] = []

    def work(connection: Connection) -> None:
        add(connection, "anna")
        order.append("work")

    async def save(language: str) -> None:
        _language.set(language)
        await database.write(work, meanwhile=lambda: order.append(_language.get()))
        order.append("durable")

    def committed(_connection: Connection) -> None:
        time.sleep(0.05)  # a slow disk

    event.listen(Engine, "commit", committed)
    try:
        await asyncio.create_task(save("German"))
    finally:
        event.remove(Engine, "commit", committed)
        await database.close()
    assert order == ["work", "German", "durable"]


async def test_after_a_commit_that_failed_the_next_write_succeeds(sqlite_url: str) -> None:
    # SQLAlchemy does not roll back after a failed COMMIT, as on a full disk, so the transaction stays open.
    database = Database(sqlite_url)
    METADATA.create_all(database.engine)
    fails = True

    def fail_once(_connection: Connection) -> None:
        nonlocal fails
        if fails:
            fails = False
            raise OperationalError("COMMIT", {}, sqlite3.OperationalError("disk is full"))

    event.listen(Engine, "commit", fail_once)
    try:
        with pytest.raises(OperationalError, match="disk is full"):
            await database.write(partial(add, name="anna"))
        assert await database.write(partial(add, name="ben")) == "ben"
        assert await database.read(count) == 1
    finally:
        event.remove(Engine, "commit", fail_once)
        await database.close()


async def test_a_cancelled_caller_does_not_stop_the_writer(database: Database) -> None:
    started, go_on = threading.Event(), threading.Event()

    def slow(connection: Connection) -> str:
        started.set()
        go_on.wait(PATIENCE)
        return add(connection, "slow")

    task = asyncio.create_task(database.write(slow))
    await asyncio.to_thread(started.wait, PATIENCE)
    task.cancel()
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    await database.write(lambda connection: add(connection, "next"))
    # On PostgreSQL the abandoned one has a thread of its own, and may be done after the next.
    async with asyncio.timeout(PATIENCE):
        while await database.read(count) != 2:  # noqa: ASYNC110 - nothing signals the end
            await asyncio.sleep(0.01)


async def test_long_reads_leave_a_thread_to_the_others(database: Database) -> None:
    """However many ask for an export at once, a move does not wait for them."""
    may_end = threading.Event()
    try:
        long_reads = [
            asyncio.create_task(database.read_elsewhere(lambda _: may_end.wait(PATIENCE)))
            for _ in range(20)
        ]
        await asyncio.sleep(0)
        async with asyncio.timeout(PATIENCE / 2):
            assert await database.read(count) == 0
            assert await database.read_elsewhere(count, is_short=True) == 0
    finally:
        may_end.set()
    assert await asyncio.gather(*long_reads) == [True] * 20


async def test_closing_finishes_what_was_submitted(database_url: str) -> None:
    database = Database(database_url)
    writes = [asyncio.create_task(database.write(partial(add, name=str(n)))) for n in range(20)]
    await asyncio.sleep(0)
    await database.close()
    assert [await write for write in writes] == [str(n) for n in range(20)]


async def test_a_write_after_closing_is_an_error_and_does_not_wait_forever(sqlite_url: str) -> None:
    database = Database(sqlite_url)
    await database.close()
    with pytest.raises(RuntimeError, match="closed"):
        async with asyncio.timeout(PATIENCE):
            await database.write(partial(add, name="late"))


async def test_sqlite_is_durable_and_checks_foreign_keys(sqlite_url: str) -> None:
    database = Database(sqlite_url)

    def pragmas(connection: Connection) -> dict[str, object]:
        names = ("journal_mode", "synchronous", "foreign_keys")
        return {name: connection.execute(text(f"PRAGMA {name}")).scalar() for name in names}

    full = 2
    assert await database.write(pragmas) == {
        "journal_mode": "wal",
        "synchronous": full,
        "foreign_keys": 1,
    }
    await database.close()


@pytest.mark.parametrize(
    "written", ["postgres://h/d", "postgresql://h/d", "postgresql+psycopg://h/d"]
)
async def test_all_postgres_urls_use_the_same_driver(written: str) -> None:
    assert engine_url(written).drivername == "postgresql+psycopg"


# --- connections that die


def end(server: Database, pid: int | None = None) -> None:
    """Terminate one or all connections to a database, and wait until they have ended."""
    others = "datname = current_database() AND pid <> pg_backend_pid()"
    if pid is not None:
        others += f" AND pid = {pid}"
    ended = text(
        f"SELECT bool_and(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity WHERE {others}"
    )
    with server.engine.connect() as connection:
        assert connection.execute(ended).scalar_one()


def own_pid(connection: Connection) -> int:
    pid: int = connection.execute(text("SELECT pg_backend_pid()")).scalar_one()
    return pid


async def test_idle_connections_that_were_lost_are_replaced(postgres: Database, postgres_url: str):
    await asyncio.gather(*(postgres.read(count) for _ in range(30)))
    other = Database(postgres_url)
    end(other)
    names = await asyncio.gather(*(postgres.write(partial(add, name=n)) for n in "abcdef"))
    assert names == list("abcdef")
    end(other)
    assert await asyncio.gather(*(postgres.read(count) for _ in range(30))) == [6] * 30
    await other.close()


async def test_work_on_a_lost_connection_is_retried_once(postgres: Database, postgres_url: str):
    other, runs = Database(postgres_url), 0

    def work(connection: Connection) -> str:
        nonlocal runs
        runs += 1
        add(connection, f"try {runs}")
        if runs == 1:
            end(other, own_pid(connection))
        return add(connection, "anna")

    assert await postgres.write(work) == "anna"
    assert runs == 2
    names = select(players.c.name).order_by(players.c.name)
    found = await postgres.read(lambda connection: connection.execute(names).scalars().all())
    assert found == ["anna", "try 2"]
    await other.close()


async def test_a_lost_commit_is_not_retried(postgres: Database, postgres_url: str):
    other, runs = Database(postgres_url), 0

    def work(connection: Connection) -> None:
        nonlocal runs
        runs += 1
        add(connection, f"try {runs}")
        end(other, own_pid(connection))

    with pytest.raises(OperationalError):
        await postgres.write(work)
    assert runs == 1
    await other.close()


async def test_both_transactions_of_a_deadlock_succeed(postgres: Database):
    await postgres.write(partial(add, name="anna"))
    await postgres.write(partial(add, name="ben"))
    half_way, first_is_stored, runs = threading.Barrier(2), threading.Event(), []

    def touch(connection: Connection, name: str) -> None:
        change = update(players).where(players.c.id == name)
        connection.execute(change.values(created_ms=players.c.created_ms + 1))

    def work(names: tuple[str, ...], connection: Connection) -> None:
        runs.append(names)
        if runs.count(names) == 2:
            first_is_stored.wait(10)
        touch(connection, names[0])
        if runs.count(names) == 1:
            half_way.wait(10)
        touch(connection, names[1])

    async def write(*names: str) -> None:
        await postgres.write(partial(work, names))
        first_is_stored.set()

    await asyncio.gather(write("anna", "ben"), write("ben", "anna"))
    assert len(runs) == 3
    changed = select(players.c.created_ms)
    assert await postgres.read(lambda c: c.scalars(changed).all()) == [2, 2]


async def test_a_second_and_a_third_deadlock_are_retried_too(postgres: Database):
    await postgres.write(partial(add, name="anna"))
    await postgres.write(partial(add, name="ben"))
    runs = 0

    def work(connection: Connection) -> str:
        nonlocal runs
        runs += 1
        add(connection, f"try {runs}")
        if runs <= 3:
            connection.execute(text("DO $$ BEGIN RAISE SQLSTATE '40P01'; END $$"))
        return add(connection, "carla")

    assert await postgres.write(work) == "carla"
    assert runs == 4
    names = select(players.c.name).order_by(players.c.name)
    found = await postgres.read(lambda connection: connection.execute(names).scalars().all())
    assert found == ["anna", "ben", "carla", "try 4"]


def test_an_id_is_letters_and_digits_only():
    found = {new_id() for _ in range(5000)}
    assert len(found) == 5000
    assert all(re.fullmatch("[A-Za-z0-9]{16}", name) for name in found)
    assert {name[0] for name in found} == {
        name[-1] for name in found
    }  # every symbol occurs in every place
    assert re.fullmatch("[A-Za-z0-9]{22}", new_link())


async def test_an_error_does_not_contain_the_values_of_a_statement(database: Database):
    def add_twice(connection: Connection) -> None:
        for _ in range(2):
            values = {"id": "anna", "name": "the secret value", "created_ms": 0}
            connection.execute(insert(players), values)

    with pytest.raises(IntegrityError) as caught:
        await database.write(add_twice)
    assert "INSERT INTO players" in str(caught.value)
    assert "secret" not in str(caught.value)
