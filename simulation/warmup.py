"""What every seed needs and none should pay for: done once, before the first fork.

Applications are built and asked for their pages, so that routes are prepared, templates are compiled and statements are
turned into SQL. All seeds then start from the same memory.
"""

from __future__ import annotations

import asyncio
import gc
from pathlib import Path
from random import Random
from typing import Final

from app.http import templates
from simulation import sources
from simulation.chaos import Chaos
from simulation.deals import solutions
from simulation.loop import VirtualLoop
from simulation.network import Network
from simulation.process import SHELLS, Shell, SimulatedProcess
from simulation.template import template
from simulation.trace import Trace
from simulation.wire import Wire

_SHELLS: Final = 5
_PAGES: Final = ("/", "/daily", "/watch", "/races", "/api/v1/daily", "/no-such-page", "/me")


def warm_up(folder: Path) -> None:
    """Fill ``SHELLS`` and every cache; call it once."""
    template()
    with sources.seeded("warm-up", _Still()):
        _fill(folder)
    gc.collect()
    gc.freeze()


class _Still:
    """Clocks that stand still."""

    def wall_ms(self) -> float:
        return 0.0

    def monotonic(self) -> float:
        return 0.0


def _fill(folder: Path) -> None:
    solutions()
    templates.load_all()
    shells = [Shell() for _ in range(_SHELLS)]
    path = folder / "warm-up.db"
    for shell in shells:
        path.write_bytes(template())
        SHELLS.append(shell)
        chance = Random("warm-up")
        chaos = Chaos(chance)
        chaos.calm()
        loop = VirtualLoop(chance, chaos)
        asyncio.set_event_loop(loop)
        loop.run_until_complete(_visit(path, chaos, chance))
        loop.close()
        asyncio.set_event_loop(None)
    for left in folder.glob("warm-up.db*"):
        left.unlink()
    SHELLS.extend(shells)


async def _visit(path: Path, chaos: Chaos, chance: Random) -> None:
    network = Network(chaos, chance, Trace())
    process = SimulatedProcess(0, path, chaos, Wire(chaos), lambda: 0.0)
    network.processes.append(process)
    await process.start()
    answer = await network.request("warm-up", "192.0.2.1", "POST", "/api/v1/players")
    headers = {"authorization": f"Bearer {answer.json['token']}"}

    async def ask(method: str, page: str, body: object = None) -> dict[str, object]:
        found = await network.request("warm-up", "192.0.2.1", method, page, body, headers)
        content = found.json
        return content if isinstance(content, dict) else {}

    for page in _PAGES:
        await ask("GET", page)
    game = await ask("POST", "/api/v1/games", {"ruleset": "bristol"})
    place = f"/api/v1/games/{game['id']}"
    await ask("POST", f"{place}/moves", {"version": 0, "move": "deal"})
    await ask("POST", f"{place}/undo", {"version": 1})
    await ask("POST", f"{place}/resign", {"version": 2})
    await ask("GET", f"/games/{game['id']}")
    await ask("GET", f"/games/{game['id']}/replay")
    await process.stop(1.0)
