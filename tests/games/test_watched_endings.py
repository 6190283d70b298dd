"""The end of a game as those are told it who did not play it: who won, and never "you"."""

from __future__ import annotations

import html
import re

import pytest
from fastapi import FastAPI
from httpx import AsyncClient

from app.engine.shuffle import parse_code
from app.games.model import Kind
from app.games.outcome_summary import Spectated
from app.games.replay import replay
from app.games.watched_endings import watched_ending
from tests.games.playing import post, start_game, win
from tests.games.test_time_played import dealt, log_of
from tests.golden.records import RECORDS
from tests.support.known import CODE, HTMX
from tests.support.serving import visiting

pytestmark = pytest.mark.anyio

OWN_OFFERS = ("You won!", "Challenge a friend", "Next deal", "Review this game", ">More<")


@pytest.fixture
async def friend(site: FastAPI):
    """Another guest, who has played a game of their own."""
    async with visiting(site) as client:
        await start_game(client)
        yield client


async def name_of(client: AsyncClient) -> str:
    name: str = (await client.get("/api/v1/me")).json()["name"]
    return name


async def ending(client: AsyncClient, path: str) -> str:
    """The end card on the page at a path, as text with its tags."""
    page = html.unescape((await client.get(path, headers=HTMX)).text)
    found = re.search(r'<section class="ending.*?</section>', page, re.DOTALL)
    assert found, page
    return found[0]


async def test_a_win_is_told_with_the_name_of_its_player(
    site: FastAPI, visitor: AsyncClient, friend: AsyncClient
):
    address = await win(visitor)
    name = await name_of(visitor)
    state = (await visitor.get(f"/api/v1{address}")).json()
    async with visiting(site) as anonymous:
        for client in (friend, anonymous):
            for path in (address, f"{address}/board?since=0"):
                told = await ending(client, path)
                assert f'<h2 id="ending">{name} won</h2>' in told
                assert re.search(r"\d+ moves, \d+:\d\d", told)
                assert not [offer for offer in OWN_OFFERS if offer in told]
            page = (await client.get(address)).text
            assert 'id="notice" class="notice" role="status" aria-atomic="false"></div>' in page
            assert (await client.get(f"/api/v1{address}")).json().keys() == state.keys()
            assert (await client.get(f"/api/v1{address}")).json()["status"] == "won"
    own = await ending(visitor, address)
    assert '<h2 id="ending">You won!</h2>' in own
    assert "Challenge a friend" in own


async def test_a_viewer_can_play_the_deal_and_see_the_replay(
    visitor: AsyncClient, friend: AsyncClient
):
    address = await win(visitor)
    told = await ending(friend, address)
    assert (await friend.get(f"{address}/replay")).status_code == 200
    assert f'href="{address}/replay">Watch the replay</a>' in told
    code = re.search(
        r'form="same" class="primary" name="code" value="([^"]+)">Play this deal', told
    )
    assert code
    page = (await friend.get(address)).text
    form = re.search(r'<form id="same" method="post" action="(/play)".*?</form>', page, re.DOTALL)
    assert form
    assert 'name="ruleset" value="bristol"' in form[0]
    dealt = await friend.post(form[1], data={"ruleset": "bristol", "code": code[1]})
    mine = (await friend.get(f"/api/v1{dealt.headers['location']}")).json()
    assert mine["code"] == (await friend.get(f"/api/v1{address}")).json()["code"]


async def test_other_ends_are_told_with_the_name_too(visitor: AsyncClient, friend: AsyncClient):
    name = await name_of(friend)
    resigned = await start_game(friend)
    await post(friend, f"{resigned}/resign", version=0)
    told = await ending(visitor, resigned)
    assert f'<h2 id="ending">{name} resigned</h2>' in told
    assert "0 of 52 cards home. 0 moves" in told
    lost = next(each for each in RECORDS if (each.ruleset, each.end) == ("bristol", "lost"))
    stuck = await start_game(friend, code=lost.code)
    for version, move in enumerate(lost.moves):
        await post(friend, f"{stuck}/move", version=version, move=move)
    told = await ending(visitor, stuck)
    assert f'<h2 id="ending">{name} has no moves left</h2>' in told
    assert f"{stuck}/undo" not in told, "only its player can take a move back"
    assert f"{stuck}/undo" in await ending(friend, stuck)


async def test_the_players_of_a_shared_table_have_won_together(
    site: FastAPI, visitor: AsyncClient, friend: AsyncClient
):
    won = next(each for each in RECORDS if (each.ruleset, each.end) == ("bristol", "won"))
    address = await start_game(visitor, code=won.code)
    shared = (await visitor.post(f"/api/v1{address}/together")).json()
    await friend.post(f"/api/v1{shared['invitation']}")
    for version, move in enumerate(won.moves):
        player = visitor if version % 2 else friend
        await post(player, f"{address}/move", version=version, move=move)
    for player in (visitor, friend):
        assert '<h2 id="ending">You won!</h2>' in await ending(player, address)
    names = sorted([await name_of(visitor), await name_of(friend)])
    async with visiting(site) as stranger:
        told = await ending(stranger, address)
    title = re.search(r'<h2 id="ending">(.*) won together</h2>', told)
    assert title
    assert sorted(title[1].split(" and ")) == names


def test_a_won_game_of_a_race_is_not_called_a_won_race():
    won = next(each for each in RECORDS if (each.ruleset, each.end) == ("bristol", "won"))
    code = parse_code(won.code or "")
    log = log_of(*((move, 1000) for move in won.moves))
    for kind, title in (
        (Kind.RACE, "Anna got all cards home"),
        (Kind.CHALLENGE, "Anna won"),
    ):
        ending = watched_ending(replay(dealt(kind, code), log), Spectated(("Anna",), True))
        assert ending
        assert ending.title == title


async def test_a_game_that_goes_on_has_no_end_for_viewers(
    visitor: AsyncClient, friend: AsyncClient
):
    page = (await friend.get(await start_game(visitor, code=CODE))).text
    assert 'class="ending' not in page
    assert "You are watching, so you can't move." in html.unescape(page)
