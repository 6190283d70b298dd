"""What need not be searched: positions that nobody can win, and moves beside one that is safe.

Both lose nothing, or a proof that a deal cannot be won would be none. The arguments stand with the
methods; the tests compare the verdicts with an exhaustive search that knows no such cuts.
"""

from __future__ import annotations

from array import array

from app.solver.board import Board

FULL = 13  # cards on a foundation that takes no more
UNCHOSEN = 255  # the base before the player has chosen it


class Cuts:
    """Cuts nothing off; families of games for which there are arguments have a subclass."""

    def hopeless(self, board: Board) -> bool:  # noqa: ARG002 - subclasses look
        """Whether the board as it lies cannot be won; ``False`` says nothing."""
        return False

    def forced(self, board: Board) -> int:  # noqa: ARG002 - subclasses look
        """A move after which all that could be won can still be won; 0 when none is known."""
        return 0


class FanCuts(Cuts):
    """Cuts in Bristol and its like: any suits, single cards, and spaces that are never filled."""

    def __init__(self) -> None:
        """Room for counts by rank."""
        self.at_home = array("i", [0] * 16)
        self.open = array("i", [0] * 16)
        self.reach = array("i", [0] * 16)
        self.laid = array("i", [0] * 16)
        self.hidden = array("i", [0] * 32)

    def hopeless(self, board: Board) -> bool:
        """Play a generous game to its end and see whether a card is left that was never in the open.

        The generous game is one in which a move takes nothing away. It remembers of each pile how
        far down its cards have been in the open, and a card that was once in the open stays
        available, where it lay and where it was moved. The stock is available at once. By rank:

        * ``open`` counts the cards that are at home or were in the open. Foundations build one rank
          on the next, so no more cards of a rank than of the rank below can ever be at home, nor
          more than are open: ``reach`` is that bound.
        * ``laid`` says whether a tableau card of the rank has been in the open, or a card in the
          open could have been laid on the rank above. The rank below can be laid on it.
        * A card in the open leaves its pile when ``reach`` lets one more of its rank go home, or when
          the rank above is laid; then the card below it is in the open.

        Every move of the real game is possible in this one, and each makes only more possible. So
        their order does not matter; a card that was never in the open when nothing changes any more
        can never go home.
        """
        left = self.start(board)
        changed = True
        while changed and left:
            changed = False
            self.bound()
            for pile in range(board.reserve, board.piles):
                if board.foundation <= pile < board.tableau:
                    continue
                while self.hidden[pile]:
                    rank = board.rank[board.cards[(pile << 7) + self.hidden[pile]]]
                    homeward = self.reach[rank] > self.at_home[rank]
                    if not homeward and not self.laid[rank + 1]:
                        break
                    self.hidden[pile] -= 1
                    left -= 1
                    changed = True
                    below = board.rank[board.cards[(pile << 7) + self.hidden[pile]]]
                    self.open[below] += 1
                    if pile >= board.tableau:
                        self.laid[below] = 1
        return left > 0

    def forced(self, board: Board) -> int:
        """A card of the lowest rank that is not all at home, unless deals depend on where it lies.

        Nothing will ever be laid on it, for all lower cards are home. Each card of its rank still out
        has a foundation that waits for it, so it takes no other card's place. And as no pile's
        space is filled, but that a deal goes first to an empty reserve pile, its going changes
        nothing else while there is no stock or the reserve pile holds more. So a line that wins
        from here wins, without the moves of this card, from after the move as well: what the
        card covered is free earlier.
        """
        lowest = FULL
        target = 0
        for pile in range(board.foundation, board.tableau):
            if board.size[pile] < lowest:
                lowest = board.size[pile]
                target = pile
        for pile in range(board.reserve, board.piles):
            size = board.size[pile]
            if size == 0 or board.foundation <= pile < board.tableau:
                continue
            if pile < board.foundation and size == 1 and board.size[0]:
                continue
            if board.rank[board.cards[(pile << 7) + size - 1]] == lowest:
                return pile | target << 5 | 1 << 10
        return 0

    def start(self, board: Board) -> int:
        """Note what is in the open now; answer how many cards are not."""
        for rank in range(14):
            self.at_home[rank] = 0
            self.open[rank] = 0
            self.laid[rank] = 0
        for pile in range(board.foundation, board.tableau):
            for rank in range(board.size[pile]):
                self.at_home[rank] += 1
                self.open[rank] += 1
        for i in range(board.size[0]):
            self.open[board.rank[board.cards[i]]] += 1
        left = 0
        for pile in range(board.reserve, board.piles):
            if board.foundation <= pile < board.tableau:
                continue
            self.hidden[pile] = 0
            if board.size[pile]:
                self.hidden[pile] = board.size[pile] - 1
                left += board.size[pile] - 1
                rank = board.rank[board.cards[(pile << 7) + board.size[pile] - 1]]
                self.open[rank] += 1
                if pile >= board.tableau:
                    self.laid[rank] = 1
        return left

    def bound(self) -> None:
        """Work out ``reach``, and spread ``laid`` downwards over ranks that are open.

        ``reach[rank]`` is how many cards of the rank below can be at home.
        """
        most = 4
        for rank in range(13):
            self.reach[rank] = most
            if self.open[rank] < most:
                most = self.open[rank]
        for i in range(12):
            rank = 11 - i
            if self.laid[rank + 1] and self.open[rank] > self.at_home[rank]:
                self.laid[rank] = 1


class ReserveCuts(Cuts):
    """Cuts where one reserve pile plays only home, to foundations that alternate colors."""

    def __init__(self) -> None:
        """Room for counts by place at home: the color of the foundation's first card, and height."""
        self.at_home = array("i", [0] * 32)
        self.open = array("i", [0] * 32)

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

    def place(self, board: Board, kind: int) -> int:
        """The place of a kind at home: its height, and 16 for foundations that begin with red."""
        height = (board.rank[kind] + 13 - board.base) % 13
        red = 1 if kind >= 13 else 0
        return height | (red ^ (height & 1)) << 4
