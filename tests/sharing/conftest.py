from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from sqlalchemy import insert

from app.play.service import PlayService
from app.storage.database import Database
from app.storage.migrate import upgrade
from app.storage.schema import players


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """A migrated database with the players anna and ben."""
    database = Database(database_url)
    upgrade(database)
    rows = [{"id": name, "name": name.title(), "created_ms": 0} for name in ("anna", "ben")]
    with database.engine.begin() as connection:
        connection.execute(insert(players), rows)
    yield database
    await database.close()


@pytest.fixture
def play(database: Database) -> PlayService:
    return PlayService(database)
