from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, Executable, delete, insert, inspect, update
from sqlalchemy.exc import DBAPIError

from app.db.engine import Database
from app.db.migrate import is_current, upgrade
from app.db.schema import METADATA, events, games, players


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
    event = {"game_id": "g", "seq": 1, "action": "deal", "actor_id": "p", "at_ms": 0}
    connection.execute(insert(events), event)


def test_migrations_create_the_declared_schema(database: Database) -> None:
    upgrade(database)
    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
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


@pytest.mark.parametrize("deal", [{"code": None, "seed": None}, {"code": "X", "seed": b"x"}])
def test_a_game_is_either_open_or_sealed(database: Database, deal: dict[str, object]) -> None:
    upgrade(database)
    with database.engine.begin() as connection:
        one_game(connection)
    with pytest.raises(DBAPIError), database.engine.begin() as connection:
        connection.execute(update(games).values(deal))
