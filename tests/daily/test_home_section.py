"""Today's deals on the home page: the picture of one of them, and the viewer's week."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from httpx import AsyncClient

from app.daily.home_section import featured_deal
from app.daily.model import PlayerDeal, Today
from app.daily.preparing import new_deal
from app.daily.streaks import compute_streak
from app.engine.deal import opening
from app.engine.position import Pile, Position
from app.engine.shuffle import deck_of_seed
from app.games.mini_table import mini_table
from app.rulesets import RULESETS, find_ruleset
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


def test_each_day_another_game_is_featured_until_all_were():
    featured = set()
    for days in range(len(RULESETS)):
        day = DAY + timedelta(days)
        deals = [
            PlayerDeal(new_deal(rules, day, 0, WINNABLE_SEED), rules, None) for rules in RULESETS
        ]
        found = featured_deal(Today(day, deals, [], [], compute_streak(set(), day)))
        assert found
        featured.add(found.rules.id)
    assert featured == {rules.id for rules in RULESETS}


def _featured_ruleset(page: str) -> str:
    found = re.search(r'action="/daily/([a-z-]+)/play"', page)
    assert found
    return found[1]


async def test_the_day_is_one_press_away_and_the_picture_follows_the_game(client: AsyncClient):
    page = (await client.get("/")).text
    rules = find_ruleset(_featured_ruleset(page))
    assert rules
    assert f"Play today's {rules.title}" in page
    picture = page[page.index('class="cloth"') : page.index('class="start"')]
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
