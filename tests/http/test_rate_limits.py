import time

import pytest
from httpx import AsyncClient

from app.http.rate_limits import SlidingWindowStorage
from app.jobs.queue import TooManyJobsError
from app.settings import Settings
from tests.support.serving import running_site, visiting

pytestmark = pytest.mark.anyio

JSON = {"Content-Type": "application/json"}
LIMIT = 65_536


async def pieces(size: int):
    """A body of unknown length, as in a chunked request."""
    for _ in range(size // 1024):
        yield b" " * 1024


async def test_a_body_declared_too_large_is_refused_unread(visitor: AsyncClient):
    response = await visitor.post("/api/v1/games", content=b" " * (LIMIT + 1), headers=JSON)
    assert response.status_code == 413
    assert response.json()["code"] == "too_large"


async def test_a_body_that_turns_out_too_large_is_refused(visitor: AsyncClient):
    response = await visitor.post("/api/v1/games", content=pieces(2 * LIMIT), headers=JSON)
    assert response.status_code == 413
    assert response.json()["code"] == "too_large"


async def test_a_form_that_turns_out_too_large_is_refused_with_a_page(visitor: AsyncClient):
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    response = await visitor.post("/me/name", content=pieces(2 * LIMIT), headers=headers)
    assert response.status_code == 413
    assert response.headers["content-type"].startswith("text/html")


async def test_a_body_of_the_largest_size_is_read(visitor: AsyncClient):
    body = b'{"ruleset": "bristol"}'.ljust(LIMIT)
    response = await visitor.post("/api/v1/games", content=body, headers=JSON)
    assert response.status_code == 201


@pytest.mark.parametrize("length", ["-1", "many", "1e3", "٣", ""])
async def test_an_invalid_content_length_is_refused(visitor: AsyncClient, length):
    headers = {**JSON, "Content-Length": length.encode()}
    response = await visitor.post("/api/v1/games", content=b"{}", headers=headers)
    assert response.status_code == 413


async def test_actions_of_a_player_are_limited_per_minute(sqlite_url, monkeypatch):
    settings = Settings(database_url=sqlite_url, actions_per_minute=3)
    async with running_site(settings) as app, visiting(app) as anna, visiting(app) as ben:
        for _ in range(3):
            assert (await anna.post("/api/v1/games", json={"ruleset": "bristol"})).is_success
        response = await anna.post("/api/v1/games", json={"ruleset": "bristol"})
        assert response.status_code == 429
        assert response.json()["code"] == "rate_limited"
        assert 1 <= int(response.headers["retry-after"]) <= 60
        # Other players are not affected, and she can act again after the time has passed.
        assert (await ben.post("/api/v1/games", json={"ruleset": "bristol"})).is_success
        now = time.monotonic()
        monkeypatch.setattr(time, "monotonic", lambda: now + 60)
        assert (await anna.post("/api/v1/games", json={"ruleset": "bristol"})).is_success


async def test_games_of_an_address_are_limited(sqlite_url):
    settings = Settings(database_url=sqlite_url, games_per_minute=1)
    async with running_site(settings) as app, visiting(app) as anna, visiting(app) as ben:
        assert (await anna.post("/api/v1/games", json={"ruleset": "bristol"})).is_success
        response = await ben.post("/api/v1/games", json={"ruleset": "bristol"})
        assert response.status_code == 429
        assert "retry-after" in response.headers
        # Refused before a guest was created.
        assert "set-cookie" not in response.headers


async def test_new_guests_of_an_address_are_limited(sqlite_url):
    settings = Settings(database_url=sqlite_url, guests_per_minute=1)
    async with running_site(settings) as app, visiting(app) as anna, visiting(app) as ben:
        assert (await anna.post("/play", data={"ruleset": "bristol"})).status_code == 303
        assert (await anna.post("/play", data={"ruleset": "bristol"})).status_code == 303
        response = await ben.post("/play", data={"ruleset": "bristol"})
        assert response.status_code == 429
        assert "Try again in" in response.text


class Clock:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        monkeypatch.setattr(time, "monotonic", lambda: self.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def test_the_window_slides(clock: Clock):
    moments = SlidingWindowStorage()
    assert moments.acquire_entry("anna", 2, 60)
    clock.now += 30
    assert moments.acquire_entry("anna", 2, 60)
    clock.now += 29
    assert not moments.acquire_entry("anna", 2, 60)
    clock.now += 1  # the first is a minute old
    assert moments.acquire_entry("anna", 2, 60)
    assert not moments.acquire_entry("anna", 2, 60)
    assert moments.get_moving_window("anna", 2, 60) == (1030.0, 2)


def test_several_uses_are_counted_together_or_not_at_all(clock: Clock):
    moments = SlidingWindowStorage()
    assert not moments.acquire_entry("anna", 2, 60, amount=3)
    assert moments.acquire_entry("anna", 2, 60, amount=2)


def test_unused_keys_are_removed_from_memory(clock: Clock):
    moments = SlidingWindowStorage()
    for number in range(10_000):
        clock.now += 1
        moments.acquire_entry(f"player {number}", 2, 60)
    assert moments.reset() < 5000


async def test_too_many_jobs_of_a_player_are_refused(site):
    @site.get("/api/v1/much")
    @site.get("/much")
    async def ask_for_much() -> None:
        raise TooManyJobsError(7)

    async with visiting(site) as client:
        response = await client.get("/api/v1/much")
        assert (response.status_code, response.headers["retry-after"]) == (429, "7")
        assert response.json()["code"] == "rate_limited"
        page = await client.get("/much")
        assert (page.status_code, page.headers["retry-after"]) == (429, "7")
        assert "moment" in page.text
