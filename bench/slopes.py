"""What a move costs as the number of tables and streams grows, at a constant rate of moves; ``--plot FILE`` draws it.

Each shape is a site of its own: from two processes, 500 tables and 2,500 streams to eight, 4,000 and 20,000. Run the
largest for five minutes with ``python -m bench.slopes --seconds 300 --least 8``.
"""

from __future__ import annotations

import argparse
import asyncio
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.delivery import cpu_seconds
from bench.report import Figure, at_most
from bench.simulation import Player, Viewer
from bench.tables import Simulation, processes, simulate
from tests.support.nats import find_binary, running_nats
from tests.support.postgres import NoServerError

_MOVES_A_SECOND: Final = 50
_SECONDS: Final = 60.0
_ENOUGH: Final = 3  # shapes: a line through fewer would mean nothing
_SHARING: Final = 50  # players who share their connections, or there would be too many
_CROWDS: Final = 2  # processes of viewers, as one may not have 20,000 files open
_MOST_APART: Final = 1.15
"""How far the cost of a shape may be from what its moves and streams cost in all shapes."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A size of the site; ``streams`` are open event streams of viewers."""

    processes: int
    tables: int
    streams: int


SHAPES: Final = (
    Shape(2, 500, 2_500),
    Shape(2, 1000, 5_000),
    Shape(4, 2000, 10_000),
    Shape(8, 4000, 20_000),
)


@dataclass(frozen=True, slots=True)
class Measured:
    """What one shape did: moves a second, and the cores that the site took for them and for the open streams."""

    shape: Shape
    told: str
    moves: float
    cores: float


def fitted(found: Sequence[Measured]) -> tuple[float, float]:
    """Seconds of processor time for a move, and for a second of a stream, that fit all shapes best."""
    mm = sum(one.moves**2 for one in found)
    ss = sum(one.shape.streams**2 for one in found)
    ms = sum(one.moves * one.shape.streams for one in found)
    mc = sum(one.moves * one.cores for one in found)
    sc = sum(one.shape.streams * one.cores for one in found)
    whole = mm * ss - ms * ms
    return (mc * ss - sc * ms) / whole, (mm * sc - ms * mc) / whole


def run() -> Iterator[Figure]:
    """Measure the shapes, one after another."""
    try:
        found, figures = measure(SHAPES, _SECONDS)
    except NoServerError as reason:
        print(f"     (not measured: {reason})")
        return
    yield from figures
    yield from _judged(found)


def measure(shapes: Sequence[Shape], seconds: float) -> tuple[list[Measured], list[Figure]]:
    """What each shape cost, and figures of what must not go wrong; prints a line for each shape."""
    found: list[Measured] = []
    failures: list[str] = []
    lost = behind = 0
    for shape in shapes:
        simulation, one = _one(shape, seconds)
        print(f"     {one.told}", flush=True)
        found.append(one)
        failures += simulation.failures
        lost += simulation.lost
        behind += simulation.behind
    return found, [
        at_most("failed requests", len(failures), 0, failures[0] if failures else ""),
        at_most("tables that lost an acknowledged move", lost, 0, ""),
        at_most("viewers who were left behind", behind, 0, ""),
    ]


def _judged(found: Sequence[Measured]) -> Iterator[Figure]:
    if len(found) < _ENOUGH:
        return
    move, stream = fitted(found)
    told = f"{1e3 * move:.1f} ms for a move, {1e6 * stream:.0f} us for a second of a stream"
    apart = max(one.cores / (move * one.moves + stream * one.shape.streams) for one in found)
    yield at_most("cost of a shape / that of its moves and streams", apart, _MOST_APART, told)


def _one(shape: Shape, seconds: float) -> tuple[Simulation, Measured]:
    used = [0.0, 0.0]
    with ExitStack() as stack:
        settings = {"FAIRDEAL_CONNECTIONS": "19000", "FAIRDEAL_CONNECTIONS_PER_NETWORK": "19000"}
        if find_binary():
            settings["FAIRDEAL_PUBSUB_URL"] = stack.enter_context(running_nats()).url
        site = processes(stack, shape.processes, **settings)

        async def measure_cpu(_players: Sequence[Player], _viewers: Sequence[Viewer]) -> None:
            await asyncio.sleep(5)
            used[0] = sum(cpu_seconds(process.pid) for process in site)
            await asyncio.sleep(seconds)
            used[1] = sum(cpu_seconds(process.pid) for process in site)

        simulation = asyncio.run(
            simulate(
                [process.port for process in site],
                measure_cpu,
                tables=shape.tables,
                streams=shape.streams,
                every=shape.tables / _MOVES_A_SECOND,
                sharing=_SHARING,
                crowds=_CROWDS,
            )
        )
    moves = sum(len(player.times_ms) for player in simulation.players) / simulation.seconds
    cores = (used[1] - used[0]) / seconds
    told = (
        f"{shape.processes} processes, {shape.tables} tables, {shape.streams} streams: {simulation}; "
        f"{cores:.2f} cores; the load of the machine was {os.getloadavg()[1]:.0f}"
    )
    return simulation, Measured(shape, told, moves, cores)


def plot(found: Sequence[Measured]) -> str:
    """An SVG: cores over the number of streams, and the line that fits."""
    width, height, left, bottom = 560, 260, 40, 46
    most = 1.25 * max(one.cores for one in found)
    widest = max(one.shape.streams for one in found)
    move, stream = fitted(found)

    def at(streams: float, cores: float) -> tuple[float, float]:
        x = left + streams / widest * (width - left - 70)
        return round(x, 1), round(height - bottom - cores / most * (height - bottom - 20), 1)

    (x, y), line = at(0, 0), [at(0, move * _MOVES_A_SECOND)]
    line.append(at(widest, move * _MOVES_A_SECOND + stream * widest))
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
            ' font-family="sans-serif" font-size="12">'
        ),
        "<title>Cores of the site by tables and streams, at one rate of moves</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<path d="M{x} 20V{y}H{width - 20}" fill="none" stroke="#666"/>',
        f'<polyline points="{" ".join(f"{a},{b}" for a, b in line)}" fill="none" stroke="#1d6b45"/>',
    ]
    for one in found:
        x, y = at(one.shape.streams, one.cores)
        parts += [
            f'<circle cx="{x}" cy="{y}" r="4" fill="#1d6b45"/>',
            f'<text x="{x}" y="{y - 12}" text-anchor="middle">{one.cores:.2f} cores</text>',
            f'<text x="{x}" y="{height - 28}" text-anchor="middle">{one.shape.streams:,}</text>',
        ]
    parts.append(
        f'<text x="{width / 2}" y="{height - 8}" text-anchor="middle">'
        f"open streams, about five at each table; {_MOVES_A_SECOND} moves a second in all</text>"
    )
    return "\n".join([*parts, "</svg>", ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", type=Path, help="where to draw the plot")
    parser.add_argument("--seconds", type=float, default=_SECONDS, help="how long each is played")
    parser.add_argument("--least", type=int, default=1, help="processes of the smallest shape")
    parser.add_argument("--most", type=int, default=8, help="processes of the largest")
    options = parser.parse_args()
    shapes = [each for each in SHAPES if options.least <= each.processes <= options.most]
    found, figures = measure(shapes, options.seconds)
    for figure in (*figures, *_judged(found)):
        print(figure)
    if options.plot and len(found) >= _ENOUGH:
        options.plot.write_text(plot(found))


if __name__ == "__main__":
    main()
