import asyncio

import pytest
from fastapi import FastAPI
from httpx import AsyncClient
from sqlalchemy.exc import OperationalError

from app.http import health
from app.main import create_app
from app.settings import Settings
from tests.support.serving import running_site, visiting

pytestmark = pytest.mark.anyio


async def test_a_migrated_database_is_ready(database_url):
    async with running_site(Settings(database_url=database_url)) as app, visiting(app) as probe:
        response = await probe.get("/readyz")
    assert (response.status_code, response.json()) == (200, {"status": "ready"})


async def test_an_empty_database_is_not_ready(blank_database_url):
    app = create_app(Settings(database_url=blank_database_url))
    async with app.router.lifespan_context(app), visiting(app) as probe:
        response = await probe.get("/readyz")
        alive = await probe.get("/healthz")
    assert response.status_code == 503
    assert "fairdeal migrate" in response.json()["reason"]
    assert alive.status_code == 200


async def test_a_missing_database_is_not_ready(site: FastAPI, visitor: AsyncClient, monkeypatch):
    async def gone(_work):
        statement = "SELECT 1"
        raise OperationalError(statement, {}, OSError("refused, with a password in it"))

    monkeypatch.setattr(site.state.services.database, "read", gone)
    response = await visitor.get("/readyz")
    assert response.status_code == 503
    assert response.json()["reason"] == "The database does not answer."


async def test_a_database_that_hangs_is_not_ready(site: FastAPI, visitor, monkeypatch):
    monkeypatch.setattr(health, "_TIMEOUT", 0.01)
    monkeypatch.setattr(site.state.services.database, "read", lambda _work: asyncio.sleep(60))
    response = await visitor.get("/readyz")
    assert response.status_code == 503
