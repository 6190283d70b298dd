from __future__ import annotations

import pytest

from app.db.engine import Database
from tests.support.dailies import DailyServer


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
