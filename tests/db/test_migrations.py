# ruff: noqa: RUF001 - letters that look alike are meant here

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, Executable, delete, insert, inspect, select, text, update
from sqlalchemy.exc import DBAPIError

from app.db.engine import Database
from app.db.event_partitions import list_partitions
from app.db.migrate import MIGRATION_LOCK, is_current, upgrade
from app.db.schema import METADATA, accounts, audit, events, games, players
from app.identity.name_keys import name_shape
from tests.support.patience import PATIENCE


@pytest.fixture
def database(blank_database_url: str) -> Iterator[Database]:
    database = Database(blank_database_url)
    yield database
    database.engine.dispose()


def one_game(connection: Connection) -> None:
    connection.execute(insert(players), {"id": "p", "name": "Anna", "created_ms": 0})
    game = {
        "id": "g",
        "ruleset": "bristol",
        "revision": 1,
        "deal_version": 1,
        "kind": "open",
        "code": "X",
    }
    game |= {"owner_id": "p", "started_ms": 0, "updated_ms": 0, "version": 1, "status": "playing"}
    connection.execute(insert(games), game)
    event = {"game_id": "g", "seq": 1, "action": "deal", "actor_id": "p", "at_ms": 0, "month": 0}
    connection.execute(insert(events), event)


def test_migrations_create_the_declared_schema(database: Database) -> None:
    upgrade(database)
    with database.engine.connect() as connection:
        partitions = list_partitions(connection)
        opts = {
            "compare_type": True,
            "include_name": lambda name, kind, _parents: kind != "table" or name not in partitions,
        }
        context = MigrationContext.configure(connection, opts=opts)
        assert compare_metadata(context, METADATA) == []
        assert is_current(connection)


def test_an_empty_database_is_not_current(database: Database) -> None:
    with database.engine.connect() as connection:
        assert not is_current(connection)


def test_upgrading_again_changes_nothing(database: Database) -> None:
    upgrade(database)
    with database.engine.begin() as connection:
        one_game(connection)
    upgrade(database)
    with database.engine.connect() as connection:
        assert len(connection.execute(events.select()).all()) == 1


def test_a_current_database_is_not_locked_on_postgres(postgres_url: str) -> None:
    database = Database(postgres_url)
    upgrade(database)
    with ThreadPoolExecutor(1) as pool, database.engine.connect() as other:
        other.exec_driver_sql(f"SELECT pg_advisory_lock({MIGRATION_LOCK})")
        started = pool.submit(upgrade, database)
        try:
            started.result(PATIENCE)
        finally:
            other.exec_driver_sql(f"SELECT pg_advisory_unlock({MIGRATION_LOCK})")
    database.engine.dispose()


def test_several_processes_can_migrate_at_once_on_postgres(postgres_url: str) -> None:
    databases = [Database(postgres_url) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(upgrade, databases))
    with databases[0].engine.connect() as connection:
        assert is_current(connection)
        assert "events" in inspect(connection).get_table_names()
    for database in databases:
        database.engine.dispose()


@pytest.mark.parametrize(
    "change",
    [update(events).values(action="undo"), delete(events)],
    ids=["update", "delete"],
)
def test_event_logs_are_append_only(database: Database, change: Executable) -> None:
    upgrade(database)
    with database.engine.begin() as connection:
        one_game(connection)
    with pytest.raises(DBAPIError, match="append-only"), database.engine.begin() as connection:
        connection.execute(change)


@pytest.mark.parametrize(
    "change", [update(audit).values(note="x"), delete(audit)], ids=["update", "delete"]
)
def test_the_audit_log_is_append_only(database: Database, change: Executable) -> None:
    upgrade(database)
    with database.engine.begin() as connection:
        connection.execute(insert(audit).values(at_ms=0, act="enter", subject="vera", note=""))
    with pytest.raises(DBAPIError, match="append-only"), database.engine.begin() as connection:
        connection.execute(change)


@pytest.mark.parametrize("deal", [{"code": None, "seed": None}, {"code": "X", "seed": b"x"}])
def test_a_game_is_either_open_or_sealed(database: Database, deal: dict[str, object]) -> None:
    upgrade(database)
    with database.engine.begin() as connection:
        one_game(connection)
    with pytest.raises(DBAPIError), database.engine.begin() as connection:
        connection.execute(update(games).values(deal))


