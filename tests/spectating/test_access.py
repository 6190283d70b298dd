"""Who may watch, in every channel; and what they are shown."""

from __future__ import annotations

import asyncio
import json
import re

import pytest
from fastapi import FastAPI
from httpx import AsyncClient

from app.games.topics import game_topic
from app.settings import Settings
from tests.support.known import HTMX
from tests.support.patience import PATIENCE
from tests.support.serving import started, visiting
from tests.support.streams import Stream, first_poll, listening

pytestmark = pytest.mark.anyio


@pytest.fixture
async def game(visitor: AsyncClient) -> str:
    answer = await visitor.post("/api/v1/games", json={"ruleset": "bristol", "code": "7KQ4M-2XWTP"})
    game: str = answer.json()["id"]
    return game


@pytest.fixture
async def friend(site: FastAPI):
    async with visiting(site) as client:
        yield client


def channels(game: str) -> list[str]:
    api = f"/api/v1/games/{game}"
    return [f"/games/{game}", f"/games/{game}/board", api, f"{api}?since=-1", f"{api}/events"]


async def choose(client: AsyncClient, game: str, audience: str) -> int:
    answer = await client.put(f"/api/v1/games/{game}/audience", json={"audience": audience})
    return answer.status_code


async def deal(client: AsyncClient, game: str, version: int) -> None:
    move = {"version": version, "move": "deal"}
    (await client.post(f"/api/v1/games/{game}/moves", json=move)).raise_for_status()


def changes(stream: Stream) -> list[dict[str, object]]:
    return [json.loads(text) for text in re.findall(r"event: change\ndata: (.*)\n", stream.text)]


async def test_anyone_with_the_link_may_watch_unless_the_player_turns_it_off(
    visitor: AsyncClient, friend: AsyncClient, game: str
):
    for path in channels(game):
        assert (await friend.get(path)).status_code == 200
    assert await choose(visitor, game, "nobody") == 200
    for path in channels(game):
        assert (await friend.get(path)).status_code == 403, path
        assert (await visitor.get(path)).status_code == 200, path
    assert await choose(visitor, game, "link") == 200
    for path in channels(game):
        assert (await friend.get(path)).status_code == 200


async def test_turning_watching_off_ends_open_streams_and_refuses_new_ones(
    site: FastAPI, visitor: AsyncClient, game: str
):
    cookie = f"fd_session={visitor.cookies['fd_session']}"
    async with (
        listening(site, game, cookie=cookie) as (own, playing),
        listening(site, game) as (other, watching),
    ):
        await own.until('"version": 0')
        await other.until('"version": 0')
        await choose(visitor, game, "nobody")
        async with asyncio.timeout(PATIENCE):
            await watching
        async with listening(site, game) as (late, _):
            await late.until("not_your_game")
        await deal(visitor, game, 0)
        await own.until('"version": 1')
        assert not playing.done()


async def test_only_the_owner_chooses_who_may_watch(friend: AsyncClient, game: str):
    assert await choose(friend, game, "nobody") == 403
    form = await friend.post(f"/games/{game}/watch/audience", data={"audience": "nobody"})
    assert form.status_code == 403
    assert (await friend.get(f"/games/{game}")).status_code == 200


async def test_no_one_watches_a_daily_game_whatever_is_chosen(
    visitor: AsyncClient, friend: AsyncClient
):
    begun = await visitor.post("/daily/bristol/play")
    game = begun.headers["location"].removeprefix("/games/")
    assert await choose(visitor, game, "public") == 409
    for path in channels(game):
        assert (await friend.get(path)).status_code == 403
    page = (await visitor.get(f"/games/{game}")).text
    assert "No one can watch this game until its results are final" in page
    assert f'action="/games/{game}/watch/audience"' not in page


async def test_a_shared_table_can_be_private(visitor: AsyncClient, friend: AsyncClient, game: str):
    await visitor.post(f"/games/{game}/together/share")
    paths = [*channels(game), f"/games/{game}/together/people"]
    for path in paths:
        assert (await friend.get(path)).status_code == 200
    assert await choose(visitor, game, "nobody") == 200
    for path in [*paths, f"/games/{game}/together/stream"]:
        assert (await friend.get(path)).status_code == 403, path
    for path in paths:
        assert (await visitor.get(path)).status_code == 200, path


async def test_the_menu_says_what_is_chosen_and_works_as_a_form(visitor: AsyncClient, game: str):
    def pressed(page: str) -> list[str]:
        return re.findall(r'value="(\w+)"\s+aria-pressed="true"', page)

    page = (await visitor.get(f"/games/{game}")).text
    assert pressed(page) == ["link"]
    answer = await visitor.post(f"/games/{game}/watch/audience", data={"audience": "public"})
    # The fragment opens the menu again.
    assert (answer.status_code, answer.headers["location"]) == (303, f"/games/{game}#audience")
    page = (await visitor.get(f"/games/{game}")).text
    assert pressed(page) == ["public"]
    assert "This game is listed under live games." in page


