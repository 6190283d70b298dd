"""The clock of all games, in milliseconds since 1970 UTC, and the days of that clock."""

from __future__ import annotations

import time
from datetime import date, timedelta
from typing import Final, Protocol

MINUTE_MS: Final = 60_000
HOUR_MS: Final = 60 * MINUTE_MS
DAY_MS: Final = 24 * HOUR_MS
_EPOCH: Final = date(1970, 1, 1)


class Clock(Protocol):
    """Gives the time in milliseconds since 1970 UTC. Tests use clocks of their own."""

    def __call__(self) -> int: ...


def now_ms() -> int:
    """The machine's clock."""
    return time.time_ns() // 1_000_000


def day_of(at_ms: int) -> date:
    """The UTC day of a moment."""
    return _EPOCH + timedelta(days=at_ms // DAY_MS)


def monday_of(day: date) -> date:
    """The Monday of a day's week."""
    return day - timedelta(days=day.weekday())


def last_mondays(today: date, weeks: int) -> list[date]:
    """The Mondays of the last weeks, in order; this week's is the last."""
    last = monday_of(today)
    return [last - timedelta(weeks=back) for back in reversed(range(weeks))]


def month_of(at_ms: int) -> int:
    """The UTC month of a moment: how many months have passed since January 1970."""
    day = day_of(at_ms)
    return (day.year - _EPOCH.year) * 12 + day.month - 1


def first_day_of(month: int) -> date:
    """The first day of a month, counted as in ``month_of``."""
    return date(_EPOCH.year + month // 12, month % 12 + 1, 1)


def day_begins_ms(day: date) -> int:
    """Midnight UTC at the start of a day."""
    return (day - _EPOCH).days * DAY_MS
