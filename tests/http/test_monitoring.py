from __future__ import annotations

import asyncio

import pytest
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient
from sqlalchemy.exc import OperationalError

from app.http import monitoring
from app.http.monitoring import RequestStats
from app.main import create_app
from app.settings import Settings, SettingsError, load_settings
from tests.support.serving import running_site, started, visiting

pytestmark = pytest.mark.anyio


def test_totals_are_by_ten_minutes_and_route_until_drained():
    now = [1259.0]
    traffic = RequestStats(lambda: now[0])
    traffic.record("GET", "/", 200, 0.25, "a")
    traffic.record("GET", "/", 500, 0.5, "b")
    now[0] = 1799.0
    traffic.record("GET", "/", 200, None, "c")
    now[0] = 1800.0
    traffic.record("POST", "/", 404, 0.1, "d")
    taken = traffic.drain()
    assert list(taken) == [(1_200_000, "GET /"), (1_800_000, "POST /")]
    first = taken[1_200_000, "GET /"]
    assert (first.requests, first.faults, first.timed, first.took) == (3, 1, 2, 0.75)
    assert (first.slowest, first.slowest_id, first.fault_id) == (0.5, "b", "b")
    assert taken[1_800_000, "POST /"].faults == 0
    assert traffic.drain() == {}


def test_health_checks_and_unknown_methods_are_not_counted():
    traffic = RequestStats()
    traffic.record("GET", "/healthz", 200, 0.1, "a")
    traffic.record("MADE-UP", "/", 405, 0.1, "b")
    assert traffic.drain() == {}


def test_totals_that_are_never_drained_do_not_fill_memory():
    now = [0.0]
    traffic = RequestStats(lambda: now[0])
    for span in range(21_000):
        now[0] = span * 600.0
        traffic.record("GET", "/", 200, 0.1, "a")
    assert len(traffic.drain()) == 20_000


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
    monkeypatch.setattr(monitoring, "_READY_TIMEOUT", 0.01)
    monkeypatch.setattr(site.state.services.database, "read", lambda _work: asyncio.sleep(60))
    response = await visitor.get("/readyz")
    assert response.status_code == 503


TOKEN = "0123456789abcdef-secret"


async def read_metrics(
    settings: Settings, address: str = "127.0.0.1", **headers: str
) -> tuple[int, str]:
    async with started(settings) as app:
        transport = ASGITransport(app, client=(address, 1))
        async with AsyncClient(transport=transport, base_url="http://fairdeal.test") as probe:
            given = {
                name.replace("_", "-").encode(): value.encode("latin-1")
                for name, value in headers.items()
            }
            response = await probe.get("/metrics", headers=given)
            return response.status_code, response.text


@pytest.mark.parametrize(
    ("address", "authorization", "status"),
    [
        ("192.0.2.1", f"Bearer {TOKEN}", 200),
        ("192.0.2.1", f"Bearer {TOKEN}x", 401),
        ("192.0.2.1", f"Bearer {TOKEN[:-1]}", 401),
        ("192.0.2.1", "Bearer é", 401),
        ("192.0.2.1", "", 401),
        ("127.0.0.1", "", 401),
    ],
)
async def test_metrics_need_the_token(sqlite_url, address, authorization, status):
    settings = Settings(database_url=sqlite_url, metrics_token=TOKEN)
    headers = {"authorization": authorization} if authorization else {}
    found, text = await read_metrics(settings, address, **headers)
    assert found == status
    assert ("fairdeal_requests_total" in text) == (status == 200)
    assert TOKEN not in text


@pytest.mark.parametrize(
    ("address", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("::1", {}, 200),
        ("192.0.2.1", {}, 404),
        ("10.0.0.7", {}, 404),
        ("127.0.0.1", {"x_forwarded_for": "127.0.0.1"}, 404),
        ("127.0.0.1", {"forwarded": "for=127.0.0.1"}, 404),
        ("127.0.0.1", {"via": "1.1 proxy"}, 404),
    ],
)
async def test_without_a_token_only_this_machine_reads_metrics(
    sqlite_url, address, headers, status
):
    found, text = await read_metrics(Settings(database_url=sqlite_url), address, **headers)
    assert found == status
    assert ("fairdeal_requests_total" in text) == (status == 200)


def test_a_short_token_is_refused_without_showing_it(monkeypatch):
    monkeypatch.setenv("FAIRDEAL_METRICS_TOKEN", "hunter2")
    with pytest.raises(SettingsError, match="FAIRDEAL_METRICS_TOKEN must be") as refused:
        load_settings()
    assert "hunter2" not in str(refused.value)
    assert TOKEN not in repr(Settings(metrics_token=TOKEN))
