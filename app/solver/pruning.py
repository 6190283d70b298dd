"""Pruning: dead ends, moves that are safe to make without alternatives, and dominated moves.

Pruning must never lose a win, since an exhausted search is a proof that a deal cannot be won. The
proofs are in the docstrings; the tests compare results with an exhaustive search without pruning.
"""

from __future__ import annotations

from array import array

from app.solver.board import Board

FULL = 13  # cards on a foundation that takes no more
UNCHOSEN = 255  # the base before the player has chosen it
MUST_FILL = 2  # see ``rule_tables.EmptyPileCode``


class Pruning:
    """Prunes nothing. Families of games for which there are proofs have a subclass."""

    def is_dead_end(self, board: Board) -> bool:  # noqa: ARG002 - for subclasses
        """Whether the position is a proven dead end; ``False`` proves nothing."""
        return False

    def safe_move(self, board: Board) -> int:  # noqa: ARG002 - for subclasses
        """A move that never loses a win, so that all others can be pruned; 0 when none is known."""
        return 0

    def is_dominated(self, board: Board, move: int) -> bool:  # noqa: ARG002 - for subclasses
        """Whether ``move`` is dominated: every win that starts with it has a shorter one without it."""
        return False


class ReservePruning(Pruning):
    """Pruning for one reserve pile that plays only to foundations of alternating colors."""

    def __init__(self, places: int = 26) -> None:
        """Allocate counts by place: the color of the foundation's first card, and the height on it."""
        self.places = places
        self.at_home = array("i", [0] * 64)
        self.open = array("i", [0] * 64)
        self.started = array("i", [0] * 4)  # by the group of foundations, as the next two
        self.lowest = array("i", [0] * 4)
        self.target = array("i", [0] * 4)

    def is_dead_end(self, board: Board) -> bool:
        """Whether the reserve is deadlocked, because it holds the cards that it waits for.

        Each kind has one place: a height on the foundations of one group, which are those that start with
        one color. Each place is built on the place before it, so there are never more cards home at a place
        than at the one before. As a relaxation, suppose that every card outside the reserve is available, and
        count those by place (``open``). No card comes back, and the cards of the reserve go home from the
        top. So when the top one has gone, one more is home at its place, and at least as many at each place
        before it (``at_home``). If fewer are available there, it stays, and so do all cards below it. If it can
        go, it counts as available, and the next card is tested with what must be home by then: of two
        decks, three cards in suit that descend from the top lock each other.
        """
        left = board.size[board.reserve]
        if left == 0 or board.base == UNCHOSEN:
            return False
        for place in range(64):
            self.at_home[place] = 0
            self.open[place] = board.total // self.places
        for i in range(left):
            self.open[self.place(board, board.cards[(board.reserve << 7) + i])] -= 1
        for pile in range(board.foundation, board.tableau):
            size = board.size[pile]
            if size:
                top = self.place(board, board.cards[(pile << 7) + size - 1])
                for i in range(size):
                    self.at_home[top - i] += 1
        while left:
            left -= 1
            place = self.place(board, board.cards[(board.reserve << 7) + left])
            home = self.at_home[place] + 1
            self.at_home[place] = home
            for i in range(1, (place & 15) + 1):
                if self.open[place - i] < home:
                    return True
                if self.at_home[place - i] < home:
                    self.at_home[place - i] = home
            self.open[place] += 1
        return False

    def safe_move(self, board: Board) -> int:
        """A move home of a card that no other card needs, as a base or as a competitor.

        The cards that can be placed on a card belong to the place just before its own: one rank
        lower, other color. Once all of those are home, every card of its own place has a foundation
        that waits for it, and nothing will ever be placed on it. So every solution from here also
        works after the move, with this card's moves left out, as long as its absence does not leave
        an empty pile that the solution would fill differently. Therefore it must come from the
        reserve, or from a tableau pile that keeps a card. (A pile that the solution moves it to
        holds another card, or is an empty pile that need not be filled.) The same is true of a base
        card in the reserve: nothing can be placed on it there, and there is a foundation for each.
        """
        if board.base == UNCHOSEN or (board.empty_pile == MUST_FILL and board.must_fill_now()):
            return 0
        unstarted = self.measure_foundations(board)
        for pile in range(board.reserve, board.piles):
            size = board.size[pile]
            if size == 0 or board.foundation <= pile < board.tableau:
                continue
            if pile >= board.tableau and size == 1:
                continue
            place = self.place(board, board.cards[(pile << 7) + size - 1])
            height, group = place & 15, place >> 4
            if height == 0:
                if pile < board.foundation:
                    return pile | unstarted << 5 | 1 << 10
            elif self.lowest[group] == height and self.is_unneeded(group, height):
                return pile | self.target[group] << 5 | 1 << 10
        return 0

    def measure_foundations(self, board: Board) -> int:
        """Find the lowest foundation of each group, and where its next card goes; return one that is empty."""
        copies = board.total // self.places
        for group in range(self.places // 13):
            self.started[group] = 0
            self.lowest[group] = FULL
            self.target[group] = 0
        unstarted = 0
        for pile in range(board.foundation, board.tableau):
            size = board.size[pile]
            if size == 0:
                unstarted = pile
                continue
            group = self.place(board, board.cards[(pile << 7) + size - 1]) >> 4
            self.started[group] += 1
            if size < self.lowest[group]:
                self.lowest[group] = size
                self.target[group] = pile
        for group in range(self.places // 13):
            if self.started[group] < copies:
                self.lowest[group] = 0
        return unstarted

    def is_unneeded(self, group: int, height: int) -> bool:  # noqa: ARG002 - for subclasses
        """Whether nothing will be placed on a card that the lowest foundation of its group waits for.

        What could be are the cards before it, which are in the same group: they are home.
        """
        return True

    def place(self, board: Board, kind: int) -> int:
        """The place of a kind: its height on a foundation, plus 16 if that starts with a red card."""
        height = (board.rank[kind] + 13 - board.base) % 13
        red = 1 if kind >= 13 else 0
        return height | (red ^ (height & 1)) << 4


class SuitReservePruning(ReservePruning):
    """The same pruning for foundations in suit: a group is a suit, and each of its cards has a place of its own."""

    def __init__(self) -> None:
        """Each of the 52 cards of a deck has a place."""
        super().__init__(52)

    def is_unneeded(self, group: int, height: int) -> bool:
        """Whether nothing will be placed on a card that the lowest foundation of its suit waits for.

        What could be are the cards of the two suits of the other color that are one lower: once their four foundations
        are that high, those are home.
        """
        other = 0 if 0 < group < 3 else 1  # a suit of the other color; the second is 3 - other
        return self.lowest[other] >= height and self.lowest[3 - other] >= height

    def place(self, board: Board, kind: int) -> int:
        """The place of a kind: its height on a foundation, plus 16 for each suit before its own."""
        return (board.rank[kind] + 13 - board.base) % 13 | (kind // 13) << 4
