"""One pile of a table that is drawn small: see ``mini_table``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from app.engine.position import Pile, Position
from app.engine.ruleset import Ruleset
from app.engine.vocabulary import Zone
from app.games.board import empty_mark
from app.games.mini_drawing import BACK, CARD_HEIGHT, CARD_WIDTH, MiniCard, MiniPile, Overlap

COLUMN: Final = 118
"""From one column to the next."""
LONGEST: Final = 800
"""Where a column would be longer, some of its cards lie in a stack."""
READABLE: Final = 54
"""The least of a covered face that can be read, in a column."""
READABLE_ACROSS: Final = 42
"""And in a row."""
BACK_STRIP: Final = 18
"""How much of a covered back shows."""
_FACE: Final = 58  # how much of a covered face shows in a column
_FACE_ACROSS: Final = 50  # and in a row
_STACKED: Final = 5  # how much of it shows where there is no room to read it: its blank edge


def squared(rules: Ruleset, position: Position, index: int, x: int, y: int = 0) -> MiniPile:
    pile = position.piles[index]
    cards = (MiniCard(name_of(pile, len(pile.cards) - 1), x, y),) if pile.cards else ()
    mark, zone = mark_of(rules, position, index), rules.layout.zones[index]
    return MiniPile(x, y, Overlap.SQUARED, mark, cards, zone=zone)


def end_of(pile: Pile, backs: int, faces: int) -> Pile:
    """So many of the last face-down cards, and of the last face-up ones."""
    down = min(pile.down, backs)
    return Pile(pile.cards[pile.down - down : pile.down] + pile.face_up[-faces:], down)


def row_across(pile: Pile, x: int, width: int, y: int, zone: Zone = Zone.RESERVE) -> MiniPile:
    """A pile that lies in a row, squeezed into a ``width``."""
    covered = max(1, len(pile.cards) - 1)
    step = min(_FACE_ACROSS, (width - CARD_WIDTH) / covered)
    row = tuple(MiniCard(name_of(pile, n), x + int(n * step), y) for n in range(len(pile.cards)))
    return MiniPile(x, y, Overlap.ACROSS, "", row, zone=zone)


def fanned(pile: Pile, x: int, y: int, longest: int = LONGEST) -> Iterator[MiniCard]:
    for n, step in enumerate(
        [0, *steps_of(len(pile.cards), pile.down, longest)][: len(pile.cards)]
    ):
        y += step
        yield MiniCard(name_of(pile, n), x, y)


def steps_of(count: int, down: int, longest: int) -> list[int]:
    """How much of each covered card shows in a column of ``count`` cards, ``down`` of them face down."""
    covered = max(count - 1, 0)
    backs = min(down, covered)
    room = longest - CARD_HEIGHT - backs * BACK_STRIP
    return [BACK_STRIP] * backs + face_steps(covered - backs, room)


def face_steps(covered: int, room: int, step: int = _FACE) -> list[int]:
    """How much of each covered face of a column shows, in so much room.

    All of it, or as much as can be read; where there is no room for that, only an edge of the cards in the middle.
    """
    if not covered:
        return []
    if covered * READABLE <= room:
        return [min(step, room // covered)] * covered
    read = max(0, min(covered, (room - covered * _STACKED) // (READABLE - _STACKED)))
    stacked = covered - read
    last = read // 2
    return [READABLE] * (read - last) + [_STACKED] * stacked + [READABLE] * last


def name_of(pile: Pile, n: int) -> str:
    return BACK if n < pile.down else pile.cards[n].text


def mark_of(rules: Ruleset, position: Position, index: int) -> str:
    mark = "" if position.piles[index].cards else empty_mark(rules, position, index)
    return "" if mark == "none" else mark
