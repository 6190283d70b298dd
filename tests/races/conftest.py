from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from app.db.engine import Database
from app.db.migrate import upgrade
from tests.support.races import RaceServer


@pytest.fixture
async def server(database_url: str) -> AsyncIterator[RaceServer]:
    """A server process with the players anna, ben, cleo and gus."""
    database = Database(database_url)
    upgrade(database)
    server = RaceServer(database)
    await server.add_players("anna", "ben", "cleo", "gus")
    yield server
    await database.close()
