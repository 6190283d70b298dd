"""Players and leagues over HTTP."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import Any

from httpx import AsyncClient

from tests.support.dailies import winning_moves
from tests.support.daily_site import Site, play_moves, start_attempt
from tests.support.known import PASSWORD
from tests.support.serving import visiting

API = "/api/v1/leagues"


async def player(stack: AsyncExitStack, site: Site, name: str = "") -> AsyncClient:
    """A visitor, who becomes a guest with the first change they ask for, or a player with a name."""
    client = await stack.enter_async_context(visiting(site.app))
    if name:
        body = {"name": name, "password": PASSWORD}
        answer = await client.post("/api/v1/me/claim", json=body)
        assert answer.status_code == 200, answer.text
    return client


async def found(client: AsyncClient, name: str = "Card club", games: object = None) -> str:
    """Found a league; its link."""
    body = {"name": name, "games": games or ["bristol", "signora"]}
    answer = await client.post(API, json=body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["link"])


async def join(link: str, *clients: AsyncClient) -> None:
    for client in clients:
        answer = await client.post(f"{API}/{link}/join")
        assert answer.status_code == 200, answer.text


async def read(client: AsyncClient, link: str, week: str = "") -> dict[str, Any]:
    answer = await client.get(f"{API}/{link}", params={"week": week})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def names(client: AsyncClient, link: str) -> list[str]:
    return [one["name"] for one in (await read(client, link))["members"]]


async def solve(site: Site, client: AsyncClient, seconds: int = 60, detours: int = 0) -> str:
    """Win today's Bristol after some useless actions; the game's id."""
    game = await start_attempt(client)
    site.clock.advance(seconds * 1000)
    moves = list(winning_moves())
    first = next(n for n, move in enumerate(moves) if move != "deal") + 1
    detour = ["undo", "redo"] * detours
    await play_moves(client, game, *moves[:first], *detour, *moves[first:])
    return game


async def give_up(client: AsyncClient, ruleset: str = "bristol") -> str:
    game = await start_attempt(client, ruleset)
    await play_moves(client, game, "resign")
    return game
