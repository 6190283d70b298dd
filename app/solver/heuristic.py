"""How far a position is from won, as a number: the order in which the search looks at positions.

A number is the sum of weighted features; the weights change evenly from the first stage to the
last. Lower is better. No proof hangs on these numbers, only speed.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence

from app.solver.board import Board


class Heuristic:
    """Weighs a board. Each family of games has a subclass that takes its features."""

    def __init__(
        self, names: Sequence[str], weights: Mapping[str, tuple[int, int]], full_stock: int
    ) -> None:
        """Weights come by the feature's name, with a full stock and with an empty one."""
        self.early = array("i", [weights.get(name, (0, 0))[0] for name in names])
        self.late = array("i", [weights.get(name, (0, 0))[1] for name in names])
        self.feature = array("i", [0] * len(names))
        self.used = len(names)
        self.full_stock = max(1, full_stock)

    def of(self, board: Board) -> int:
        """The distance of the board as it lies, around 2,048 more or less."""
        for i in range(self.used):
            self.feature[i] = 0
        self.measure(board)
        stock = board.size[0]
        total = 0
        for i in range(self.used):
            weight = self.early[i] * stock + self.late[i] * (self.full_stock - stock)
            total += weight * self.feature[i]
        return total // (self.full_stock * 8) + 2048

    def measure(self, board: Board) -> None:
        """Add up the features of the board as it lies; they are zero before."""
        raise NotImplementedError
