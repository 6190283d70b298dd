"""The heuristic for games in suit with one pass through the stock: what buries the next few cards home."""

from __future__ import annotations

from array import array
from collections.abc import Mapping

from app.solver.board import Board
from app.solver.heuristic import Heuristic

NAMES = (
    "out",  # cards not home
    "empty piles",  # empty columns
    "hand",  # cards in the waste
    "blocked",  # cards above a lower card of their suit
    "over low",  # cards above a lower card
    "disorder",  # cards that do not fit on the card below
    "settled",  # cards that are in order from the bottom of a column
    "shortest",  # the least number of runs in a column
    "same tops",  # columns whose last card is also that of another
    "movable tops",  # columns whose last card fits on another column
    "over next",  # cards above those that foundations need next
    "over second",  # cards above those needed then
    "over third",
    "over other",  # cards above those that the higher foundation of a suit needs
    "waste over next",  # the same where the card lies in the waste
    "waste over second",
    "next in stock",  # foundations that wait for a card of the stock
    "uneven",  # how far the lowest foundation is behind the highest
    "waste blocked",  # cards in the waste below a higher card of their suit
    "waste over low",  # cards in the waste above a lower card
    "waste playable",  # cards in the waste that fit on the last card of a column
    "long",  # cards of a column beyond the eighth
)
# Their indices, as constants for the compiler.
OUT = 0
EMPTY_PILES = 1
HAND = 2
BLOCKED = 3
OVER_LOW = 4
DISORDER = 5
SETTLED = 6
SHORTEST = 7
SAME_TOPS = 8
MOVABLE_TOPS = 9
OVER_NEXT = 10
OVER_SECOND = 11
OVER_THIRD = 12
OVER_OTHER = 13
WASTE_OVER_NEXT = 14
WASTE_OVER_SECOND = 15
NEXT_IN_STOCK = 16
UNEVEN = 17
WASTE_BLOCKED = 18
WASTE_OVER_LOW = 19
WASTE_PLAYABLE = 20
LONG = 21

FULL = 13  # cards on a full foundation, and higher than any height
KINDS = 64
NOWHERE = 127  # deeper than any card


