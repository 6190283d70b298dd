"""Pruning for games in suit: cards that nothing will be placed on any more go home at once.

As in ``pruning``, the proofs are in the docstrings, and tests compare with an exhaustive search.
"""

from __future__ import annotations

from array import array

from app.solver.board import Board
from app.solver.pruning import Pruning

TOP_CARD = 0  # see ``rule_tables.UnitCode``
RANKS = 13


class SuitPruning(Pruning):
    """Pruning for games in which cards go home in suit, and empty piles need not be filled."""

    def __init__(self, copies: int) -> None:
        """Allocate heights by suit; ``copies`` is the number of decks."""
        self.copies = copies
        self.height = array("i", [0] * 8)
        self.started = array("i", [0] * 8)
        self.target = array("i", [0] * 8)

    def safe_move(self, board: Board) -> int:
        """A move home of a card on which nothing needs to be placed any more.

        Suppose first that every card that may lie on it is home, in all copies. Then nothing is ever placed
        on it, and no other copy competes with it: the lower cards of its suit are home, so each copy has a
        foundation of its own. So every solution from here also works after the move, with this card's moves
        left out: wherever it lay, the card below is free instead, or the pile is empty and may stay so.

        Where only single cards move, a card that may lie on it can also be one that goes home as soon as it is
        free, if everything that may lie on that one is home. Whenever the solution places it on our card, it
        goes home instead, and nothing misses it.

        Where several cards are dealt at a time and dealt again, a card stays on the waste: which cards come up
        depends on it. A deal to reserve piles goes to empty ones first, so as long as there are cards to deal, the
        only card of a reserve pile stays there. Others leave it filled, by cards that could not go before them.
        """
        self.measure(board)
        for pile in range(1, board.piles):  # the stock is never played from
            size = board.size[pile]
            if size == 0 or board.foundation <= pile < board.tableau:
                continue
            if pile == board.waste and board.draws > 1 and board.turns_over:
                continue
            if size == 1 and board.reserve <= pile < board.cell and board.size[0]:
                continue
            kind = board.cards[(pile << 7) + size - 1]
            suit = kind // RANKS
            if self.height[suit] == board.rank[kind] and self.is_unneeded(board, kind):
                return pile | self.target[suit] << 5 | 1 << 10
        return 0

    def measure(self, board: Board) -> None:
        """The height of the lowest foundation of each suit, and where the next card goes."""
        unstarted = 0
        for suit in range(4):
            self.started[suit] = 0
            self.height[suit] = RANKS
        for pile in range(board.foundation, board.tableau):
            size = board.size[pile]
            if size == 0:
                unstarted = pile
                continue
            suit = board.cards[(pile << 7) + size - 1] // RANKS
            self.started[suit] += 1
            if size < self.height[suit]:
                self.height[suit] = size
                self.target[suit] = pile
        for suit in range(4):
            if self.started[suit] < self.copies:
                self.height[suit] = 0
                self.target[suit] = unstarted

    def is_unneeded(self, board: Board, kind: int) -> bool:
        """Whether nothing needs this kind as a base, see ``safe_move``."""
        table = (board.build_of[board.tableau] << 12) + (kind << 6)
        for other in range(4 * RANKS):
            if board.can_follow[table + other]:
                height = self.height[other // RANKS]
                if height > board.rank[other]:
                    continue
                if height < board.rank[other] or board.unit != TOP_CARD:
                    return False
                if not self.is_bare(board, other):
                    return False
        return True

    def is_bare(self, board: Board, kind: int) -> bool:
        """Whether everything that may lie on this kind is home."""
        table = (board.build_of[board.tableau] << 12) + (kind << 6)
        for other in range(4 * RANKS):
            if board.can_follow[table + other] and self.height[other // RANKS] <= board.rank[other]:
                return False
        return True
