"""Positions in lists that are ordered by time, as text in addresses: the time and an id."""

from __future__ import annotations

import re
from typing import Final

# A time in milliseconds fits into 15 digits, and every id of the site into 64 letters.
_POSITION: Final = re.compile(r"(\d{1,15})\.([\w-]{1,64})", re.ASCII)


def read_position(text: str) -> tuple[int, str] | None:
    """The time and the id; ``None`` if the text is no such position."""
    found = _POSITION.fullmatch(text)
    return (int(found[1]), found[2]) if found else None
