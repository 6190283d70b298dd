"""A thousand spectators of one table on one process, compared with boardgame.io."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

import httpx

from bench import servers
from bench.delivery import ConnectBarrier, Delivery, cpu_seconds
from bench.peers import boardgame
from bench.report import Figure, at_most

_VIEWERS = 1000
_MOVES = 20
_PAUSE = 0.25
_ROUNDS = 3


def run() -> Iterator[Figure]:
    """Alternate rounds of ours and theirs, each with its own server."""
    ours: list[Delivery] = []
    theirs: list[Delivery] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        reason = boardgame.missing() or boardgame.install(folder)
        for number in range(_ROUNDS):
            with servers.started_site(folder / f"site{number}") as site:
                ours.append(asyncio.run(watched(site, _VIEWERS, _MOVES, _PAUSE)))
            if not reason:
                with boardgame.server(folder, servers.free_port()) as peer:
                    theirs.append(boardgame.measure(peer, _VIEWERS, _MOVES, _PAUSE))
    told = "; ".join(map(str, ours))
    yield at_most("moves that a viewer was not shown", sum(one.missing for one in ours), 0, "")
    worst = median(one.percentile(99) for one in ours)
    yield at_most("last of 1000 viewers updated, p99", worst, 1000, told, " ms")
    if reason:
        print(f"     (boardgame.io was not measured: {reason})")
        return
    ratios = [one.cpu_us / other.cpu_us for one, other in zip(ours, theirs, strict=True)]
    told = f"{told} against {'; '.join(map(str, theirs))}"
    yield at_most("CPU a viewer's update / boardgame.io's", median(ratios), 0.5, told)


async def watched(site: servers.Started, viewers: int, moves: int, pause: float) -> Delivery:
    """Play a game with many spectators, each with an event stream like a page."""
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{site.port}") as player:
        answer = await player.post("/api/v1/games", json={"ruleset": "bristol"})
        game = answer.raise_for_status().json()["id"]
        received: dict[int, list[float]] = {version: [] for version in range(1, moves + 1)}
        gate = ConnectBarrier(viewers)
        spectators = [
            asyncio.create_task(_watch(site.port, game, received, gate)) for _ in range(viewers)
        ]
        await gate.wait_for_all()
        sent: dict[int, float] = {}
        before = cpu_seconds(site.pid)
        for version in range(moves):
            sent[version + 1] = perf_counter()
            path, body = "moves", {"version": version, "move": "deal"}
            if version % 2:
                path, body = "undo", {"version": version}
            (await player.post(f"/api/v1/games/{game}/{path}", json=body)).raise_for_status()
            await asyncio.sleep(pause)
        await asyncio.sleep(2)
        cpu = cpu_seconds(site.pid) - before
    for task in spectators:
        task.cancel()
    await asyncio.gather(*spectators, return_exceptions=True)
    return Delivery.of(sent, received, cpu, viewers)


async def _watch(
    port: int, game: str, received: dict[int, list[float]], gate: ConnectBarrier
) -> None:
    async with gate.limit:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        request = f"GET /api/v1/games/{game}/stream?since=0 HTTP/1.1\r\nHost: localhost\r\n\r\n"
        writer.write(request.encode())
        await reader.readuntil(b"\r\n\r\n")
    gate.connected()
    known = 0
    while True:
        line = await reader.readline()
        if not line:
            return
        if line.startswith(b"data: {") and b'"html"' in line:
            now = perf_counter()
            start = line.index(b'"from": ') + 8
            since = int(line[start : line.index(b",", start)])
            start = line.index(b'"version": ') + 11
            version = int(line[start : line.index(b",", start)])
            if since == known:  # like the page, which would have to request any other version
                for reached in range(known + 1, version + 1):
                    received[reached].append(now)
                known = version
