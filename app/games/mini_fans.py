"""Fans in a small drawing, as they lie on a screen of little width: see ``mini_table``.

The foundations lie beside them, four one below another, or eight in two columns; each pile of the reserve lies
across, in one row with the stock. As nobody looks at more than their ranks, foundations are as small as it takes for
four of them to fit in the height.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from app.engine.position import Position
from app.engine.ruleset import Ruleset
from app.engine.vocabulary import Zone
from app.games.mini_drawing import CARD_HEIGHT, CARD_WIDTH, MiniPile
from app.games.mini_piles import COLUMN, READABLE_ACROSS, end_of, row_across, squared

_HIGH: Final = 4  # foundations, one below another
_GAP: Final = 12  # between them
_ASIDE: Final = 32  # from the last column to the foundations
_APART: Final = 18  # from one pile of the reserve to the next


def width_beside(rules: Ruleset, height: int) -> int:
    """The width of the foundations beside fans in a drawing of this height, with the cloth before them."""
    across = _columns_of_homes(rules)
    return _ASIDE + across * round(CARD_WIDTH * _scale(height)) + (across - 1) * _GAP


def row_of_fans(rules: Ruleset, position: Position, columns: int) -> Iterator[MiniPile]:
    """The stock and the reserve above so many columns. Of a long pile there are the cards that can be read."""
    layout = rules.layout
    hand = layout.ranges[Zone.STOCK]
    for number, index in enumerate(hand):
        yield squared(rules, position, index, number * COLUMN)
    first, count = len(hand) * COLUMN, len(layout.reserves)
    room = (columns - len(hand)) * COLUMN
    width = room // count - _APART
    for number, index in enumerate(layout.reserves):
        x, pile = first + room * number // count, position.piles[index]
        if not pile.cards:
            yield squared(rules, position, index, x)
            continue
        shown = end_of(pile, 0, 1 + (width - CARD_WIDTH) // READABLE_ACROSS)
        yield row_across(shown, x, width, 0)


def homes_beside_fans(
    rules: Ruleset, position: Position, width: int, height: int
) -> Iterator[MiniPile]:
    """The foundations at the right edge of a drawing of this size."""
    across, scale = _columns_of_homes(rules), _scale(height)
    card = round(CARD_WIDTH * scale)
    left = width - across * card - (across - 1) * _GAP
    step = (height - CARD_HEIGHT * scale) / (_HIGH - 1) if scale < 1 else CARD_HEIGHT + _GAP
    for number, index in enumerate(rules.layout.foundations):
        row, column = divmod(number, across)
        drawn = squared(rules, position, index, left + column * (card + _GAP), int(row * step))
        yield drawn._replace(scale=scale)


def _columns_of_homes(rules: Ruleset) -> int:
    return -(-len(rules.layout.foundations) // _HIGH)


def _scale(height: int) -> float:
    return min(1, round((height - (_HIGH - 1) * _GAP) / (_HIGH * CARD_HEIGHT), 3))
