"""Notices, without faults: every open page hears of a move at once, whichever process it asks.

Without this check a lost notice would go unnoticed, since every process also polls.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from random import Random
from typing import Final

from simulation.client import Client, Listener
from simulation.network import Network
from simulation.trace import Violation

_PAGES: Final = 4
_MOVES: Final = 4
_SOON: Final = 0.8  # seconds, of the five between two polls


async def check_doorbell(network: Network, chance: Random) -> None:
    """Play a game that some pages watch."""
    owner = Client(network, "doorbell", "192.0.2.98")
    answer = await owner.post("/api/v1/games", {"ruleset": "bristol"})
    if not answer.is_ok:
        raise Violation("the site works when nothing disturbs it", f"no game: {answer.status}")
    game_id = answer.json["id"]
    pages = [_open(network, game_id, number) for number in range(_PAGES)]
    await asyncio.sleep(6.0)  # until every page has heard of version 0
    for version in range(1, _MOVES + 1):
        body = {"version": version - 1, "move": "deal"}
        answer = await owner.post(f"/api/v1/games/{game_id}/moves", body)
        if answer.status != 200:
            raise Violation(
                "the site works when nothing disturbs it", f"{answer.status} for a move"
            )
        await asyncio.sleep(_SOON)
        _check_heard(pages, version)
        await asyncio.sleep(chance.random() * 5)
    for page in pages:
        page.close()


def _open(network: Network, game_id: str, number: int) -> Listener:
    client = Client(network, f"page-{number}", "192.0.2.98")
    path = f"/api/v1/games/{game_id}/stream"
    since = 0 if number % 2 else None
    return Listener(client, path, lambda _version: None, since=since)


def _check_heard(pages: Sequence[Listener], version: int) -> None:
    for page in pages:
        if page.last < version:
            raise Violation(
                "a page hears of a move at once",
                f"{page.client.who} knows version {page.last} {_SOON} s after version {version}",
            )
