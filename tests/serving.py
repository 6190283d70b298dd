"""The site in the test's own process, and visitors to it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient

from app.main import create_app
from app.settings import Settings
from app.storage.database import Database
from app.storage.migrate import upgrade

HOST = "fairdeal.test"


@asynccontextmanager
async def running_site(**settings: object) -> AsyncIterator[FastAPI]:
    """A site that has been started on a migrated database, and is stopped at the end."""
    app = create_app(Settings(**settings))
    database = Database(app.state.settings.database_url)
    upgrade(database)
    await database.close()
    async with app.router.lifespan_context(app):
        yield app


def visiting(
    app: FastAPI, scheme: str = "http", headers: Mapping[str, str] | None = None
) -> AsyncClient:
    """A client with cookies of its own."""
    transport = ASGITransport(app)
    return AsyncClient(transport=transport, base_url=f"{scheme}://{HOST}", headers=headers)
