from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import NamedTuple

import pytest
from fastapi import FastAPI

from app.daily import repository
from app.daily.model import settled_ms
from app.daily.preparing import new_deal
from app.main import create_app
from app.rulesets.bristol import BRISTOL
from app.settings import Settings
from tests.support.dailies import DAY, WINNABLE_SEED, Clock


class Late(NamedTuple):
    """A site with a deal of the day, and the way to its end."""

    site: FastAPI
    close_the_day: Callable[[], Awaitable[None]]


@pytest.fixture
async def late(sqlite_url: str) -> AsyncIterator[Late]:
    clock = Clock()
    app = create_app(Settings(database_url=sqlite_url, proof_seconds=0), clock)
    async with app.router.lifespan_context(app):
        deal = new_deal(BRISTOL, DAY, 0, WINNABLE_SEED)
        await app.state.services.database.write(
            lambda connection: repository.add_deal(connection, deal)
        )

        async def close() -> None:
            clock.now = settled_ms(DAY)
            await app.state.services.daily_closing.close(DAY)

        yield Late(app, close)
