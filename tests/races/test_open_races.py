"""Open races in the pages and in the JSON API: how strangers meet."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
from fastapi import FastAPI
from httpx import AsyncClient

from app.races.decisions import TOO_SOON
from app.races.limits import COUNTDOWN_MS, FAIR_START_MS, LISTED_MS
from tests.games.playing import start_game
from tests.races.conftest import RaceApp
from tests.support.known import HTMX
from tests.support.races import WINNABLE_SEED, Clock
from tests.support.serving import visiting

pytestmark = pytest.mark.anyio

LISTED = {"ruleset": "bristol", "minutes": "5", "is_listed": "true"}


@dataclass
class Site:
    """A site with two visitors who don't know each other."""

    app: FastAPI
    clock: Clock
    robin: AsyncClient
    marian: AsyncClient

    async def page(self, visitor: AsyncClient, path: str = "/together") -> str:
        """A page as a visitor sees it a second later, with spaces as single ones."""
        self.clock.advance(1000)
        return " ".join((await visitor.get(path)).text.split())


@pytest.fixture
async def site(race_app: RaceApp) -> AsyncIterator[Site]:
    app, clock = race_app
    async with (
        visiting(app) as robin,
        visiting(app) as marian,
    ):
        yield Site(app, clock, robin, marian)


@pytest.mark.parametrize(
    ("ruleset", "title"), [("freecell", "FreeCell"), ("blondes-and-brunettes", "Klondike")]
)
async def test_the_race_to_start_is_at_the_last_game_if_most_people_know_it(
    site: Site, ruleset: str, title: str
):
    await start_game(site.marian, ruleset=ruleset)
    assert f"Start an open {title} race<" in await site.page(site.marian)


async def test_strangers_meet_without_a_link(site: Site):
    nobody = await site.page(site.marian)
    assert "No open races now." in nobody
    assert "Start an open Klondike race" in nobody
    assert nobody.count('class="primary"') == 1, (
        "with nobody there, a race with friends comes first"
    )
    assert '<a class="primary" href="/race">' in nobody
    assert "open race" not in await site.page(site.marian, "/")

    # Strangers are rare enough for a game that everyone knows.
    for ruleset, title in (("bristol", "Klondike"), ("freecell", "FreeCell")):
        await site.marian.post("/play", data={"ruleset": ruleset, "code": "7KQ4M-2XWTP"})
        assert f"Start an open {title} race" in await site.page(site.marian)

    room = (await site.robin.post("/race", data=LISTED)).headers["location"]
    assert "Listed under" in await site.page(site.robin, room)
    found = await site.page(site.marian)
    assert "1 of 10 players" in found
    assert f'action="{room}/join"' in found
    assert '<a href="#open-races">1 open race: join it</a>' in found  # in sight, above all ways
    assert '<a href="/together#open-races">1 open race: join it</a>' in await site.page(
        site.marian, "/"
    )
    own = await site.page(site.robin)
    assert f'<a class="secondary" href="{room}">Go to your race</a>' in own
    assert "open race: join" not in await site.page(site.robin, "/")

    joined = await site.marian.post(f"{room}/join")
    assert joined.headers["location"] == room
    assert "Go to your race" in await site.page(site.marian)
    assert "2 of 10 players" in await site.page(site.robin)
    # Both see each other for a moment before the race can start.
    button = re.compile(r"<button ([^>]+)>Start the race</button>")
    early = await site.page(site.robin, room)
    assert "disabled" in button.findall(early)[0]
    assert f"{TOO_SOON}" in early
    refused = await site.robin.post(f"/api/v1/races{room.removeprefix('/race')}/start")
    assert (refused.status_code, refused.json()["code"]) == (409, "too_soon")
    site.clock.advance(FAIR_START_MS)
    ready = await site.page(site.robin, room)
    assert button.findall(ready) == ['class="primary start"']
    assert TOO_SOON not in ready
    await site.robin.post(f"{room}/start")
    site.clock.advance(COUNTDOWN_MS)
    assert (await site.marian.get(f"{room}/play")).status_code == 303
    assert "No open races now." in await site.page(site.marian)


