"""The site in the test's own process, and visitors to it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient
from sqlalchemy import insert

from app.db.engine import Database
from app.db.migrate import upgrade
from app.db.schema import players
from app.main import create_app
from app.settings import Settings

HOST = "fairdeal.test"


async def migrate(url: str) -> None:
    """Bring a database to the schema of this release."""
    database = Database(url)
    upgrade(database)
    await database.close()


def welcome(database: Database, *names: str) -> None:
    """Let a database know players, whose ids are their names in small letters."""
    rows = [{"id": name, "name": name.title(), "created_ms": 0} for name in names]
    with database.engine.begin() as connection:
        connection.execute(insert(players), rows)


@asynccontextmanager
async def started(settings: Settings) -> AsyncIterator[FastAPI]:
    """A site on its database as that is; stopped at the end."""
    app = create_app(settings)
    async with app.router.lifespan_context(app):
        yield app


@asynccontextmanager
async def running_site(settings: Settings) -> AsyncIterator[FastAPI]:
    """A site on a database that is migrated first; stopped at the end."""
    await migrate(settings.database_url)
    async with started(settings) as app:
        yield app


def visiting(
    app: FastAPI, scheme: str = "http", headers: Mapping[str, str] | None = None
) -> AsyncClient:
    """A client with cookies of its own."""
    transport = ASGITransport(app)
    return AsyncClient(transport=transport, base_url=f"{scheme}://{HOST}", headers=headers)
