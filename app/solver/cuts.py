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


class Cuts:
    """Cuts nothing off; families of games for which there are arguments have a subclass."""

    def hopeless(self, board: Board) -> bool:  # noqa: ARG002 - subclasses look
        """Whether the board as it lies cannot be won; ``False`` says nothing."""
        return False

    def forced(self, board: Board) -> int:  # noqa: ARG002 - subclasses look
        """A move after which all that could be won can still be won; 0 when none is known."""
        return 0

    def useless(self, board: Board, move: int) -> bool:  # noqa: ARG002 - subclasses look
        """Whether every win that begins with a move has a shorter one that does without it."""
        return False


class FanCuts(Cuts):
    """Cuts in Bristol and its like: any suits, single cards, and spaces that are never filled."""

    def __init__(self) -> None:
        """Room for counts by rank."""
        self.at_home = array("i", [0] * 16)
        self.open = array("i", [0] * 16)
        self.reach = array("i", [0] * 16)
        self.laid = array("i", [0] * 16)
        self.above = array("i", [0] * 16)
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
        * A card in the open leaves its pile when the rank above is laid; or when its rank can go
          home, that is, when ``reach`` has room for all cards of the rank that left this pile, for
          while nothing could be laid on the rank above they all are at home. Then the card below it
          is in the open.

        Every move of the real game is possible in this one, and each makes only more possible. So
        their order does not matter; a card that was never in the open when nothing changes any more
        can never go home. When none is left, ``covered`` counts what this game was too generous about.
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
                    if not self.laid[rank + 1] and not self.fits(board, pile, rank):
                        break
                    self.hidden[pile] -= 1
                    left -= 1
                    changed = True
                    below = board.rank[board.cards[(pile << 7) + self.hidden[pile]]]
                    self.open[below] += 1
                    if pile >= board.tableau:
                        self.laid[below] = 1
        if left:
            return True
        self.bound()  # what the last cards in the open make ready to be laid on
        return self.covered(board)

    def covered(self, board: Board) -> bool:
        """Whether all four cards of a rank must be home before the last lower card under them is.

        Count the cards of a rank that are at home, and those that lie, in whatever pile, somewhere
        above a lower card; nothing of the rank above is ever laid open on the tableau. Choose a
        lower card under each of the latter, and look at the moment in which the last chosen one
        comes into the open. Then all that were counted have left what they lay on, so they are at
        home; and the chosen card is not. As foundations build rank on rank, no more cards of a rank
        than of a lower one can be at home: of the chosen card's at most three, so of this one too.
        """
        for rank in range(13):
            self.above[rank] = self.at_home[rank]
        for pile in range(board.reserve, board.piles):
            if board.foundation <= pile < board.tableau:
                continue
            lowest = FULL
            for i in range(board.size[pile]):
                rank = board.rank[board.cards[(pile << 7) + i]]
                if rank > lowest:
                    self.above[rank] += 1
                else:
                    lowest = rank
        for rank in range(13):
            covering = self.above[rank] > self.at_home[rank]
            if covering and self.above[rank] > 3 and not self.laid[rank + 1]:
                return True
        return False

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

    def fits(self, board: Board, pile: int, rank: int) -> bool:
        """Whether foundations can take all cards of the rank from the lowest open one of a pile up."""
        cards = self.at_home[rank]
        for i in range(self.hidden[pile], board.size[pile]):
            if board.rank[board.cards[(pile << 7) + i]] == rank:
                cards += 1
        return cards <= self.reach[rank]

    def useless(self, board: Board, move: int) -> bool:
        """Whether the only card of a tableau pile would be laid on another pile.

        Empty piles take nothing, so leaving it where it is gives up nothing: whatever is laid on it
        can be laid on it there, it can go wherever it could go from the other pile, and the card
        that it would have covered stays free. So a win after the move is one without it.
        """
        source, target = move & 31, (move >> 5) & 31
        return source >= board.tableau and target >= board.tableau and board.size[source] == 1

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
