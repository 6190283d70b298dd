"""The curve of the chance to win over the moves of a game, as it is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from typing import Final, NamedTuple

from app.analysis.judgement import NOTICED_LUCK, JudgedGame
from app.analysis.model import UnfinishedCurve
from app.analysis.move_row import MoveRow
from app.http.charts import Point, Tick
from app.i18n.formats import chance_percent, signed_points
from app.text import gettext, ngettext, sentences

_WIDTH: Final = 480
_TOP, _BOTTOM, _LEFT, _RIGHT = 12, 172, 46, 466
_MAX_TICKS: Final = 6
_REACH: Final = 24  # of the strip around a marked move, to either side
_LEAST_POINTS: Final = 2  # of a line
NO_LUCK: Final[Mapping[int, float]] = {}


class Mark(NamedTuple):
    """A move marked on the curve, with a link to it, which a strip as high as the curve leads to, too."""

    at: Point
    move_class: str
    path: str
    text: str
    strip: Strip


class Strip(NamedTuple):
    """A part of the curve, from left to right."""

    left: float
    width: float


@dataclass(frozen=True, slots=True)
class Curve:
    """The chance to win over the moves, for an SVG drawing, and what it shows in words.

    ``note`` says what the chance does not know; empty where every card is in sight. ``path`` leaves out what turned
    cards changed noticeably: that is ``luck``, in strokes straight up or down.
    """

    label: str
    note: str
    path: str
    luck: str
    area: str
    moves: int
    value_ticks: Sequence[Tick]
    move_ticks: Sequence[Tick]
    marks: Sequence[Mark]
    width: int = _WIDTH
    height: int = _BOTTOM + 28
    left: int = _LEFT
    right: int = _RIGHT
    bottom: int = _BOTTOM

    def at(self, number: int) -> float:
        """Where the position after a number of moves is, from left to right; the last one for all later ones."""
        share = min(1.0, number / max(1, self.moves))
        return round(self.left + (self.right - self.left) * share, 1)


def chances_of(judged: JudgedGame) -> list[float]:
    """Before each move, and at the end."""
    return [*(move.before for move in judged.moves), judged.end]


def _point(share: float, chance: float) -> Point:
    """A point of the curve; ``share`` of the moves are before it."""
    x, y = _LEFT + (_RIGHT - _LEFT) * share, _BOTTOM - (_BOTTOM - _TOP) * chance
    return Point(round(x, 1), round(y, 1))


def judged_curve(judged: JudgedGame, worst: Sequence[MoveRow], note: str) -> Curve:
    """The curve of all moves, with the worst of them marked, and what was luck."""
    chances = chances_of(judged)
    moves = len(judged.moves)
    label = gettext(
        "The chance to win over %(moves)s moves: %(first)s at first, %(last)s at the end, "
        "between %(lowest)s and %(highest)s. The table below has every move.",
        moves=moves,
        first=chance_percent(chances[0]),
        last=chance_percent(chances[-1]),
        lowest=chance_percent(min(chances)),
        highest=chance_percent(max(chances)),
    )
    points = [_point((row.number - 1) / max(1, moves), chances[row.number - 1]) for row in worst]
    strips = _strips([at.x for at in points])
    marks = [
        Mark(
            at,
            row.move_class,
            row.path,
            gettext(
                "Move %(number)s, %(row)s: threw away %(thrown)s points",
                number=row.number,
                row=row.name,
                thrown=row.thrown,
            ),
            strips[at.x],
        )
        for row, at in zip(worst, points, strict=True)
    ]
    label = sentences(label, _luck_label(judged))
    expected = {n + 1: judged.moves[n].after for n in judged.lucky()}
    return _drawn(chances, moves, label, note, marks=marks, expected=expected)


def _luck_label(judged: JudgedGame) -> str:
    """The luck that the curve shows, in words."""
    lucky = judged.lucky()
    if not lucky:
        return ""
    return ngettext(
        "Turned cards changed it by %(least)s points or more once, at move %(most)s (%(luck)s points).",
        "Turned cards changed it by %(least)s points or more at %(n)s moves, most at move %(most)s (%(luck)s points).",
        len(lucky),
        least=round(100 * NOTICED_LUCK),
        most=lucky[0] + 1,
        luck=signed_points(judged.moves[lucky[0]].luck or 0),
    )


def _strips(places: Sequence[float]) -> Mapping[float, Strip]:
    """Around each place, the part that is nearer to it than to the others, as far as a finger may miss it."""
    if not places:
        return {}
    ordered = sorted(set(places))
    middles = [(one + other) / 2 for one, other in pairwise(ordered)]
    lefts, rights = [-inf, *middles], [*middles, inf]
    found = {}
    for x, left, right in zip(ordered, lefts, rights, strict=True):
        start, end = max(left, x - _REACH), min(right, x + _REACH)
        found[x] = Strip(round(start, 1), round(end - start, 1))
    return found


def unfinished_curve(found: UnfinishedCurve, note: str) -> Curve:
    """The curve of the moves judged so far; only its frame before there is a line to draw."""
    chances, moves = found
    if len(chances) < _LEAST_POINTS:
        return _drawn((), moves, gettext("No move is judged yet."), note)
    label = gettext(
        "The chance to win over the first %(judged)s of %(moves)s moves: %(first)s at first, %(last)s so far.",
        judged=len(chances) - 1,
        moves=moves,
        first=chance_percent(chances[0]),
        last=chance_percent(chances[-1]),
    )
    return _drawn(chances, moves, label, note)


def _drawn(
    chances: Sequence[float],
    moves: int,
    label: str,
    note: str,
    *,
    marks: Sequence[Mark] = (),
    expected: Mapping[int, float] = NO_LUCK,
) -> Curve:
    """The curve through the chances at the first turns of a game with ``moves`` moves.

    At the turns in ``expected``, turned cards changed it noticeably from what was expected.
    """
    last = max(1, moves)
    path, luck, area = [], [], []
    for number, chance in enumerate(chances):
        at = _point(number / last, chance)
        if number in expected:
            before = _point(number / last, expected[number])
            path.append(f"L{before.x} {before.y}")
            luck.append(f"M{before.x} {before.y}V{at.y}")
            area.append(f"{before.x} {before.y}")
        path.append(f"{'L' if number and number not in expected else 'M'}{at.x} {at.y}")
        area.append(f"{at.x} {at.y}")
    return Curve(
        label=label,
        note=note,
        path="".join(path),
        luck="".join(luck),
        area=f"M{_LEFT} {_BOTTOM}L{'L'.join(area)}V{_BOTTOM}Z" if area else "",
        moves=moves,
        value_ticks=[Tick(_point(0, share / 100).y, f"{share}%") for share in (0, 50, 100)],
        move_ticks=[Tick(_point((n - 1) / last, 0).x, str(n)) for n in _ticked_moves(last)],
        marks=marks,
    )


def _ticked_moves(last: int) -> Sequence[int]:
    """The numbers below the curve: of moves as the steps of the review count them, the first one 1."""
    if last <= _MAX_TICKS:
        return range(1, last + 1)
    step = max(1, -(-last // _MAX_TICKS // 10) * 10)
    return [1, *range(step, last + 1, step)]
