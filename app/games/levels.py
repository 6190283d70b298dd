"""The difficulty that a player asks for, and how near a deal of some difficulty comes to it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from app.solver.difficulty import Grade


class Level(StrEnum):
    """The difficulty of new deals, as forms, cookies and programs name it."""

    ANY = "any"
    EASIER = "easier"
    MEDIUM = "medium"
    HARDER = "harder"


GRADES: Final[Mapping[Level, tuple[Grade, ...]]] = MappingProxyType(
    {
        Level.ANY: tuple(Grade),
        Level.EASIER: (Grade.GENTLE,),
        Level.MEDIUM: (Grade.FAIR,),
        Level.HARDER: (Grade.HARD, Grade.FIENDISH),
    }
)
"""The grades of each level."""

LABELS: Final[Mapping[Level, str]] = MappingProxyType(
    {
        Level.ANY: "any",
        Level.EASIER: "gentle",
        Level.MEDIUM: "fair",
        Level.HARDER: "hard or fiendish",
    }
)
"""The same in the words of the grades, which is how people read it."""

_ORDER: Final = tuple(Grade)  # from the easiest to the hardest


def distance(level: Level, grade: Grade) -> int:
    """How many grades away from a level a grade is; 0 if it belongs to the level."""
    return min(abs(_ORDER.index(grade) - _ORDER.index(each)) for each in GRADES[level])


def nearest_note(level: Level, grade: Grade | None, title: str) -> str:
    """What to say if another difficulty was dealt than asked for; empty if it is the one."""
    if level is Level.ANY or (grade and not distance(level, grade)):
        return ""
    found = f"the nearest one: {grade}" if grade else "one of unknown difficulty"
    return f"There is no {LABELS[level]} deal of {title} ready, so you got {found}."
