"""The days of the daily deal. A day is UTC; what is under way at its midnight may finish for two hours."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import Final

_SECOND: Final = 1000
_MINUTE: Final = 60 * _SECOND
_HOUR: Final = 60 * _MINUTE
_DAY: Final = 24 * _HOUR
_EPOCH: Final = date(1970, 1, 1)

# A move that was judged just in time may still be on its way into the database.
_SETTLING: Final = _MINUTE
_FORM: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def day_of(at_ms: int) -> date:
    """The day that a moment belongs to."""
    return _EPOCH + timedelta(days=at_ms // _DAY)


def opens_ms(day: date) -> int:
    """When a day's deals open."""
    return (day - _EPOCH).days * _DAY


def closes_ms(day: date) -> int:
    """From here on nobody can begin a day's deals."""
    return opens_ms(day) + _DAY


def finish_ms(day: date) -> int:
    """The last moment whose action still counts for a day."""
    return closes_ms(day) + 2 * _HOUR


def settled_ms(day: date) -> int:
    """When every action that counts for a day is surely stored, so that it can be closed."""
    return finish_ms(day) + _SETTLING


def parse_day(text: str) -> date:
    """Read ``2026-11-21``; raises ``ValueError`` with a sentence."""
    try:
        if _FORM.fullmatch(text):
            return date.fromisoformat(text)
    except ValueError:
        pass
    message = f"{text[:40]!r} is not a day: write it like 2026-11-21."
    raise ValueError(message)


def clock_text(at_ms: int) -> str:
    """A moment as machines read it: ``2026-11-21T02:00:00Z``."""
    return f"{datetime.fromtimestamp(at_ms / _SECOND, UTC):%Y-%m-%dT%H:%M:%SZ}"


def spoken(day: date) -> str:
    """A day as people say it: ``21 November 2026``."""
    return f"{day.day} {day:%B %Y}"
