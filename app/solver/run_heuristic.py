"""What counts in Rouge et Noir: hidden cards, disorder, spaces, and runs that start at a king."""

from __future__ import annotations

from collections.abc import Mapping

from app.solver.board import Board
from app.solver.heuristic import Heuristic

NAMES = (
    "out",  # cards not home
    "down",  # cards that lie face down
    "spaces",  # empty columns
    "blocked",  # cards that lie on a lower card
    "in order",  # face-up cards that fit on the card below them
    "from king",  # cards of runs that start at a king at the bottom of a column
    "from king squared",
    "whole runs",  # whole runs at home
    "buried kings",  # kings that lie on other cards
    "over ready",  # cards on top of the cards that color foundations want next
    "lowest",  # the lowest color foundation
    "king runs",  # cards of runs on top of columns that start at a king
)
# The same as indices; the compiler wants numbers.
OUT = 0
DOWN = 1
SPACES = 2
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
NOWHERE = 60  # deeper than any card can lie


class RunHeuristic(Heuristic):
    """Weighs a board of columns and runs."""

    def __init__(self, weights: Mapping[str, tuple[int, int]], full_stock: int) -> None:
        """See ``Heuristic``; the names are those of ``NAMES``."""
        super().__init__(NAMES, weights, full_stock)
        self.depth = bytearray(32)  # of each kind, the cards on top of its nearest card

    def measure(self, board: Board) -> None:
        """Column by column, then the foundations."""
        for kind in range(32):
            self.depth[kind] = NOWHERE
        self.feature[OUT] = board.total - board.home
        for pile in range(board.tableau, board.piles):
            if board.size[pile]:
                self.measure_column(board, pile)
            else:
                self.feature[SPACES] += 1
        self.measure_foundations(board)

    def measure_column(self, board: Board, pile: int) -> None:
        """Order and disorder of one column."""
        size, down, bottom = board.size[pile], board.down[pile], pile << 7
        table = board.follows_of[board.tableau] << 10
        lowest = 13
        for i in range(size):
            kind = board.cards[bottom + i]
            rank = board.rank[kind]
            if rank > lowest:
                self.feature[BLOCKED] += 1
            else:
                lowest = rank
            if i > down and board.follows[table + (board.cards[bottom + i - 1] << 5) + kind]:
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
        """What color foundations wait for, and how many whole runs are home."""
        lowest = 13
        for pile in range(board.foundation, board.tableau):
            size = board.size[pile]
            if board.whole_run[pile]:
                if size:
                    self.feature[WHOLE_RUNS] += 1
                continue
            if size < 13:
                # Red kinds are those from 13 on.
                ready = size + (13 if board.starts[(pile << 5) + 13] else 0)
                if self.depth[ready] < NOWHERE:
                    self.feature[OVER_READY] += self.depth[ready]
            lowest = min(lowest, size)
        self.feature[LOWEST] = lowest