async def test_a_choice_is_answered_with_its_meaning_a_badge_and_the_link(
    visitor: AsyncClient, friend: AsyncClient, game: str
):
    def badge(page: str) -> str:
        found = re.search(r'class="watchable"(?: title="[^"]*")?( hidden)?>(.*?)<', page)
        assert found
        assert bool(found[1]) == (not found[2])
        return found[2]

    address = f"/games/{game}"
    assert not badge((await visitor.get(address)).text)
    for audience, said in (("link", "Anyone with the link can watch"), ("nobody", "")):
        answer = await visitor.post(
            f"{address}/watch/audience", data={"audience": audience}, headers=HTMX
        )
        assert answer.status_code == 200
        assert f'data-badge="{said}"' in answer.text
        link = 'value="http://fairdeal.test' + address + '"'
        assert (link in answer.text) == (audience == "link")
        assert badge((await visitor.get(address)).text) == said
    await choose(visitor, game, "public")
    assert "watchable" not in (await friend.get(address)).text


async def test_only_the_owner_has_the_choice_in_the_menu(friend: AsyncClient, game: str):
    assert "Who can watch" not in (await friend.get(f"/games/{game}")).text


async def test_an_audience_that_there_is_not_is_malformed(visitor: AsyncClient, game: str):
    assert await choose(visitor, game, "everybody") == 422


async def test_those_who_follow_are_shown_each_move_as_the_player_sees_it(
    site: FastAPI, visitor: AsyncClient, friend: AsyncClient, game: str
):
    async with (
        listening(site, game, query="since=0") as (one, _),
        listening(site, game, query="since=0") as (two, _),
    ):
        for stream in (one, two):
            await stream.until("retry")  # it listens
        await first_poll(site, game)
        await deal(visitor, game, 0)
        await one.until("event: change")
        await two.until("event: change")
        assert changes(one) == changes(two)
        (change,) = changes(one)
        assert (change["from"], change["version"]) == (0, 1)
        assert "id: 1\ndata:" in one.text
        board = (await friend.get(f"/games/{game}/board?since=0", headers=HTMX)).text
        html = str(change["html"])
        for pile in re.findall(r'<div id="(\w+)" class="pile', html):
            pattern = rf'<div id="{pile}".*?</div>'
            shown = re.findall(pattern, html, re.DOTALL)
            assert shown == re.findall(pattern, board, re.DOTALL)
        assert 'id="stock"' in html
        assert len(html) < len(board)


async def test_the_player_and_plain_listeners_hear_the_version_and_nothing_else(
    site: FastAPI, visitor: AsyncClient, game: str
):
    cookie = f"fd_session={visitor.cookies['fd_session']}"
    async with listening(site, game, query="since=0") as (following, _):
        await following.until("retry")  # it listens
        await first_poll(site, game)
        async with (
            listening(site, game) as (plain, _),
            listening(site, game, query="since=0", cookie=cookie) as (own, _),
            listening(site, game, query="since=0", accept_language="de") as (german, _),
        ):
            for stream in (plain, own, german):
                await stream.until("retry")
            await deal(visitor, game, 0)
            for stream in (plain, own, german, following):
                await stream.until('"version": 1')
            await following.until("event: change")
            # The words of a change are English.
            assert changes(plain) == changes(own) == changes(german) == []


async def test_moves_that_came_together_lead_from_the_last_version_shown(
    site: FastAPI, visitor: AsyncClient, game: str
):
    async with listening(site, game, query="since=0") as (stream, _):
        await stream.until("retry")
        await first_poll(site, game)
        for version in range(4):
            await deal(visitor, game, version)
        await stream.until('"version": 4, "html"')
        known = 0
        for change in changes(stream):
            assert change["from"] == known
            known = int(str(change["version"]))
        assert known == 4


async def test_the_first_move_that_a_process_hears_of_is_shown_too(
    visitor: AsyncClient, game: str, sqlite_url: str
):
    for version in range(3):
        await deal(visitor, game, version)
    async with (
        started(Settings(database_url=sqlite_url)) as other,
        listening(other, game, query="since=3") as (stream, _),
    ):
        await stream.until("retry")
        await first_poll(other, game)
        assert "data:" not in stream.text
        await deal(visitor, game, 3)
        other.state.services.pubsub.publish(game_topic(game), 4)
        await stream.until("event: change")
        (change,) = changes(stream)
        assert (change["from"], change["version"]) == (3, 4)


async def test_the_page_of_a_viewer_asks_for_what_follows_and_the_players_does_not(
    visitor: AsyncClient, friend: AsyncClient, game: str
):
    watched = (await friend.get(f"/games/{game}")).text
    assert f'data-stream="/api/v1/games/{game}/stream?since=0"' in watched
    assert (
        f'data-stream="/api/v1/games/{game}/stream"' in (await visitor.get(f"/games/{game}")).text
    )


async def test_a_page_shows_the_number_of_viewers(site: FastAPI, visitor: AsyncClient, game: str):
    hidden = '<p id="viewers" class="viewers" hidden><span>0</span> watching '
    assert hidden in (await visitor.get(f"/games/{game}")).text
    async with listening(site, game) as (stream, _):
        await stream.until('"version": 0')
        assert "<span>1</span> watching" in (await visitor.get(f"/games/{game}")).text


async def test_the_menu_of_who_watches_says_whose_game_a_new_deal_is(
    friend: AsyncClient, game: str
):
    page = " ".join((await friend.get(f"/games/{game}")).text.split())
    menu = page[page.index('id="menu-game"') :]
    for row in ("yourself </button>", "Stop watching</a>", "Rules of "):
        assert row in menu
    assert "New deal" not in menu
    assert "Random deal" not in menu
