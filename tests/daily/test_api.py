"""The JSON API of the daily deal, and cookies, names and merges around it."""

from __future__ import annotations

import asyncio
import re

import pytest
from httpx import AsyncClient

from app.rulesets import DAILY_RULESETS
from tests.support.archives import TakenMonth
from tests.support.dailies import DAY, HOUR, WINNABLE_SEED, winning_moves
from tests.support.daily_site import API, Site, open_site, play_moves, start_attempt
from tests.support.serving import daily_work, visiting

pytestmark = pytest.mark.anyio

TODAY = f"{API}/{DAY.isoformat()}/bristol"


async def test_today_lists_every_game_without_secrets(site: Site, client: AsyncClient):
    today = (await client.get(API)).json()
    assert [deal["ruleset"] for deal in today["deals"]] == [rules.id for rules in DAILY_RULESETS]
    assert (today["day"], today["now"]) == ("2026-03-10", "2026-03-10T12:00:00Z")
    assert today["closes"] == "2026-03-11T00:00:00Z"
    for deal in today["deals"]:
        assert re.fullmatch("[0-9a-f]{64}", deal["commitment"])
        assert (deal["seed"], deal["deck"], deal["record"]) == (None, None, None)
    assert WINNABLE_SEED.hex() not in str(today)


async def test_an_attempt_is_started_once(site: Site, client: AsyncClient):
    first = await client.post(f"{TODAY}/attempt")
    site.clock.advance(5 * HOUR)
    again = await client.post(f"{API}/today/bristol/attempt")
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
async def test_refusals_are_problem_documents(
    client: AsyncClient, method: str, path: str, status: int, code: str
):
    answer = await client.request(method, path)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.headers["content-type"] == "application/problem+json"


async def test_only_players_who_finished_see_the_results_of_an_open_deal(
    site: Site, client: AsyncClient
):
    game = await start_attempt(client)
    claimed = await client.post(
        "/api/v1/me/claim", json={"name": "Wilma", "password": "correct horse battery"}
    )
    assert claimed.status_code in {200, 201}, claimed.text
    site.clock.advance(95_500)
    await play_moves(client, game, *winning_moves())
    deal = (await client.get(TODAY)).json()
    assert deal["attempt"]["verdict"] == "solved"
    assert deal["attempt"]["seconds"] == 95
    assert deal["standing"] == {"rank": 1, "ranked": 0, "better_than_percent": None}
    [row] = (await client.get(f"{TODAY}/board")).json()["rows"]
    assert (row["rank"], row["player"], row["actions"]) == (1, "Wilma", len(winning_moves()))
    async with visiting(site.app) as other:
        await start_attempt(other)
        for path in (API, TODAY, f"{TODAY}/board", f"/daily/{DAY}/bristol", "/daily", "/"):
            assert "Wilma" not in (await other.get(path)).text
        for path in ("", "/events", "/stream"):
            assert (await other.get(f"/api/v1/games/{game}{path}")).status_code == 403
        for path in ("", "/board"):
            assert (await other.get(f"/games/{game}{path}")).status_code == 403
        profile = await other.get("/api/v1/players/Wilma")
        assert game not in profile.text
        assert (await other.get("/players/Wilma")).text.count("Bristol") <= 1


async def test_an_attempt_that_is_decided_can_be_finished_each_card_an_action(
    site: Site, client: AsyncClient
):
    game = await start_attempt(client)
    moves = winning_moves()
    for done, move in enumerate(moves):
        if (await client.get(f"/api/v1/games/{game}")).json()["can_finish"]:
            break
        refused = await client.post(f"/api/v1/games/{game}/finish", json={"version": done})
        assert (refused.status_code, refused.json()["code"]) == (403, "no_help")
        played = await client.post(
            f"/api/v1/games/{game}/moves", json={"version": done, "move": move}
        )
        assert played.status_code == 200
    assert 10 < done < len(moves) - 5
    page = (await client.get(f"/games/{game}")).text
    assert "can-finish" in page
    assert f"/games/{game}/help/finish" in page
    hint = await client.post(f"/games/{game}/help/hint", data={"version": done})
    assert hint.status_code == 403
    finished = await client.post(f"/api/v1/games/{game}/finish", json={"version": done})
    assert finished.json()["status"] == "won"
    attempt = (await client.get(TODAY)).json()["attempt"]
    assert (attempt["verdict"], attempt["actions"]) == ("solved", finished.json()["version"])


async def test_a_guest_who_claims_a_name_is_listed(site: Site, client: AsyncClient):
    game = await start_attempt(client)
    await play_moves(client, game, *winning_moves())
    assert (await client.get(f"{TODAY}/board")).json()["rows"] == []
    assert (await client.get(TODAY)).json()["standing"]["rank"] == 1
    claim = {"name": "Gustav", "password": "correct horse battery"}
    await client.post("/api/v1/me/claim", json=claim)
    [row] = (await client.get(f"{TODAY}/board")).json()["rows"]
    assert (row["player"], row["game"]) == ("Gustav", game)


async def test_a_name_claimed_after_closing_does_not_change_final_results(
    site: Site, client: AsyncClient
):
    game = await start_attempt(client)
    await play_moves(client, game, *winning_moves())
    await site.close_day()
    before = await client.get(f"/daily/{DAY.isoformat()}/bristol")
    claim = {"name": "Gustav", "password": "correct horse battery"}
    await client.post("/api/v1/me/claim", json=claim)
    assert (await client.get(f"{TODAY}/board")).json()["rows"] == []
    [run] = (await client.get(f"{TODAY}/record.json")).json()["runs"]
    assert (run["verdict"], run["listed"]) == ("solved", False)
    assert "because you started as a guest" in before.text
    assert "Create an account" not in before.text


