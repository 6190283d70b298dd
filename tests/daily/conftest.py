from __future__ import annotations

import pytest

from app.db.engine import Database
from tests.support.dailies import DailyServer
from tests.support.daily_site import client, site

__all__ = ["client", "site"]


@pytest.fixture
async def daily(database: Database) -> DailyServer:
    """A server with the players anna and ben, who have names, and the guest gus."""
    daily = DailyServer(database)
    await daily.add_players("anna", "ben")
    await daily.add_players("gus", named=False)
    await daily.deal_winnable()
    return daily
