"""The difficulty that a player asks for, and how near a deal of some difficulty comes to it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from app.solver.difficulty import Grade


class Level(StrEnum):
    """The difficulty of new deals."""

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

_ORDER: Final = tuple(Grade)  # from the easiest to the hardest


def distance(level: Level, grade: Grade) -> int:
    """How many grades away from a level a grade is; 0 if it belongs to the level."""
    return min(abs(_ORDER.index(grade) - _ORDER.index(each)) for each in GRADES[level])


def nearest_note(level: Level, grade: Grade | None, title: str) -> str:
    """What to say if another difficulty was dealt than asked for; empty if it is the one."""
    if level is Level.ANY or (grade and not distance(level, grade)):
        return ""
    wanted = {Level.EASIER: "easier", Level.MEDIUM: "medium", Level.HARDER: "harder"}[level]
    found = f"the nearest one: {grade}" if grade else "one of unknown difficulty"
    return f"There is no {wanted} deal of {title} ready, so you got {found}."
