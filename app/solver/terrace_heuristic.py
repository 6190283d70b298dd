"""The heuristic for the Terrace family: games with a waste and one long reserve.

The *order* of a card is its distance from the base: cards go home in ascending order. A card is
*ready* when a foundation needs its kind next.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.solver.board import Board
from app.solver.heuristic import Heuristic

NAMES = (
    "out",  # cards not home
    "reserve",  # cards in the reserve
    "waste",  # cards in the waste
    "waste blocked",  # cards in the waste below a card of higher order
    "empty piles",  # empty tableau piles
    "same tops",  # tableau piles with a top card of the same rank and color as another
    "singles",  # tableau piles of one card
    "tableau blocked",  # cards in tableau piles below cards of higher order
    "height squares",  # squares of the foundations' heights: large when they are uneven
    "reserve gap",  # cards that must go home before the top of the reserve can
    "waste blocked early",  # blocked cards in the waste, weighted by how low their order is
    "waste inversions",  # adjacent cards in the waste, the upper of higher order, that fit nowhere together
    "waste top playable",  # whether the top of the waste fits on the tableau
    "long piles",  # squares of the lengths of tableau piles
    "lowest",  # height of the lowest foundation
    "highest",  # height of the highest foundation
    "buried ready",  # cards above ready cards in the tableau
    "ready tops",  # ready cards on top of tableau piles
    "waste playable",  # cards in the waste that fit on the tops of the tableau
    "next gaps",  # the gaps of the next three cards in the reserve
    "reserve squared",
    "waste builds down",  # adjacent cards in the waste that can be built on each other
    "waste builds up",  # adjacent cards in the waste that can go home one after the other
    "waste buried ready",  # cards above ready cards in the waste
    "reserve blocked",  # cards in the reserve below a card of higher order
)
# Their indices, as constants for the compiler.
OUT = 0
RESERVE = 1
WASTE = 2
WASTE_BLOCKED = 3
EMPTY_PILES = 4
SAME_TOPS = 5
SINGLES = 6
TABLEAU_BLOCKED = 7
HEIGHT_SQUARES = 8
RESERVE_GAP = 9
WASTE_BLOCKED_EARLY = 10
WASTE_INVERSIONS = 11
WASTE_TOP_PLAYABLE = 12
LONG_PILES = 13
LOWEST = 14
HIGHEST = 15
BURIED_READY = 16
READY_TOPS = 17
WASTE_PLAYABLE = 18
NEXT_GAPS = 19
RESERVE_SQUARED = 20
WASTE_BUILDS_DOWN = 21
WASTE_BUILDS_UP = 22
WASTE_BURIED_READY = 23
RESERVE_BLOCKED = 24


class TerraceHeuristic(Heuristic):
    """Evaluates boards of the Terrace family."""

    def __init__(
        self,
        weights: Mapping[str, tuple[int, int]],
        full_stock: int,
        names: Sequence[str] = NAMES,
    ) -> None:
        """Set the weights of the features in ``names``, of which those in ``NAMES`` come first."""
        super().__init__(names, weights, full_stock)
        self.ready = bytearray(64)  # by kind
        self.tops = bytearray(32)  # by shade
        self.base = 0

    def measure(self, board: Board) -> None:
        """Go through the zones."""
        self.base = board.base if board.base < 13 else 0
        for kind in range(64):
            self.ready[kind] = 0
        for shade in range(32):
            self.tops[shade] = 0
        self.feature[OUT] = board.total - board.home
        self.measure_foundations(board)
        self.measure_tableau(board)
        self.measure_waste(board)
        self.measure_reserve(board)

    def order(self, board: Board, kind: int) -> int:
        """The distance of a kind from the base."""
        return (board.rank[kind] + 13 - self.base) % 13

    def shade(self, board: Board, kind: int) -> int:  # noqa: ARG002 - for the game in suit
        """The rank of a kind, plus 13 if it is red."""
        return kind

    def after(self, board: Board, kind: int) -> int:
        """The kind that goes on another on a foundation."""
        return (board.rank[kind] + 1) % 13 + (0 if kind >= 13 else 13)

    def add_bases(self, board: Board) -> None:  # noqa: ARG002 - for the game in suit
        """Add the base cards to those that are ready, as a foundation is empty."""
        self.ready[self.base] = 1
        self.ready[self.base + 13] = 1

    def measure_foundations(self, board: Board) -> None:
        """Heights of the foundations, and which kinds are ready."""
        lowest, highest, squares, started = 13, 0, 0, 0
        for pile in range(board.foundation, board.tableau):
            size = board.size[pile]
            lowest = min(lowest, size)
            highest = max(highest, size)
            squares += size * size
            if size:
                started += 1
                if size < 13:
                    top = board.cards[(pile << 7) + size - 1]
                    self.ready[self.after(board, top)] = 1
        if started < 8:
            self.add_bases(board)
        self.feature[HEIGHT_SQUARES] = squares >> 2
        self.feature[LOWEST] = lowest
        self.feature[HIGHEST] = highest

    def measure_tableau(self, board: Board) -> None:
        """Each pile is a run in descending rank, wrapping around past the base."""
        for pile in range(board.tableau, board.piles):
            size = board.size[pile]
            if size == 0:
                self.feature[EMPTY_PILES] += 1
                continue
            top = board.cards[(pile << 7) + size - 1]
            shade = self.shade(board, top)
            self.feature[SAME_TOPS] += self.tops[shade]
            self.tops[shade] = 1
            self.feature[READY_TOPS] += self.ready[top]
            if size == 1:
                self.feature[SINGLES] += 1
            # Cards below the base card are covered by cards that go home after them.
            above = 12 - self.order(board, top)
            if size - 1 > above:
                self.feature[TABLEAU_BLOCKED] += size - 1 - above
            self.feature[LONG_PILES] += (size - 1) * (size - 1)
            for i in range(size - 1):
                if self.ready[board.cards[(pile << 7) + i]]:
                    self.feature[BURIED_READY] += size - 1 - i

    def measure_waste(self, board: Board) -> None:
        """From the top down, since a card must wait for those above it."""
        size = board.size[board.waste]
        self.feature[WASTE] = size
        table = board.build_of[board.tableau] << 12
        highest = -1
        above = -1
        for depth in range(size):
            kind = board.cards[(board.waste << 7) + size - 1 - depth]
            order = self.order(board, kind)
            if order < highest:
                self.feature[WASTE_BLOCKED] += 1
                self.feature[WASTE_BLOCKED_EARLY] += 12 - order
            else:
                highest = order
            red = self.shade(board, kind) >= 13
            playable = self.tops[(board.rank[kind] + 1) % 13 + (0 if red else 13)]
            self.feature[WASTE_PLAYABLE] += playable
            if above < 0:
                self.feature[WASTE_TOP_PLAYABLE] = playable
            else:
                if board.can_follow[table + (above << 6) + kind]:
                    self.feature[WASTE_BUILDS_DOWN] += 1
                elif board.can_follow[table + (kind << 6) + above]:
                    self.feature[WASTE_BUILDS_UP] += 1
                elif self.order(board, above) > order:
                    self.feature[WASTE_INVERSIONS] += 1
                if self.ready[kind]:
                    self.feature[WASTE_BURIED_READY] += depth
            above = kind

    def measure_reserve(self, board: Board) -> None:
        """From the top down; its cards can only go home."""
        size = board.size[board.reserve]
        self.feature[RESERVE] = size
        self.feature[RESERVE_SQUARED] = size * size
        highest = -1
        for depth in range(size):
            kind = board.cards[(board.reserve << 7) + size - 1 - depth]
            order = self.order(board, kind)
            if order < highest:
                self.feature[RESERVE_BLOCKED] += 1
            else:
                highest = order
            if depth == 0:
                self.feature[RESERVE_GAP] = self.gap(board, kind)
            elif depth < 4:
                self.feature[NEXT_GAPS] += self.gap(board, kind)

    def gap(self, board: Board, kind: int) -> int:
        """How many cards must go home first on the foundation that is closest to accepting it.

        Colors alternate, so a foundation's top and height determine its color at every height.
        """
        order = self.order(board, kind)
        least = order
        red = 1 if kind >= 13 else 0
        for pile in range(board.foundation, board.tableau):
            size = board.size[pile]
            if size == 0 or order - size < 0 or order - size >= least:
                continue
            top_red = 1 if board.cards[(pile << 7) + size - 1] >= 13 else 0
            if (order - size + 1) & 1 == top_red ^ red:
                least = order - size
        return least
