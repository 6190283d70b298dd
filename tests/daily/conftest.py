from __future__ import annotations

import pytest

from app.db.engine import Database
from tests.support.dailies import Club


@pytest.fixture
async def club(database: Database) -> Club:
    """A server with the players anna and ben, who have names, and gus, who is a guest."""
    club = Club(database)
    await club.welcome("anna", "ben")
    await club.welcome("gus", named=False)
    await club.deal_winnable()
    return club
