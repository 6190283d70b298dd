"""Games that the site played itself, to be watched before any player shows one."""

from __future__ import annotations

import re
from functools import partial

import pytest
from fastapi import FastAPI
from httpx import AsyncClient
from sqlalchemy import Connection, func, select

from app.db.engine import Database
from app.db.schema import games, players
from app.deals.first_deals import first_deals
from app.deals.starters import starter_deals
from app.engine.actions import parse_action
from app.engine.shuffle import deck_of_code
from app.games.model import Status
from app.games.site_games import FILE, find_site_game, played
from app.rulesets import HOUSE_RULESETS, RULESETS, WELL_KNOWN_RULESETS, find_ruleset
from tools.site_games import home_first, left_lying, won_game

LINES = FILE.read_text(encoding="ascii").splitlines()
SITE_GAMES = [found for rules in RULESETS if (found := find_site_game(rules.id))]


def test_every_line_is_a_won_game_by_the_rules_of_today():
    assert len(SITE_GAMES) == len(LINES)
    for site_game in SITE_GAMES:
        assert played(site_game).status is Status.WON, site_game.rules.id
    assert {rules.id for rules in WELL_KNOWN_RULESETS} <= {each.rules.id for each in SITE_GAMES}


def test_none_shows_how_to_win_a_deal_that_players_are_given():
    for site_game in SITE_GAMES:
        given = {**first_deals(site_game.rules), **starter_deals(site_game.rules)}
        assert site_game.code not in given, site_game.rules.id


def test_those_that_are_shown_are_short_and_leave_no_card_lying_that_could_go_home():
    for rules, most in zip(
        (*WELL_KNOWN_RULESETS, HOUSE_RULESETS[0]), (125, 100, 145, 80), strict=True
    ):
        shown = find_site_game(rules.id)
        assert shown
        deck = deck_of_code(shown.code, rules.decks)
        actions = [parse_action(rules.layout, action) for action in shown.actions]
        assert left_lying(rules, deck, actions) == 0, rules.id
        assert len(actions) <= most, rules.id


def test_a_card_that_no_other_needs_goes_home_at_once():
    klondike = find_ruleset("klondike")
    assert klondike
    shown = find_site_game("klondike")
    assert shown
    deck = deck_of_code(shown.code, klondike.decks)
    ace = "t7-f1"
    assert shown.actions[0] == ace
    late = [parse_action(klondike.layout, action) for action in (*shown.actions[1:3], ace)]
    late += [parse_action(klondike.layout, action) for action in shown.actions[3:]]
    assert left_lying(klondike, deck, late) > 0
    better = home_first(klondike, deck, late)
    assert [str(action) for action in better] == list(shown.actions)


def test_the_same_game_is_played_again():
    bristol = find_ruleset("bristol")
    assert bristol
    assert won_game(bristol, tries=20, budget=4_000) in LINES


@pytest.mark.anyio
async def test_a_visitor_watches_it_as_a_replay_and_nothing_is_stored(
    site: FastAPI, visitor: AsyncClient
):
    page = (await visitor.get("/watch")).raise_for_status().text
    row = page[page.index("Games the site played") :]
    assert len(re.findall(r'<a href="/watch/[a-z-]+">', row)) == 4, "no hole at its end"
    replay = (await visitor.get("/watch/klondike")).raise_for_status()
    assert "The site won in" in replay.text
    assert "set-cookie" not in replay.headers
    last = int(re.search(r'max="(\d+)"', replay.text)[1])  # type: ignore[index]
    end = (await visitor.get(f"/watch/klondike?at={last}", headers={"HX-Request": "true"})).text
    assert f'data-at="{last}"' in end
    assert len(re.findall(r"cards\.svg#K[CDHS]", end)) >= 4
    assert 'href="/games/' not in replay.text
    database: Database = site.state.services.database
    for count in (select(func.count()).select_from(table) for table in (games, players)):
        assert await database.read(partial(Connection.scalar, statement=count)) == 0


@pytest.mark.anyio
async def test_its_deal_can_be_played_at_once(visitor: AsyncClient):
    replay = (await visitor.get("/watch/klondike")).text
    assert find_site_game("klondike")
    form = replay[replay.index('action="/play"') :].partition("</form>")[0]
    fields = dict(re.findall(r'name="(\w+)"\s+value="([^"]+)"', form))
    answer = await visitor.post("/play", data=fields)
    assert answer.headers["location"].startswith("/games/")
    game = (await visitor.get("/api/v1" + answer.headers["location"])).json()
    assert game["code"] == fields["code"]


@pytest.mark.anyio
@pytest.mark.parametrize("path", ["/watch/rouge-et-noir", "/watch/no-such-game"])
async def test_where_the_site_played_no_game_the_page_says_so(visitor: AsyncClient, path: str):
    answer = await visitor.get(path)
    assert answer.status_code == 404
    assert "We can&#39;t find that game. Check the link." in answer.text


@pytest.mark.anyio
async def test_the_rules_lead_to_it_where_there_is_one(visitor: AsyncClient):
    assert 'href="/watch/klondike"' in (await visitor.get("/rules/klondike")).text
    assert "/watch/" not in (await visitor.get("/rules/rouge-et-noir")).text
