"""The whole application with a fake clock, and requests that play its daily deals."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest
from fastapi import FastAPI
from httpx import AsyncClient

from app.daily import repository
from app.daily.model import settled_ms
from app.daily.preparing import new_deal
from app.main import create_app
from app.rulesets.bristol import BRISTOL
from app.settings import Settings
from tests.support.dailies import DAY, WINNABLE_SEED, Clock
from tests.support.serving import AS_URGENT, migrate, visiting

API = "/api/v1/daily"
DEFAULTS = Settings()


@dataclass
class Site:
    """The application and its clock."""

    app: FastAPI
    clock: Clock

    async def close_day(self) -> None:
        self.clock.now = settled_ms(DAY)
        await self.app.state.services.daily_closing.close(DAY)


@asynccontextmanager
async def open_site(url: str, settings: Settings = DEFAULTS) -> AsyncIterator[Site]:
    """A site with a winnable Bristol deal today."""
    await migrate(url)
    clock = Clock()
    settings = settings.model_copy(update={"database_url": url, "proof_seconds": 0})
    app = create_app(settings, clock, AS_URGENT)
    async with app.router.lifespan_context(app):
        deal = new_deal(BRISTOL, DAY, 0, WINNABLE_SEED)
        await app.state.services.database.write(
            lambda connection: repository.add_deal(connection, deal)
        )
        yield Site(app, clock)


@pytest.fixture
async def site(sqlite_url: str) -> AsyncIterator[Site]:
    """Such a site, for the tests of the rooms whose conftest imports this."""
    async with open_site(sqlite_url) as site:
        yield site


@pytest.fixture
async def client(site: Site) -> AsyncIterator[AsyncClient]:
    """A visitor of it."""
    async with visiting(site.app) as client:
        yield client


async def start_attempt(client: AsyncClient, ruleset: str = "bristol") -> str:
    """Start an attempt, or find the one that is started. Returns the ID of its game."""
    answer = await client.post(f"{API}/today/{ruleset}/attempt")
    assert answer.status_code in {200, 201}, answer.text
    return str(answer.json()["id"])


async def play_moves(client: AsyncClient, game: str, *actions: str) -> None:
    """Play a game from its start."""
    for version, action in enumerate(actions):
        path, body = "moves", {"version": version, "move": action}
        if action in {"undo", "redo", "resign"}:
            path, body = action, {"version": version}
        answer = await client.post(f"/api/v1/games/{game}/{path}", json=body)
        assert answer.status_code == 200, answer.text
