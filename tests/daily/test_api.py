"""The daily deal through the site's own doors: cookies, tokens, pages and problems."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest
from fastapi import FastAPI
from httpx import AsyncClient

from app.daily import repository
from app.daily.days import settled_ms
from app.daily.preparing import fresh_deal
from app.main import create_app
from app.rulesets import RULESETS
from app.rulesets.bristol import BRISTOL
from app.settings import Settings
from tests.support.dailies import DAY, HOUR, WINNABLE_SEED, Clock, at, winning_line
from tests.support.serving import daily_work, migrate, running_site, visiting
from tests.support.stocks import put, sealed_deal

pytestmark = pytest.mark.anyio

API = "/api/v1/daily"
TODAY = f"{API}/{DAY.isoformat()}/bristol"


@dataclass
class Site:
    app: FastAPI
    clock: Clock

    async def close_day(self) -> None:
        self.clock.now = settled_ms(DAY)
        await self.app.state.services.daily_closing.close(DAY)


@asynccontextmanager
async def open_site(url: str) -> AsyncIterator[Site]:
    await migrate(url)
    clock = Clock()
    app = create_app(Settings(database_url=url, proof_seconds=0), clock)
    async with app.router.lifespan_context(app):
        deal = fresh_deal(BRISTOL, DAY, 0, WINNABLE_SEED)
        await app.state.services.database.write(
            lambda connection: repository.add_deal(connection, deal)
        )
        yield Site(app, clock)


@pytest.fixture
async def site(sqlite_url: str) -> AsyncIterator[Site]:
    async with open_site(sqlite_url) as site:
        yield site


@pytest.fixture
async def caller(site: Site) -> AsyncIterator[AsyncClient]:
    async with visiting(site.app) as client:
        yield client


async def play_out(client: AsyncClient, game: str, *actions: str) -> None:
    for version, action in enumerate(actions):
        path, body = "moves", {"version": version, "move": action}
        if action in {"undo", "redo", "resign"}:
            path, body = action, {"version": version}
        answer = await client.post(f"/api/v1/games/{game}/{path}", json=body)
        assert answer.status_code == 200, answer.text


async def begin(client: AsyncClient, ruleset: str = "bristol") -> str:
    answer = await client.post(f"{API}/today/{ruleset}/attempt")
    assert answer.status_code in {200, 201}, answer.text
    return str(answer.json()["id"])


async def test_today_lists_every_game_and_nothing_secret(site: Site, caller: AsyncClient):
    today = (await caller.get(API)).json()
    assert [deal["ruleset"] for deal in today["deals"]] == [rules.id for rules in RULESETS]
    assert (today["day"], today["now"]) == ("2026-03-10", "2026-03-10T12:00:00Z")
    assert today["closes"] == "2026-03-11T00:00:00Z"
    for deal in today["deals"]:
        assert re.fullmatch("[0-9a-f]{64}", deal["commitment"])
        assert (deal["seed"], deal["deck"], deal["record"]) == (None, None, None)
    assert WINNABLE_SEED.hex() not in str(today)


async def test_an_attempt_is_created_once_and_then_found(site: Site, caller: AsyncClient):
    first = await caller.post(f"{TODAY}/attempt")
    site.clock.turn(5 * HOUR)
    again = await caller.post(f"{API}/today/bristol/attempt")
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json()["id"] == again.json()["id"]
    assert first.headers["location"] == f"/api/v1/games/{first.json()['id']}"
    assert first.json()["code"] is None


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", f"{API}/2026-03-11", 404, "not_found"),
        ("GET", f"{API}/2026-03-11/bristol", 404, "not_found"),
        ("GET", f"{API}/2026-03-11/bristol/board", 404, "not_found"),
        ("GET", f"{API}/2026-03-11/bristol/record.json", 404, "not_found"),
        ("POST", f"{API}/2026-03-11/bristol/attempt", 404, "not_found"),
        ("POST", f"{API}/2026-03-11/bristol/practice", 404, "not_found"),
        ("GET", f"{API}/2026-03-09", 404, "not_found"),  # nothing was dealt then
        ("GET", f"{API}/9999-12-31", 404, "not_found"),
        ("GET", f"{API}/nonsense", 404, "not_found"),
        ("GET", f"{API}/today/nonsense", 404, "not_found"),
        ("POST", f"{API}/today/nonsense/attempt", 404, "not_found"),
        ("GET", f"{TODAY}/board", 403, "not_finished"),
        ("GET", f"{TODAY}/unsolved", 403, "not_finished"),
        ("GET", f"{TODAY}/removed", 403, "not_finished"),
        ("GET", f"{TODAY}/record.json", 409, "not_closed"),
        ("POST", f"{TODAY}/practice", 409, "not_closed"),
        ("POST", f"{API}/2026-03-09/bristol/attempt", 409, "conflict"),
        ("GET", f"{API}/days?first=2026-01-01&last=2026-12-31", 422, "malformed"),
        ("GET", f"{API}/days?first=2026-01-01", 422, "malformed"),
        ("GET", f"{TODAY}/board?limit=0", 422, "malformed"),
    ],
)
async def test_what_cannot_be_had_is_a_problem(
    caller: AsyncClient, method: str, path: str, status: int, code: str
):
    answer = await caller.request(method, path)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.headers["content-type"] == "application/problem+json"


async def test_a_win_shows_the_board_to_the_winner_and_to_nobody_else(
    site: Site, caller: AsyncClient
):
    game = await begin(caller)
    claimed = await caller.post(
        "/api/v1/me/claim", json={"name": "Wilma", "password": "correct horse battery"}
    )
    assert claimed.status_code in {200, 201}, claimed.text
    site.clock.turn(95_500)
    await play_out(caller, game, *winning_line())
    look = (await caller.get(TODAY)).json()
    assert look["attempt"]["verdict"] == "solved"
    assert look["attempt"]["seconds"] == 95
    assert look["standing"] == {"rank": 1, "ranked": 1, "better_than_percent": None}
    [row] = (await caller.get(f"{TODAY}/board")).json()["rows"]
    assert (row["rank"], row["player"], row["actions"]) == (1, "Wilma", len(winning_line()))
    async with visiting(site.app) as other:
        await begin(other)
        for path in (API, TODAY, f"{TODAY}/board", f"/daily/{DAY}/bristol", "/daily", "/"):
            assert "Wilma" not in (await other.get(path)).text
        for path in ("", "/events", "/stream"):
            assert (await other.get(f"/api/v1/games/{game}{path}")).status_code == 403
        for path in ("", "/board"):
            assert (await other.get(f"/games/{game}{path}")).status_code == 403
        profile = await other.get("/api/v1/players/Wilma")
        assert game not in profile.text
        assert (await other.get("/players/Wilma")).text.count("Bristol") <= 1


async def test_a_guest_who_claims_a_name_takes_their_place_on_the_board(
    site: Site, caller: AsyncClient
):
    game = await begin(caller)
    await play_out(caller, game, *winning_line())
    assert (await caller.get(f"{TODAY}/board")).json()["rows"] == []
    assert (await caller.get(TODAY)).json()["standing"]["rank"] == 1
    claim = {"name": "Gustav", "password": "correct horse battery"}
    await caller.post("/api/v1/me/claim", json=claim)
    [row] = (await caller.get(f"{TODAY}/board")).json()["rows"]
    assert (row["player"], row["game"]) == ("Gustav", game)


async def test_a_name_claimed_too_late_leaves_the_final_board_as_it_is(
    site: Site, caller: AsyncClient
):
    game = await begin(caller)
    await play_out(caller, game, *winning_line())
    await site.close_day()
    before = await caller.get(f"/daily/{DAY.isoformat()}/bristol")
    claim = {"name": "Gustav", "password": "correct horse battery"}
    await caller.post("/api/v1/me/claim", json=claim)
    assert (await caller.get(f"{TODAY}/board")).json()["rows"] == []
    [run] = (await caller.get(f"{TODAY}/record.json")).json()["runs"]
    assert (run["verdict"], run["listed"]) == ("solved", False)
    assert "the board is final" in before.text
    assert "Claim a name" not in before.text


async def test_logging_in_gives_no_second_start(site: Site, caller: AsyncClient):
    account = {"name": "Nora", "password": "correct horse battery"}
    async with visiting(site.app) as elsewhere:
        await elsewhere.post("/api/v1/players")
        token = (await elsewhere.post("/api/v1/players")).json()["token"]
        bearer = {"Authorization": f"Bearer {token}"}
        made = await elsewhere.post("/api/v1/me/claim", json=account, headers=bearer)
        assert made.status_code in {200, 201}, made.text
    page = await caller.post("/daily/bristol/play")  # as a guest, to have a look
    game = page.headers["location"].removeprefix("/games/")
    await play_out(caller, game, "deal")
    entered = await caller.post("/login", data={**account, "bring": "1"})
    assert entered.status_code == 303, entered.text
    assert (await caller.get("/api/v1/me")).json()["name"] == "Nora"
    again = await caller.post("/daily/bristol/play")
    if again.status_code == 303:
        assert again.headers["location"] == f"/games/{game}"
    else:
        assert again.status_code == 409
    state = (await caller.get(f"/api/v1/games/{game}")).json()
    assert state.get("version", 1) == 1


async def test_leaving_and_coming_back_as_somebody_else_gives_no_second_start(
    site: Site, caller: AsyncClient
):
    await caller.post("/daily/bristol/play")
    await caller.post("/me/sign-out", data={"sure": "yes"})
    caller.cookies.delete("fd_session")
    again = await caller.post("/daily/bristol/play")
    assert again.status_code == 409
    assert "begun in this browser" in again.text


async def test_two_tabs_begin_one_game(database_url: str):
    async with open_site(database_url) as site, visiting(site.app) as caller:
        await caller.post("/api/v1/players")
        await caller.get("/api/v1/me")
        await caller.post("/daily/signora/play")  # a guest with a cookie
        answers = await asyncio.gather(*(caller.post("/daily/bristol/play") for _ in range(8)))
        assert {answer.status_code for answer in answers} == {303}
        assert len({answer.headers["location"] for answer in answers}) == 1


async def test_a_closed_day_publishes_everything(site: Site, caller: AsyncClient):
    game = await begin(caller)
    await play_out(caller, game, *winning_line())
    before = (await caller.get(TODAY)).json()
    await site.close_day()
    after = (await caller.get(TODAY)).json()
    assert before["commitment"] == after["commitment"]
    assert after["seed"] == WINNABLE_SEED.hex()
    assert len(after["deck"]) == 52
    record = (await caller.get(f"{TODAY}/record.json")).json()
    [run] = record["runs"]
    assert [action for _, action in run["moves"]] == list(winning_line())
    assert (await caller.get(f"/api/v1/games/{game}")).status_code == 200
    practice = await caller.post(f"{TODAY}/practice")
    assert (practice.status_code, practice.json()["can_undo"]) == (201, False)
    async with visiting(site.app) as other:
        assert (await other.get(f"{TODAY}/board")).json()["final"] is True


async def test_promises_are_there_a_week_ahead_without_their_seeds(site: Site, caller: AsyncClient):
    await daily_work(site.app)
    promises = (await caller.get(f"{API}/promises")).json()
    assert len(promises) == 8 * len(RULESETS)
    assert {promise["day"] for promise in promises} >= {"2026-03-10", "2026-03-17"}
    assert all("seed" not in promise for promise in promises)
    page = (await caller.get("/daily/check")).text
    assert all(promise["commitment"] in page for promise in promises)


async def test_everything_is_in_the_description_of_the_api(caller: AsyncClient):
    paths = (await caller.get("/api/v1/openapi.json")).json()["paths"]
    place = f"{API}/{{day}}/{{ruleset}}"
    ends = ("", "/attempt", "/practice", "/board", "/unsolved", "/removed", "/record.json")
    wanted = {API, f"{API}/promises", f"{API}/days", f"{API}/{{day}}"}
    assert wanted | {place + end for end in ends} <= set(paths)


# --- pages


async def test_today_on_paper(site: Site, caller: AsyncClient):
    page = await caller.get("/daily")
    assert page.status_code == 200
    for rules in RULESETS:
        assert f'action="/daily/{rules.id}/play"' in page.text
    assert 'datetime="2026-03-11T00:00:00Z"' in page.text
    assert "00:00 UTC" in page.text


async def test_a_player_sees_their_state_in_each_game(site: Site, caller: AsyncClient):
    done, under_way = await begin(caller), await begin(caller, "signora")
    await play_out(caller, done, "deal", "resign")
    for path in ("/daily", "/"):
        page = (await caller.get(path)).text
        assert "0 of 52 cards home" in page
        assert f'href="/games/{under_way}"' in page


async def test_the_board_before_and_after_ones_own_attempt(site: Site, caller: AsyncClient):
    path = f"/daily/{DAY}/bristol"
    assert "opens to you when you have finished" in (await caller.get(path)).text
    game = await begin(caller)
    await play_out(caller, game, *winning_line())
    page = (await caller.get(path)).text
    assert f"You solved it: {len(winning_line())} actions" in page
    assert "With a name you would stand at rank 1 of 1." in page
    assert f"Bristol of 10 March 2026: solved with {len(winning_line())} actions" in page
    assert (await caller.get(f"/daily/of/{game}")).headers["location"] == path


async def test_a_table_that_is_ranked_leads_to_its_board_and_offers_no_second_try(
    site: Site, caller: AsyncClient
):
    game = await begin(caller)
    await play_out(caller, game, "deal", "resign")
    page = (await caller.get(f"/games/{game}")).text
    assert f'href="/daily/of/{game}"' in page
    assert "New deal" not in page
    assert "Restart" not in page


async def test_the_archive_leads_to_days_that_are_over(site: Site, caller: AsyncClient):
    await caller.get("/daily")
    game = await begin(caller)
    await play_out(caller, game, *winning_line())
    await site.close_day()
    archive = (await caller.get("/daily/archive")).text
    assert 'href="/daily/2026-03-10"' in archive
    assert "you solved 1 of 8" in archive
    day = await caller.get("/daily/2026-03-10")
    assert "Its boards are final" in day.text
    board = (await caller.get(f"/daily/{DAY}/bristol")).text
    assert WINNABLE_SEED.hex() in board
    dealt = await caller.post(f"/daily/{DAY}/bristol/practice")
    assert dealt.status_code == 303


@pytest.mark.parametrize(
    "path",
    [
        "/daily/2026-03-11",
        "/daily/2026-03-11/bristol",
        "/daily/nonsense",
        "/daily/archive?month=2026-04",
        "/daily/archive?month=0000-01",
        "/daily/archive?month=x",
        "/daily/of/nothing",
        "/daily/2026-03-10/nothing",
    ],
)
async def test_pages_that_are_not_there_say_so(site: Site, caller: AsyncClient, path: str):
    assert (await caller.get(path)).status_code == 404


async def test_a_late_attempt_is_offered_until_two_in_the_morning(site: Site, caller: AsyncClient):
    game = await begin(caller)
    site.clock.now = at("23:59:59") + 2 * HOUR
    page = (await caller.get("/daily")).text
    assert "From yesterday" in page
    assert f'href="/games/{game}"' in page
    site.clock.turn(2000)
    assert "From yesterday" not in (await caller.get("/daily")).text


async def test_a_deal_that_is_being_prepared_is_an_answer_to_programs_and_to_people(sqlite_url):
    settings = Settings(database_url=sqlite_url, unproven_deals=False)
    async with running_site(settings) as app, visiting(app) as client:
        today = (await client.get(API)).json()
        assert today["deals"] == []
        assert today["preparing"] == [rules.id for rules in RULESETS]
        answers = [
            await client.post(f"{API}/today/bristol/attempt"),
            await client.get(f"{API}/today/bristol"),
            await client.get(f"{API}/today/bristol/board"),
        ]
        for answer in answers:
            assert (answer.status_code, answer.json()["code"]) == (425, "not_ready")
            assert int(answer.headers["retry-after"]) > 0
            assert "Bristol is being prepared" in answer.json()["detail"]
        page = (await client.get("/daily")).text
        assert page.count("being prepared") == len(RULESETS)
        assert 'http-equiv="refresh"' in page
        assert "/daily/bristol/play" not in page
        assert (await client.get("/")).text.count("being prepared") == len(RULESETS)
        refused = await client.post("/daily/bristol/play")
        assert refused.status_code == 425
        assert "Ready in a moment" in refused.text

        await put(app.state.services.database, sealed_deal(BRISTOL, WINNABLE_SEED))
        await daily_work(app)
        page = (await client.get("/daily")).text
        assert page.count("being prepared") == len(RULESETS) - 1
        assert page.count("proven winnable</p>") == 1
        assert (await client.post("/daily/bristol/play")).status_code == 303


async def test_how_hard_a_deal_is_is_told_to_those_who_have_finished_it(
    site: Site, caller: AsyncClient
):
    deal = sealed_deal(BRISTOL, WINNABLE_SEED, wins=1)
    await put(site.app.state.services.database, deal)
    game = await begin(caller)
    pages = [f"/games/{game}", "/daily", "/daily/2026-03-10/bristol", "/", TODAY]
    for page in pages:
        answer = (await caller.get(page)).text
        assert "ifficulty" not in answer
        assert "hard" not in answer.replace("how hard the deal is", "")
    await play_out(caller, game, "resign")
    assert "Difficulty: hard" in (await caller.get(f"/daily/{DAY.isoformat()}/bristol")).text
    async with visiting(site.app) as other:
        assert "Difficulty" not in (await other.get("/daily/2026-03-10/bristol")).text
