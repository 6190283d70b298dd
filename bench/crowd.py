"""Viewers in processes of their own: one process may not have 20,000 connections open.

``python -m bench.crowd`` is such a process. It is told the games, says when every stream is open, and at the end, told
the last version of each game, how many viewers never saw it.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from bench.simulation import Cluster, Viewer, count_behind

_APART: Final = 0.005  # seconds from one stream that is opened to the next
_SHARING: Final = 50  # viewers who share their connections, as there would be too many
_PATIENCE: Final = 40.0  # seconds until a viewer counts as left behind
_LONGEST_LINE: Final = 2**24


@dataclass(frozen=True, slots=True)
class Game:
    """A game that others play."""

    path: str
    cluster: Cluster


class Crowd:
    """A process of viewers."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        """Use ``open_crowd``."""
        self._process = process

    async def ask(self, question: object) -> Any:  # noqa: ANN401 - JSON
        """Send a line, and wait for the one that answers it."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(question).encode() + b"\n")
        await self._process.stdin.drain()
        return json.loads(await self._process.stdout.readline())

    async def close(self) -> None:
        """End the process."""
        with suppress(ProcessLookupError):
            self._process.terminate()
        await self._process.wait()


async def open_crowd(ports: Sequence[int], paths: Sequence[str], streams: int, first: int) -> Crowd:
    """A process with ``streams`` viewers of these games, each with an open stream; ``first`` numbers them."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bench.crowd"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=_LONGEST_LINE,
    )
    crowd = Crowd(process)
    await crowd.ask({"ports": ports, "paths": paths, "streams": streams, "first": first})
    return crowd


async def _serve() -> None:
    told = json.loads(await asyncio.to_thread(sys.stdin.readline))
    ports = told["ports"]
    clusters = [
        Cluster(ports, random.Random(f"crowd {number}"))
        for number in range(-(-len(told["paths"]) // _SHARING))
    ]
    games = [Game(path, clusters[n // _SHARING]) for n, path in enumerate(told["paths"])]
    viewers = [
        Viewer(ports, games[number % len(games)], told["first"] + number)
        for number in range(told["streams"])
    ]
    living = []
    for viewer in viewers:
        living.append(asyncio.create_task(viewer.follow()))
        await asyncio.sleep(_APART)
    print(json.dumps({"open": len(living)}), flush=True)
    versions = json.loads(await asyncio.to_thread(sys.stdin.readline))
    behind = await count_behind(viewers, lambda viewer: versions[viewer.game.path], _PATIENCE)
    asked = sum(viewer.asked for viewer in viewers)
    print(json.dumps({"behind": behind, "asked": asked}), flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_serve())
