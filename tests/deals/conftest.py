from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from fastapi import FastAPI

from app.db.engine import Database
from app.db.migrate import upgrade
from app.deals import searches, shipped
from tests.support.patience import PATIENCE


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    database = Database(database_url)
    upgrade(database)
    yield database
    await database.close()


@pytest.fixture
def proving(site: FastAPI, monkeypatch: pytest.MonkeyPatch) -> FastAPI:
    """A site that proves deals only on request, and has no deals that come with the program."""
    monkeypatch.setattr(shipped, "first_deals", lambda _: {})
    monkeypatch.setattr(shipped, "starter_deals", lambda _: {})
    monkeypatch.setattr(searches, "PATIENCE_SECONDS", PATIENCE)
    monkeypatch.setattr(searches, "WAIT_SECONDS", PATIENCE)
    site.state.services.deals.proof_seconds = PATIENCE
    return site
