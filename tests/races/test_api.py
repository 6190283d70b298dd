"""Races over HTTP: the JSON API, and the pages without JavaScript."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from fastapi import FastAPI
from httpx import AsyncClient

from app.identity.model import ClientInfo
from app.races import room as room_module
from app.races.limits import COUNTDOWN_MS, FAIR_START_MS
from tests.races.conftest import RaceApp
from tests.support.archives import TakenMonth
from tests.support.known import PASSWORD
from tests.support.races import Clock, winning_moves
from tests.support.serving import visiting

pytestmark = pytest.mark.anyio

SCRIPT = Path(__file__).parents[2] / "static" / "verify_daily.py"
HERE = ClientInfo("192.0.2.1", "Firefox on Linux")


@dataclass
class Site:
    """A site with a clock to turn, and three visitors."""

    app: FastAPI
    clock: Clock
    anna: AsyncClient
    ben: AsyncClient
    cleo: AsyncClient

    async def room(self, *racers: AsyncClient, **options: Any) -> str:
        """A room in which everybody is ready."""
        host, *guests = racers
        wanted = {"ruleset": "bristol", "minutes": 10, **options}
        code: str = (await host.post("/api/v1/races", json=wanted)).json()["code"]
        for guest in guests:
            assert (await guest.post(f"/api/v1/races/{code}/join")).status_code == 200
        for racer in racers:
            assert (await racer.post(f"/api/v1/races/{code}/ready")).status_code == 200
        return code

    async def race(self, *racers: AsyncClient) -> str:
        """A race just begun."""
        code = await self.room(*racers)
        assert (await racers[0].post(f"/api/v1/races/{code}/start")).status_code == 200
        self.clock.advance(COUNTDOWN_MS)
        return code

    async def see(self, code: str, viewer: AsyncClient) -> Any:
        """The room as a viewer may know it, after a second."""
        self.clock.advance(1000)
        return (await viewer.get(f"/api/v1/races/{code}")).json()


@pytest.fixture
async def site(race_app: RaceApp) -> AsyncIterator[Site]:
    app, clock = race_app
    async with (
        visiting(app) as anna,
        visiting(app) as ben,
        visiting(app) as cleo,
    ):
        yield Site(app, clock, anna, ben, cleo)


def verifier() -> ModuleType:
    rules = importlib.util.spec_from_file_location("verify_daily", SCRIPT)
    assert rules
    assert rules.loader
    module = importlib.util.module_from_spec(rules)
    rules.loader.exec_module(module)
    return module


async def win(site: Site, code: str, player: AsyncClient) -> None:
    table = (await player.get(f"/api/v1/races/{code}/game")).json()
    for version, move in enumerate(winning_moves()):
        body = {"version": version, "move": move}
        answer = await player.post(f"/api/v1/games/{table['id']}/moves", json=body)
        assert answer.status_code == 200, answer.text
    assert answer.json()["status"] == "won"


async def test_race_from_opening_a_room_to_verifying_its_record(site: Site):
    opened = await site.anna.post(
        "/api/v1/races", json={"ruleset": "bristol", "minutes": 5, "name": "Anna"}
    )
    assert opened.status_code == 201
    code = opened.json()["code"]
    assert opened.headers["location"] == f"/api/v1/races/{code}"
    promise = opened.json()["commitment"]
    await site.ben.post(f"/api/v1/races/{code}/join", json={"name": "Ben"})
    for player in (site.anna, site.ben):
        await player.post(f"/api/v1/races/{code}/ready", json={"ready": True})
    started = (await site.anna.post(f"/api/v1/races/{code}/start")).json()
    assert started["state"] == "countdown"
    assert started["start_at_ms"] == site.clock.now + COUNTDOWN_MS
    early = await site.anna.get(f"/api/v1/races/{code}/game")
    assert (early.status_code, early.json()["code"]) == (425, "not_started")
    assert (await site.anna.get(f"/race/{code}/play")).status_code == 425
    site.clock.advance(COUNTDOWN_MS)
    await win(site, code, site.anna)
    during = await site.see(code, site.ben)
    assert during["state"] == "racing"
    assert [seat["state"] for seat in during["seats"]] == ["finished", "playing"]
    assert (during["seed"], during["deck"]) == (None, None)
    assert [bool(seat["game"]) for seat in during["seats"]] == [False, True]
    assert (await site.ben.get(f"/api/v1/races/{code}/record.json")).status_code == 409
    await site.ben.post(f"/api/v1/races/{code}/give-up")
    after = await site.see(code, site.cleo)
    assert after["state"] == "ended"
    assert [(seat["rank"], seat["player"]) for seat in after["seats"]] == [(1, "Anna"), (2, "Ben")]
    answer = await site.cleo.get(f"/api/v1/races/{code}/record.json")
    record, known = answer.json(), {"If-None-Match": answer.headers["etag"]}
    again = await site.cleo.get(f"/api/v1/races/{code}/record.json", headers=known)
    assert (again.status_code, again.content) == (304, b"")
    assert record["seed"] == after["seed"]
    assert record["deck"] == after["deck"]
    assert verifier().check(record, promise) == []
    replay = await site.cleo.get(f"/api/v1/games/{after['seats'][0]['game']}")
    assert replay.status_code == 200


async def test_the_part_of_a_page_with_the_replays_leads_to_the_page_when_opened_by_itself(
    site: Site,
):
    code = await site.race(site.anna, site.ben)
    await win(site, code, site.anna)
    await site.ben.post(f"/api/v1/races/{code}/give-up")
    part = await site.cleo.get(f"/race/{code}/replays?at=3")
    assert part.text.startswith('<div id="replays"')
    opened = await site.cleo.get(
        f"/race/{code}/replays?at=3", headers={"sec-fetch-mode": "navigate"}
    )
    assert opened.headers["location"] == f"/race/{code}?at=3#replays-title"


async def test_a_race_of_an_archived_month_shows_its_results_alone(site: Site):
    code = await site.race(site.anna, site.ben)
    await win(site, code, site.anna)
    await site.ben.post(f"/api/v1/races/{code}/give-up")
    ended = await site.see(code, site.cleo)
    month = TakenMonth(site.app.state.services.database, site.clock.now)
    await month.take_out()
    page = await site.cleo.get(f"/race/{code}")
    assert (page.status_code, "How it went" in page.text) == (200, False)
    for path in (f"/race/{code}/replays", f"/api/v1/races/{code}/record.json"):
        answer = await site.cleo.get(path)
        assert (answer.status_code, "archive" in answer.text) == (404, True)
    await month.put_back()
    assert "How it went" in (await site.cleo.get(f"/race/{code}")).text
    assert (await site.see(code, site.cleo))["seats"] == ended["seats"]


async def test_the_verify_script_finds_tampering(site: Site):
    code = await site.race(site.anna, site.ben)
    await win(site, code, site.anna)
    await site.ben.post(f"/api/v1/races/{code}/give-up")
    site.clock.advance(1000)
    record = (await site.cleo.get(f"/api/v1/races/{code}/record.json")).json()
    check = verifier().check
    assert check(record) == []
    assert check({**record, "seed": "00" * 32})
    assert check({**record, "deck": record["deck"][::-1]})
    assert check({**record, "code": "ABCDEF"})
    assert check(record, "0" * 64)
    first, second = record["runs"]
    for false in ({"actions": 1}, {"elapsed_ms": 1}, {"cards_home": 3}):
        assert check({**record, "runs": [{**first, **false}, second]}), false


async def test_errors_have_their_codes(site: Site):
    code = await site.room(site.anna, site.ben)
    at = f"/api/v1/races/{code}"

    async def refused(client: AsyncClient, path: str, body: Any = None) -> tuple[int, str]:
        answer = await client.post(f"{at}{path}", json=body)
        return answer.status_code, answer.json()["code"]

    assert await refused(site.ben, "/start") == (403, "not_host")
    assert await refused(site.cleo, "/ready") == (403, "not_in_race")
    options = {"ruleset": "signora", "minutes": 5}
    assert await refused(site.anna, "/options", options) == (409, "room_frozen")
    await site.ben.post(f"{at}/ready", json={"ready": False})
    assert await refused(site.anna, "/start") == (409, "too_few_ready")
    assert await refused(site.anna, "/rematch") == (409, "not_ended")
    await site.cleo.post(f"{at}/join")
    await site.anna.post(f"{at}/remove", json={"seat": 3})
    assert await refused(site.cleo, "/join") == (403, "removed")
    assert await refused(site.ben, "/join", {"name": "<b>"}) == (422, "malformed")
    await site.ben.post(f"{at}/ready")
    await site.anna.post(f"{at}/start")
    site.clock.advance(COUNTDOWN_MS)
    assert await refused(site.cleo, "/remove", {"seat": 1}) == (403, "not_in_race")
    assert await refused(site.ben, "/door", {"open": False}) == (403, "not_host")
    unknown = await site.anna.post("/api/v1/races", json={"ruleset": "chess"})
    assert (unknown.status_code, unknown.json()["code"]) == (404, "not_found")


async def test_refusals_of_what_would_be_too_much_have_stable_codes(
    site: Site, monkeypatch: pytest.MonkeyPatch
):
    listed = {"ruleset": "bristol", "minutes": 5, "listed": True}
    hosts = (site.anna, site.ben, site.cleo)
    codes = [(await host.post("/api/v1/races", json=listed)).json()["code"] for host in hosts]
    # Cleo waits in a race of her own already.
    assert (await site.cleo.post(f"/api/v1/races/{codes[0]}/join")).status_code == 200
    refused = await site.cleo.post(f"/api/v1/races/{codes[1]}/join")
    assert (refused.status_code, refused.json()["code"]) == (409, "waiting_elsewhere")
    assert refused.json()["races"] == sorted([codes[0], codes[2]])
    page = await site.cleo.post(f"/race/{codes[1]}/join")
    assert page.status_code == 409
    for code in (codes[0], codes[2]):
        link = rf'<a class="secondary"\s+href="/race/{code}">Bristol race {code}</a>'
        assert re.search(link, page.text)
    monkeypatch.setattr(room_module, "MAX_LOBBY_EVENTS", 3)
    refused = await site.cleo.post(f"/api/v1/races/{codes[0]}/ready", json={"ready": False})
    assert (refused.status_code, refused.json()["code"]) == (409, "too_many_changes")
    assert "This race has changed too often" in (await site.ben.get(f"/race/{codes[0]}")).text
    site.clock.advance(FAIR_START_MS)
    assert (await site.anna.post(f"/api/v1/races/{codes[0]}/start")).status_code == 200


async def test_guessing_room_codes_is_rate_limited(site: Site):
    code = await site.room(site.anna)
    for number in range(20):
        guess = await site.cleo.get(f"/api/v1/races/AAAA{number:02}")
        assert guess.status_code == 404
    for path in ("/api/v1/races/AAAA99", f"/api/v1/races/{code}", f"/race/{code}"):
        refused = await site.cleo.get(path)
        assert refused.status_code == 429
        assert int(refused.headers["retry-after"]) > 0


async def test_rivals_cannot_reach_a_board_at_any_url(site: Site):
    code = await site.race(site.anna, site.ben)
    game = (await site.anna.get(f"/api/v1/races/{code}/game")).json()["id"]
    paths = (
        *(f"/games/{game}", f"/games/{game}/board", f"/games/{game}/replay"),
        *(f"/games/{game}/record.txt", f"/api/v1/games/{game}", f"/api/v1/games/{game}/events"),
        *(f"/api/v1/games/{game}/stream", f"/api/v1/games/{game}/hint"),
        *(f"/race/{code}/replays", f"/api/v1/races/{code}/record.json"),
    )
    for path in paths:
        for stranger in (site.ben, site.cleo):
            answer = await stranger.get(path)
            assert answer.status_code in {403, 404, 409}, (path, answer.status_code)
    for audience in ("link", "public"):
        chosen = await site.anna.put(f"/api/v1/games/{game}/audience", json={"audience": audience})
        assert (chosen.status_code, chosen.json()["code"]) == (409, "conflict")
    assert (await site.cleo.get("/api/v1/watch")).json()["tables"] == []
    body = {"version": 0, "move": "deal"}
    moved = await site.ben.post(f"/api/v1/games/{game}/moves", json=body)
    assert (moved.status_code, moved.json()["code"]) == (403, "not_your_game")


async def test_a_race_game_cannot_be_watched_whatever_its_audience(site: Site):
    code = await site.race(site.anna, site.ben)
    game = (await site.anna.get(f"/api/v1/races/{code}/game")).json()["id"]
    chosen = await site.anna.put(f"/api/v1/games/{game}/audience", json={"audience": "public"})
    assert chosen.status_code == 409
    await site.anna.post(f"/games/{game}/watch/audience", data={"audience": "public"})
    body = {"version": 0, "move": "deal"}
    await site.anna.post(f"/api/v1/games/{game}/moves", json=body)
    assert game not in (await site.cleo.get("/watch")).text
    for stranger in (site.ben, site.cleo):
        assert (await stranger.get(f"/games/{game}")).status_code == 403
        assert (await stranger.get(f"/api/v1/games/{game}/stream")).status_code == 403
    for racer in (site.anna, site.ben):
        await racer.post(f"/api/v1/races/{code}/give-up")
    assert (await site.cleo.get(f"/games/{game}/replay")).status_code == 200


async def test_there_are_no_hints_in_a_race(site: Site):
    code = await site.race(site.anna, site.ben)
    game = (await site.anna.get(f"/api/v1/races/{code}/game")).json()["id"]
    assert (await site.anna.get(f"/api/v1/games/{game}/hint")).status_code in {403, 409}
    page = (await site.anna.get(f"/games/{game}")).text
    assert "/help/hint" not in page
    restart = await site.anna.post(f"/api/v1/games/{game}/restart", json={"version": 0})
    assert restart.status_code != 200


async def test_winning_move_with_idempotency_key_wins_once(site: Site):
    code = await site.race(site.anna, site.ben)
    game = (await site.anna.get(f"/api/v1/races/{code}/game")).json()["id"]
    for version, move in enumerate(winning_moves()):
        body = {"version": version, "move": move}
        headers = {"Idempotency-Key": f"move {version}"}
        for _ in range(2):
            path = f"/api/v1/games/{game}/moves"
            answer = await site.anna.post(path, json=body, headers=headers)
            assert answer.status_code == 200
    seat = (await site.see(code, site.ben))["seats"][0]
    assert (seat["ending"], seat["actions"]) == ("won", len(winning_moves()))


async def test_guest_who_signs_in_during_a_race_plays_on(site: Site):
    accounts = site.app.state.services.accounts
    await accounts.create_account(None, "Dora", PASSWORD, HERE)
    code = await site.race(site.anna, site.ben)
    game = (await site.anna.get(f"/api/v1/races/{code}/game")).json()["id"]
    await site.anna.post(f"/api/v1/games/{game}/moves", json={"version": 0, "move": "deal"})
    entered = await site.anna.post(
        "/login", data={"name": "Dora", "password": PASSWORD, "bring": "true"}
    )
    assert entered.status_code == 303, entered.text
    seen = await site.see(code, site.anna)
    assert seen["game"] == game
    assert [seat["player"] for seat in seen["seats"] if seat["you"]] == ["Dora"]
    undone = await site.anna.post(
        f"/api/v1/games/{game}/moves", json={"version": 1, "move": "deal"}
    )
    assert undone.status_code == 200


async def test_deleted_account_leaves_the_lobby(site: Site):
    code = await site.room(site.anna, site.ben)
    me = (await site.anna.get("/api/v1/me")).json()
    player = await site.app.state.services.sessions.find(site.anna.cookies["fd_session"])
    await site.app.state.services.account_changes.delete(player.player, PASSWORD, HERE)
    seen = await site.see(code, site.ben)
    assert me["name"] not in str(seen)
    assert [(seat["you"], seat["host"]) for seat in seen["seats"]] == [(True, True)]


async def test_void_race_does_not_count(site: Site):
    await site.app.state.services.accounts.create_account(None, "Dora", PASSWORD, HERE)
    await site.ben.post("/login", data={"name": "Dora", "password": PASSWORD})
    code = await site.race(site.anna, site.ben)
    await win(site, code, site.anna)
    game = (await site.see(code, site.ben))["game"]
    await site.ben.post(f"/api/v1/games/{game}/moves", json={"version": 0, "move": "deal"})
    await site.ben.post(f"/api/v1/races/{code}/give-up")
    profile = "/api/v1/players/Dora"
    before = (await site.cleo.get(profile)).json()
    await site.app.state.services.races.void(code, "a card was there twice")
    seen = await site.see(code, site.cleo)
    assert seen["void"] == "a card was there twice"
    assert [seat["rank"] for seat in seen["seats"]] == [None, None]
    assert "a card was there twice" in (await site.cleo.get(f"/race/{code}")).text
    assert (await site.cleo.get(profile)).json() != before


async def test_a_race_that_nobody_played_has_no_ranks(site: Site):
    code = await site.race(site.anna, site.ben)
    for player in (site.anna, site.ben):
        await player.post(f"/api/v1/races/{code}/give-up")
    seen = await site.see(code, site.anna)
    assert [seat["rank"] for seat in seen["seats"]] == [None, None]


async def test_a_whole_race_without_javascript(site: Site):
    opened = await site.anna.post(
        "/race", data={"ruleset": "bristol", "minutes": "5", "name": "Robin"}
    )
    assert opened.status_code == 303
    room = opened.headers["location"]
    page = (await site.ben.get(room)).text
    assert "Robin" in page
    assert "Join the race" in page
    assert (await site.ben.post(f"{room}/join", data={"name": "O'Neill"})).status_code == 303
    for player in (site.anna, site.ben):
        await player.post(f"{room}/ready", data={"is_ready": "true"})
    site.clock.advance(1000)
    page = (await site.anna.get(room)).text
    assert "O&#39;Neill" in page
    assert f'href="{room}"' in (await site.ben.get("/")).text
    assert f'href="{room}"' not in (await site.cleo.get("/")).text
    assert "disabled>Start" not in page
    await site.anna.post(f"{room}/start")
    assert re.search(
        r'http-equiv="refresh"\s+content="5; url=/race/\w+/play"', (await site.ben.get(room)).text
    )
    site.clock.advance(COUNTDOWN_MS)
    tables = []
    for player in (site.anna, site.ben):
        table = (await player.get(f"{room}/play")).headers["location"]
        assert "See the race" in (await player.get(table)).text
        tables.append(table)
    assert tables[0] != tables[1]
    assert (await site.anna.get(f"/race/of/{tables[0].removeprefix('/games/')}")).headers[
        "location"
    ] == room
    for player, table in zip((site.anna, site.ben), tables, strict=True):
        for version, move in enumerate(winning_moves()[:20]):
            await player.post(f"/api/v1{table}/moves", json={"version": version, "move": move})
        await player.post(f"{room}/give-up")
    site.clock.advance(1000)
    page = (await site.cleo.get(room)).text
    assert re.search(r"Robin and O&#39;Neill tied with \d+ cards home each\.", page)
    assert f'href="{room}"' not in (await site.ben.get("/")).text
    assert '<svg class="plot"' in page
    assert page.count('class="mini-table"') == 2
    again = {
        (await one.post(f"{room}/rematch")).headers["location"] for one in (site.anna, site.ben)
    }
    assert len(again) == 1


async def test_spectators_see_no_game_ids(site: Site):
    code = await site.race(site.anna, site.ben)
    seen = await site.see(code, site.cleo)
    assert [seat["game"] for seat in seen["seats"]] == [None, None]
    assert seen["seat"] is None
    for path in (f"/race/{code}", f"/race/{code}/room"):
        page = (await site.cleo.get(path)).text
        assert "/games/" not in page
    assert (await site.cleo.get(f"/race/{code}/play")).status_code == 403


async def test_older_window_says_that_a_newer_one_is_open(site: Site):
    code = await site.race(site.anna, site.ben)
    table = (await site.anna.get(f"/race/{code}/play")).headers["location"]
    tabs = []
    for _ in range(2):
        found = re.search(r'data-tab="([^"]+)"', (await site.anna.get(table)).text)
        assert found
        tabs.append(found[1])
        site.clock.advance(1000)
    heartbeat = f"/race/{code}/here"
    for tab in tabs:
        assert "data-elsewhere" not in (await site.anna.post(heartbeat, data={"tab": tab})).text
    assert "Play here" in (await site.anna.post(heartbeat, data={"tab": tabs[0]})).text
    # Ben's window is not affected.
    assert "data-elsewhere" not in (await site.ben.post(heartbeat, data={"tab": tabs[0]})).text


async def test_the_api_describes_itself(site: Site):
    paths = (await site.anna.get("/api/v1/openapi.json")).json()["paths"]
    for path in ("", "/{code}", *(f"/{{code}}/{word}" for word in ("join", "ready", "start"))):
        assert f"/api/v1/races{path}" in paths
    for word in ("game", "give-up", "rematch", "leave", "remove", "record.json"):
        assert f"/api/v1/races/{{code}}/{word}" in paths
