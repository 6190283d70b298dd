import asyncio
import time

import pytest
from httpx import AsyncClient
from sqlalchemy import Connection

from app.db.engine import Database
from app.errors import RateLimitedError
from app.http.rate_limits import RateLimits, SlidingWindowStorage
from app.jobs.admission import TooManyJobsError
from app.settings import Settings
from app.throttle import TokenBucket
from tests.support.known import PASSWORD
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


@pytest.mark.parametrize(
    ("path", "form"), [("/me/another-name", {}), ("/language", {"language": "en"})]
)
async def test_what_a_player_changes_of_themselves_is_limited(sqlite_url, path, form):
    settings = Settings(database_url=sqlite_url, actions_per_minute=3)
    async with running_site(settings) as app, visiting(app) as anna:
        if path == "/language":
            await anna.post("/join", data={"name": "Anna", "password": PASSWORD, "again": PASSWORD})
        else:
            await anna.post("/play", data={"ruleset": "bristol"})
        answers = [await anna.post(path, data=form) for _ in range(4)]
        assert [answer.status_code for answer in answers[:2]] == [303, 303]
        assert answers[3].status_code == 429
        assert "set-cookie" not in answers[3].headers


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
    settings = Settings(database_url=sqlite_url, guests_per_minute=1, guests_at_once=1)
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


def test_a_key_is_kept_as_long_as_its_own_window(clock: Clock):
    moments = SlidingWindowStorage()
    assert moments.acquire_entry("a day", 1, 86_400)
    for number in range(10_000):
        clock.now += 1
        moments.acquire_entry(f"a minute {number}", 1, 60)
    assert not moments.acquire_entry("a day", 1, 86_400)


class Hour:
    """A clock that is set by hand, in milliseconds."""

    def __init__(self) -> None:
        self.now = 1_800_000_000_000

    def __call__(self) -> int:
        return self.now


async def taken(database: Database, bucket: TokenBucket, key: str, now_ms: int, most: int) -> int:
    """How many tokens there are, at most ``most``."""

    def take_all(connection: Connection) -> int:
        waits = [bucket.take(connection, key, now_ms) for _ in range(most)]
        return waits.count(0)

    return await database.write(take_all)


async def test_a_bucket_allows_a_burst_and_then_an_even_rate(database: Database):
    school, now = TokenBucket("guests", per_minute=30, at_once=100), 1_800_000_000_000
    assert await taken(database, school, "a school", now, 150) == 100
    wait = await database.write(lambda connection: school.take(connection, "a school", now))
    assert wait == 2000
    wait = await database.write(lambda connection: school.take(connection, "a school", now + 500))
    assert wait == 1500
    assert await taken(database, school, "another", now, 150) == 100
    assert await taken(database, school, "a school", now + 60_000, 150) == 30
    # Never more than it holds, however long it was left alone.
    assert await taken(database, school, "a school", now + 86_400_000, 150) == 100


async def test_processes_share_a_bucket(postgres_url: str):
    processes = [Database(postgres_url) for _ in "12"]
    bucket = TokenBucket("guests", per_minute=1, at_once=10)

    async def take(database: Database) -> int:
        return await database.write(lambda connection: bucket.take(connection, "one", 10**12))

    waits = await asyncio.gather(*[take(processes[number % 2]) for number in range(30)])
    assert waits.count(0) == 10
    for process in processes:
        await process.close()


async def test_imports_are_limited_by_minute_and_by_day(database: Database):
    clock = Hour()
    processes = [RateLimits(Settings(database_url="sqlite://"), database, clock) for _ in "12"]

    async def imported() -> int:
        for number in range(1000):
            try:
                await processes[number % 2].new_import("192.0.2.1")
            except RateLimitedError:
                return number
        raise AssertionError("never refused")

    # Before, these were 600 a minute and 864,000 a day.
    assert await imported() == 60
    clock.now += 60_000
    assert await imported() == 6
    for _ in range(24):
        clock.now += 600_000
        await imported()
    sentence = r"imported from your network\. Try again in 20 hours"
    with pytest.raises(RateLimitedError, match=sentence):
        await processes[0].new_import("192.0.2.1")
    await processes[0].new_import("192.0.2.2")
    clock.now += 86_400_000
    assert await imported() == 60


async def test_wrong_codes_are_counted_for_all_processes_together(database: Database):
    clock = Hour()
    processes = [RateLimits(Settings(database_url="sqlite://"), database, clock) for _ in "12"]
    for number in range(20):
        await processes[number % 2].check_wrong_codes("192.0.2.1")
        await processes[number % 2].wrong_code("192.0.2.1")
    for process in processes:
        with pytest.raises(RateLimitedError, match=r"codes .* Try again in 60 seconds"):
            await process.check_wrong_codes("192.0.2.1")
        await process.check_wrong_codes("192.0.2.2")
    clock.now += 60_000
    await processes[0].check_wrong_codes("192.0.2.1")


async def test_a_school_class_and_its_games_are_within_the_defaults(database: Database):
    limits = RateLimits(Settings(database_url="sqlite://"), database)
    for _ in range(60):
        await limits.new_guest("192.0.2.1")
    for _ in range(300):
        limits.new_game("192.0.2.1")


async def test_imports_of_a_network_are_limited(sqlite_url):
    settings = Settings(database_url=sqlite_url, imports_per_minute=1, imports_at_once=1)
    async with running_site(settings) as app, visiting(app) as anna, visiting(app) as ben:
        for answers, post in (([], anna.post), ([], ben.post)):
            answers.append(await post("/api/v1/records", json={"record": "nothing"}))
            answers.append(await post("/import", data={"record": "nothing"}))
        assert [answer.status_code for answer in answers] == [429, 429]
        assert answers[0].json()["code"] == "rate_limited"
        assert (await ben.post("/api/v1/games", json={"ruleset": "bristol"})).is_success


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
