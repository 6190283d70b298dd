from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from fastapi import FastAPI

from app.db.engine import Database
from app.settings import Settings
from tests.support.dailies import DailyServer
from tests.support.serving import AS_URGENT, started
from tests.support.workers import REMEMBERING


@pytest.fixture
async def site(sqlite_url: str, request: pytest.FixtureRequest) -> AsyncIterator[FastAPI]:
    """The whole site; that of tests which are marked remembers what jobs of other tests found."""
    is_marked = request.node.get_closest_marker("kept_results")
    environment = REMEMBERING if is_marked else AS_URGENT
    async with started(Settings(database_url=sqlite_url), environment) as app:
        yield app


@pytest.fixture
async def server(database: Database) -> DailyServer:
    """Anna solved the deal with fewer actions than Ben; Cleo resigned."""
    server = DailyServer(database)
    await server.add_players("anna", "ben", "cleo")
    await server.deal_winnable()
    await server.solve("ben", detours=3)
    await server.solve("anna")
    await server.act(await server.start("cleo"), "deal", "resign")
    return server
