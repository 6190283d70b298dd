"""The days of the daily deal: their deadlines, and streaks of solved days.

Days are UTC. Attempts started before midnight can be finished until 02:00.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from app.clock import DAY_MS, day_begins_ms

_SECOND: Final = 1000
_MINUTE: Final = 60 * _SECOND
_HOUR: Final = 60 * _MINUTE

# A move accepted just in time may not have been stored yet.
_SETTLING: Final = _MINUTE
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)

ONE_DAY: Final = timedelta(days=1)

FREEZE_EVERY: Final = 30
"""After a missed day was forgiven, the next one can be forgiven this many days later."""


def opens_ms(day: date) -> int:
    """When a day's deals open."""
    return day_begins_ms(day)


def closes_ms(day: date) -> int:
    """When a day ends: from now on its deals cannot be started."""
    return opens_ms(day) + DAY_MS


def finish_ms(day: date) -> int:
    """The last moment at which a move still counts for a day."""
    return closes_ms(day) + 2 * _HOUR


def settled_ms(day: date) -> int:
    """When every move that counts for a day has been stored, so that the day can be closed."""
    return finish_ms(day) + _SETTLING


def parse_day(text: str) -> date:
    """Parse ``2026-11-21``; raises ``ValueError`` with a message for players."""
    try:
        if _DATE.fullmatch(text):
            return date.fromisoformat(text)
    except ValueError:
        pass
    message = f"{text[:40]!r} is not a date. Dates look like 2026-11-21."
    raise ValueError(message)


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
