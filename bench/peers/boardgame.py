"""boardgame.io with many spectators, if Node.js is installed."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

import websockets

from bench.delivery import ConnectBarrier, Delivery, cpu_seconds
from bench.servers import Started, running

_VERSION = "0.50.2"
_GAME = Path(__file__).with_name("patience.js")


def missing() -> str:
    """Why it cannot be measured here; empty if it can."""
    absent = [name for name in ("node", "npm") if shutil.which(name) is None]
    return f"no {' and no '.join(absent)} on this machine" if absent else ""


def install(folder: Path) -> str:
    """Install the pinned release into a folder; returns the reason if that fails."""
    command = ["npm", "install", "--no-audit", "--no-fund", "--omit=dev", "--ignore-scripts"]
    done = subprocess.run(
        [*command, "--prefix", str(folder), f"boardgame.io@{_VERSION}"],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    return "" if done.returncode == 0 else f"npm says: {done.stderr.strip()[-200:]}"


@contextmanager
def server(folder: Path, port: int) -> Iterator[Started]:
    """Run the server with the game, from the folder of the installation."""
    script = folder / _GAME.name
    shutil.copy(_GAME, script)
    with running(["node", str(script), str(port)], port) as started:
        yield started


def moves_per_second(started: Started, matches: int, moves: int) -> float:
    """Moves a second of clients that each play a match of their own and wait for each answer."""
    return asyncio.run(_moves_per_second(started.port, matches, moves))


async def _moves_per_second(port: int, matches: int, moves: int) -> float:
    names = [f"alone{time.time_ns()}-{number}" for number in range(matches)]
    players = [await _connected(port, name, "0") for name in names]
    for player in players:
        await player.recv()
    begun = perf_counter()
    plays = zip(players, names, strict=True)
    await asyncio.gather(*(_play_alone(player, name, moves) for player, name in plays))
    seconds = perf_counter() - begun
    for player in players:
        await player.close()
    return matches * moves / seconds


async def _play_alone(player: websockets.ClientConnection, match: str, moves: int) -> None:
    for version in range(moves):
        await player.send(_move(version, match))
        while not str(await player.recv()).startswith('42/patience,["update"'):
            pass


def _move(version: int, match: str) -> str:
    play = {"type": "play", "args": [version % 2, 1 - version % 2], "playerID": "0"}
    return _event("update", {"type": "MAKE_MOVE", "payload": play}, version, match, "0")


def measure(started: Started, viewers: int, moves: int, pause: float) -> Delivery:
    """Measure delivery to many spectators while one client plays."""
    return asyncio.run(_measure(started, viewers, moves, pause))


async def _measure(started: Started, viewers: int, moves: int, pause: float) -> Delivery:
    match = f"bench{time.time_ns()}"
    player = await _connected(started.port, match, "0")
    received: dict[int, list[float]] = {version: [] for version in range(1, moves + 1)}
    gate = ConnectBarrier(viewers)
    crowd = [
        asyncio.create_task(_watch(started.port, match, received, gate)) for _ in range(viewers)
    ]
    await gate.wait_for_all()
    sent: dict[int, float] = {}
    before = cpu_seconds(started.pid)
    for version in range(moves):
        sent[version + 1] = perf_counter()
        await player.send(_move(version, match))
        await asyncio.sleep(pause)
    await asyncio.sleep(2)
    cpu = cpu_seconds(started.pid) - before
    for task in crowd:
        task.cancel()
    await asyncio.gather(*crowd, return_exceptions=True)
    return Delivery.of(sent, received, cpu, viewers)


def _event(*values: object) -> str:
    return "42/patience," + json.dumps(values)


async def _connected(port: int, match: str, seat: str | None) -> websockets.ClientConnection:
    socket = await websockets.connect(
        f"ws://127.0.0.1:{port}/socket.io/?EIO=4&transport=websocket",
        compression=None,
        ping_interval=None,
        max_size=None,
        open_timeout=60,
    )
    await socket.recv()
    await socket.send("40/patience,")
    await socket.recv()
    await socket.send(_event("sync", match, seat, None, 1))
    return socket


async def _watch(
    port: int, match: str, received: dict[int, list[float]], gate: ConnectBarrier
) -> None:
    async with gate.limit:
        socket = await _connected(port, match, None)
        await socket.recv()
    gate.connected()
    async for message in socket:
        text = str(message)
        if text == "2":
            await socket.send("3")
        elif text.startswith('42/patience,["update"'):
            now = perf_counter()
            state = json.loads(text[text.index("[") :])[2]
            received[state["_stateID"]].append(now)
