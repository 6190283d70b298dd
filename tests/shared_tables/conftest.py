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
from app.shared_tables.play import SharedPlay
from app.shared_tables.proposals import ProposalService
from app.shared_tables.service import SharedTableService

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


def process(database: Database, live: PubSub | None = None) -> GameService:
    """Play as a server process of its own has it."""
    tables = SharedTableService(database, now_ms, live or PubSub(database))
    return GameService(
        database, shared_tables=SharedPlay(database, tables, ProposalService(database, tables))
    )


@pytest.fixture
def play(database: Database) -> GameService:
    return process(database)


@pytest.fixture
async def company(database: Database) -> AsyncIterator[SharedTableService]:
    live = PubSub(database)
    yield SharedTableService(database, now_ms, live)
    await live.close()
