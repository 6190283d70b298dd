"""The heuristic for Rouge et Noir: hidden cards, disorder, empty columns and runs from kings."""

from __future__ import annotations

from collections.abc import Mapping

from app.solver.board import Board
from app.solver.heuristic import Heuristic

NAMES = (
    "out",  # cards not home
    "down",  # face-down cards
    "empty piles",  # empty columns
    "blocked",  # cards above a lower card
    "in order",  # face-up cards in sequence with the card below
    "from king",  # cards of runs that start at a king at the bottom of a column
    "from king squared",
    "whole runs",  # whole runs home
    "buried kings",  # kings on top of other cards
    "over ready",  # cards above those that color foundations need next
    "lowest",  # height of the lowest color foundation
    "king runs",  # cards of runs on top of columns that start at a king
)
# Their indices, as constants for the compiler.
OUT = 0
DOWN = 1
EMPTY_PILES = 2
BLOCKED = 3
IN_ORDER = 4
FROM_KING = 5
FROM_KING_SQUARED = 6
WHOLE_RUNS = 7
BURIED_KINGS = 8
OVER_READY = 9
LOWEST = 10
KING_RUNS = 11

KING = 12  # as a rank of kinds
NOWHERE = 60  # greater than any depth


class RunHeuristic(Heuristic):
    """Evaluates boards of columns and runs."""

    def __init__(self, weights: Mapping[str, tuple[int, int]], full_stock: int) -> None:
        """Set the weights of the features in ``NAMES``."""
        super().__init__(NAMES, weights, full_stock)
        self.depth = bytearray(32)  # for each kind, the number of cards above its least buried card

    def measure(self, board: Board) -> None:
        """Go through the columns, then the foundations."""
        for kind in range(32):
            self.depth[kind] = NOWHERE
        self.feature[OUT] = board.total - board.home
        for pile in range(board.tableau, board.piles):
            if board.size[pile]:
                self.measure_column(board, pile)
            else:
                self.feature[EMPTY_PILES] += 1
        self.measure_foundations(board)

    def measure_column(self, board: Board, pile: int) -> None:
        """Order and disorder in one column."""
        size, down, bottom = board.size[pile], board.down[pile], pile << 7
        table = board.build_of[board.tableau] << 12
        lowest = 13
        for i in range(size):
            kind = board.cards[bottom + i]
            rank = board.rank[kind]
            if rank > lowest:
                self.feature[BLOCKED] += 1
            else:
                lowest = rank
            if i > down and board.can_follow[table + (board.cards[bottom + i - 1] << 6) + kind]:
                self.feature[IN_ORDER] += 1
            if self.depth[kind] > size - 1 - i:
                self.depth[kind] = size - 1 - i
            if rank == KING and i > 0:
                self.feature[BURIED_KINGS] += 1
        self.feature[DOWN] += down
        if down == 0 and board.rank[board.cards[bottom]] == KING:
            run = board.run_from_bottom(pile)
            self.feature[FROM_KING] += run
            self.feature[FROM_KING_SQUARED] += run * run
        run = board.run_length(pile)
        if board.rank[board.cards[bottom + size - run]] == KING:
            self.feature[KING_RUNS] += run

    def measure_foundations(self, board: Board) -> None:
        """What the color foundations need next, and how many whole runs are home."""
        lowest = 13
        for pile in range(board.foundation, board.tableau):
            size = board.size[pile]
            if board.whole_run[pile]:
                if size:
                    self.feature[WHOLE_RUNS] += 1
                continue
            if size < 13:
                # Red kinds are those from 13 on.
                ready = size + (13 if board.can_start[(pile << 6) + 13] else 0)
                if self.depth[ready] < NOWHERE:
                    self.feature[OVER_READY] += self.depth[ready]
            lowest = min(lowest, size)
        self.feature[LOWEST] = lowest
