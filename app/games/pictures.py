"""A picture of each game from the middle of play: the part that shows its character."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

from app.engine.cards import Card
from app.engine.deal import opening
from app.engine.notation import parse_position
from app.engine.position import Position
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_code, parse_code
from app.games.mini_drawing import CARD_WIDTH, MiniTable
from app.games.mini_piles import COLUMN
from app.games.mini_table import mini_detail, mini_table
from app.rulesets import find_ruleset

_FILE: Final = Path(__file__).with_name("pictures.txt")
_COLUMNS: Final = 6
_MARGIN: Final = 22
_WIDTH: Final = _COLUMNS * COLUMN - (COLUMN - CARD_WIDTH) + 2 * _MARGIN
_HEIGHT: Final = (
    _WIDTH * 5 // 7
)  # the shape of a tile, seven by five: room for columns of four cards


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing of a part of a position."""

    drawing: MiniTable
    view_box: str = f"{-_MARGIN} {-_MARGIN} {_WIDTH} {_HEIGHT}"
    """For the ``svg`` element: the drawing with a margin."""

    def face_down(self) -> Picture:
        """The same with every card face down."""
        return replace(self, drawing=self.drawing.face_down())


def picture_of(rules: Ruleset) -> Picture:
    """The picture of a rule set; of an opening if a new game has no picture yet."""
    found = _positions().get(rules.id)
    if found is None:
        return detail_of(rules, opening(rules, _example_deck(rules)))
    first, position = found
    return Picture(mini_detail(rules, position, first - 1, _COLUMNS, _HEIGHT - 2 * _MARGIN))


def detail_of(rules: Ruleset, position: Position) -> Picture:
    """The first piles of a position, in the shape of the other pictures."""
    return Picture(mini_detail(rules, position, 0, _COLUMNS, _HEIGHT - 2 * _MARGIN))


def whole_of(rules: Ruleset, position: Position) -> Picture:
    """All of a position, in a shape of its own."""
    drawing = mini_table(rules, position)
    return Picture(drawing, _view_box(drawing))


def _view_box(drawing: MiniTable) -> str:
    size = f"{drawing.width + 2 * _MARGIN} {drawing.height + 2 * _MARGIN}"
    return f"{-_MARGIN} {-_MARGIN} {size}"


@cache
def opening_picture(rules: Ruleset) -> Picture:
    """How a game begins, all of it."""
    return whole_of(rules, example_opening(rules))


def example_opening(rules: Ruleset) -> Position:
    """How a game begins; any deal would do."""
    return opening(rules, _example_deck(rules))


def _example_deck(rules: Ruleset) -> tuple[Card, ...]:
    return deck_of_code(parse_code("FR35H-00000"), rules.decks)


@cache
def _positions() -> Mapping[str, tuple[int, Position]]:
    """Each section of the file has a line ``rule-set first``, the first pile of the tableau to show, and a position."""
    text = "\n".join(
        line for line in _FILE.read_text(encoding="ascii").splitlines() if line[:1] != "#"
    )
    return dict(map(_read, text.strip().split("\n\n")))


def _read(section: str) -> tuple[str, tuple[int, Position]]:
    head, _, position = section.partition("\n")
    ruleset, first = head.split()
    rules = find_ruleset(ruleset)
    if rules is None:
        message = f"{ruleset} in {_FILE.name} is not a rule set."
        raise ValueError(message)
    return ruleset, (int(first), parse_position(rules, position))
