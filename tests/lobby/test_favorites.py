"""The stars on the tiles: favorites of guests and of players with names."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

import pytest
from fastapi import FastAPI
from httpx import AsyncClient
from sqlalchemy import func, select

from app.db.schema import favorites, players
from app.settings import Settings
from tests.support.serving import expire_guests, running_site, visiting

pytestmark = pytest.mark.anyio

PASSWORD = "a long enough password"


@pytest.fixture
async def site(database_url: str) -> AsyncIterator[FastAPI]:
    """The whole site, on a database of either kind."""
    async with running_site(Settings(database_url=database_url)) as app:
        yield app


async def star(visitor: AsyncClient, **form: str) -> str:
    """Press a star; the address that the page goes on to."""
    answer = await visitor.post("/favorites", data={"back": "/games", **form})
    assert answer.status_code == 303
    return answer.headers["location"]


async def favorites_of(visitor: AsyncClient) -> list[str]:
    """The games of the section at the top of the games page."""
    page = (await visitor.get("/games")).text
    return re.findall(r'id="favorite-([a-z-]+)"\s+method', page)


async def test_a_guest_marks_games_which_come_first_until_the_mark_is_taken_away(
    visitor: AsyncClient,
):
    assert await favorites_of(visitor) == []
    assert "Your favorites" not in (await visitor.get("/games")).text
    assert await star(visitor, add="spider") == "/games#game-spider"
    await star(visitor, add="bristol")
    await star(visitor, add="spider")
    assert await favorites_of(visitor) == ["spider", "bristol"]
    page = (await visitor.get("/games")).text
    assert page.index("Your favorites") < page.index('id="game-spider"')
    assert page.count('/spider.svg"') == 2
    pressed = re.findall(r'name="remove"\s+value="([^"]+)"', page)
    assert pressed == ["spider", "bristol", "spider", "bristol"]
    await star(visitor, remove="spider")
    await star(visitor, remove="spider")
    assert await favorites_of(visitor) == ["bristol"]


async def test_a_search_shows_each_game_once(visitor: AsyncClient):
    await star(visitor, add="spider")
    page = (await visitor.get("/games?q=spider")).text
    assert "Your favorites" not in page
    assert page.count('id="game-spider"') == 1
    assert re.search(r'name="back"\s+value="/games\?q=spider"', page)


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({}, 422),
        ({"add": "spider", "remove": "bristol"}, 422),
        ({"add": "chess"}, 404),
        ({"remove": "x" * 61}, 422),
    ],
)
async def test_a_star_that_means_nothing_is_refused(visitor: AsyncClient, form, status):
    answer = await visitor.post("/favorites", data=form)
    assert answer.status_code in {status, 400 if status == 422 else status}
    assert await favorites_of(visitor) == []


async def test_a_page_from_before_the_address_was_renamed_still_works(visitor: AsyncClient):
    answer = await visitor.post("/favourites", data={"back": "/games", "add": "spider"})
    assert answer.status_code == 303
    assert await favorites_of(visitor) == ["spider"]


async def test_a_star_never_leads_to_another_site(visitor: AsyncClient):
    assert (await star(visitor, add="spider", back="//evil.example")) == "/#game-spider"


async def test_an_alias_marks_the_game_itself(visitor: AsyncClient):
    await star(visitor, add="wood")
    assert await favorites_of(visitor) == ["blondes-and-brunettes"]


async def test_who_signs_in_brings_the_favorites_of_the_guest(site: FastAPI, visitor: AsyncClient):
    await star(visitor, add="spider")
    await visitor.post("/join", data={"name": "Anna", "password": PASSWORD, "again": PASSWORD})
    async with visiting(site) as guest:
        await star(guest, add="yukon")
        await star(guest, add="spider")
        await guest.post("/login", data={"name": "Anna", "password": PASSWORD})
        assert await favorites_of(guest) == ["spider", "yukon"]
    assert await favorites_of(visitor) == ["spider", "yukon"]
    assert (await visitor.get("/me/export")).json()["favourites"] == ["spider", "yukon"]
    assert count(site) == 2


async def test_a_deleted_player_has_no_favorites(site: FastAPI, visitor: AsyncClient):
    await star(visitor, add="spider")
    assert (await visitor.request("DELETE", "/api/v1/me", json={})).status_code == 204
    assert count(site) == 0


async def test_a_guest_who_stays_away_is_deleted_with_the_favorites(
    site: FastAPI, visitor: AsyncClient
):
    await star(visitor, add="spider")
    await expire_guests(site)
    with site.state.services.database.engine.connect() as connection:
        assert connection.scalar(select(func.count()).select_from(players)) == 0
    assert count(site) == 0


def count(site: FastAPI) -> int:
    """How many favorites are stored."""
    with site.state.services.database.engine.connect() as connection:
        return connection.scalar(select(func.count()).select_from(favorites)) or 0
