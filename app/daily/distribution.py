"""How the players of a deal did, as a few bars: the solved attempts by their moves, then the unsolved ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from itertools import accumulate
from typing import Final, NamedTuple

from sqlalchemy import Connection, func, select

from app.daily.model import Attempt
from app.db.schema import daily_attempts
from app.games.attempt_verdicts import AttemptVerdict
from app.text import gettext

_BARS: Final = 6
_MOST: Final = 0.9  # of the solved attempts lie below the last bar, which has no upper end

_a = daily_attempts.c


@dataclass(frozen=True, slots=True)
class MovesBar:
    """How many attempts took a range of moves: ``60 to 69``. ``percent`` is of the longest bar."""

    title: str
    count: int
    percent: int
    is_you: bool


class Counts(NamedTuple):
    """Numbers of attempts: the solved ones for each number of moves, and the unsolved ones."""

    solved: Mapping[int, int]
    unsolved: int


def count_attempts(connection: Connection, day: date, ruleset: str) -> Counts:
    """Count the attempts at a deal, those of guests too."""
    of_deal = (_a.day == day.isoformat(), _a.ruleset == ruleset)
    solved = select(_a.actions, func.count()).where(*of_deal, _a.verdict == AttemptVerdict.SOLVED)
    unsolved = select(func.count()).where(*of_deal, _a.verdict == AttemptVerdict.UNSOLVED)
    rows = connection.execute(solved.group_by(_a.actions))
    return Counts({row[0]: row[1] for row in rows}, connection.scalar(unsolved) or 0)


def bars_of(counts: Counts, own: Attempt | None) -> list[MovesBar]:
    """The bars, with the one of the viewer's own attempt; none unless there are results to compare."""
    solved, unsolved = dict(sorted(counts.solved.items())), counts.unsolved
    if sum(solved.values()) + unsolved <= 1:
        return []
    own_moves = own.score.actions if own and own.score else None
    is_unsolved = own is not None and own.verdict is AttemptVerdict.UNSOLVED
    lines = [
        (title, sum(solved.get(moves, 0) for moves in span), own_moves in span)
        for title, span in _spans(solved)
    ]
    if unsolved:
        lines.append((gettext("not won"), unsolved, is_unsolved))
    most = max(count for _, count, _ in lines)
    return [MovesBar(title, count, 100 * count // most, is_you) for title, count, is_you in lines]


def _span_text(span: range, *, is_open: bool) -> str:
    if is_open:
        return gettext("%(moves)s or more", moves=span[0])
    if len(span) > 1:
        return gettext("%(least)s to %(most)s", least=span[0], most=span[-1])
    return str(span[0])


def _spans(solved: Mapping[int, int]) -> list[tuple[str, range]]:
    """Equal steps of moves. The slowest attempts share the last bar, so that the other bars differ."""
    if not solved:
        return []
    numbers, total = list(solved), sum(solved.values())
    sums = accumulate(solved.values())
    usual = next(
        moves for moves, below in zip(numbers, sums, strict=True) if below >= _MOST * total
    )
    first, last = numbers[0], numbers[-1]
    width = -(-(usual - first + 1) // _BARS)
    starts = range(first, min(last, first + _BARS * width - 1) + 1, width)
    spans = []
    for low in starts:
        is_open = low == starts[-1] and last >= low + width
        span = range(low, last + 1 if is_open else low + width)
        spans.append((_span_text(span, is_open=is_open), span))
    return spans
