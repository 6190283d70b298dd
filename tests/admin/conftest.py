from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from fastapi import FastAPI
from httpx import AsyncClient

from app.settings import Settings
from tests.admin.hands import Hands
from tests.support.serving import running_site


@pytest.fixture
async def site(database_url: str) -> AsyncIterator[FastAPI]:
    """The whole site, on a database of either kind."""
    async with running_site(Settings(database_url=database_url)) as app:
        yield app


@pytest.fixture
async def hands(site: FastAPI) -> AsyncIterator[Hands]:
    async with Hands(site) as made:
        yield made


@pytest.fixture
async def vera(hands: Hands) -> AsyncClient:
    """An administrator behind the door."""
    return await hands.officer("Vera", "administrator")
