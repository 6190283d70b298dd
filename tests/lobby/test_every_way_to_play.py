"""Three games that are little alike, in every way that a game can be played: races, shared tables, challenges, the API.

None of these knows a game. What could differ is told by the rule set: cells and nothing hidden (FreeCell), two decks
and whole runs home (Spider), a stock that is dealt three at a time and turned over (Klondike).
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from fastapi import FastAPI
from httpx import AsyncClient

from app.main import create_app
from app.races.limits import COUNTDOWN_MS
from app.settings import Settings
from tests.golden.records import RECORDS
from tests.support.races import Clock
from tests.support.serving import visiting

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.parametrize("ruleset", ["freecell", "spider", "klondike-draw-three"]),
]

API = "/api/v1"
_MOVES = 24


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def site(sqlite_url: str, clock: Clock) -> AsyncIterator[FastAPI]:
    app = create_app(Settings(database_url=sqlite_url, proof_seconds=0), clock)
    async with app.router.lifespan_context(app):
        yield app


async def play(player: AsyncClient, game: str, moves: list[str]) -> Any:
    """Play moves from the start; the state of the game after the last one."""
    for version, move in enumerate(moves):
        answer = await player.post(
            f"{API}/games/{game}/moves", json={"version": version, "move": move}
        )
        assert answer.status_code == 200, answer.text
    return answer.json()


def recorded(ruleset: str) -> tuple[str, list[str]]:
    """The code of a deal that was won, and the moves that won it."""
    found = next(one for one in RECORDS if one.name == f"{ruleset}-won")
    assert found.code
    return found.code, found.moves


async def test_the_api_and_a_challenge(site: FastAPI, visitor: AsyncClient, ruleset: str):
    code, moves = recorded(ruleset)
    new = await visitor.post(f"{API}/games", json={"ruleset": ruleset, "code": code})
    game = new.json()["id"]
    after = await play(visitor, game, moves[:_MOVES])
    assert after["version"] == _MOVES
    await visitor.post(f"{API}/games/{game}/resign", json={"version": _MOVES})
    for path in ("", "/replay", "/record.txt"):
        assert (await visitor.get(f"/games/{game}{path}")).status_code == 200
    made = await visitor.post(f"{API}/games/{game}/ghost")
    assert made.status_code == 201, made.text
    token = made.json()["token"]
    async with visiting(site) as friend:
        assert (await friend.get(f"/challenge/{token}")).status_code == 200
        attempt = (await friend.post(f"{API}/ghosts/{token}")).json()["id"]
        assert (await play(friend, attempt, moves[:_MOVES]))["piles"] == after["piles"]
        await friend.post(f"{API}/games/{attempt}/resign", json={"version": _MOVES})
        board = (await friend.get(f"{API}/ghosts/{token}")).json()["board"]
        assert [(one["home"], one["status"]) for one in board] == [
            (board[0]["home"], "resigned")
        ] * 2


async def test_a_shared_table(site: FastAPI, visitor: AsyncClient, ruleset: str):
    opened = await visitor.post("/together", data={"ruleset": ruleset})
    game = opened.headers["location"].removeprefix("/games/")
    invitation = (await visitor.get(f"{API}/games/{game}/together")).json()["invitation"]
    async with visiting(site) as friend:
        assert (await friend.get(invitation)).status_code == 200
        assert (await friend.post(f"{API}{invitation}")).status_code in {200, 201}
        state = (await visitor.get(f"{API}/games/{game}")).json()
        for turn in range(_MOVES):
            player = friend if turn % 2 else visitor
            body = {"version": turn, "move": state["legal_moves"][turn % len(state["legal_moves"])]}
            answer = await player.post(f"{API}/games/{game}/moves", json=body)
            assert answer.status_code == 200, answer.text
            state = (await player.get(f"{API}/games/{game}")).json()
            if not state["legal_moves"]:
                break
        for player in (visitor, friend):
            assert (await player.get(f"/games/{game}")).status_code == 200
        assert (await visitor.get(f"{API}/games/{game}")).json() == state


async def test_a_race(site: FastAPI, visitor: AsyncClient, clock: Clock, ruleset: str):
    form = await visitor.get("/race", params={"game": ruleset})
    assert f'value="{ruleset}" selected' in form.text
    async with visiting(site) as friend:
        wanted = {"ruleset": ruleset, "minutes": 5}
        opened = await visitor.post(f"{API}/races", json=wanted)
        assert opened.status_code == 201, opened.text
        code = opened.json()["code"]
        assert opened.json()["proven"] is False  # this site proves no deals
        joined = await friend.post(f"{API}/races/{code}/join")
        assert joined.status_code == 200, joined.text
        for racer in (visitor, friend):
            await racer.post(f"{API}/races/{code}/ready")
        started = await visitor.post(f"{API}/races/{code}/start")
        assert started.status_code == 200, started.text
        clock.advance(COUNTDOWN_MS)
        games = []
        for racer in (visitor, friend):
            game = (await racer.get(f"{API}/races/{code}/game")).json()
            games.append(game)
            await play(racer, game["id"], game["legal_moves"][:1])
            given_up = await racer.post(f"{API}/games/{game['id']}/resign", json={"version": 1})
            assert given_up.status_code == 200, given_up.text
        assert games[0]["piles"] == games[1]["piles"]
        clock.advance(1000)
        assert "dealt at random" in (await friend.get(f"/race/{code}")).text
        room = (await friend.get(f"{API}/races/{code}")).json()
        assert room["ruleset"] == ruleset
