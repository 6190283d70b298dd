"""The heuristic for Bristol: fans in view, and reserve piles that deals cover."""

from __future__ import annotations

from collections.abc import Mapping

from app.solver.board import Board
from app.solver.heuristic import Heuristic

NAMES = (
    "out",  # cards not home
    "blocked",  # pairs of cards in a pile with the higher above the lower
    "adjacent blocked",  # such pairs that are adjacent
    "over low cards",  # cards above aces, twos and threes
    "reserve",  # cards below the top of a reserve pile
    "empty piles",  # empty piles
)
# Their indices, as constants for the compiler.
OUT = 0
BLOCKED = 1
ADJACENT_BLOCKED = 2
OVER_LOW_CARDS = 3
RESERVE = 4
EMPTY_PILES = 5


class FanHeuristic(Heuristic):
    """Evaluates boards of fans."""

    def __init__(self, weights: Mapping[str, tuple[int, int]], full_stock: int) -> None:
        """Set the weights of the features in ``NAMES``."""
        super().__init__(NAMES, weights, full_stock)

    def measure(self, board: Board) -> None:
        """Go through all piles but the foundations."""
        self.feature[OUT] = board.total - board.home
        for pile in range(board.reserve, board.piles):
            if board.foundation <= pile < board.tableau:
                continue
            size = board.size[pile]
            if size == 0:
                self.feature[EMPTY_PILES] += 1
            elif pile < board.foundation:
                self.feature[RESERVE] += size - 1
            self.measure_pile(board, pile << 7, size)

    def measure_pile(self, board: Board, bottom: int, size: int) -> None:
        """How far the pile is from the order in which its cards go home."""
        for i in range(size):
            card = board.cards[bottom + i]
            if board.rank[card] < 3:
                self.feature[OVER_LOW_CARDS] += size - 1 - i
            for j in range(i + 1, size):
                if board.rank[board.cards[bottom + j]] > board.rank[card]:
                    self.feature[BLOCKED] += 1
                    if j == i + 1:
                        self.feature[ADJACENT_BLOCKED] += 1
