from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

import pytest
from fastapi import FastAPI

from app.db.engine import Database
from app.db.migrate import upgrade
from app.jobs.queue import THE_SITE, current_origin
from app.main import create_app
from app.settings import Settings
from tests.support.races import Clock, RaceServer, draw_winnable
from tests.support.serving import migrate


class RaceApp(NamedTuple):
    """A running site whose races have winnable deals, and its clock."""

    app: FastAPI
    clock: Clock


@pytest.fixture
async def race_app(migrated_file: Path, tmp_path: Path) -> AsyncIterator[RaceApp]:
    url = f"sqlite:///{tmp_path / 'race.db'}"
    await migrate(url)
    clock = Clock()
    app = create_app(Settings(database_url=url, proof_seconds=0), clock)
    async with app.router.lifespan_context(app):
        app.state.services.races.setup.draw_deal = draw_winnable
        yield RaceApp(app, clock)


@pytest.fixture
async def server(database_url: str) -> AsyncIterator[RaceServer]:
    """A server process with the players anna, ben, cleo and gus."""
    current_origin.set(THE_SITE)  # not where requests of an earlier test came from
    database = Database(database_url)
    upgrade(database)
    server = RaceServer(database)
    await server.add_players("anna", "ben", "cleo", "gus")
    yield server
    await database.close()
