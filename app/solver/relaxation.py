"""A generous game of Bristol: what cannot be done in it cannot be done at all.

In it a move takes nothing away: a card that was once in the open stays available, where it lay and
where it was moved. So the order of moves does not matter, and it is soon played to its end. By rank:

* ``open`` counts the cards that are at home or were in the open. Foundations build one rank on the
  next, so no more cards of a rank than of the rank below can ever be at home, nor more than are
  open: ``reach`` is that bound.
* ``laid`` says whether a tableau card of the rank has been in the open, or a card in the open could
  have been laid on the rank above. The rank below can be laid on it.
* A card on top leaves its pile when the rank above is laid; or when its rank can go home, that is,
  when ``reach`` has room for it beside all cards of the rank that have left the pile before it: while
  nothing could be laid on the rank above they all are at home. Then what is below is in the open.

Every move of the real game before the next deal is possible in this one, and each makes only more
possible. What cannot leave its pile when nothing changes any more lies there at the next deal,
whatever was played: so deals cover what the player cannot have saved from them.
"""

from __future__ import annotations

from array import array

from app.solver.board import Board

FULL = 13  # higher than any rank, and as a bit of a set of ranks: none at all


class Relaxation:
    """The generous game from a position on. Of the reserve it knows what surely lies there.

    Per pile, ``hidden`` is the index of the card that is on top when all that could leave has left,
    or -1. Above it lie ``covers`` cards from deals, each as a set of ranks (bits), one of which it has.
    """

    def __init__(self) -> None:
        """Room for counts by rank and by pile."""
        self.at_home = array("i", [0] * 16)
        self.open = array("i", [0] * 16)
        self.reach = array("i", [0] * 16)
        self.laid = array("i", [0] * 16)
        self.above = array("i", [0] * 16)
        self.hidden = array("i", [0] * 32)
        self.covers = array("i", [0] * 32)
        self.cover = array("i", [0] * 32 * 32)
        self.gone = array("i", [0] * 32 * 16)
        self.chance = array("i", [0] * 32)
        self.bottom = array("i", [0] * 32)
        self.low = array("i", [0] * 32)
        self.higher = 0

    def leaves_cards(self, board: Board) -> bool:
        """Play to the end; say whether there is a card that never came into the open."""
        self.start(board)
        self.settle(board)
        stock = board.size[0]
        while stock:
            stock = self.deal(board, stock)
            self.settle(board)
        self.bound()  # what the last cards in the open make ready to be laid on
        for pile in range(board.reserve, board.piles):  # noqa: SIM110 - a generator is no machine code
            if self.hidden[pile] + self.covers[pile] > 0:
                return True
        return False

    def start(self, board: Board) -> None:
        """Note what is in the open now."""
        for rank in range(14):
            self.at_home[rank] = 0
            self.open[rank] = 0
            self.laid[rank] = 0
        for pile in range(board.foundation, board.tableau):
            for rank in range(board.size[pile]):
                self.at_home[rank] += 1
                self.open[rank] += 1
        for rank in range(13):
            self.above[rank] = self.at_home[rank]
        for pile in range(board.reserve, board.piles):
            if board.foundation <= pile < board.tableau:
                self.hidden[pile] = 0
                self.covers[pile] = 0
                continue
            for rank in range(13):
                self.gone[(pile << 4) + rank] = 0
            self.covers[pile] = 0
            self.hidden[pile] = board.size[pile] - 1
            self.bottom[pile] = 0
            if board.size[pile]:
                self.bottom[pile] = 1 << board.rank[board.cards[pile << 7]]
            if board.size[pile]:
                rank = board.rank[board.cards[(pile << 7) + board.size[pile] - 1]]
                self.open[rank] += 1
                if pile >= board.tableau:
                    self.laid[rank] = 1

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

    def settle(self, board: Board) -> None:
        """Let leave what can leave, until nothing changes."""
        changed = True
        while changed:
            changed = False
            self.bound()
            for pile in range(board.reserve, board.piles):
                if board.foundation <= pile < board.tableau:
                    continue
                while self.leaves(board, pile):
                    changed = True

    def leaves(self, board: Board, pile: int) -> bool:
        """Take the top card off a pile if it can leave; say whether that is so."""
        hidden = self.hidden[pile]
        covers = self.covers[pile]
        if covers:
            ranks = self.cover[(pile << 5) + covers - 1]
            rank = 0
            while rank < 13 and not ((ranks >> rank) & 1 and self.goes(rank, 0)):
                rank += 1
            if rank == 13:
                return False
            self.covers[pile] = covers - 1
            if ranks == 1 << rank:
                self.gone[(pile << 4) + rank] += 1
            if covers > 1:
                ranks = self.cover[(pile << 5) + covers - 2]
                for i in range(13):
                    if ranks == 1 << i:
                        self.open[i] += 1
                return True
        else:
            if hidden < (1 if pile >= board.tableau else 0):
                return False  # an empty tableau pile is of no use
            rank = board.rank[board.cards[(pile << 7) + hidden]]
            if not self.goes(rank, self.gone[(pile << 4) + rank]):
                return False
            self.gone[(pile << 4) + rank] += 1
            hidden -= 1
            self.hidden[pile] = hidden
        if hidden >= 0:
            rank = board.rank[board.cards[(pile << 7) + hidden]]
            self.open[rank] += 1
            if pile >= board.tableau:
                self.laid[rank] = 1
        return True

    def goes(self, rank: int, gone: int) -> bool:
        """Whether a card can leave the pile on top of which it lies, after others of its rank.

        What lay above it has left before it. Of what a deal laid there that is not counted: a card
        that could have left the pile before the deal may lie below instead.
        """
        return self.laid[rank + 1] != 0 or self.at_home[rank] + gone < self.reach[rank]

    def deal(self, board: Board, stock: int) -> int:
        """Deal in the generous game; say how many cards of the stock are left.

        The cards go to empty piles first. A pile from which not all can have left is not empty, nor
        does one fill up before its first deal; of the rest each may be empty or not. ``chance``
        collects, over all these cases, which ranks each pile may get, or none. What lies on top
        then leaves if any of these ranks could. All cards dealt are in the open at once. A card
        that is surely covered is not in the open again before what covers it has left.

        ``bottom`` collects which ranks the lowest card of a pile may have, and ``low`` is a rank
        that something in a pile does not exceed unless the pile is empty. A card that in all cases
        comes to lie above a lower one (a bit of ``higher``) is added to ``above``.
        """
        first = board.reserve
        count = board.foundation - first
        for pile in range(first, board.foundation):
            self.chance[pile] = 0
            self.low[pile] = self.lowest(board, pile)
        self.higher = (1 << count) - 1
        for empty in range(1 << count):
            self.deal_if(board, stock, empty)
        for pile in range(first, board.foundation):
            ranks = self.chance[pile]
            if ranks & 1 << 13:
                continue
            covers = self.covers[pile]
            under = 0
            if covers:
                under = self.cover[(pile << 5) + covers - 1]
            elif self.hidden[pile] >= 0:
                under = 1 << board.rank[board.cards[(pile << 7) + self.hidden[pile]]]
            for i in range(13):
                if under == 1 << i:
                    self.open[i] -= 1
            self.cover[(pile << 5) + covers] = ranks
            self.covers[pile] = covers + 1
        for i in range(count):
            if stock:
                stock -= 1
                rank = board.rank[board.cards[stock]]
                self.open[rank] += 1
                if (self.higher >> i) & 1:
                    self.above[rank] += 1
        return stock

    def lowest(self, board: Board, pile: int) -> int:
        """A rank that something in a pile does not exceed, if there is anything in it."""
        lowest = highest(self.bottom[pile])
        for i in range(self.hidden[pile] + 1):
            rank = board.rank[board.cards[(pile << 7) + i]]
            if rank < lowest:
                lowest = rank
        for i in range(self.covers[pile]):
            rank = highest(self.cover[(pile << 5) + i])
            if rank < lowest:
                lowest = rank
        return lowest

    def deal_if(self, board: Board, stock: int, empty: int) -> None:
        """Note what a deal lays where if these piles are empty, unless they cannot be."""
        first = board.reserve
        for pile in range(first, board.foundation):
            bare = (empty >> (pile - first)) & 1
            if bare and self.hidden[pile] + self.covers[pile] >= 0:
                return
            if not bare and stock == board.size[0] and board.size[pile] == 0:
                return
        card = 0
        for bare in range(2):
            for pile in range(first, board.foundation):
                if (empty >> (pile - first)) & 1 == bare:
                    continue
                if stock == 0:
                    self.chance[pile] |= 1 << 13
                    continue
                stock -= 1
                rank = board.rank[board.cards[stock]]
                self.chance[pile] |= 1 << rank
                if bare == 0:
                    self.bottom[pile] |= 1 << rank
                if bare == 0 or self.low[pile] >= rank:
                    self.higher &= ~(1 << card)
                card += 1


def highest(ranks: int) -> int:
    """The highest of a set of ranks, which are bits; 13 when there is none."""
    rank = 12
    while rank >= 0 and not (ranks >> rank) & 1:
        rank -= 1
    return rank if rank >= 0 else FULL
