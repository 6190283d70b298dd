"""Times and spans as those who look into a matter want to read them: exact, and in one zone."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Final

DAY_MS: Final = 86_400_000


def moment(at_ms: int) -> str:
    """``2026-11-21 09:30:05`` (UTC)."""
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")


def exact_moment(at_ms: int) -> str:
    """``2026-11-21 09:30:05.123`` (UTC)."""
    return f"{moment(at_ms)}.{at_ms % 1000:03}"


def moment_since(at_ms: int, began_ms: int) -> str:
    """The time of day alone, as long as it is the day on which something began."""
    whole = exact_moment(at_ms)
    same_day = at_ms // DAY_MS == began_ms // DAY_MS
    return whole.partition(" ")[2] if same_day else whole


def span(length_ms: int) -> str:
    """``0.120 s``, ``12.500 s``, ``3:05``, ``2:03:05``."""
    minutes, seconds = divmod(length_ms // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes:02}:{seconds:02}"
    return f"{minutes}:{seconds:02}" if minutes else f"{length_ms / 1000:.3f} s"


def day_begins_ms(day: date) -> int:
    """Midnight in UTC."""
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()) * 1000
