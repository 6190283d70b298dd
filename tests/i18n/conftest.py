from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from httpx import AsyncClient

from app.i18n.languages import offer_pseudo
from app.settings import Settings
from tests.support.daily_site import Site, open_site
from tests.support.pseudo import PSEUDO, join
from tests.support.serving import daily_work, running_site, visiting


@pytest.fixture(scope="session")
async def deals_of_the_week(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with the daily deals that a site makes first, to copy."""
    file = tmp_path_factory.mktemp("deals") / "fairdeal.db"
    settings = Settings(database_url=f"sqlite:///{file}", proof_seconds=0, unproven_deals=True)
    async with running_site(settings) as app:
        await daily_work(app)
    return file


@pytest.fixture
async def pseudo_site(deals_of_the_week: Path, tmp_path: Path) -> AsyncIterator[FastAPI]:
    """A site that offers pseudo-English."""
    file = shutil.copy(deals_of_the_week, tmp_path / "fairdeal.db")
    settings = Settings(
        database_url=f"sqlite:///{file}",
        proof_seconds=0,
        unproven_deals=True,
        pseudo_language=True,
    )
    async with running_site(settings) as app:
        yield app
    offer_pseudo(is_offered=False)


@pytest.fixture
async def anna(pseudo_site: FastAPI) -> AsyncIterator[AsyncClient]:
    """A player of it with a name, who reads pseudo-English."""
    async with visiting(pseudo_site, headers=PSEUDO) as client:
        await join(client)
        yield client


@pytest.fixture
async def day_site(sqlite_url: str) -> AsyncIterator[Site]:
    """The same with a clock to turn, and a deal of today that can be won."""
    async with open_site(sqlite_url, Settings(pseudo_language=True)) as site:
        yield site
    offer_pseudo(is_offered=False)
