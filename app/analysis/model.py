"""What the coach found out, as values and as the text that is kept of them."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import NamedTuple, Self


class Winnable(StrEnum):
    """Whether a game can still be won."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


class LookBack(NamedTuple):
    """What is known of a line of play, by the number of actions that lead from the opening to a position.

    Up to ``winnable`` it could be won, as ``line`` shows from there; from ``unwinnable`` on it could not.
    """

    winnable: int | None
    unwinnable: int | None
    line: tuple[str, ...]

    def __str__(self) -> str:
        return json.dumps(self._asdict())

    @classmethod
    def parse(cls, text: str) -> Self:
        """The inverse of ``str``."""
        kept = json.loads(text)
        return cls(kept["winnable"], kept["unwinnable"], tuple(kept["line"]))


NOTHING_KNOWN = LookBack(None, None, ())
