"""Pruning for Klondike and its relatives: one deck, and cards may come back from the foundations.

A stock is dealt to the waste, or to reserve piles beside the columns.

As in ``pruning``, the proofs are in the docstrings, and tests compare with an exhaustive search.
"""

from __future__ import annotations

from array import array

from app.solver.board import Board
from app.solver.suit_pruning import SuitPruning

RANKS = 13
KING = 12
# Sets of kinds are integers with a bit for each. They are named, since Cython turns literals of this size into Python
# objects.
ONE = 1
ALL = (1 << 52) - 1
ACES = 1 | 1 << 13 | 1 << 26 | 1 << 39
KINGS = ACES << 12
SUIT = (1 << 13) - 1


class KlondikePruning(SuitPruning):
    """Pruning for columns of alternating colors that move as runs, kings in empty ones, and foundations in suit."""

    def __init__(self) -> None:
        """Allocate the sets of the relaxation."""
        super().__init__(copies=1)
        self.column = array("Q", [0] * 32)  # the cards of each column
        self.placed = 0
        self.free = 0
        self.left = 0
        self.home = 0
        self.is_empty = False

    # --- cards that nothing needs

    def is_dominated(self, board: Board, move: int) -> bool:
        """Whether a move takes back a card that nothing needs, see ``is_unneeded``."""
        source = move & 31
        if not board.foundation <= source < board.tableau:
            return False
        self.measure(board)
        return self.is_unneeded(board, board.cards[(source << 7) + board.size[source] - 1])

    def is_unneeded(self, board: Board, kind: int) -> bool:
        """Whether a card that is home, or goes home next, can stay there whatever comes.

        It can if the cards that may lie on it are home, those of the next lower rank in the other color, and
        those that may lie on these: one rank lower still, in its own color. With the lower cards of all suits
        they make a set of which each card accepts only cards of the set. So take a solution, and leave out all
        moves of the set and of this card. No other move put a card on one of these, or needed one to be away
        from home. Where one lay in a column, the column ends before it, or is empty and may stay so. If it lay
        on the waste, to which cards are dealt one at a time, the others come up as before. If it lay in a reserve
        pile, deals go where they went, see ``safe_move``.
        """
        rank = board.rank[kind]
        red = RANKS <= kind < 3 * RANKS
        for suit in range(4):
            needed = rank - 1 if (0 < suit < 3) == red else rank
            if self.height[suit] < needed:
                return False
        return True

    # --- dead ends

    def is_dead_end(self, board: Board) -> bool:
        """Whether some card never gets home in a relaxation in which nothing that was possible is ever lost.

        In the relaxation a card is *free* once nothing lies on it, and it has *left* once it does not lie where
        it lies now; then all that lay on it have left, too. Look at the first time that a card leaves. It goes
        home: then it is free, and the lower cards of its suit were home. Or it goes to a column, by itself or
        with a run: then it lay face up from the start or was free; what lies on it has left before or makes a
        run with it; and the column is empty, or ends with a card that accepts it, and that was free. If that
        card lies above it now, it has left before; below it, it is not free. A card that lies in no column must
        first be *placed* on one. Cards in the stock count as free, and so do those on a waste that may be turned
        over again. So all that happens in a game also happens in the relaxation.
        """
        self.start(board)
        before = ALL << 3  # more than any sum
        while self.home != ALL and before != self.home + self.free + self.left + self.placed:
            before = self.home + self.free + self.left + self.placed
            while self.free & (self.home << 1 | ACES) & ~self.home:
                self.home |= self.free & (self.home << 1 | ACES)
            self.placed |= self.free & self.accepted()
            for pile in range(1, board.piles):
                if pile < board.foundation or pile >= board.tableau:  # there are no cells
                    self.relax_pile(board, pile)
        return self.home != ALL

    def start(self, board: Board) -> None:
        """Set up the relaxation."""
        self.placed = 0
        self.left = 0
        self.home = 0
        self.is_empty = False
        for pile in range(board.foundation, board.tableau):
            size = board.size[pile]
            if size:
                suit = board.cards[(pile << 7) + size - 1] // RANKS
                self.home |= ((ONE << size) - 1) << (RANKS * suit)
        for pile in range(board.tableau, board.piles):
            cards = 0
            for i in range(board.size[pile]):
                cards |= ONE << board.cards[(pile << 7) + i]
            self.column[pile] = cards
            self.placed |= cards
            if cards == 0:
                self.is_empty = True
        self.free = ALL & ~self.placed
        again = board.turns_over and (
            not board.counts_redeals or board.redeals < board.most_redeals
        )
        for pile in range(1, board.foundation):  # the waste, or reserve piles
            if pile != board.waste or not again:
                for i in range(board.size[pile]):
                    self.free &= ~(ONE << board.cards[(pile << 7) + i])

    def accepted(self) -> int:
        """The kinds that may go to a column, if they lie in none."""
        hosts = self.placed & self.free
        black = (hosts | hosts >> 3 * RANKS) & SUIT
        red = (hosts >> RANKS | hosts >> 2 * RANKS) & SUIT
        on_red, on_black = red >> 1, black >> 1
        found = on_red | on_black << RANKS | on_black << 2 * RANKS | on_red << 3 * RANKS
        return found | KINGS if self.is_empty else found

    def relax_pile(self, board: Board, pile: int) -> None:
        """See what becomes possible for the cards of a column, a reserve pile or the waste, from the top."""
        table = board.run_build << 12
        above = 0
        cards = 0  # those that lie on it, and itself
        for i in range(board.size[pile]):
            at = board.size[pile] - 1 - i
            kind = board.cards[(pile << 7) + at]
            card = ONE << kind
            is_up = at >= board.down[pile]
            if i == 0 or self.left & ONE << above:
                self.free |= card
            elif (
                not is_up
                or pile < board.tableau
                or not board.can_follow[table + (kind << 6) + above]
            ):
                return  # it can't move with what lies on it, and neither can any below
            cards |= card
            if not self.left & card and (self.home & card or self.has_place(board, pile, kind)):
                self.left |= cards
                if at == 0 and pile >= board.tableau:
                    self.is_empty = True
            above = kind

    def has_place(self, board: Board, pile: int, kind: int) -> bool:
        """Whether a column accepts a card of a pile in the relaxation, see ``is_dead_end``."""
        rank = board.rank[kind]
        if rank == KING:
            return self.is_empty
        hosts = self.placed & self.free
        if pile >= board.tableau:
            hosts &= ~(self.column[pile] & ~self.left)
        base = ONE << rank + 1
        if RANKS <= kind < 3 * RANKS:  # red: on black
            return hosts & (base | base << 3 * RANKS) != 0
        return hosts & (base << RANKS | base << 2 * RANKS) != 0
