"""The heuristic: an estimate of how far a position is from a win, which orders the search.

A linear evaluation with tapered weights: the weighted sum of features, where each weight shifts
gradually from a value for a full stock to a value for an empty one. Lower is better. It is not
admissible and need not be: it affects speed only, never a proof.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence

from app.solver.board import Board


class Heuristic:
    """Evaluates boards. Each family of games has a subclass with its own features."""

    def __init__(
        self, names: Sequence[str], weights: Mapping[str, tuple[int, int]], full_stock: int
    ) -> None:
        """Set the weights by feature name, as pairs: with a full stock and with an empty one."""
        self.names = tuple(names)
        self.early = array("i", [weights.get(name, (0, 0))[0] for name in names])
        self.late = array("i", [weights.get(name, (0, 0))[1] for name in names])
        self.feature = array("i", [0] * len(names))
        self.feature_count = len(names)
        self.full_stock = max(1, full_stock)

    def evaluate(self, board: Board) -> int:
        """The estimate for the board's current position; values are centered on 2,048."""
        for i in range(self.feature_count):
            self.feature[i] = 0
        self.measure(board)
        stock = board.size[0]
        total = 0
        for i in range(self.feature_count):
            weight = self.early[i] * stock + self.late[i] * (self.full_stock - stock)
            total += weight * self.feature[i]
        return total // (self.full_stock * 8) + 2048

    def measure(self, board: Board) -> None:
        """Compute the features of the board's current position; they start at zero."""
        raise NotImplementedError
