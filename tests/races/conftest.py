from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from app.db.engine import Database
from app.db.migrate import upgrade
from tests.support.races import Track


@pytest.fixture
async def track(database_url: str) -> AsyncIterator[Track]:
    """A server process with the players anna, ben, cleo and gus."""
    database = Database(database_url)
    upgrade(database)
    track = Track(database)
    await track.welcome("anna", "ben", "cleo", "gus")
    yield track
    await database.close()
