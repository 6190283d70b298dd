"""Where a page of live tables begins, as an address says it."""

from __future__ import annotations

from app.errors import MalformedError

_DIGITS = 15  # of a moment in milliseconds


def written(cursor: tuple[int, str]) -> str:
    """A place in the list as text."""
    return f"{cursor[0]}.{cursor[1]}"


def read_cursor(text: str) -> tuple[int, str] | None:
    """A place in the list from its text; the beginning when there is none. Raises ``MalformedError``."""
    if not text:
        return None
    moment, dot, game_id = text.partition(".")
    if not (dot and moment.isascii() and moment.isdecimal() and len(moment) <= _DIGITS):
        raise MalformedError("This is no place in the list of live tables.")
    return int(moment), game_id