async def test_one_press_starts_an_open_race(site: Site):
    page = await site.page(site.marian)
    form = re.search(r'<form method="post" action="/race">.*?</form>', page)
    assert form
    fields = dict(re.findall(r'name="(\w+)" value="(\w+)"', form[0]))
    assert fields == {"ruleset": "klondike", "minutes": "10", "is_listed": "true"}
    room = (await site.marian.post("/race", data=fields)).headers["location"]
    assert f'action="{room}/join"' in await site.page(site.robin)


async def test_the_form_asks_who_can_join(site: Site):
    page = await site.page(site.robin, "/race")
    assert '<input type="radio" name="is_listed" value="false" checked>' in page
    page = await site.page(site.robin, "/race?listed=true")
    assert '<input type="radio" name="is_listed" value="true" checked>' in page


async def test_the_host_changes_the_listing_before_the_start(site: Site):
    room = (await site.robin.post("/race", data={"ruleset": "bristol"})).headers["location"]
    assert "List it for everyone" in await site.page(site.robin, room)
    await site.robin.post(f"{room}/listing", data={"is_listed": "true"})
    page = await site.page(site.robin, room)
    assert '<a href="/together">open races</a> for 30 min more' in page
    assert "Keep this page open." in page
    assert room in await site.page(site.marian)
    await site.robin.post(f"{room}/listing", data={"is_listed": "false"})
    assert room not in await site.page(site.marian)
    await site.marian.post(f"{room}/join")
    refused = await site.marian.post(f"{room}/listing", data={"is_listed": "true"})
    assert refused.status_code == 403


async def test_the_list_alone_is_for_a_page_with_a_script(site: Site):
    room = (await site.robin.post("/race", data=LISTED)).headers["location"]
    site.clock.advance(1000)
    part = await site.marian.get("/race/open", headers=HTMX)
    assert part.text.lstrip().startswith("<section")
    assert room in part.text
    whole = await site.page(site.marian, "/race/open")
    assert "<title>Open races" in whole
    assert room in whole


async def test_who_comes_too_late_is_told_so_in_the_room(site: Site):
    room = (await site.robin.post("/race", data=LISTED)).headers["location"]
    await site.robin.post(f"{room}/door", data={"is_locked": "true"})
    late = await site.marian.post(f"{room}/join")
    assert late.headers["location"] == room
    assert "The host has locked the race." in await site.page(site.marian, room)


async def test_a_player_whom_the_host_removed_does_not_see_the_race(site: Site):
    room = (await site.robin.post("/race", data=LISTED)).headers["location"]
    await site.marian.post(f"{room}/join")
    await site.robin.post(f"{room}/remove", data={"seat": "2"})
    assert room not in await site.page(site.marian)
    assert "open race: join" not in await site.page(site.marian, "/")


async def test_a_name_that_a_guest_made_up_is_not_shown_to_everyone(site: Site):
    await site.robin.post("/race", data={**LISTED, "name": "Buy Cheap Watches"})
    page = await site.page(site.marian)
    assert "1 of 10 players" in page
    assert "Buy Cheap Watches" not in page


async def test_nothing_of_the_deal_is_known(site: Site):
    new = {"ruleset": "bristol", "minutes": 5, "listed": True}
    room = (await site.robin.post("/api/v1/races", json=new)).json()
    site.clock.advance(1000)
    answer = await site.marian.get("/api/v1/races")
    [race] = answer.json()["races"]
    assert answer.json()["next"] is None
    assert race.pop("host")
    assert race == {
        "code": room["code"],
        "ruleset": "bristol",
        "title": "Bristol",
        "minutes": 5,
        "named": False,
        "players": 1,
        "places": 10,
        "listed_at_ms": room["now_ms"],
    }
    pages = answer.text + await site.page(site.marian) + await site.page(site.marian, "/race/open")
    assert WINNABLE_SEED.hex() not in pages
    assert room["commitment"] not in pages


async def test_a_program_lists_its_race(site: Site):
    room = (await site.robin.post("/api/v1/races", json={"ruleset": "bristol"})).json()
    assert room["listed"] is False
    path = f"/api/v1/races/{room['code']}"
    assert (await site.robin.post(f"{path}/listing", json={"listed": True})).json()["listed"]
    site.clock.advance(LISTED_MS)
    await site.robin.get(f"/race/{room['code']}")  # the room is not abandoned
    assert (await site.robin.get("/api/v1/races")).json()["races"] == []
    assert (await site.robin.get("/api/v1/races", params={"after": "x"})).status_code == 422
