from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from sqlalchemy import insert

from app.clock import now_ms
from app.db.engine import Database
from app.db.migrate import upgrade
from app.db.schema import players
from app.games.service import GameService
from app.pubsub.service import PubSub
from app.shared_tables.service import SharedTableService
from tests.shared_tables.sample_tables import game_service

PEOPLE = ("anna", "ben", "cleo", "dora", "emil")


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """A migrated database with a few players."""
    database = Database(database_url)
    upgrade(database)
    rows = [{"id": name, "name": name.title(), "created_ms": 0} for name in PEOPLE]
    with database.engine.begin() as connection:
        connection.execute(insert(players), rows)
    yield database
    await database.close()


@pytest.fixture
def games(database: Database) -> GameService:
    return game_service(database)


@pytest.fixture
async def tables(database: Database) -> AsyncIterator[SharedTableService]:
    pubsub = PubSub(database)
    yield SharedTableService(database, now_ms, pubsub)
    await pubsub.close()
