"""The drawing of a race that is over: cards home against time, a line for each run."""

from __future__ import annotations

from typing import NamedTuple

from app.games.progress_chart import Frame, Mark, Spot
from app.races.replays import Replays


class Curve(NamedTuple):
    """One run in the plot: where its line goes, where that ends, and which of the ten looks it has."""

    look: int
    path: str
    end: Spot


class Plot(NamedTuple):
    """Cards home against time, and where the moment that is looked at is among it."""

    frame: Frame
    curves: list[Curve]
    times: list[Mark]
    counts: list[Mark]
    cursor: float


def plot(replays: Replays, at: int) -> Plot:
    """The curves of all runs, and where the moment ``at`` is among them."""
    longest = max(run.elapsed_ms for run in replays.runs)
    cards = replays.runs[0].tables[0].rules.cards
    frame = Frame(720, 260, 34, 708, 10, 234, max(longest, 1000), cards)
    curves = [
        Curve(look, frame.path(run), frame.end(run))
        for look, run in enumerate(replays.runs, start=1)
    ]
    cursor = frame.spot(replays.moments[at] * 1000, 0).x
    return Plot(frame, curves, frame.times(), frame.counts(), cursor)
