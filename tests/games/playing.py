"""Playing over HTTP the way a page does: start a game, post a form, read the answer."""

from __future__ import annotations

import re

from httpx import AsyncClient

from tests.golden.records import RECORDS
from tests.support.known import CODE, HTMX


async def start_game(
    visitor: AsyncClient, ruleset: str = "bristol", code: str | None = CODE
) -> str:
    """Start a game; its address."""
    answer = await visitor.post("/play", data={"ruleset": ruleset, "code": code or ""})
    assert answer.status_code == 303
    return answer.headers["location"]


def read(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    assert found, pattern
    return found[1]


async def moves(visitor: AsyncClient, game: str) -> list[str]:
    page = await visitor.get(game)
    return read(r'data-moves="([^"]*)"', page.text).split()


async def win(visitor: AsyncClient) -> str:
    """Win a game of Bristol; its address."""
    won = next(each for each in RECORDS if (each.ruleset, each.end) == ("bristol", "won"))
    address = await start_game(visitor, code=won.code)
    for version, move in enumerate(won.moves):
        await post(visitor, f"{address}/move", version=version, move=move)
    return address


async def post(visitor: AsyncClient, address: str, **form):
    return await visitor.post(address, data=form, headers=HTMX)
