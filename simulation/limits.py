"""Rate limits, when nothing is disturbed: who asks too much is refused, and is listened to again as announced."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from random import Random
from typing import Final

from simulation.client import Client
from simulation.network import Answer, Network
from simulation.trace import Violation

_MOST: Final = 40
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
