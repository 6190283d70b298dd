"""The actions a player can take, and their text form: ``t3-f1``, ``t2-t5:4``, ``deal``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from app.engine.ruleset import Layout, PileId
from app.text import gettext


@dataclass(frozen=True, slots=True)
class Move:
    """Move the top ``count`` cards of one pile to another, keeping their order."""

    source: PileId
    target: PileId
    count: int = 1

    def __str__(self) -> str:
        suffix = f":{self.count}" if self.count > 1 else ""
        return f"{self.source}-{self.target}{suffix}"


@dataclass(frozen=True, slots=True)
class Deal:
    """Deal the next cards from the stock; the rule set says where they go."""

    def __str__(self) -> str:
        return "deal"


Action = Move | Deal

DEAL: Final = Deal()
_MOVE: Final = re.compile(r"([a-z]+[0-9]{0,2})-([a-z]+[0-9]{0,2})(?::([1-9][0-9]{0,2}))?")


@lru_cache(maxsize=1 << 16)  # a layout has a few thousand valid texts; errors are not cached
def parse_action(layout: Layout, text: str) -> Action:
    """Read an action from its text form; the inverse of ``str``.

    Raises ``ValueError`` with a sentence for the player when the text is not an action in this layout.

    >>> from app.rulesets.bristol import BRISTOL
    >>> parse_action(BRISTOL.layout, "t3-f1")
    Move(source='t3', target='f1', count=1)
    >>> str(Move(PileId("t2"), PileId("t5"), 4)), str(DEAL)
    ('t2-t5:4', 'deal')
    >>> parse_action(BRISTOL.layout, "t9-f1")
    Traceback (most recent call last):
    ValueError: This game has no pile t9.
    """
    if text == "deal":
        return DEAL
    match = _MOVE.fullmatch(text)
    if match is None:
        raise ValueError(
            gettext("%(text)s is not a move: write t3-f1, t2-t5:4 or deal.", text=repr(text[:40]))
        )
    source, target = PileId(match[1]), PileId(match[2])
    for pile in (source, target):
        if pile not in layout.index:
            raise ValueError(gettext("This game has no pile %(pile)s.", pile=pile))
    return Move(source, target, int(match[3] or 1))
