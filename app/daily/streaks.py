"""Days in a row: a day counts when one of its deals was solved; one missed day in thirty is forgiven."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

FREEZE_EVERY: Final = 30
"""Days that must pass before another missed day is forgiven."""

_ONE: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Streak:
    """``days`` solved in a row and the ``best`` ever; ``frozen`` is the latest forgiven day of this streak.

    ``is_waiting`` says that today is not solved yet: the streak stands, but only until midnight.
    """

    days: int
    best: int
    frozen: date | None
    is_waiting: bool


def streak(solved: AbstractSet[date], today: date) -> Streak:
    """The streak of somebody who solved on the days ``solved``.

    A missed day is forgiven by itself, if the days on both of its sides belong to the streak and no day was
    forgiven in the thirty days before it. Forgiven days hold the streak together and are not counted.
    """
    days = best = 0
    frozen: date | None = None
    begun = last = today
    for day in sorted(solved):
        missed = _missed(last, day) if days else 0
        if missed == 1 and _may_freeze(frozen, day - _ONE):
            frozen = day - _ONE
        elif missed or not days:
            days, begun = 0, day
        days += 1
        best = max(best, days)
        last = day
    if days and (missed := _missed(last, today)):
        if missed == 1 and _may_freeze(frozen, today - _ONE):
            frozen = today - _ONE
        else:
            days = 0
    is_of_this_streak = days > 0 and frozen is not None and frozen > begun
    return Streak(days, best, frozen if is_of_this_streak else None, is_waiting=today not in solved)


def _missed(last: date, day: date) -> int:
    """How many whole days lie between two days."""
    return max((day - last).days - 1, 0)


def _may_freeze(frozen: date | None, missed: date) -> bool:
    return frozen is None or (missed - frozen).days >= FREEZE_EVERY
