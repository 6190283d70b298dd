"""A table drawn small, as SVG: on the home page, in the replays of a race, and in link previews.

A card that lies face down is drawn as a back and its identity is not read: two tables that look alike have the
same drawing. Lengths are in the units of the card sprite, where a card is 100 wide and 140 high.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final, NamedTuple

from markupsafe import Markup

from app.engine.position import Pile, Position
from app.engine.ruleset import Ruleset
from app.engine.vocabulary import Zone
from app.games.board import kind, space_mark

CARD_WIDTH: Final = 100
CARD_HEIGHT: Final = 140

COLUMN: Final = 118
"""From one column to the next."""
_ROW: Final = 166  # from one row to the next
_FACE: Final = 58  # how much of a covered face shows in a column
_FACE_ACROSS: Final = 50  # and in a row
_BACK: Final = 18  # how much of a covered back shows
_LONGEST: Final = 800  # where a column would be longer, its cards lie closer
_CARD_SIZE: Final = f'width="{CARD_WIDTH}" height="{CARD_HEIGHT}"'
_PLACE_SIZE: Final = f'width="{CARD_WIDTH - 2}" height="{CARD_HEIGHT - 2}" rx="7"'


class Overlap(StrEnum):
    """How the cards of a pile lie; the name is a class in the drawing."""

    SQUARED = "squared"
    ACROSS = "across"
    DOWN = "down"


class MiniCard(NamedTuple):
    """A card in the drawing: its name in the sprite, ``back`` where it lies face down."""

    name: str
    x: int
    y: int


class MiniPile(NamedTuple):
    """A pile: its place, the mark on the place while it is empty, and the cards to draw, bottom first."""

    x: int
    y: int
    overlap: Overlap
    mark: str
    cards: tuple[MiniCard, ...]


class MiniTable(NamedTuple):
    """The drawing of a table."""

    width: int
    height: int
    piles: tuple[MiniPile, ...]

    def cropped(self, left: int, right: int) -> MiniTable:
        """The drawing without the cards and places that lie outside these limits."""

        def is_inside(x: int) -> bool:
            return left < x + CARD_WIDTH and x < right

        piles = tuple(
            pile._replace(cards=tuple(card for card in pile.cards if is_inside(card.x)))
            for pile in self.piles
            if is_inside(pile.x) or any(is_inside(card.x) for card in pile.cards)
        )
        return self._replace(piles=piles)

    def svg(self, sprite: str) -> Markup:
        """What goes into an ``svg`` element of this size. ``sprite`` is the address of the card sprite."""
        return Markup("".join(_pile_svg(pile, sprite) for pile in self.piles))  # noqa: S704 - names and numbers


def mini_table(
    rules: Ruleset, position: Position, *, columns: int = 0, column_height: int = 0
) -> MiniTable:
    """Draw a table.

    ``columns`` makes the drawing wider than the arrangement needs, ``column_height`` higher than the columns are now.
    """
    columns = max(columns, columns_of(rules))
    piles = tuple(_piles(rules, position, columns))
    tableau = next(pile.y for pile in piles if pile.overlap is Overlap.DOWN)
    height = max(column_height, longest_column([position], rules))
    return MiniTable((columns - 1) * COLUMN + CARD_WIDTH, tableau + height, piles)


def columns_of(rules: Ruleset) -> int:
    """How many columns the arrangement of a rule set needs."""
    return 8 if kind(rules) == "fans" else 10


def longest_column(positions: Iterable[Position], rules: Ruleset) -> int:
    """The height of the longest column in any of these positions, so that all can be drawn at one size."""
    piles = {
        (len(position.piles[index].cards), position.piles[index].down)
        for position in positions
        for index in rules.layout.tableau
    }
    return min(_LONGEST, CARD_HEIGHT + max(_covered_height(count, down) for count, down in piles))


def _piles(rules: Ruleset, position: Position, columns: int) -> Iterator[MiniPile]:
    layout = rules.layout
    hand = [*layout.ranges[Zone.STOCK], *layout.ranges[Zone.WASTE]]
    foundations = layout.foundations
    y = _ROW

    def squared(index: int, column: int) -> MiniPile:
        pile, x = position.piles[index], column * COLUMN
        top = len(pile.cards) - 1
        cards = (MiniCard(_name(pile, top), x, 0),) if pile.cards else ()
        return MiniPile(x, 0, Overlap.SQUARED, _mark(rules, position, index), cards)

    for column, index in enumerate(hand):
        yield squared(index, column)
    for column, index in enumerate(foundations, start=columns - len(foundations)):
        yield squared(index, column)
    if kind(rules) == "fans":
        for column, index in enumerate(layout.reserves, start=len(hand)):
            yield squared(index, column)
    else:
        for index in layout.reserves:
            reserve = position.piles[index]
            row = tuple(
                MiniCard(_name(reserve, n), n * _FACE_ACROSS, y) for n in range(len(reserve.cards))
            )
            yield MiniPile(0, y, Overlap.ACROSS, "", row)
            y += _ROW
    # Fewer piles than columns spread over the same width.
    for number, index in enumerate(layout.tableau):
        x = (columns - 1) * COLUMN * number // (len(layout.tableau) - 1)
        cards = tuple(_fanned(position.piles[index], x, y))
        yield MiniPile(x, y, Overlap.DOWN, _mark(rules, position, index), cards)


def _fanned(pile: Pile, x: int, y: int) -> Iterator[MiniCard]:
    natural = _covered_height(len(pile.cards), pile.down)
    squeeze = min(1.0, (_LONGEST - CARD_HEIGHT) / natural) if natural else 1.0
    below = 0
    for n in range(len(pile.cards)):
        yield MiniCard(_name(pile, n), x, y + int(below * squeeze))
        below += _BACK if n < pile.down else _FACE


def _covered_height(count: int, down: int) -> int:
    """How far below the first card of a column its last one lies, where there is room."""
    hidden = min(down, max(count - 1, 0))
    return hidden * _BACK + max(count - 1 - hidden, 0) * _FACE


def _name(pile: Pile, n: int) -> str:
    return "back" if n < pile.down else pile.cards[n].text


def _mark(rules: Ruleset, position: Position, index: int) -> str:
    mark = "" if position.piles[index].cards else space_mark(rules, position, index)
    return "" if mark == "none" else mark


def _pile_svg(pile: MiniPile, sprite: str) -> str:
    drawn = [f'<g class="{pile.overlap}">']
    if not pile.cards:
        drawn.append(f'<rect class="place" x="{pile.x + 1}" y="{pile.y + 1}" {_PLACE_SIZE}/>')
    if pile.mark:
        drawn.append(
            f'<use href="{sprite}#mark-{pile.mark}" x="{pile.x}" y="{pile.y}" {_CARD_SIZE}/>'
        )
    drawn += [
        f'<use href="{sprite}#{name}" x="{x}" y="{y}" {_CARD_SIZE}/>' for name, x, y in pile.cards
    ]
    return "".join([*drawn, "</g>"])
