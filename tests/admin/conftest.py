from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from fastapi import FastAPI
from httpx import AsyncClient

from app.settings import Settings
from tests.admin.browsers import Browsers
from tests.support.serving import running_site


@pytest.fixture
async def site(database_url: str) -> AsyncIterator[FastAPI]:
    """The whole site, on a database of either kind."""
    async with running_site(Settings(database_url=database_url)) as app:
        yield app


@pytest.fixture
async def browsers(site: FastAPI) -> AsyncIterator[Browsers]:
    async with Browsers(site) as made:
        yield made


@pytest.fixture
async def vera(browsers: Browsers) -> AsyncClient:
    """An administrator who has re-authenticated."""
    return await browsers.staff_member("Vera", "administrator")
