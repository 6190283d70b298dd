"""The page with all games that a player left unfinished."""

from __future__ import annotations

import re

import pytest
from fastapi import FastAPI
from httpx import AsyncClient

from app.settings import Settings
from tests.games.playing import post, start_game
from tests.support.plans import plans_of
from tests.support.serving import running_site, visiting

pytestmark = pytest.mark.anyio


async def leave(visitor: AsyncClient, ruleset: str = "klondike") -> str:
    game = await start_game(visitor, ruleset)
    await post(visitor, f"{game}/move", version=0, move="deal")
    return game


def listed(page: str) -> list[str]:
    return re.findall(r'href="(/games/[^"/]+)"', page.partition("<main")[2].partition("</main")[0])


async def test_the_page_lists_all_that_was_left_and_nothing_else(visitor: AsyncClient):
    left = [await leave(visitor) for _ in range(5)]
    ended, untouched = await leave(visitor), await start_game(visitor)
    await post(visitor, f"{ended}/resign", version=1)
    page = (await visitor.get("/me/unfinished")).text
    assert listed(page) == left[::-1]
    assert untouched not in page
    assert page.count("1 move") == 5
    assert page.count(">Continue<") == 5


async def test_its_pages_have_each_game_once(visitor: AsyncClient):
    left = [await leave(visitor) for _ in range(14)]
    first = (await visitor.get("/me/unfinished")).text
    assert listed(first) == left[:1:-1]
    (following,) = re.findall(r'href="(\?after=[^"]+)"', first)
    second = (await visitor.get(f"/me/unfinished{following}")).text
    assert listed(second) == left[1::-1]
    assert "?after=" not in second


@pytest.mark.parametrize("after", ["x", "1", "1.2.3", "-1.a", "'"])
async def test_a_place_that_no_link_leads_to_is_refused(visitor: AsyncClient, after: str):
    assert (await visitor.get("/me/unfinished", params={"after": after})).status_code == 422


async def test_home_leads_there_from_the_fourth_on_and_the_profile_always(visitor: AsyncClient):
    for _ in range(3):
        await leave(visitor)
    assert "/me/unfinished" not in (await visitor.get("/")).text
    await leave(visitor)
    home = (await visitor.get("/")).text
    assert "/me/unfinished" in home
    assert home.count('class="go"') == 3
    assert "/me/unfinished" in (await visitor.get("/me")).text


async def test_without_any_it_gives_a_next_step(visitor: AsyncClient):
    page = (await visitor.get("/me/unfinished")).text
    assert "Games that you leave wait here, with every move." in page
    assert re.findall(r'class="primary"\s+href="([^"]+)"', page) == ["/games"]


async def test_nobody_sees_the_games_of_others(site: FastAPI, visitor: AsyncClient):
    game = await leave(visitor)
    async with visiting(site) as other:
        await leave(other)
        page = (await other.get("/me/unfinished")).text
    assert len(listed(page)) == 1
    assert game not in page


@pytest.mark.parametrize("path", ["/", "/me/unfinished"])
async def test_games_are_read_together(sqlite_url: str, path: str):
    settings = Settings(database_url=sqlite_url)
    async with running_site(settings) as site, visiting(site) as visitor:
        left = [await leave(visitor) for _ in range(5)]
        cookies = visitor.cookies
    async with running_site(settings) as site, visiting(site) as visitor:
        visitor.cookies = cookies

        async def look() -> None:
            assert left[-1] in (await visitor.get(path)).text

        database = site.state.services.database
        assert len(await plans_of(database, look, "events")) == 1
        assert len(await plans_of(database, look, "pool_deals \nWHERE pool_deals.fingerprint")) == 1
