"""The heuristic for games of the Terrace family in suit: also how deep the next cards of each suit lie."""

from __future__ import annotations

from array import array
from collections.abc import Mapping

from app.solver import terrace_heuristic
from app.solver.board import Board
from app.solver.terrace_heuristic import TerraceHeuristic

NAMES = (
    *terrace_heuristic.NAMES,
    "over next",  # cards above those that the lowest foundation of a suit needs next, in the tableau
    "over second",  # cards above those needed then
    "waste over next",  # the same where the card lies in the waste
    "waste over second",
    "next in stock",  # such foundations that wait for a card of the stock
    "path",  # cards above those that must go home before the top of the reserve, in the tableau
    "waste path",  # the same where the card lies in the waste
    "stock path",  # such cards that lie in the stock
)
# Their indices, as constants for the compiler; the others are in ``terrace_heuristic``.
OVER_NEXT = 25
OVER_SECOND = 26
WASTE_OVER_NEXT = 27
WASTE_OVER_SECOND = 28
NEXT_IN_STOCK = 29
PATH = 30
WASTE_PATH = 31
STOCK_PATH = 32

NOWHERE = 127  # deeper than any card


class SuitTerraceHeuristic(TerraceHeuristic):
    """Evaluates boards of the Terrace family with foundations in suit: of its 52 kinds, those of two suits are red."""

    def __init__(self, weights: Mapping[str, tuple[int, int]], full_stock: int) -> None:
        """Set the weights of the features in ``NAMES``."""
        super().__init__(weights, full_stock, NAMES)
        # For each kind, how deep its least buried card lies, in the tableau and in the waste.
        self.depth = bytearray(64)
        self.waste_depth = bytearray(64)
        # For each suit, its foundations that have a card, and the height of the lowest of all.
        self.started = array("i", [0] * 4)
        self.lowest = array("i", [0] * 4)

    def measure(self, board: Board) -> None:
        """Go through the zones, then look for the next cards."""
        self.measure_suits(board)
        TerraceHeuristic.measure(self, board)
        self.measure_depths(board)
        for suit in range(4):
            self.measure_next(suit)
        self.measure_path(board)

    def shade(self, board: Board, kind: int) -> int:
        """The rank of a kind, plus 13 if it is red."""
        return board.rank[kind] + (13 if 13 <= kind < 39 else 0)

    def after(self, board: Board, kind: int) -> int:
        """The kind that goes on another on a foundation."""
        return kind - board.rank[kind] + (board.rank[kind] + 1) % 13

    def add_bases(self, board: Board) -> None:
        """Add the base cards of the suits that have fewer foundations than decks."""
        for suit in range(4):
            if self.started[suit] < board.total // 52:
                self.ready[13 * suit + self.base] = 1

    def gap(self, board: Board, kind: int) -> int:
        """How many cards must go home first on the foundation of its suit that is closest to accepting it."""
        order = self.order(board, kind)
        least = order
        for pile in range(board.foundation, board.tableau):
            size = board.size[pile]
            if (
                size
                and 0 <= order - size < least
                and board.cards[(pile << 7) + size - 1] // 13 == kind // 13
            ):
                least = order - size
        return least

    def measure_suits(self, board: Board) -> None:
        """Which heights the lowest foundations of each suit want next."""
        for suit in range(4):
            self.started[suit] = 0
            self.lowest[suit] = 13
        for pile in range(board.foundation, board.tableau):
            size = board.size[pile]
            if size:
                suit = board.cards[(pile << 7) + size - 1] // 13
                self.started[suit] += 1
                self.lowest[suit] = min(self.lowest[suit], size)
        for suit in range(4):
            if self.started[suit] < board.total // 52:
                self.lowest[suit] = 0

    def measure_depths(self, board: Board) -> None:
        """How deep each kind lies."""
        for kind in range(64):
            self.depth[kind] = NOWHERE
            self.waste_depth[kind] = NOWHERE
        for pile in range(board.tableau, board.piles):
            size = board.size[pile]
            for i in range(size):
                kind = board.cards[(pile << 7) + i]
                self.depth[kind] = min(self.depth[kind], size - 1 - i)
        size = board.size[board.waste]
        for i in range(size):
            self.waste_depth[board.cards[(board.waste << 7) + i]] = size - 1 - i

    def measure_next(self, suit: int) -> None:
        """How deep the next two cards of a suit lie."""
        for ahead in range(2):
            height = self.lowest[suit] + ahead
            if height >= 13:
                return
            kind = 13 * suit + (self.base + height) % 13
            if self.depth[kind] != NOWHERE:
                self.feature[OVER_NEXT + ahead] += self.depth[kind]
            elif self.waste_depth[kind] != NOWHERE:
                self.feature[WASTE_OVER_NEXT + ahead] += self.waste_depth[kind]
            elif ahead == 0:
                self.feature[NEXT_IN_STOCK] += 1

    def measure_path(self, board: Board) -> None:
        """How deep the cards lie that must go home before the top of the reserve can."""
        size = board.size[board.reserve]
        if size == 0:
            return
        top = board.cards[(board.reserve << 7) + size - 1]
        order = self.order(board, top)
        for height in range(order - self.gap(board, top), order):
            kind = 13 * (top // 13) + (self.base + height) % 13
            if self.depth[kind] != NOWHERE:
                self.feature[PATH] += self.depth[kind]
            elif self.waste_depth[kind] != NOWHERE:
                self.feature[WASTE_PATH] += self.waste_depth[kind]
            else:
                self.feature[STOCK_PATH] += 1
