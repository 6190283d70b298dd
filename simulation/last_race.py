"""A race at the end: racers open their games in the same moment at different processes, leave, and come too late."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from random import Random
from typing import Any, Final

from simulation.process import SimulatedProcess
from simulation.trace import Violation
from simulation.visitor import Visitor
from simulation.world import World

_RACERS: Final = 3
_CACHE_SECONDS: Final = 1.1  # after which every process reads the room again


class LastRace:
    """Three racers, each with a process of their own as far as there are enough."""

    def __init__(self, racers: Sequence[Visitor], games: Sequence[str]) -> None:
        self._racers = racers
        self._games = games

    @classmethod
    async def begin(cls, world: World, chance: Random) -> LastRace:
        """Open a room, start, and open the games all at once; one racer makes a move."""
        numbers = [process.number for process in world.fleet.ready()]
        chance.shuffle(numbers)
        racers = [
            Visitor(world.network, f"racer-{number}", numbers[number % len(numbers)])
            for number in range(_RACERS)
        ]
        for racer in racers:
            await racer.arrive()
        host = racers[0]
        room = await host.ask("POST", "/api/v1/races", {"ruleset": "bristol", "minutes": 10})
        path = f"/api/v1/races/{room['code']}"
        for racer in racers:
            if racer is not host:
                await racer.ask("POST", f"{path}/join")
            await racer.ask("POST", f"{path}/ready", {"ready": True})
            await asyncio.sleep(_CACHE_SECONDS)
        started = await host.ask("POST", f"{path}/start")
        await asyncio.sleep((started["start_at_ms"] - world.clock.true_ms() + 1) / 1000)
        first = await _open_games(racers, path)
        await asyncio.sleep(_CACHE_SECONDS)
        for player, game, again in zip(racers, first, await _open_games(racers, path), strict=True):
            if game["id"] != again["id"]:
                detail = f"{player.client.who} got {game['id']}, then {again['id']}"
                raise Violation("each racer gets one game", detail)
        games = [game["id"] for game in first]
        await host.ask("POST", f"/api/v1/games/{games[0]}/moves", {"version": 0, "move": "deal"})
        return cls(racers, games)

    async def come_too_late(self, processes: Sequence[SimulatedProcess]) -> None:
        """Time is up: a page that was left open can do nothing any more, whichever process it asks."""
        for racer, game_id, version in zip(self._racers, self._games, (1, 0, 0), strict=True):
            racer.process = processes[version % len(processes)].number
            body = {"version": version, "move": "deal"}
            answer = await racer.request("POST", f"/api/v1/games/{game_id}/moves", body)
            if answer.is_ok:
                detail = f"{racer.client.who} has moved in {game_id} after the end"
                raise Violation("a race counts what is done in time", detail)


async def _open_games(racers: Sequence[Visitor], path: str) -> list[Any]:
    return list(await asyncio.gather(*(racer.ask("GET", f"{path}/game") for racer in racers)))
