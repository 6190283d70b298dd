"""The heuristic for games in suit and with units: what buries the next cards home, disorder, and free places."""

from __future__ import annotations

from array import array
from collections.abc import Mapping

from app.solver.board import Board
from app.solver.heuristic import Heuristic

NAMES = (
    "out",  # cards not home
    "down",  # face-down cards
    "empty piles",  # empty columns
    "empty cells",
    "hand",  # cards in the waste, and in the stock if the waste can be turned over
    "reserve",  # cards in reserve piles
    "blocked",  # cards above a lower card that goes to the same foundations
    "over low",  # cards above a lower card
    "disorder",  # face-up cards that do not fit on the card below
    "mixed",  # face-up cards that fit on the card below, but would not move with it
    "over next",  # cards above those that foundations need next
    "uneven",  # how far the lowest foundation is behind the highest
    "buried kings",  # kings above other cards, where only kings start an empty pile
    "next in hand",  # foundations that wait for a card of the stock, waste or reserve
    # The order of the waste, looked at only if one of these has a weight:
    "waste blocked",  # cards in the waste below a higher card of their suit
    "waste over low",  # cards in the waste above a lower card
    "waste playable",  # cards in the waste that fit on the last card of a column
)
# Their indices, as constants for the compiler.
OUT = 0
DOWN = 1
EMPTY_PILES = 2
EMPTY_CELLS = 3
HAND = 4
RESERVE = 5
BLOCKED = 6
OVER_LOW = 7
DISORDER = 8
MIXED = 9
OVER_NEXT = 10
UNEVEN = 11
BURIED_KINGS = 12
NEXT_IN_HAND = 13
WASTE_BLOCKED = 14
WASTE_OVER_LOW = 15
WASTE_PLAYABLE = 16

FULL = 13  # higher than any height
KING = 12  # as a rank of kinds
ONLY_RANK = 3  # see ``rule_tables.EmptyPileCode``
NOWHERE = 100  # deeper than any card
UNCHOSEN = 255