class ThievesHeuristic(Heuristic):
    """Evaluates boards by how deep the next cards of each suit lie, in columns and in the waste."""

    def __init__(self, weights: Mapping[str, tuple[int, int]], full_stock: int) -> None:
        """Set the weights of the features in ``NAMES``."""
        super().__init__(NAMES, weights, full_stock)
        # For each suit, its foundations that have a card, and the heights of the lowest and the highest of all.
        self.started = array("i", [0] * 8)
        self.lowest = array("i", [0] * 8)
        self.highest = array("i", [0] * 8)
        # For each kind, how deep its least buried card lies, in a column and in the waste.
        self.depth = bytearray(KINDS)
        self.waste_depth = bytearray(KINDS)
        # In one pile, the least height of each suit so far, or the greatest.
        self.extreme = array("i", [0] * 8)
        self.fewest = 0
        # How many columns end with each kind, and which kinds may be built on the last card of one.
        self.top_count = bytearray(KINDS)
        self.accepted = bytearray(KINDS)
        # The kinds that may be built on each, up to eight, and their number.
        self.fitting = bytearray(KINDS << 3)
        self.fit_count = bytearray(KINDS)
        self.learned = False

    def measure(self, board: Board) -> None:
        """Go through the foundations, then the columns and the waste."""
        self.feature[OUT] = board.total - board.home
        for kind in range(KINDS):
            self.depth[kind] = NOWHERE
            self.waste_depth[kind] = NOWHERE
        self.measure_foundations(board)
        self.fewest = NOWHERE
        for pile in range(board.tableau, board.piles):
            if board.size[pile]:
                self.measure_column(board, pile)
            else:
                self.feature[EMPTY_PILES] += 1
                self.fewest = 0
        self.feature[SHORTEST] = 0 if self.fewest == NOWHERE else self.fewest
        self.measure_tops(board)
        if board.waste < board.piles:
            self.measure_waste(board)
        for suit in range(4):
            self.measure_next(suit)

    def measure_foundations(self, board: Board) -> None:
        """Which heights the foundations of each suit want next."""
        decks = board.total // 52
        for suit in range(4):
            self.started[suit] = 0
            self.lowest[suit] = FULL
            self.highest[suit] = 0
        low, high = FULL, 0
        for pile in range(board.foundation, board.tableau):
            size = board.size[pile]
            low = min(low, size)
            high = max(high, size)
            if size:
                suit = board.cards[(pile << 7) + size - 1] // 13
                self.started[suit] += 1
                self.lowest[suit] = min(self.lowest[suit], size)
                self.highest[suit] = max(self.highest[suit], size)
        for suit in range(4):
            if self.started[suit] < decks:
                self.lowest[suit] = 0
        self.feature[UNEVEN] = high - low

    def measure_column(self, board: Board, pile: int) -> None:
        """Measure one column that is not empty."""
        size = board.size[pile]
        bottom = pile << 7
        table = board.build_of[board.tableau] << 12
        for suit in range(4):
            self.extreme[suit] = FULL
        lowest = FULL
        below = 0
        runs = 1
        for i in range(size):
            kind = board.cards[bottom + i]
            suit = kind // 13
            height = board.rank[kind]
            if height > self.extreme[suit]:
                self.feature[BLOCKED] += 1
            else:
                self.extreme[suit] = height
            if height > lowest:
                self.feature[OVER_LOW] += 1
            else:
                lowest = height
            if i and not board.can_follow[table + (below << 6) + kind]:
                runs += 1
            if runs == 1:
                self.feature[SETTLED] += 1
            self.depth[kind] = min(self.depth[kind], size - 1 - i)
            below = kind
        self.feature[DISORDER] += runs - 1
        self.fewest = min(self.fewest, runs)
        if size > 8:
            self.feature[LONG] += size - 8

    def learn(self, board: Board) -> None:
        """List for each kind those that may be built on it, which are few."""
        table = board.build_of[board.tableau] << 12
        for below in range(KINDS):
            for kind in range(KINDS):
                if board.can_follow[table + (below << 6) + kind]:
                    self.fitting[(below << 3) + self.fit_count[below]] = kind
                    self.fit_count[below] += 1
        self.learned = True

    def measure_tops(self, board: Board) -> None:
        """Compare the last cards of the columns."""
        if not self.learned:
            self.learn(board)
        for kind in range(KINDS):
            self.top_count[kind] = 0
            self.accepted[kind] = 0
        for pile in range(board.tableau, board.piles):
            if board.size[pile]:
                kind = board.cards[(pile << 7) + board.size[pile] - 1]
                self.top_count[kind] += 1
                for i in range(self.fit_count[kind]):
                    self.accepted[self.fitting[(kind << 3) + i]] = 1
        for pile in range(board.tableau, board.piles):
            if board.size[pile]:
                kind = board.cards[(pile << 7) + board.size[pile] - 1]
                if self.top_count[kind] > 1:
                    self.feature[SAME_TOPS] += 1
                if self.accepted[kind]:
                    self.feature[MOVABLE_TOPS] += 1

    def measure_waste(self, board: Board) -> None:
        """A card must wait for those above it: the later they go home, the longer."""
        bottom = board.waste << 7
        size = board.size[board.waste]
        self.feature[HAND] = size
        lowest = FULL
        for i in range(size):
            kind = board.cards[bottom + i]
            height = board.rank[kind]
            if height > lowest:
                self.feature[WASTE_OVER_LOW] += 1
            else:
                lowest = height
        for suit in range(4):
            self.extreme[suit] = 0
        for i in range(size - 1, -1, -1):
            kind = board.cards[bottom + i]
            suit = kind // 13
            height = board.rank[kind]
            if height < self.extreme[suit]:
                self.feature[WASTE_BLOCKED] += 1
            else:
                self.extreme[suit] = height
            if self.waste_depth[kind] == NOWHERE:
                self.waste_depth[kind] = size - 1 - i
                if self.accepted[kind]:
                    self.feature[WASTE_PLAYABLE] += 1

    def measure_next(self, suit: int) -> None:
        """How deep the next three cards of a suit lie."""
        wanted = self.lowest[suit]
        for ahead in range(3):
            height = wanted + ahead
            if height >= FULL:
                return
            kind = suit * 13 + height
            depth = self.depth[kind]
            waste_depth = self.waste_depth[kind]
            if depth != NOWHERE:
                self.feature[OVER_NEXT + ahead] += depth
            elif waste_depth != NOWHERE:
                if ahead == 0:
                    self.feature[WASTE_OVER_NEXT] += waste_depth
                elif ahead == 1:
                    self.feature[WASTE_OVER_SECOND] += waste_depth
            elif ahead == 0:
                self.feature[NEXT_IN_STOCK] += 1
        other = self.highest[suit]
        if wanted < other < FULL and self.depth[suit * 13 + other] != NOWHERE:
            self.feature[OVER_OTHER] += self.depth[suit * 13 + other]
