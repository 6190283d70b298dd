"""The days of the daily deal. A day is UTC; what is under way at its midnight may finish for two hours."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from app.clock import DAY_MS, day_begins_ms

_SECOND: Final = 1000
_MINUTE: Final = 60 * _SECOND
_HOUR: Final = 60 * _MINUTE

# A move that was judged just in time may still be on its way into the database.
_SETTLING: Final = _MINUTE
_FORM: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def opens_ms(day: date) -> int:
    """When a day's deals open."""
    return day_begins_ms(day)


def closes_ms(day: date) -> int:
    """From here on nobody can begin a day's deals."""
    return opens_ms(day) + DAY_MS


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