def test_names_from_before_shapes_were_compared_keep_working(database: Database) -> None:
    upgrade(database, "0019")
    with database.engine.begin() as connection:
        for number, name in enumerate(("anna", "ɑnna", "Ольга")):
            player = {"id": f"p{number}", "name": name, "created_ms": 0}
            connection.execute(insert(players), player)
            add = text(
                "INSERT INTO accounts (player_id, name_key, password_hash, claimed_ms) VALUES (:id, :key, '', 0)"
            )
            connection.execute(add, {"id": f"p{number}", "key": name.casefold()})
    upgrade(database)
    with database.engine.connect() as connection:
        found = connection.execute(select(accounts).order_by(accounts.c.player_id)).all()
    assert [row.name_key for row in found] == ["anna", "ɑnna", "ольга"]
    assert [row.name_shape for row in found] == [name_shape(n) for n in ("anna", "anna", "Ольга")]


def test_the_time_played_of_older_games_is_counted(database: Database) -> None:
    upgrade(database, "0025")
    with database.engine.begin() as connection:
        one_game_before_time_played(connection)
    upgrade(database)
    with database.engine.connect() as connection:
        rows = connection.execute(select(games.c.id, games.c.played_ms))
        found = {row.id: row.played_ms for row in rows}
    # A break of a minute and a millisecond; a clock that was set back and caught up.
    assert found == {"g": 1_000 + 60_000 + 0 + 0 + 500, "empty": 0}


def one_game_before_time_played(connection: Connection) -> None:
    connection.execute(insert(players), {"id": "p", "name": "Anna", "created_ms": 0})
    times = (6_000, 66_000, 126_001, 120_000, 126_501)
    add = text(
        "INSERT INTO games (id, ruleset, revision, deal_version, kind, code, owner_id, started_ms, updated_ms,"
        " version, status) VALUES (:id, 'bristol', 1, 1, 'open', 'X', 'p', 5000, :updated, :version, 'playing')"
    )
    connection.execute(add, {"id": "g", "updated": times[-1], "version": len(times)})
    connection.execute(add, {"id": "empty", "updated": 5_000, "version": 0})
    connection.execute(
        insert(events),
        [
            {"game_id": "g", "seq": seq, "action": "deal", "actor_id": "p", "at_ms": at_ms}
            for seq, at_ms in enumerate(times, start=1)
        ],
    )


LOGS = {
    "straight": ("open", "won", "deal t1-f1 t2-f1"),
    "resigned": ("open", "resigned", "deal resign"),
    "taken-back": ("open", "won", "deal t1-f1 undo undo redo t2-f1 undo redo t3-f1"),
    "begun-again": ("open", "lost", "deal t1-f1 restart redo t2-f1 undo restart redo redo t3-f1"),
    "at-the-start": ("shared", "playing", "deal t1-f1 restart"),
    "together": ("shared", "resigned", "deal t1-f1 t2-f1 undo undo t2-f1 resign"),
    "attempt": ("ghost", "lost", "deal t1-f1 undo"),
    "daily": ("daily", "resigned", "deal undo redo resign"),
    "untouched": ("open", "playing", ""),
    "archived": ("open", "resigned", ""),
}
"""Logs from before there was a column for the moves of a game: the kind and status of each, and its actions."""


def test_the_moves_of_older_games_are_counted_from_their_logs(database: Database) -> None:
    upgrade(database, "0041")
    with database.engine.begin() as connection:
        for game_id, (kind, status, log) in LOGS.items():
            one_game_before_moves(connection, game_id, kind, status, log.split())
        connection.execute(text("UPDATE games SET version = 9 WHERE id = 'archived'"))
    upgrade(database)
    with database.engine.connect() as connection:
        found = {row.id: row.moves for row in connection.execute(select(games.c.id, games.c.moves))}
    assert found == {
        "straight": 3,
        "resigned": 1,
        "taken-back": 3,
        "begun-again": 3,
        "at-the-start": 0,
        "together": 2,
        "attempt": 1,
        "daily": 3,
        "untouched": 0,
        "archived": 8,  # without its log, what was undone is not known
    }


def one_game_before_moves(
    connection: Connection, game_id: str, kind: str, status: str, log: list[str]
) -> None:
    if not connection.scalar(select(players.c.id)):
        connection.execute(insert(players), {"id": "p", "name": "Anna", "created_ms": 0})
    add = text(
        "INSERT INTO games (id, ruleset, revision, deal_version, kind, code, owner_id, started_ms, updated_ms,"
        " version, status) VALUES (:id, 'bristol', 1, 1, :kind, 'X', 'p', 0, 0, :version, :status)"
    )
    game = {"id": game_id, "kind": kind, "status": status, "version": len(log)}
    connection.execute(add, game)
    for seq, action in enumerate(log, start=1):
        event = {"game_id": game_id, "seq": seq, "action": action, "actor_id": "p", "at_ms": 0}
        connection.execute(insert(events), {**event, "month": 0})
