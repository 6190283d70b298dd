"""Cursors: the positions in lists where their pages begin, as text in addresses."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from app.errors import MalformedError

# A time in milliseconds fits into 15 digits, and every id of the site into 64 letters.
_CURSOR: Final = re.compile(r"(\d{1,15})\.([\w-]{1,64})", re.ASCII)

MAX_VALUE: Final = 10**15
"""Above every value of a cursor."""


class ListCursor(NamedTuple):
    """A position in a list: what the list is sorted by, such as a time in milliseconds, and an id."""

    value: int
    id: str

    def __str__(self) -> str:
        return f"{self.value}.{self.id}"


def parse_cursor(text: str | None, refusal: str) -> ListCursor | None:
    """The inverse of ``str``; ``None`` without a text. Raises ``MalformedError``, which says ``refusal``."""
    if not text:
        return None
    found = _CURSOR.fullmatch(text)
    if found is None:
        raise MalformedError(refusal)
    return ListCursor(int(found[1]), found[2])
