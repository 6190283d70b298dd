"""What need not be searched: positions that nobody can win, and moves beside one that is safe.

Both lose nothing, or a proof that a deal cannot be won would be none. The arguments stand with the
methods; the tests compare the verdicts with an exhaustive search that knows no such cuts.
"""

from __future__ import annotations

from array import array

from app.solver.board import Board

FULL = 13  # cards on a foundation that takes no more
UNCHOSEN = 255  # the base before the player has chosen it
MUST_FILL = 2  # see ``rulebook.SpaceRule``


class Pruning:
    """Pruning nothing off; families of games for which there are arguments have a subclass."""

    def hopeless(self, board: Board) -> bool:  # noqa: ARG002 - subclasses look
        """Whether the board as it lies cannot be won; ``False`` says nothing."""
        return False

    def forced(self, board: Board) -> int:  # noqa: ARG002 - subclasses look
        """A move after which all that could be won can still be won; 0 when none is known."""
        return 0

    def useless(self, board: Board, move: int) -> bool:  # noqa: ARG002 - subclasses look
        """Whether every win that begins with a move has a shorter one that does without it."""
        return False


class ReservePruning(Pruning):
    """Pruning where one reserve pile plays only home, to foundations that alternate colors."""

    def __init__(self) -> None:
        """Room for counts by place at home: the color of the foundation's first card, and height."""
        self.at_home = array("i", [0] * 32)
        self.open = array("i", [0] * 32)
        self.started = array("i", [0, 0])
        self.lowest = array("i", [0, 0])
        self.target = array("i", [0, 0])

    def hopeless(self, board: Board) -> bool:
        """Whether the reserve can never be played off, because it holds what it waits for.

        Colors alternate, so the height at which a card lies on a foundation tells the color of the
        first card there, and each kind has one such place. Each place is built on the one before,
        so no more cards of a place than of the one before can ever be at home. Say every card
        outside the reserve is available, and count those (``open``). The reserve's top card goes
        home only when, of each place before its own, more are available than are home of its own;
        else it stays, and with it all below. When it can go, it is available, and the next is asked.
        """
        left = board.size[board.reserve]
        if left == 0 or board.base == UNCHOSEN:
            return False
        for place in range(32):
            self.at_home[place] = 0
            self.open[place] = board.total // 26
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
            for i in range(1, (place & 15) + 1):
                if self.open[place - i] <= self.at_home[place]:
                    return True
            self.open[place] += 1
        return False

    def forced(self, board: Board) -> int:
        """A card that no card still out can be laid on, and that takes no other's place at home.

        Cards that fit on a card are of the place just before its own at home: one rank lower, other
        color. Once all of that place are home, each card of its own has a foundation that waits for
        it, and nothing is ever laid on it. So a line that wins from here wins from after the move
        as well, with this card's moves left out, as long as its absence makes no space that a line
        would fill otherwise: so it must come from the reserve, or from a tableau pile that it
        leaves with a card; and a pile that it is moved to later holds another card, or is a space
        that needs no filling. A base card on the reserve is like it, for nothing is laid on it there, and
        there is a foundation for each.
        """
        if board.base == UNCHOSEN or (board.space == MUST_FILL and board.has_open_space()):
            return 0
        copies = board.total // 26
        for red in range(2):
            self.started[red] = 0
            self.lowest[red] = FULL
            self.target[red] = 0
        unstarted = 0
        for pile in range(board.foundation, board.tableau):
            size = board.size[pile]
            if size == 0:
                unstarted = pile
                continue
            red = self.place(board, board.cards[(pile << 7) + size - 1]) >> 4
            self.started[red] += 1
            if size < self.lowest[red]:
                self.lowest[red] = size
                self.target[red] = pile
        for pile in range(board.reserve, board.piles):
            size = board.size[pile]
            if size == 0 or board.foundation <= pile < board.tableau:
                continue
            if pile >= board.tableau and size == 1:
                continue
            place = self.place(board, board.cards[(pile << 7) + size - 1])
            height, red = place & 15, place >> 4
            if height == 0:
                if pile < board.foundation:
                    return pile | unstarted << 5 | 1 << 10
            elif self.started[red] == copies and self.lowest[red] == height:
                return pile | self.target[red] << 5 | 1 << 10
        return 0

    def place(self, board: Board, kind: int) -> int:
        """The place of a kind at home: its height, and 16 for foundations that begin with red."""
        height = (board.rank[kind] + 13 - board.base) % 13
        red = 1 if kind >= 13 else 0
        return height | (red ^ (height & 1)) << 4
