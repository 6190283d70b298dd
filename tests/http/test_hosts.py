"""The host that links carry: only a listed one, and never one that a client made up for others."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from httpx import ASGITransport, AsyncClient
from starlette.routing import Route

from app.settings import Settings, SettingsError, load_settings
from tests.support.serving import started, visiting

pytestmark = pytest.mark.anyio

FORGED = "evil.example"
LISTED = "cards.example.org, localhost:8000,[::1]:8000"


async def ask(app: FastAPI, host: str, path: str = "/api/v1/me"):
    transport = ASGITransport(app)
    async with AsyncClient(transport=transport, base_url="http://fairdeal.test") as client:
        return await client.get(path, headers={"Host": host})


@pytest.mark.parametrize(
    ("host", "is_served"),
    [
        ("cards.example.org", True),
        ("Cards.Example.ORG", True),
        ("cards.example.org.", True),
        ("cards.example.org:443", True),
        ("localhost:8000", True),
        ("[::1]:8000", True),
        ("cards.example.org:8443", False),
        ("localhost", False),
        ("evil.example", False),
        ("cards.example.org.evil.example", False),
        ("xcards.example.org", False),
    ],
)
async def test_only_listed_hosts_are_served(sqlite_url, host, is_served):
    async with started(Settings(database_url=sqlite_url, allowed_hosts=LISTED)) as app:
        api = await ask(app, host)
        assert api.json()["code"] == ("not_found" if is_served else "unknown_host")
        assert api.status_code == (404 if is_served else 421)
        page = await ask(app, host, "/")
        assert page.status_code == (200 if is_served else 421)
        assert is_served or host not in page.text


async def test_health_checks_use_the_address(sqlite_url):
    async with started(Settings(database_url=sqlite_url, allowed_hosts=LISTED)) as app:
        for path in ("/healthz", "/readyz"):
            assert (await ask(app, "10.0.0.7:8000", path)).status_code == 200


@pytest.mark.parametrize("host", ['a"b', "a b", "a/b", "user@host", "a,b", "host:port", "<x>"])
async def test_a_malformed_host_is_refused(site: FastAPI, host):
    response = await ask(site, host)
    assert (response.status_code, response.json()["code"]) == (400, "malformed")


async def test_two_hosts_are_refused(site: FastAPI):
    headers = [(b"host", b"one.example"), (b"host", b"two.example")]
    async with AsyncClient(transport=ASGITransport(site), base_url="http://x") as client:
        assert (await client.get("/", headers=headers)).status_code == 400


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:8105", "[::1]:8000", "192.168.1.9"])
async def test_without_a_list_every_name_is_served(site: FastAPI, host):
    assert (await ask(site, host, "/")).status_code == 200


def addresses(site: FastAPI, game: str, race: str) -> Iterator[str]:
    """An existing address of each route that answers GET."""
    values = {
        "ruleset": "bristol",
        "code": "7KQ4M-2XWTP",
        "game_id": game,
        "path": "css/site.css",
        "name": "Anna",
        "day": "2026-11-20",
    }
    for context in iter_route_contexts(site.router.routes):
        route = context.original_route
        if isinstance(route, Route) and "GET" in (route.methods or ()):
            if route.path.endswith("/stream"):
                continue
            if "/race/" in route.path or "/races/" in route.path:
                values["code"] = race
            yield re.sub(r"{(\w+)(:\w+)?}", lambda found: values.get(found[1], "1"), route.path)
            values["code"] = "7KQ4M-2XWTP"


async def test_a_forged_host_is_in_nothing_that_is_cached_for_others(site: FastAPI):
    async with visiting(site) as visitor:
        made = await visitor.post("/api/v1/games", json={"ruleset": "bristol"})
        game = made.json()["id"]
        await visitor.post(f"/games/{game}/resign", data={"version": 0})
        asked, shown = 0, 0
        for path in dict.fromkeys(addresses(site, game, "AAAAA")):
            for host in (FORGED, "other.example"):
                response = await visitor.get(path, headers={"Host": host})
                caching = response.headers.get("cache-control", "")
                if FORGED in response.text:
                    shown += 1
                if "public" in caching or "s-maxage" in caching:
                    asked += 1
                    assert host not in response.text, path
            # A QR code has the host in its pattern.
            if path.endswith("qr.svg"):
                assert "public" not in caching, path
        assert asked >= 4  # a file and a picture, at least
        assert shown > 1


async def test_a_listed_host_may_be_cached_for_everybody(sqlite_url):
    path = "/deal/bristol/7KQ4M-2XWTP/qr.svg"
    async with started(Settings(database_url=sqlite_url, allowed_hosts=LISTED)) as app:
        assert "public" in (await ask(app, "cards.example.org", path)).headers["cache-control"]
        forged = await ask(app, FORGED, path)
        assert forged.status_code == 421
        assert "public" not in forged.headers["cache-control"]


@pytest.mark.parametrize("hosts", ["https://cards.example.org", "a,,b"])
def test_a_list_that_is_none_is_refused(monkeypatch, hosts):
    monkeypatch.setenv("FAIRDEAL_ALLOWED_HOSTS", hosts)
    with pytest.raises(SettingsError, match="FAIRDEAL_ALLOWED_HOSTS"):
        load_settings()
