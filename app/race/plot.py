"""The drawing of a race that is over: cards home against time, a line for each run."""

from __future__ import annotations

from typing import Final, NamedTuple

from app.race.replays import Replays

WIDTH: Final = 720
HEIGHT: Final = 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 34, 12, 10, 26


class Curve(NamedTuple):
    """One run in the plot: where its line goes, where that ends, and which of the ten looks it has."""

    look: int
    path: str
    x: float
    y: float


class Mark(NamedTuple):
    """A mark on an axis: where it is, and what it says."""

    at: float
    text: str


class Plot(NamedTuple):
    """Cards home against time."""

    curves: list[Curve]
    times: list[Mark]
    counts: list[Mark]
    cursor: float
    left: int
    right: int
    top: int
    bottom: int


def plot(replays: Replays, at: int) -> Plot:
    """The curves of all runs, and where the moment ``at`` is among them."""
    cards = replays.runs[0].tables[0].spec.cards
    longest = max(run.tables[-1].elapsed_ms for run in replays.runs)
    end_ms = max(longest, 1000)
    right, bottom = WIDTH - _RIGHT, HEIGHT - _BOTTOM

    def x(ms: float) -> float:
        return round(_LEFT + (right - _LEFT) * ms / end_ms, 1)

    def y(count: float) -> float:
        return round(bottom - (bottom - _TOP) * count / cards, 1)

    curves = []
    for look, run in enumerate(replays.runs, start=1):
        (_, first), *steps = run.curve
        end = run.tables[-1].elapsed_ms
        path = f"M{x(0)} {y(first)}" + "".join(f"H{x(ms)}V{y(count)}" for ms, count in steps)
        last = run.curve[-1][1]
        curves.append(Curve(look, f"{path}H{x(end)}", x(end), y(last)))
    step = _round_step(end_ms / 1000)
    times = [Mark(x(s * 1000), clock(s)) for s in range(0, int(end_ms // 1000) + 1, step)]
    counts = [Mark(y(count), str(count)) for count in range(0, cards + 1, cards // 4)]
    cursor = x(min(replays.moments[at] * 1000, end_ms))
    return Plot(curves, times, counts, cursor, _LEFT, right, _TOP, bottom)


def clock(seconds: int) -> str:
    """``0:07``, ``12:30``, ``1:05:00``."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _round_step(seconds: float) -> int:
    """How far apart the marks of the time axis are: six of them at most."""
    steps = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200)
    return next((step for step in steps if seconds / step <= 6), 3600)  # noqa: PLR2004
