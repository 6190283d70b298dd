"""Dates, times and durations as text. All times are UTC."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Final

from app.clock import DAY_MS

_MINUTE_MS: Final = 60_000


def long_date(day: date) -> str:
    """``21 November 2026``."""
    return f"{day.day} {day:%B %Y}"


def iso_time(at_ms: int) -> str:
    """For machines: ``2026-11-21T02:00:00Z``."""
    return f"{_utc(at_ms):%Y-%m-%dT%H:%M:%SZ}"


def date_time(at_ms: int) -> str:
    """``2026-11-21 09:30:05``."""
    return f"{_utc(at_ms):%Y-%m-%d %H:%M:%S}"


def exact_time(at_ms: int) -> str:
    """``2026-11-21 09:30:05.123``."""
    return f"{date_time(at_ms)}.{at_ms % 1000:03}"


def exact_time_since(at_ms: int, began_ms: int) -> str:
    """``09:30:05.123`` on the day on which something began, with the date on any other day."""
    text = exact_time(at_ms)
    is_same_day = at_ms // DAY_MS == began_ms // DAY_MS
    return text.partition(" ")[2] if is_same_day else text


def clock_duration(seconds: int) -> str:
    """``0:07``, ``12:30``, ``1:02:03``."""
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def exact_duration(length_ms: int) -> str:
    """Under a minute with milliseconds: ``0.120 s``, ``12.500 s``, ``3:05``, ``2:03:05``."""
    if length_ms < _MINUTE_MS:
        return f"{length_ms / 1000:.3f} s"
    return clock_duration(length_ms // 1000)


def spoken_duration(seconds: int) -> str:
    """For a sentence: ``9 minutes 12 seconds``."""
    minutes, second = divmod(seconds, 60)
    hour, minute = divmod(minutes, 60)
    parts = [
        f"{number} {unit}" if number == 1 else f"{number} {unit}s"
        for number, unit in ((hour, "hour"), (minute, "minute"), (second, "second"))
        if number
    ]
    return " ".join(parts) or "no time"


def _utc(at_ms: int) -> datetime:
    return datetime.fromtimestamp(at_ms / 1000, UTC)
