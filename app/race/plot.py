"""Drawings of a race that is over: cards home against time, and tables small enough to lie side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from app.engine.position import Pile
from app.engine.vocabulary import Zone
from app.play.table import Table
from app.race.replays import Replays

WIDTH: Final = 720
HEIGHT: Final = 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 34, 12, 10, 26

CARD_W: Final = 20
CARD_H: Final = 28
_GAP: Final = 4
_FAN: Final = 10.5
_FAN_DOWN: Final = 4.0
_ASIDE: Final = 9.0
_TALLEST: Final = 160.0


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


class Face(NamedTuple):
    """A card on a small table; without a text it is a back."""

    text: str
    x: float
    y: float


class SmallBoard(NamedTuple):
    """A table as a drawing."""

    width: float
    height: float
    places: list[Face]
    cards: list[Face]


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


def small_board(table: Table) -> SmallBoard:
    """A table drawn small, as its player saw it: what lay face down stays face down."""
    layout, piles = table.spec.layout, table.position.piles
    places: list[Face] = []
    cards: list[Face] = []
    hand = [*layout.ranges[Zone.STOCK], *layout.ranges[Zone.WASTE]]
    columns = max(len(layout.tableau), len(hand) + len(layout.foundations) + 1)
    width = columns * (CARD_W + _GAP) - _GAP

    def put(index: int, x: float, y: float) -> None:
        places.append(Face("", x, y))
        cards.extend(_top(piles[index], x, y))

    for number, index in enumerate(hand):
        put(index, number * (CARD_W + _GAP), 0)
    for number, index in enumerate(reversed(layout.foundations)):
        put(index, width - CARD_W - number * (CARD_W + _GAP), 0)
    y = float(CARD_H + 2 * _GAP)
    if len(layout.reserves) == 1:
        reserve = piles[layout.reserves.start]
        cards.extend(Face(_text(reserve, n), n * _ASIDE, y) for n in range(len(reserve.cards)))
    else:
        for number, index in enumerate(layout.reserves):
            put(index, number * (CARD_W + _GAP), y)
    if layout.reserves:
        y += CARD_H + 2 * _GAP
    wide = (width - CARD_W) / max(len(layout.tableau) - 1, 1)
    for number, index in enumerate(layout.tableau):
        x = round(number * wide, 1)
        places.append(Face("", x, y))
        cards.extend(_fanned(piles[index], x, y))
    return SmallBoard(width, y + _TALLEST, places, cards)


def clock(seconds: int) -> str:
    """``0:07``, ``12:30``, ``1:05:00``."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _top(pile: Pile, x: float, y: float) -> Sequence[Face]:
    last = len(pile.cards) - 1
    return [Face(_text(pile, last), x, y)] if pile.cards else []


def _fanned(pile: Pile, x: float, y: float) -> Sequence[Face]:
    """A column; where it is long, it lies closer."""
    natural = sum(_FAN_DOWN if n < pile.down else _FAN for n in range(len(pile.cards) - 1))
    squeeze = min(1.0, (_TALLEST - CARD_H) / natural) if natural else 1.0
    faces = []
    for n in range(len(pile.cards)):
        faces.append(Face(_text(pile, n), x, round(y, 1)))
        y += squeeze * (_FAN_DOWN if n < pile.down else _FAN)
    return faces


def _text(pile: Pile, n: int) -> str:
    return "" if n < pile.down else pile.cards[n].text


def _round_step(seconds: float) -> int:
    """How far apart the marks of the time axis are: six of them at most."""
    steps = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200)
    return next((step for step in steps if seconds / step <= 6), 3600)  # noqa: PLR2004
