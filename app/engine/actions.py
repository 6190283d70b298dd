"""What a player can do to a table, as values with a text form."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from app.engine.ruleset import Layout, PileId


@dataclass(frozen=True, slots=True)
class Move:
    """The top ``count`` cards of one pile go to another as a unit, keeping their order."""

    source: PileId
    target: PileId
    count: int = 1

    def __str__(self) -> str:
        units = f":{self.count}" if self.count > 1 else ""
        return f"{self.source}-{self.target}{units}"


@dataclass(frozen=True, slots=True)
class Deal:
    """The stock gives up its next cards, in whatever way the game deals."""

    def __str__(self) -> str:
        return "deal"


Action = Move | Deal

DEAL: Final = Deal()
_MOVE: Final = re.compile(r"([a-z]+[0-9]{0,2})-([a-z]+[0-9]{0,2})(?::([1-9][0-9]{0,2}))?")


@lru_cache(maxsize=1 << 16)  # a layout has a few thousand readable texts; errors are not kept
def parse_action(layout: Layout, text: str) -> Action:
    """Read ``t3-f1``, ``t2-t5:4`` or ``deal``; the inverse of ``str``.

    Raises ``ValueError`` with a sentence for text that is no action of this layout.
    """
    if text == "deal":
        return DEAL
    match = _MOVE.fullmatch(text)
    if match is None:
        message = f"{text[:40]!r} is not a move: write t3-f1, t2-t5:4 or deal."
        raise ValueError(message)
    source, target = PileId(match[1]), PileId(match[2])
    for pile in (source, target):
        if pile not in layout.index:
            message = f"There is no pile {pile} in this game."
            raise ValueError(message)
    return Move(source, target, int(match[3] or 1))
