"""The games page: its filters, and what its tiles say."""

import re

import pytest
from httpx import AsyncClient

from app.games.catalog import list_offers
from app.rulesets import RULESETS
from tests.games.helpers import post, start_game

pytestmark = pytest.mark.anyio


async def shown(visitor: AsyncClient, query: str = "") -> set[str]:
    page = (await visitor.get(f"/games{query}")).text
    return set(re.findall(r'name="ruleset"\s+value="([^"]+)"', page))


async def choices(visitor: AsyncClient, query: str = "") -> set[str]:
    page = (await visitor.get(f"/games{query}")).text
    filters = page.split('aria-label="Filters"', 1)[1].split("</nav>", 1)[0]
    return set(re.findall(r">([^<>]+)</a>", filters))


@pytest.mark.parametrize("name", ["decks", "length", "won"])
async def test_each_choice_of_a_filter_tells_some_games_from_others(visitor, name):
    values = {"decks": ("one", "two"), "length": ("short", "long"), "won": ("often", "rarely")}
    first, second = [await shown(visitor, f"?{name}={value}") for value in values[name]]
    assert first
    assert second
    assert not first & second


async def test_short_games_take_up_to_ten_minutes(visitor):
    short = {offer.id for offer in list_offers() if offer.minutes <= 10}
    assert await shown(visitor, "?length=short") == short
    assert await shown(visitor, "?length=long") == {rules.id for rules in RULESETS} - short


async def test_a_game_without_a_figure_is_neither_won_often_nor_rarely(visitor):
    unknown = {offer.id for offer in list_offers() if offer.win_rate is None}
    assert unknown
    for value in ("often", "rarely"):
        assert not unknown & await shown(visitor, f"?won={value}")


async def test_a_choice_that_would_change_nothing_is_not_offered(visitor):
    assert "Never tried" not in await choices(visitor)
    game = await start_game(visitor)
    await post(visitor, f"{game}/resign", version=0)
    assert "Never tried" in await choices(visitor)


async def test_a_choice_that_is_made_can_be_taken_back(visitor):
    assert "Never tried" in await choices(visitor, "?tried=never")


async def test_tiles_give_one_measure_of_how_often_a_game_is_won(visitor):
    page = (await visitor.get("/games")).text
    assert "% winnable" not in page
    known = [offer for offer in list_offers() if offer.win_rate is not None]
    assert len(re.findall(r"won \d+%", page)) == len(known)
