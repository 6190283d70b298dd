"""The event log by months: on PostgreSQL each is a partition, which can be taken out and put back."""

from __future__ import annotations

import io
from datetime import date
from functools import partial

import pytest
from sqlalchemy import Connection, insert, select, text, update
from sqlalchemy.exc import DBAPIError, IntegrityError

from app.clock import day_begins_ms, month_of, now_ms
from app.db.backup import back_up, restore
from app.db.engine import Database
from app.db.event_partitions import (
    add_partitions,
    attach_month,
    detach_month,
    list_detached,
    list_partitions,
    partition_of,
    prepare_months,
)
from app.db.migrate import upgrade
from app.db.schema import events, games, players
from app.games.model import Kind
from app.games.numbered_logs import read_numbered_logs
from app.games.replay import opening_of
from app.games.repository import (
    find_game,
    find_keyed_version,
    read_log,
    read_log_without_keys,
    read_logs,
)
from app.sharing.repository import find_details
from tests.support.plans import plans_of

pytestmark = pytest.mark.anyio

NOVEMBER = 922  # of 2046
_GAME = {"ruleset": "bristol", "revision": 1, "deal_version": 1, "kind": "open", "code": "X"}
_GAME |= {"owner_id": "p", "updated_ms": 0, "version": 2, "status": "playing"}


def started_in(month: int) -> int:
    """A moment of a month, in milliseconds."""
    return day_begins_ms(date(1970 + month // 12, month % 12 + 1, 15))


def add_games(connection: Connection, *months: int) -> None:
    """A game with two events in each month, named after it."""
    connection.execute(insert(players), {"id": "p", "name": "Anna", "created_ms": 0})
    for month in months:
        game = f"g{month}"
        connection.execute(insert(games), {**_GAME, "id": game, "started_ms": started_in(month)})
        log = [event(game, seq, month) for seq in (1, 2)]
        connection.execute(insert(events), log)


def event(game: str, seq: int, month: int, key: str | None = None) -> dict[str, object]:
    row: dict[str, object] = {"game_id": game, "seq": seq, "action": "deal", "actor_id": "p"}
    return row | {"at_ms": 0, "key": key or f"key {seq}", "month": month}


def count(connection: Connection, table: str) -> int:
    found: int = connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one()
    return found


@pytest.mark.parametrize(
    ("day", "month"),
    [("1970-01-01", 0), ("1970-12-31", 11), ("2046-11-24", NOVEMBER), ("2046-12-01", 923)],
)
def test_months_are_counted_from_1970(day: str, month: int):
    at_ms = day_begins_ms(date.fromisoformat(day))
    assert month_of(at_ms) == month_of(at_ms + 86_399_999) == month
    assert partition_of(month) == f"events_{day[:4]}_{day[5:7]}"


@pytest.mark.parametrize(
    "repeated", [event("g922", 2, NOVEMBER, "new"), event("g922", 3, NOVEMBER, "key 2")]
)
async def test_numbers_and_keys_are_unique_in_a_game(database: Database, repeated):
    await database.write(lambda connection: prepare_months(connection, NOVEMBER))
    await database.write(lambda connection: add_games(connection, NOVEMBER))
    with pytest.raises(IntegrityError):
        await database.write(lambda connection: connection.execute(insert(events), repeated))


async def test_each_month_has_its_partition_before_it_begins(postgres: Database):
    def prepare(connection: Connection) -> list[str]:
        prepare_months(connection, NOVEMBER)
        prepare_months(connection, NOVEMBER + 1)
        add_games(connection, NOVEMBER, NOVEMBER + 2, NOVEMBER + 9)
        prepare_months(connection, NOVEMBER + 9)  # one is taken by what was stored without it
        return list_partitions(connection)

    before = await postgres.read(list_partitions)
    names = sorted({*await postgres.write(prepare)} - {*before} | {"events_other"})
    made = ["2046_11", "2046_12", *(f"2047_{n:02}" for n in (1, 2, 3, 9, 10, 11))]
    assert names == [*(f"events_{name}" for name in made), "events_other"]
    counts = {name: await postgres.read(partial(count, table=name)) for name in names}
    assert {name: n for name, n in counts.items() if n} == {
        "events_2046_11": 2,
        "events_2047_01": 2,
        "events_other": 2,
    }


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE events SET action = 'undo'",
        "UPDATE events_2046_11 SET action = 'undo'",
        "DELETE FROM events",
        "DELETE FROM events_2046_11",
        "TRUNCATE events",
    ],
)
async def test_partitions_are_append_only(postgres: Database, change: str):
    await postgres.write(lambda connection: prepare_months(connection, NOVEMBER))
    await postgres.write(lambda connection: add_games(connection, NOVEMBER))
    with pytest.raises(DBAPIError, match="append-only"):
        await postgres.write(lambda connection: connection.exec_driver_sql(change))
    assert await postgres.read(lambda connection: count(connection, "events")) == 2


