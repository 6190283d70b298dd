"""Pruning for Yukon and its relatives: cards that can never be moved away from below each other.

As in ``pruning``, the proofs are in the docstrings, and tests compare with an exhaustive search.
"""

from __future__ import annotations

from array import array

from app.solver.board import Board
from app.solver.suit_pruning import SuitPruning

RANKS = 13
KINDS = 52


class GroupPruning(SuitPruning):
    """Pruning for one deck whose cards move with all that lies on them, without stock or reserve."""

    def __init__(self) -> None:
        """Allocate, for each kind, its place and what becomes possible for it."""
        super().__init__(1)
        self.pile = array("i", [0] * 64)
        self.index = array("i", [0] * 64)
        self.free = array("i", [0] * 64)
        self.left = array("i", [0] * 64)
        self.home = array("i", [0] * 64)
        self.is_empty = False

    def is_dead_end(self, board: Board) -> bool:
        """Whether some card never gets home in a relaxation in which nothing that was possible is ever lost.

        In the relaxation a card is *free* once nothing lies on it; it has *left* once it does not lie where it
        lies now; and a pile was empty once its lowest card has left. Look at the first time that a card leaves.
        It goes home: then it is free, and the lower cards of its suit are home. Or it leads a group to a pile: then
        it lies face up, so it did from the start or was free since; and the pile is empty, or ends with a
        card that accepts it and that was free. That is not the card on which it lay all the time. If it is one of
        those that lie above it now, one of these, up to that card, has left before.
        So all that happens in a game also happens in the relaxation.
        """
        out = self.start(board)
        changed = True
        while changed and out:
            changed = False
            for pile in range(board.tableau, board.piles):
                above_left = True  # nothing lies on the top card
                for i in range(board.size[pile]):
                    at = board.size[pile] - 1 - i
                    kind = board.cards[(pile << 7) + at]
                    if above_left and not self.free[kind]:
                        self.free[kind] = 1
                        changed = True
                    if not self.home[kind] and self.can_go_home(board, kind):
                        self.home[kind] = 1
                        out -= 1
                        changed = True
                    if not self.left[kind] and self.can_leave(board, kind):
                        self.left[kind] = 1
                        changed = True
                        if at == 0:
                            self.is_empty = True
                    above_left = self.left[kind] != 0
        return out > 0

    def start(self, board: Board) -> int:
        """Set up the relaxation; return how many cards are not home."""
        for kind in range(KINDS):
            self.free[kind] = 0
            self.left[kind] = 0
            self.home[kind] = 1
        self.is_empty = False
        out = 0
        for pile in range(board.tableau, board.piles):
            size = board.size[pile]
            if size == 0:
                self.is_empty = True
            out += size
            for i in range(size):
                kind = board.cards[(pile << 7) + i]
                self.pile[kind] = pile
                self.index[kind] = i
                self.home[kind] = 0
        return out

    def can_go_home(self, board: Board, kind: int) -> bool:
        """Whether a card is free in the relaxation, and the next lower one of its suit home."""
        return self.free[kind] != 0 and (board.rank[kind] == 0 or self.home[kind - 1] != 0)

    def can_leave(self, board: Board, kind: int) -> bool:
        """Whether a card can leave its place in the relaxation, see ``is_dead_end``."""
        if self.home[kind]:
            return True
        pile, i = self.pile[kind], self.index[kind]
        if i < board.down[pile] and not self.free[kind]:
            return False
        if self.is_empty and board.can_start[(board.tableau << 6) + kind]:
            return True
        table = board.build_of[board.tableau] << 12
        rank = board.rank[kind] + 1
        for suit in range(4):
            base = suit * RANKS + rank
            if rank == RANKS or not board.can_follow[table + (base << 6) + kind]:
                continue
            if not self.free[base]:
                continue
            if self.pile[base] != pile or self.index[base] < i - 1:
                return True
            for above in range(i + 1, self.index[base] + 1):
                if self.left[board.cards[(pile << 7) + above]]:
                    return True
        return False
