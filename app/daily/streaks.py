"""Streaks: how many days in a row a player has solved a daily deal. One missed day a month is forgiven."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

ONE_DAY: Final = timedelta(days=1)

FREEZE_EVERY: Final = 30
"""After a missed day was forgiven, the next one can be forgiven this many days later."""


@dataclass(frozen=True, slots=True)
class Streak:
    """Consecutive days with a solved deal: the current number and the ``best`` so far.

    ``frozen`` is the last missed day that was forgiven in this streak. ``is_waiting``: today is not
    solved yet, so the streak ends at midnight.
    """

    days: int
    best: int
    frozen: date | None
    is_waiting: bool


def compute_streak(solved: AbstractSet[date], today: date) -> Streak:
    """The streak of a player who solved a deal on each of the days ``solved``.

    A single missed day between two days of a streak is forgiven, if no other day was forgiven in
    the thirty days before it. Forgiven days do not break the streak and are not counted.
    """
    days = best = 0
    frozen: date | None = None
    first = last = today
    for day in sorted(solved):
        missed = _days_between(last, day) if days else 0
        if missed == 1 and _can_freeze(frozen, day - ONE_DAY):
            frozen = day - ONE_DAY
        elif missed or not days:
            days, first = 0, day
        days += 1
        best = max(best, days)
        last = day
    if days and (missed := _days_between(last, today)):
        if missed == 1 and _can_freeze(frozen, today - ONE_DAY):
            frozen = today - ONE_DAY
        else:
            days = 0
    is_of_this_streak = days > 0 and frozen is not None and frozen > first
    return Streak(days, best, frozen if is_of_this_streak else None, is_waiting=today not in solved)


def _days_between(last: date, day: date) -> int:
    """The number of whole days between two days."""
    return max((day - last).days - 1, 0)


def _can_freeze(frozen: date | None, missed: date) -> bool:
    return frozen is None or (missed - frozen).days >= FREEZE_EVERY
