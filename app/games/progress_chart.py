"""Cards home over time, as numbers and as a drawing: never a card, and nothing about which."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from app.engine.transition import cards_home
from app.games.model import Game
from app.http.formats import clock_duration

_MOST_MARKS: Final = 6
_STEPS: Final = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200)  # seconds between two marks


class Point(NamedTuple):
    """So many cards home, from so many milliseconds after the start on."""

    after_ms: int
    home: int


def points_of(tables: Iterable[Game]) -> tuple[Point, ...]:
    """Where the count changed while these tables followed one another; the first of them begins."""
    points: list[Point] = []
    for game in tables:
        home = cards_home(game.rules, game.position)
        if not points or home != points[-1].home:
            points.append(Point(game.elapsed_ms, home))
    return tuple(points)


class Course(Protocol):
    """A run to its end, or to where it is."""

    @property
    def points(self) -> Sequence[Point]: ...

    @property
    def elapsed_ms(self) -> int: ...

    @property
    def home(self) -> int: ...


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

    def path(self, course: Course) -> str:
        """The curve of a run in steps, as the path of an SVG drawing."""
        first, *later = [self.spot(*point) for point in course.points]
        steps = "".join(f"H{x}V{y}" for x, y in later)
        return f"M{first.x} {first.y}{steps}H{self.end(course).x}"

    def end(self, course: Course) -> Spot:
        """Where the curve of a run ends."""
        return self.spot(course.elapsed_ms, course.home)

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
            Mark(self.spot(mark * 1000, 0).x, clock_duration(mark))
            for mark in range(0, seconds + 1, step)
        ]