async def test_a_month_is_taken_out_and_put_back(postgres: Database):
    def total(connection: Connection) -> tuple[int, int]:
        return count(connection, "events"), count(connection, partition_of(NOVEMBER))

    def take_out(connection: Connection, events: int) -> bool:
        return detach_month(connection, NOVEMBER, events, at_ms=5)

    await postgres.write(lambda connection: prepare_months(connection, NOVEMBER))
    await postgres.write(lambda connection: add_games(connection, NOVEMBER, NOVEMBER + 1))
    assert await postgres.read(total) == (4, 2)
    assert not await postgres.write(partial(take_out, events=1))  # it has two
    assert await postgres.read(total) == (4, 2)
    assert await postgres.write(partial(take_out, events=2))
    assert await postgres.read(total) == (2, 2)
    assert await postgres.read(list_detached) == {NOVEMBER}
    await postgres.write(lambda connection: attach_month(connection, NOVEMBER))
    assert await postgres.read(total) == (4, 2)
    assert await postgres.read(list_detached) == set()


async def test_a_month_that_an_older_release_took_out_can_be_put_back(postgres: Database):
    def as_of_old(connection: Connection) -> None:
        detach_month(connection, NOVEMBER, 2, 5)
        connection.exec_driver_sql(f"ALTER TABLE {partition_of(NOVEMBER)} DROP COLUMN automatic")
        attach_month(connection, NOVEMBER)

    await postgres.write(lambda connection: prepare_months(connection, NOVEMBER))
    await postgres.write(lambda connection: add_games(connection, NOVEMBER))
    await postgres.write(as_of_old)
    query = select(events.c.automatic)
    assert await postgres.read(lambda c: [*c.scalars(query)]) == [False, False]


async def test_a_game_that_was_deleted_meanwhile_does_not_come_back(postgres: Database):
    def delete_game(connection: Connection) -> None:
        connection.exec_driver_sql("DELETE FROM games WHERE id = 'g922'")

    await postgres.write(lambda connection: prepare_months(connection, NOVEMBER))
    await postgres.write(lambda connection: add_games(connection, NOVEMBER, NOVEMBER + 1))
    assert await postgres.write(lambda connection: detach_month(connection, NOVEMBER, 2, 5))
    await postgres.write(delete_game)
    await postgres.write(lambda connection: attach_month(connection, NOVEMBER))
    assert await postgres.read(lambda connection: count(connection, "events")) == 2


async def test_a_search_with_the_month_looks_into_one_partition(postgres: Database):
    def plan(connection: Connection) -> str:
        add_partitions(connection, range(NOVEMBER - 24, NOVEMBER + 1))
        add_games(connection, NOVEMBER)
        query = "EXPLAIN SELECT seq FROM events WHERE game_id = 'g922' AND seq > 0 AND month = 922"
        return "\n".join(connection.exec_driver_sql(query).scalars())

    found = await postgres.write(plan)
    assert "events_2046_11" in found
    assert "events_2046_10" not in found


