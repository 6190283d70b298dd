"""A picture of each game from the middle of play, cropped to the part that shows its character."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from app.engine.notation import parse_position
from app.engine.ruleset import Ruleset
from app.games.mini_table import COLUMN, MiniTable, mini_table
from app.rulesets import find_ruleset

_FILE: Final = Path(__file__).with_name("pictures.txt")
_RATIO: Final = (3, 2)


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing of a position, and the part of it that is shown, in the units of the drawing."""

    drawing: MiniTable
    left: int
    width: int

    @property
    def view_box(self) -> str:
        """For the ``svg`` element: the shown part has the shape of a tile, three by two."""
        across, down = _RATIO
        return f"{self.left} 0 {self.width} {self.width * down // across}"


def picture_of(rules: Ruleset) -> Picture:
    """The picture of a rule set."""
    return _pictures()[rules.id]


@cache
def _pictures() -> Mapping[str, Picture]:
    """Each section of the file has a line ``rule-set left width``, in columns, and a position below it."""
    text = "\n".join(
        line for line in _FILE.read_text(encoding="ascii").splitlines() if line[:1] != "#"
    )
    return dict(map(_read, text.strip().split("\n\n")))


def _read(section: str) -> tuple[str, Picture]:
    head, _, position = section.partition("\n")
    ruleset, left, columns = head.split()
    rules = find_ruleset(ruleset)
    if rules is None:
        message = f"{ruleset} in {_FILE.name} is not a rule set."
        raise ValueError(message)
    margin = COLUMN // 6
    start, width = int(left) * COLUMN - margin, int(columns) * COLUMN + margin
    drawing = mini_table(rules, parse_position(rules, position))
    return ruleset, Picture(drawing.cropped(start, start + width), start, width)
