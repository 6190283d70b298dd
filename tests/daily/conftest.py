from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from httpx import AsyncClient

from app.db.engine import Database
from tests.support.dailies import DailyServer
from tests.support.daily_site import Site, open_site
from tests.support.serving import visiting


@pytest.fixture
async def daily(database: Database) -> DailyServer:
    """A server with the players anna and ben, who have names, and the guest gus."""
    daily = DailyServer(database)
    await daily.add_players("anna", "ben")
    await daily.add_players("gus", named=False)
    await daily.deal_winnable()
    return daily


@pytest.fixture
async def site(sqlite_url: str) -> AsyncIterator[Site]:
    async with open_site(sqlite_url) as site:
        yield site


@pytest.fixture
async def client(site: Site) -> AsyncIterator[AsyncClient]:
    async with visiting(site.app) as client:
        yield client