def _read_one(connection: Connection) -> None:
    row = find_game(connection, "g922")
    assert row
    assert len(read_log(connection, row)) == 2
    game = opening_of(row)
    assert len(read_log_without_keys(connection, game)) == 2
    assert len(read_logs(connection, [game])["g922"]) == 2
    assert find_keyed_version(connection, game, "key 2") == 2
    assert len(read_numbered_logs(connection, ["g922"])["g922"]) == 2
    connection.execute(update(games).values(kind=Kind.SHARED))
    details = find_details(connection, "g922", is_secret=False)
    assert details
    assert details.names == {"p": "Anna"}


async def test_whoever_reads_a_log_looks_into_one_partition(postgres: Database):
    def fill(connection: Connection) -> None:
        add_partitions(connection, range(NOVEMBER - 24, NOVEMBER + 1))
        add_games(connection, NOVEMBER, NOVEMBER - 1)

    await postgres.write(fill)
    plans = await plans_of(postgres, lambda: postgres.write(_read_one), "events")
    assert len(plans) == 6
    for plan in plans:
        assert "events_2046_11" in plan
        assert "events_2046_10" not in plan
        assert "events_other" not in plan


async def test_a_backup_brings_back_a_month_that_was_taken_out_later(postgres: Database):
    def counts(connection: Connection) -> tuple[int, int, int]:
        names = ("events", "events_other", partition_of(NOVEMBER))
        return count(connection, names[0]), count(connection, names[1]), count(connection, names[2])

    file, later = io.BytesIO(), io.BytesIO()
    await postgres.write(lambda connection: prepare_months(connection, NOVEMBER))
    await postgres.write(lambda connection: add_games(connection, NOVEMBER, NOVEMBER + 1))
    back_up(postgres, file, 5)
    assert await postgres.write(lambda connection: detach_month(connection, NOVEMBER, 2, 5))
    back_up(postgres, later, 5)
    await restore(postgres, file, replace=True)
    assert await postgres.read(counts) == (4, 2, 2)  # its old table is left alone
    assert await postgres.read(list_detached) == set()
    await restore(postgres, later, replace=True)
    assert await postgres.read(counts) == (2, 0, 2)
    assert await postgres.read(list_detached) == {NOVEMBER}


async def test_a_backup_is_restored_into_partitions(postgres: Database, sqlite_url: str):
    source, file = Database(sqlite_url), io.BytesIO()
    await source.write(lambda connection: add_games(connection, NOVEMBER - 30, NOVEMBER))
    back_up(source, file, 5)
    await source.close()
    await restore(postgres, file, replace=False)
    for name in ("events_2044_05", "events_2046_11"):
        assert await postgres.read(partial(count, table=name)) == 2
    assert await postgres.read(partial(count, table="events_other")) == 0


def test_logs_from_before_go_to_the_month_of_their_game(blank_database_url: str):
    database = Database(blank_database_url)
    upgrade(database, "0035")
    last, first = started_in(NOVEMBER), started_in(NOVEMBER + 1) - 14 * 86_400_000
    with database.engine.begin() as connection:
        connection.execute(insert(players), {"id": "p", "name": "Anna", "created_ms": 0})
        for game, at_ms in (("old", 0), ("a", last), ("b", first - 1), ("c", first)):
            connection.execute(insert(games), {**_GAME, "id": game, "started_ms": at_ms})
            log = [event(game, seq, 0) for seq in (1, 2)]
            for row in log:
                del row["month"]
            connection.execute(insert(events), log)
    upgrade(database)
    with database.engine.connect() as connection:
        found = connection.execute(select(events.c.game_id, events.c.month).distinct()).all()
        partitions = set(list_partitions(connection))
        begun = {partition_of(month_of(now_ms()) + number) for number in range(4)}
    assert dict(map(tuple, found)) == {"old": 0, "a": 922, "b": 922, "c": 923}
    if not database.is_sqlite:
        made = {"events_1970_01", "events_2046_11", "events_2046_12", "events_other"}
        assert partitions == made | begun
    database.engine.dispose()
