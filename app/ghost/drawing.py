"""Curves as drawings: a small one beside a table, a large one with its axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from app.ghost.curve import Run

_MOST_MARKS: Final = 6
_STEPS: Final = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200)  # seconds between two marks


class Spot(NamedTuple):
    """A place in a drawing."""

    x: float
    y: float


class Mark(NamedTuple):
    """A mark on an axis: where it is, and what it says."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Frame:
    """A drawing: where in it the curves are, and how long and how many they count."""

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    longest_ms: int
    cards: int

    def spot(self, after_ms: int, home: int) -> Spot:
        """Where so many cards at a moment are; a moment past the edge is at the edge."""
        share = min(1.0, after_ms / max(1, self.longest_ms))
        x = self.left + (self.right - self.left) * share
        y = self.bottom - (self.bottom - self.top) * home / self.cards
        return Spot(round(x, 1), round(y, 1))

    def path(self, run: Run) -> str:
        """The curve of a run in steps, as the path of an SVG drawing."""
        first, *later = [self.spot(*point) for point in run.points]
        steps = "".join(f"H{x}V{y}" for x, y in later)
        return f"M{first.x} {first.y}{steps}H{self.end(run).x}"

    def end(self, run: Run) -> Spot:
        """Where the curve of a run ends."""
        return self.spot(run.elapsed_ms, run.home)

    def counts(self) -> list[Mark]:
        """Marks for the cards, a quarter of them apart."""
        quarters = range(0, self.cards + 1, max(1, self.cards // 4))
        return [Mark(self.spot(0, count).y, str(count)) for count in quarters]

    def times(self) -> list[Mark]:
        """Marks for the time."""
        seconds = self.longest_ms // 1000
        step = next((step for step in _STEPS if seconds / step <= _MOST_MARKS), None)
        step = step or -(-seconds // (_MOST_MARKS * 3600)) * 3600
        return [
            Mark(self.spot(mark * 1000, 0).x, clock(mark)) for mark in range(0, seconds + 1, step)
        ]


def strip(longest_ms: int, cards: int) -> Frame:
    """The drawing beside a table."""
    return Frame(332, 60, 6, 326, 6, 54, max(1, longest_ms), cards)


def plot(runs: Sequence[Run]) -> Frame:
    """The drawing that compares runs."""
    longest = max(run.elapsed_ms for run in runs)
    return Frame(720, 280, 34, 708, 12, 252, max(1000, longest), runs[0].cards)


def clock(seconds: int) -> str:
    """``0:07``, ``12:30``, ``1:05:00``."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
