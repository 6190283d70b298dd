"""Rate limits, without faults: a client that asks too much is refused, and answered again after the announced time."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from random import Random
from typing import Final

from simulation.client import Client
from simulation.network import Answer, Network
from simulation.process import MOST_GAMES
from simulation.trace import Violation

_MOST: Final = 40
_QUOTAS: Final = 0.3
_ADDRESS: Final = "192.0.2.95"
_KINDS: Final[tuple[tuple[str, str, object], ...]] = (
    ("GET", "/api/v1/races/7KQ4M2", None),
    ("POST", "/api/v1/games", {"ruleset": "bristol"}),
    ("POST", "/api/v1/players", None),
)


async def check_limits(network: Network, chance: Random) -> None:
    """Ask one process for one thing until it refuses, and come back."""
    process = chance.choice([one.number for one in network.processes if one.is_ready])
    method, path, body = chance.choice(_KINDS)
    client = Client(network, "too fast", _ADDRESS)

    async def ask() -> Answer:
        return await network.request(
            client.who, _ADDRESS, method, path, body, client.headers(), process=process
        )

    for _ in range(_MOST):
        answer = await ask()
        if answer.status == HTTPStatus.TOO_MANY_REQUESTS:
            break
    else:
        raise Violation("a limit holds", f"{method} {path} was never refused")
    await asyncio.sleep(answer.retry_after)
    if (await ask()).status == HTTPStatus.TOO_MANY_REQUESTS:
        raise Violation("a limit ends", f"{method} {path} after {answer.retry_after} seconds")


async def check_quota(network: Network, chance: Random) -> None:
    """In some seeds a guest deals games until there are as many as guests can keep, at any process."""
    if chance.random() > _QUOTAS:
        return
    client = Client(network, "a collector", "192.0.2.93")
    answer = await client.insist("POST", "/api/v1/players")
    client.cookies["fd_session"] = answer.json["token"]
    kept = 0
    while kept <= MOST_GAMES:
        answer = await client.insist("POST", "/api/v1/games", {"ruleset": "bristol"})
        if answer.code == "quota_reached":
            break
        kept += answer.is_ok
        await asyncio.sleep(answer.retry_after)
    if kept != MOST_GAMES:
        raise Violation("a quota holds", f"a guest keeps {kept} games instead of {MOST_GAMES}")
