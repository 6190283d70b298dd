"""Consent at a shared table: without faults, nobody who is there is passed over, and what all want happens.

A scene of its own: on SQLite each process knows only the presence of its own visitors, see ``app.pubsub.presence``.
"""

from __future__ import annotations

import asyncio
from random import Random
from typing import Final

from simulation.network import Network
from simulation.trace import Violation
from simulation.visitor import Visitor

_ASKED_SECONDS: Final = 11.0  # the others have ten seconds to answer


async def check_consent(network: Network, chance: Random) -> None:
    """One of two players asks to start over while the other is there: silent, against it, or for it."""
    process = chance.choice([one.number for one in network.processes if one.is_ready])
    owner, other = (Visitor(network, who, process) for who in ("asker", "asked"))
    await owner.arrive()
    await other.arrive()
    game = await owner.ask("POST", "/api/v1/games", {"ruleset": "bristol"})
    place = f"/api/v1/games/{game['id']}"
    table = await owner.ask("POST", f"{place}/together")
    await other.ask("POST", f"/api/v1/together/{table['invitation'].rsplit('/', 1)[-1]}")
    page = await other.open_page(game["id"])
    await owner.ask("POST", f"{place}/moves", {"version": 0, "move": "deal"})
    await asyncio.sleep(2.0)
    for agrees in chance.choice(((None, True), (False, True), (None, False))):
        version = (await owner.ask("GET", place))["version"]
        await owner.ask("POST", f"{place}/restart", {"version": version})
        asked = (await other.ask("GET", f"{place}/together"))["asked"]
        if agrees is None:
            await asyncio.sleep(_ASKED_SECONDS)
        elif asked:
            body = {"number": asked["number"], "agrees": agrees}
            await other.ask("POST", f"{place}/together/answer", body)
        await owner.ask("GET", f"{place}/together")
        has_restarted = (await owner.ask("GET", place))["version"] > version
        if has_restarted != bool(agrees):
            raise Violation(
                "a table acts with the consent of those who are there",
                f"asked: {bool(asked)}, agrees: {agrees}, started over: {has_restarted}",
            )
    page.hung_up.set()
