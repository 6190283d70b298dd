"""Tables small enough to lie side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from app.engine.position import Pile
from app.engine.vocabulary import Zone
from app.games.model import Game

CARD_W: Final = 20
CARD_H: Final = 28
_GAP: Final = 4
_FAN: Final = 10.5
_FAN_DOWN: Final = 4.0
_ASIDE: Final = 9.0
_TALLEST: Final = 160.0


class Face(NamedTuple):
    """A card on a small table; without a text it is a back."""

    text: str
    x: float
    y: float


class SmallBoard(NamedTuple):
    """A table as a drawing."""

    width: float
    height: float
    places: list[Face]
    cards: list[Face]


def room_for(tables: Iterable[Game]) -> float:
    """How much height the columns of some tables need: all of them get as much, so that none of them jumps."""
    piles = {
        (len(pile.cards), pile.down)
        for game in tables
        for pile in game.position.piles[game.rules.layout.tableau.start :]
    }
    return min(_TALLEST, CARD_H + max(_length(count, down) for count, down in piles))


def small_board(game: Game, tall: float = _TALLEST) -> SmallBoard:
    """A table drawn small, as its player saw it: what lay face down stays face down."""
    layout, piles = game.rules.layout, game.position.piles
    places: list[Face] = []
    cards: list[Face] = []
    hand = [*layout.ranges[Zone.STOCK], *layout.ranges[Zone.WASTE]]
    columns = max(len(layout.tableau), len(hand) + len(layout.foundations) + 1)
    width = columns * (CARD_W + _GAP) - _GAP

    def put(index: int, x: float, y: float) -> None:
        places.append(Face("", x, y))
        cards.extend(_top(piles[index], x, y))

    for number, index in enumerate(hand):
        put(index, number * (CARD_W + _GAP), 0)
    for number, index in enumerate(reversed(layout.foundations)):
        put(index, width - CARD_W - number * (CARD_W + _GAP), 0)
    y = float(CARD_H + 2 * _GAP)
    if len(layout.reserves) == 1:
        reserve = piles[layout.reserves.start]
        cards.extend(Face(_text(reserve, n), n * _ASIDE, y) for n in range(len(reserve.cards)))
    else:
        for number, index in enumerate(layout.reserves):
            put(index, number * (CARD_W + _GAP), y)
    if layout.reserves:
        y += CARD_H + 2 * _GAP
    wide = (width - CARD_W) / max(len(layout.tableau) - 1, 1)
    for number, index in enumerate(layout.tableau):
        x = round(number * wide, 1)
        places.append(Face("", x, y))
        cards.extend(_fanned(piles[index], x, y))
    return SmallBoard(width, y + tall, places, cards)


def _top(pile: Pile, x: float, y: float) -> Sequence[Face]:
    last = len(pile.cards) - 1
    return [Face(_text(pile, last), x, y)] if pile.cards else []


def _fanned(pile: Pile, x: float, y: float) -> Sequence[Face]:
    """A column; where it is long, it lies closer."""
    natural = _length(len(pile.cards), pile.down)
    squeeze = min(1.0, (_TALLEST - CARD_H) / natural) if natural else 1.0
    faces = []
    for n in range(len(pile.cards)):
        faces.append(Face(_text(pile, n), x, round(y, 1)))
        y += squeeze * (_FAN_DOWN if n < pile.down else _FAN)
    return faces


def _length(count: int, down: int) -> float:
    """How far below the first card of a column its last one lies, where there is room."""
    hidden = min(down, max(count - 1, 0))
    return hidden * _FAN_DOWN + max(count - 1 - hidden, 0) * _FAN


def _text(pile: Pile, n: int) -> str:
    return "" if n < pile.down else pile.cards[n].text
