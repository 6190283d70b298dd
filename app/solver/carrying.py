"""Runs that single cards carry over empty columns: one move for the search, many for the player.

Half way, with the empty columns full, such a move looks bad, so a search that sees only single cards seldom finishes
it. ``Board.carries`` lists it whole, as in games where the player may move it so; here it is written out again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from app.engine.vocabulary import MoveUnit, Zone
from app.solver.board import Board
from app.solver.rule_tables import DealCode, EmptyPileCode, RuleTables


def may_carry(tables: RuleTables) -> bool:
    """Whether the player moves single cards, who may move any of a column to an empty one, and leave others empty."""
    single = tables.rules.tableau.move_unit is MoveUnit.TOP_CARD
    column = tables.rules.layout.ranges[Zone.TABLEAU].start
    return (
        single
        and tables.empty_pile is EmptyPileCode.MAY_FILL
        and bool(tables.to_empty[column])
        and tables.deals in (DealCode.WASTE, DealCode.NOWHERE)
    )


def single_moves(board: Board, moves: Iterable[int]) -> Iterator[int]:
    """The moves of single cards that come to the same as ``moves`` from the board's position."""
    for move in moves:
        source, target, count = move & 31, (move >> 5) & 31, move >> 10
        if count > 1:
            spare = [
                pile
                for pile in range(board.tableau, board.piles)
                if board.size[pile] == 0 and pile != target
            ]
            yield from _carried(source, target, count, spare)
        else:
            yield move
        board.make(move)


def _carried(source: int, target: int, count: int, spare: Sequence[int]) -> Iterator[int]:
    """The moves of ``count`` cards over ``spare`` empty columns, up to twice as many with each."""
    if count == 1:
        yield source | target << 5 | 1 << 10
        return
    others = spare[1:]
    straight = min(count - 1, 1 << len(others))
    yield from _carried(source, spare[0], count - straight, others)
    yield from _carried(source, target, straight, others)
    yield from _carried(spare[0], target, count - straight, others)
