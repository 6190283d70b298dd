"""The heuristic for Spider: runs in suit, what keeps them apart, and what lies on face-down cards."""

from __future__ import annotations

from collections.abc import Mapping

from app.solver.board import Board
from app.solver.heuristic import Heuristic

NAMES = (
    "out",  # cards not home
    "down",  # face-down cards
    "empty piles",  # empty columns
    "pieces",  # runs in suit, each of which moves as one
    "disorder",  # pieces that do not fit on the card below
    "run squares",  # squares of the lengths of pieces
    "buried kings",  # kings above other cards
    "over down",  # pieces above face-down cards
    "next flip",  # pieces above the face-down card that is easiest to turn
    "blocked",  # cards above a lower card of their suit
)
# Their indices, as constants for the compiler.
OUT = 0
DOWN = 1
EMPTY_PILES = 2
PIECES = 3
DISORDER = 4
RUN_SQUARES = 5
BURIED_KINGS = 6
OVER_DOWN = 7
NEXT_FLIP = 8
BLOCKED = 9

KING = 12  # as a rank of kinds
RANKS = 13
MANY = 100  # more than any column has


class SpiderHeuristic(Heuristic):
    """Evaluates boards of columns in which runs in suit move."""

    def __init__(self, weights: Mapping[str, tuple[int, int]], full_stock: int) -> None:
        """Set the weights of the features in ``NAMES``."""
        super().__init__(NAMES, weights, full_stock)
        self.lowest = bytearray(8)  # in one column, the least rank of each suit so far
        self.flip = MANY  # the fewest pieces above a face-down card

    def measure(self, board: Board) -> None:
        """Go through the columns."""
        self.feature[OUT] = board.total - board.home
        self.flip = MANY
        for pile in range(board.tableau, board.piles):
            if board.size[pile]:
                self.measure_column(board, pile)
            else:
                self.feature[EMPTY_PILES] += 1
        if self.flip < MANY:
            self.feature[NEXT_FLIP] = self.flip

    def measure_column(self, board: Board, pile: int) -> None:
        """Measure one column that is not empty."""
        size, down, bottom = board.size[pile], board.down[pile], pile << 7
        table = board.build_of[board.tableau] << 12
        runs = board.run_build << 12
        for suit in range(4):
            self.lowest[suit] = RANKS
        pieces = 0
        length = 0
        below = 0
        for i in range(size):
            kind = board.cards[bottom + i]
            rank = board.rank[kind]
            suit = kind // RANKS
            if rank > self.lowest[suit]:
                self.feature[BLOCKED] += 1
            else:
                self.lowest[suit] = rank
            if rank == KING and i > 0:
                self.feature[BURIED_KINGS] += 1
            if i >= down:
                if i > down and board.can_follow[runs + (below << 6) + kind]:
                    length += 1
                else:
                    self.feature[RUN_SQUARES] += length * length
                    pieces += 1
                    length = 1
                    if i > down and not board.can_follow[table + (below << 6) + kind]:
                        self.feature[DISORDER] += 1
            below = kind
        self.feature[RUN_SQUARES] += length * length
        self.feature[PIECES] += pieces
        self.feature[DOWN] += down
        if down:
            self.feature[OVER_DOWN] += pieces
            self.flip = min(self.flip, pieces)