async def test_signing_in_allows_no_second_attempt(site: Site, client: AsyncClient):
    account = {"name": "Nora", "password": "correct horse battery"}
    async with visiting(site.app) as elsewhere:
        await elsewhere.post("/api/v1/players")
        token = (await elsewhere.post("/api/v1/players")).json()["token"]
        bearer = {"Authorization": f"Bearer {token}"}
        made = await elsewhere.post("/api/v1/me/claim", json=account, headers=bearer)
        assert made.status_code in {200, 201}, made.text
    page = await client.post("/daily/bristol/play")  # as a guest
    game = page.headers["location"].removeprefix("/games/")
    await play_moves(client, game, "deal")
    entered = await client.post("/login", data={**account, "bring": "1"})
    assert entered.status_code == 303, entered.text
    assert (await client.get("/api/v1/me")).json()["name"] == "Nora"
    again = await client.post("/daily/bristol/play")
    if again.status_code == 303:
        assert again.headers["location"] == f"/games/{game}"
    else:
        assert again.status_code == 409
    state = (await client.get(f"/api/v1/games/{game}")).json()
    assert state.get("version", 1) == 1


async def test_a_new_guest_in_the_same_browser_cannot_start_again(site: Site, client: AsyncClient):
    await client.post("/daily/bristol/play")
    await client.post("/me/sign-out", data={"sure": "yes"})
    client.cookies.delete("fd_session")
    again = await client.post("/daily/bristol/play")
    assert again.status_code == 409
    assert "started this deal in this browser" in again.text


async def test_concurrent_requests_start_one_game(database_url: str):
    async with open_site(database_url) as site, visiting(site.app) as client:
        await client.post("/api/v1/players")
        await client.get("/api/v1/me")
        await client.post("/daily/signora/play")  # a guest with a cookie
        answers = await asyncio.gather(*(client.post("/daily/bristol/play") for _ in range(8)))
        assert {answer.status_code for answer in answers} == {303}
        assert len({answer.headers["location"] for answer in answers}) == 1


async def test_a_closed_day_publishes_everything(site: Site, client: AsyncClient):
    game = await start_attempt(client)
    await play_moves(client, game, *winning_moves())
    before = (await client.get(TODAY)).json()
    await site.close_day()
    after = (await client.get(TODAY)).json()
    assert before["commitment"] == after["commitment"]
    assert after["seed"] == WINNABLE_SEED.hex()
    assert len(after["deck"]) == 52
    record = (await client.get(f"{TODAY}/record.json")).json()
    [run] = record["runs"]
    assert [action for _, action in run["moves"]] == list(winning_moves())
    assert (await client.get(f"/api/v1/games/{game}")).status_code == 200
    practice = await client.post(f"{TODAY}/practice")
    assert (practice.status_code, practice.json()["can_undo"]) == (201, False)
    async with visiting(site.app) as other:
        assert (await other.get(f"{TODAY}/board")).json()["final"] is True


async def test_a_record_whose_moves_are_in_the_archive_is_not_told_without_them(
    site: Site, client: AsyncClient
):
    await play_moves(client, await start_attempt(client), "deal")
    await site.close_day()
    await TakenMonth(site.app.state.services.database, site.clock()).take_out()
    answer = await client.get(f"{TODAY}/record.json")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert "in the site's archive" in answer.json()["detail"]


async def test_commitments_are_published_a_week_ahead_without_their_seeds(
    site: Site, client: AsyncClient
):
    await daily_work(site.app)
    promises = (await client.get(f"{API}/promises")).json()
    assert len(promises) == 8 * len(DAILY_RULESETS)
    assert {promise["day"] for promise in promises} >= {"2026-03-10", "2026-03-17"}
    assert all("seed" not in promise for promise in promises)
    page = (await client.get("/daily/check")).text
    assert all(promise["commitment"] in page for promise in promises)
    # The site is new: today's deals but one were made at noon, those of the other days in time.
    assert page.count("after the day began") == len(DAILY_RULESETS) - 1
    assert "after the day began: the site was new, or had been down" in page
    assert "after the day began" not in (await client.get("/daily/2026-03-10/signora")).text


async def test_the_days_page_and_a_deal_say_when_new_deals_and_results_come(
    site: Site, client: AsyncClient
):
    await daily_work(site.app)
    for path in ("/daily", "/daily/2026-03-10/signora"):
        page = " ".join(re.sub("<[^>]*>", "", (await client.get(path)).text).split())
        assert re.search(
            r"New deals in \d+ h \d+ min\. "
            r"Results: 11 March 2026, 02:01 UTC, when the last games have ended\.",
            page,
        )


async def test_how_hard_an_open_deal_is_comes_with_the_final_results(
    site: Site, client: AsyncClient
):
    await daily_work(site.app)
    page = (await client.get("/daily/2026-03-10/bristol")).text
    assert "Difficulty: shown with the final results" in page
    assert re.search(r"Careful players win \d+% of random deals, without undo\.", page), (
        "which is of the game"
    )


async def test_the_openapi_document_has_every_path(client: AsyncClient):
    paths = (await client.get("/api/v1/openapi.json")).json()["paths"]
    place = f"{API}/{{day}}/{{ruleset}}"
    ends = ("", "/attempt", "/practice", "/board", "/unsolved", "/removed", "/record.json")
    wanted = {API, f"{API}/promises", f"{API}/days", f"{API}/{{day}}"}
    assert wanted | {place + end for end in ends} <= set(paths)
