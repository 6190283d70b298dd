"""Today's deals on the home page: the picture of one of them, and the viewer's week."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date, timedelta
from itertools import chain, pairwise

import pytest
from httpx import AsyncClient

from app.daily.featured import FEATURED, featured_rulesets
from app.engine.deal import opening
from app.engine.position import Pile, Position
from app.engine.shuffle import deck_of_seed
from app.games.mini_table import mini_table
from app.rulesets import DAILY_RULESETS, RULESETS, find_ruleset
from tests.support.dailies import DAY, WINNABLE_SEED
from tests.support.daily_site import play_moves, start_attempt

pytestmark = pytest.mark.anyio


def _with_other_hidden_cards(position: Position) -> Position:
    piles = [
        Pile((*reversed(pile.cards[: pile.down]), *pile.face_up), pile.down)
        for pile in position.piles
    ]
    return position._replace(piles=tuple(piles))


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
def test_the_picture_of_a_deal_tells_nothing_of_hidden_cards(rules):
    position = opening(rules, deck_of_seed(WINNABLE_SEED, rules.decks))
    other = _with_other_hidden_cards(position)
    assert other != position or not any(pile.down > 1 for pile in position.piles)
    assert mini_table(rules, position).svg("") == mini_table(rules, other).svg("")


def test_over_eight_days_each_daily_game_is_featured_three_times_and_drawn_once():
    first = DAY.toordinal() // len(DAILY_RULESETS) * len(DAILY_RULESETS)
    days = [date.fromordinal(first + n) for n in range(len(DAILY_RULESETS))]
    featured = [featured_rulesets(day) for day in days]
    assert all(len(set(found)) == FEATURED == 3 for found in featured)
    assert Counter(chain(*featured)) == Counter(3 * DAILY_RULESETS)
    assert {found[0] for found in featured} == set(DAILY_RULESETS)
    for before, after in pairwise(featured):
        assert not set(before) & set(after)
    later = [featured_rulesets(day + timedelta(len(days))) for day in days]
    assert later != featured


def test_few_games_are_all_featured():
    assert set(featured_rulesets(DAY, DAILY_RULESETS[:2])) == set(DAILY_RULESETS[:2])


async def test_three_deals_are_featured_and_the_others_one_tap_away(client: AsyncClient):
    names = [rules.id for rules in featured_rulesets(DAY)]
    others = [rules.id for rules in DAILY_RULESETS if rules.id not in names]
    home = (await client.get("/")).text
    assert _featured_ruleset(home) == names[0]
    assert re.findall(rf'href="/daily/{DAY}/([a-z-]+)"', home) == names[1:]
    assert "<b>5 more deals</b>" in home
    today = (await client.get("/daily")).text
    assert re.findall(r'action="/daily/([a-z-]+)/play"', today) == [*names, *others]
    assert today.index("Featured today") < today.index("More deals")
    assert (await client.get("/api/v1/daily")).json()["featured"] == names
    game = await start_attempt(client, others[0])
    await client.post(f"/api/v1/games/{game}/resign", json={"version": 0})
    assert "other games" in (await client.get("/")).text


def _featured_ruleset(page: str) -> str:
    found = re.search(r'action="/daily/([a-z-]+)/play"', page)
    assert found
    return found[1]


async def test_the_day_is_one_press_away_and_the_picture_follows_the_game(client: AsyncClient):
    page = (await client.get("/")).text
    rules = find_ruleset(_featured_ruleset(page))
    assert rules
    assert f"Play today's {rules.title}" in page
    assert rules.tagline in page
    picture = page[page.index('class="cloth"') : page.index('class="about"')]
    game = await start_attempt(client, rules.id)
    state = (await client.get(f"/api/v1/games/{game}")).json()
    await play_moves(client, game, state["legal_moves"][0])
    page = (await client.get("/")).text
    assert f"Continue {rules.title}" in page
    assert f'href="/games/{game}"' in page
    assert picture not in page


async def test_the_time_left_is_told(client: AsyncClient):
    assert "12 h 0 min left</time>" in (await client.get("/")).text


async def test_an_ended_attempt_is_a_dot_of_the_week_and_leads_to_the_board(client: AsyncClient):
    page = (await client.get("/")).text
    assert 'class="unsolved"' not in page
    game = await start_attempt(client, _featured_ruleset(page))
    await client.post(f"/api/v1/games/{game}/resign", json={"version": 0})
    page = (await client.get("/")).text
    assert 'class="unsolved"' in page
    assert "See the leaderboard" in page
