"""Five hundred tables, each with a move every two seconds and two viewers, on two processes and PostgreSQL."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from bench import servers
from bench.crowd import open_crowd
from bench.delivery import cpu_seconds
from bench.report import Figure, at_most, percentile
from bench.simulation import Player, Viewer, count_behind
from tests.support.postgres import NoServerError, fresh_database, running_server

TABLES = 500
_EVERY = 2.0  # seconds
_SECONDS = 60.0
_AT_ONCE = 16  # players that start at the same time

Meanwhile = Callable[[Sequence[Player], Sequence[Viewer]], Awaitable[None]]
"""Runs during play, which stops when it returns."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """The result of a simulation; ``seconds`` is how long was played."""

    players: Sequence[Player]
    asked: int
    lost: int
    behind: int
    seconds: float

    @property
    def failures(self) -> list[str]:
        """Requests that failed."""
        return [failure for player in self.players for failure in player.failures]

    def percentile(self, percent: float) -> float:
        """A percentile of the milliseconds until a move was acknowledged."""
        times = sorted(time for player in self.players for time in player.times_ms)
        return percentile(times, percent)

    def __str__(self) -> str:
        moves = sum(len(player.times_ms) for player in self.players)
        return (
            f"{moves} moves, {moves / self.seconds:.0f} a second, p50 {self.percentile(50):.0f} ms, "
            f"p99 {self.percentile(99):.0f} ms; viewers asked {self.asked} times"
        )


def run() -> Iterator[Figure]:
    """Play and watch without faults."""
    try:
        with ExitStack() as stack:
            site = two_processes(stack)
            used = [0.0, 0.0]

            async def measure_cpu(_players: Sequence[Player], _viewers: Sequence[Viewer]) -> None:
                used[0] = sum(cpu_seconds(process.pid) for process in site)
                await asyncio.sleep(_SECONDS)
                used[1] = sum(cpu_seconds(process.pid) for process in site)

            simulation = asyncio.run(simulate([process.port for process in site], measure_cpu))
    except NoServerError as reason:
        print(f"     (not measured: {reason})")
        return
    told = f"{simulation}; the site took {(used[1] - used[0]) / _SECONDS:.2f} cores"
    failures = simulation.failures
    yield at_most("failed requests", len(failures), 0, failures[0] if failures else told)
    yield at_most("tables that lost an acknowledged move", simulation.lost, 0, "")
    yield at_most("viewers who were left behind", simulation.behind, 0, "")
    yield at_most("a move on two processes, p99", simulation.percentile(99), 250, told, " ms")


def two_processes(stack: ExitStack, **settings: str) -> list[servers.Started]:
    """A site of two processes on a new database; raises ``NoServerError``."""
    return processes(stack, 2, **settings)


def processes(stack: ExitStack, count: int, **settings: str) -> list[servers.Started]:
    """A site of ``count`` processes on a new database; raises ``NoServerError``."""
    url = postgres(stack)
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    return [
        stack.enter_context(servers.started_site(folder, None, DATABASE_URL=url, **settings))
        for _ in range(count)
    ]


def postgres(stack: ExitStack) -> str:
    """A database on a durable server; raises ``NoServerError``."""
    server = stack.enter_context(running_server(is_durable=True))
    return stack.enter_context(fresh_database(server))


async def simulate(
    ports: Sequence[int],
    meanwhile: Meanwhile,
    *,
    repeats: bool = False,
    tables: int = TABLES,
    streams: int = TABLES * 2,
    every: float = _EVERY,
    sharing: int = 1,
    crowds: int = 0,
) -> Simulation:
    """Start all players and spectators, let them play, and check the outcome.

    Each table makes a move ``every`` that many seconds; each ``sharing`` players share their connections. The
    spectators run in ``crowds`` processes of their own.
    """
    players: list[Player] = []
    for number in range(tables):
        like = players[number - number % sharing].cluster if number % sharing else None
        players.append(Player(ports, number, repeats=repeats, like=like))
    for start in range(0, tables, _AT_ONCE):
        await asyncio.gather(*(player.begin() for player in players[start : start + _AT_ONCE]))
    paths = [player.path for player in players]
    elsewhere = await asyncio.gather(
        *(open_crowd(ports, paths, streams // crowds, n * streams) for n in range(crowds))
    )
    here = 0 if crowds else streams
    viewers = [Viewer(ports, players[number % tables], number) for number in range(here)]
    living = []
    for viewer in viewers:
        living.append(asyncio.create_task(viewer.follow()))
        await asyncio.sleep(0.005)
    stop = asyncio.Event()
    begun = perf_counter()
    playing = [asyncio.create_task(player.play(every, stop)) for player in players]
    await meanwhile(players, viewers)
    stop.set()
    await asyncio.gather(*playing)
    seconds = perf_counter() - begun
    last = {player.path: len(player.accepted) for player in players}
    behind, *told = await asyncio.gather(
        count_behind(viewers, lambda viewer: last[viewer.game.path], 40),
        *(crowd.ask(last) for crowd in elsewhere),
    )
    behind += sum(crowd["behind"] for crowd in told)
    asked = sum(viewer.asked for viewer in viewers) + sum(crowd["asked"] for crowd in told)
    for task in living:
        task.cancel()
    await asyncio.gather(*living, *(crowd.close() for crowd in elsewhere), return_exceptions=True)
    lost = 0
    for player in players:
        lost += not await player.is_kept()
    return Simulation(players, asked, lost, behind, seconds)
