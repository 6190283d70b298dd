from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from app.db.engine import Database
from app.db.migrate import upgrade


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    database = Database(database_url)
    upgrade(database)
    yield database
    await database.close()