class SuitHeuristic(Heuristic):
    """Evaluates boards by the heights that cards have on their foundations."""

    def __init__(self, weights: Mapping[str, tuple[int, int]], full_stock: int) -> None:
        """Set the weights of the features in ``NAMES``."""
        super().__init__(NAMES, weights, full_stock)
        # For each suit, the least height of a card that can go home next, and how deep the least buried one lies.
        self.wanted = bytearray(8)
        self.depth = bytearray(8)
        # In one pile, the least height of each suit so far, or the greatest.
        self.lowest = array("i", [0] * 8)
        self.highest = array("i", [0] * 8)
        self.base = 0
        self.orders_waste = any(self.early[WASTE_BLOCKED:]) or any(self.late[WASTE_BLOCKED:])

    def measure(self, board: Board) -> None:
        """Go through the foundations, then the columns."""
        self.base = 0 if board.base == UNCHOSEN else board.base
        self.feature[OUT] = board.total - board.home
        self.measure_foundations(board)
        for pile in range(board.cell, board.foundation):
            if board.size[pile] == 0:
                self.feature[EMPTY_CELLS] += 1
            else:
                self.depth[board.cards[pile << 7] // 13] = self.least_depth(board, pile, 0)
        for pile in range(board.reserve, board.cell):
            self.feature[RESERVE] += board.size[pile]
            for i in range(board.size[pile]):
                suit = board.cards[(pile << 7) + i] // 13
                self.depth[suit] = self.least_depth(board, pile, i)
        if board.waste < board.piles:
            self.feature[HAND] = board.size[board.waste]
            if board.turns_over:
                self.feature[HAND] += board.size[0]
        for pile in range(board.tableau, board.piles):
            if board.size[pile]:
                self.measure_column(board, pile)
            else:
                self.feature[EMPTY_PILES] += 1
        for suit in range(4):
            if self.depth[suit] != NOWHERE:
                self.feature[OVER_NEXT] += self.depth[suit]
            elif self.wanted[suit] < FULL:
                self.feature[NEXT_IN_HAND] += 1
        if self.orders_waste and board.waste < board.piles:
            self.measure_waste(board)

    def height(self, board: Board, kind: int) -> int:
        """How high a kind lies on its foundation: 0 for the base."""
        return (board.rank[kind] + FULL - self.base) % FULL

    def least_depth(self, board: Board, pile: int, i: int) -> int:
        """The depth of the least buried wanted card of a suit, if the card at place ``i`` is considered, too."""
        kind = board.cards[(pile << 7) + i]
        suit = kind // 13
        depth = board.size[pile] - 1 - i
        if self.height(board, kind) == self.wanted[suit] and depth < self.depth[suit]:
            return depth
        return self.depth[suit]

    def measure_foundations(self, board: Board) -> None:
        """Which heights the foundations want next; whole runs want nothing in particular."""
        for suit in range(8):
            self.wanted[suit] = FULL
            self.depth[suit] = NOWHERE
        low, high, empty = FULL, 0, 0
        for pile in range(board.foundation, board.tableau):
            size = board.size[pile]
            if board.whole_run[pile]:
                continue
            if size == 0:
                empty += 1
                low = 0
                continue
            suit = board.cards[(pile << 7) + size - 1] // 13
            self.wanted[suit] = min(self.wanted[suit], size)
            low = min(low, size)
            high = max(high, size)
        if empty:
            for suit in range(4):
                if self.wanted[suit] == FULL:
                    self.wanted[suit] = 0
        if high > low:
            self.feature[UNEVEN] = high - low

    def measure_column(self, board: Board, pile: int) -> None:
        """Measure one column that is not empty."""
        size = board.size[pile]
        down = board.down[pile]
        bottom = pile << 7
        table = board.build_of[board.tableau] << 12
        runs = board.run_build << 12
        for suit in range(8):
            self.lowest[suit] = FULL
        lowest = FULL
        below = 0
        self.feature[DOWN] += down
        for i in range(size):
            kind = board.cards[bottom + i]
            suit = kind // 13
            height = self.height(board, kind)
            if height > self.lowest[suit]:
                self.feature[BLOCKED] += 1
            else:
                self.lowest[suit] = height
            if height > lowest:
                self.feature[OVER_LOW] += 1
            else:
                lowest = height
            if i > down:
                if not board.can_follow[table + (below << 6) + kind]:
                    self.feature[DISORDER] += 1
                elif not board.can_follow[runs + (below << 6) + kind]:
                    self.feature[MIXED] += 1
            if i and board.rank[kind] == KING and board.empty_pile == ONLY_RANK:
                self.feature[BURIED_KINGS] += 1
            self.depth[suit] = self.least_depth(board, pile, i)
            below = kind

    def measure_waste(self, board: Board) -> None:
        """A card must wait for those above it: the later they go home, the longer."""
        bottom = board.waste << 7
        size = board.size[board.waste]
        lowest = FULL
        for i in range(size):
            height = self.height(board, board.cards[bottom + i])
            if height > lowest:
                self.feature[WASTE_OVER_LOW] += 1
            else:
                lowest = height
        for suit in range(8):
            self.highest[suit] = 0
        for i in range(size - 1, -1, -1):
            kind = board.cards[bottom + i]
            suit = kind // 13
            height = self.height(board, kind)
            if height < self.highest[suit]:
                self.feature[WASTE_BLOCKED] += 1
            else:
                self.highest[suit] = height
            if self.fits_a_column(board, kind):
                self.feature[WASTE_PLAYABLE] += 1

    def fits_a_column(self, board: Board, kind: int) -> bool:
        """Whether a card of a kind can be built on the last card of a column."""
        table = board.build_of[board.tableau] << 12
        for pile in range(board.tableau, board.piles):
            if board.size[pile]:
                below = board.cards[(pile << 7) + board.size[pile] - 1]
                if board.can_follow[table + (below << 6) + kind]:
                    return True
        return False
