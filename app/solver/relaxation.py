"""A delete relaxation of Bristol: an easier game in which moves never take anything away.

A card that was once uncovered stays available, both where it lay and where it was moved. So the
order of moves does not matter, and a fixpoint is reached quickly. What is impossible in the
relaxation is impossible in the real game. Counts are kept by rank:

* ``open`` counts the cards that are home or have been uncovered. Foundations build rank on rank, so
  there are never more cards home of a rank than of the rank below, nor more than are open:
  ``home_limit`` is that bound.
* ``exposed`` says whether a tableau card of the rank has been uncovered, or an open card of the rank
  could have been placed on the rank above. The rank below can be placed on it.
* The top card of a pile can leave when the rank above is exposed, or when its rank can go home: when
  ``home_limit`` has room for it besides all cards of the rank that left the pile before it, which
  must be home as long as the rank above is not exposed. Then the card below is uncovered.

Every move of the real game before the next deal is possible in the relaxation, and each only makes
more possible. A card that cannot leave its pile at the fixpoint still lies there at the next deal,
however the game was played. So deals cover what the player cannot have saved from them.
"""

from __future__ import annotations

from array import array

from app.solver.board import Board

FULL = 13  # higher than any rank, and as a bit in a set of ranks: no card


class Relaxation:
    """The relaxed game from a position on, with what is certain about the reserve.

    ``top`` is the index of the card on top of a pile once all that can leave has left, or -1. Above it
    lie ``cover_count`` cards from deals; each is a set of ranks (bits), one of which it has.
    """

    def __init__(self) -> None:
        """Allocate counts by rank and by pile."""
        self.at_home = array("i", [0] * 16)
        self.open = array("i", [0] * 16)
        self.home_limit = array("i", [0] * 16)
        self.exposed = array("i", [0] * 16)
        self.above_lower = array("i", [0] * 16)
        self.top = array("i", [0] * 32)
        self.cover_count = array("i", [0] * 32)
        self.cover_ranks = array("i", [0] * 32 * 32)
        self.removed = array("i", [0] * 32 * 16)
        self.possible = array("i", [0] * 32)
        self.bottom_ranks = array("i", [0] * 32)
        self.low_rank = array("i", [0] * 32)
        self.always_above = 0

    def has_unreachable_card(self, board: Board) -> bool:
        """Play the relaxation to its end; return whether some card was never uncovered."""
        self.reset(board)
        self.run_to_fixpoint(board)
        stock = board.size[0]
        while stock:
            stock = self.deal(board, stock)
            self.run_to_fixpoint(board)
        self.update_limits()  # for what the last uncovered cards expose
        for pile in range(board.reserve, board.piles):  # noqa: SIM110 - Cython compiles the loop, not a generator
            if self.top[pile] + self.cover_count[pile] > 0:
                return True
        return False

    def reset(self, board: Board) -> None:
        """Start from the board's position."""
        for rank in range(14):
            self.at_home[rank] = 0
            self.open[rank] = 0
            self.exposed[rank] = 0
        for pile in range(board.foundation, board.tableau):
            for rank in range(board.size[pile]):
                self.at_home[rank] += 1
                self.open[rank] += 1
        for rank in range(13):
            self.above_lower[rank] = self.at_home[rank]
        for pile in range(board.reserve, board.piles):
            if board.foundation <= pile < board.tableau:
                self.top[pile] = 0
                self.cover_count[pile] = 0
                continue
            for rank in range(13):
                self.removed[(pile << 4) + rank] = 0
            self.cover_count[pile] = 0
            self.top[pile] = board.size[pile] - 1
            self.bottom_ranks[pile] = 0
            if board.size[pile]:
                self.bottom_ranks[pile] = 1 << board.rank[board.cards[pile << 7]]
            if board.size[pile]:
                rank = board.rank[board.cards[(pile << 7) + board.size[pile] - 1]]
                self.open[rank] += 1
                if pile >= board.tableau:
                    self.exposed[rank] = 1

    def update_limits(self) -> None:
        """Update ``home_limit``, and spread ``exposed`` downwards over ranks that are open.

        ``home_limit[rank]`` is how many cards of the rank below can be home.
        """
        most = 4
        for rank in range(13):
            self.home_limit[rank] = most
            if self.open[rank] < most:
                most = self.open[rank]
        for i in range(12):
            rank = 11 - i
            if self.exposed[rank + 1] and self.open[rank] > self.at_home[rank]:
                self.exposed[rank] = 1

    def run_to_fixpoint(self, board: Board) -> None:
        """Remove cards that can leave until nothing changes."""
        changed = True
        while changed:
            changed = False
            self.update_limits()
            for pile in range(board.reserve, board.piles):
                if board.foundation <= pile < board.tableau:
                    continue
                while self.remove_top(board, pile):
                    changed = True

    def remove_top(self, board: Board, pile: int) -> bool:
        """Remove the top card of a pile if it can leave; return whether it did."""
        top = self.top[pile]
        cover_count = self.cover_count[pile]
        if cover_count:
            ranks = self.cover_ranks[(pile << 5) + cover_count - 1]
            rank = 0
            while rank < 13 and not ((ranks >> rank) & 1 and self.can_leave(rank, 0)):
                rank += 1
            if rank == 13:
                return False
            self.cover_count[pile] = cover_count - 1
            if ranks == 1 << rank:
                self.removed[(pile << 4) + rank] += 1
            if cover_count > 1:
                ranks = self.cover_ranks[(pile << 5) + cover_count - 2]
                for i in range(13):
                    if ranks == 1 << i:
                        self.open[i] += 1
                return True
        else:
            if top < (1 if pile >= board.tableau else 0):
                return False  # emptying a tableau pile gains nothing
            rank = board.rank[board.cards[(pile << 7) + top]]
            if not self.can_leave(rank, self.removed[(pile << 4) + rank]):
                return False
            self.removed[(pile << 4) + rank] += 1
            top -= 1
            self.top[pile] = top
        if top >= 0:
            rank = board.rank[board.cards[(pile << 7) + top]]
            self.open[rank] += 1
            if pile >= board.tableau:
                self.exposed[rank] = 1
        return True

    def can_leave(self, rank: int, removed: int) -> bool:
        """Whether a card of ``rank`` on top of a pile can leave, after ``removed`` others of its rank.

        Those are the cards that lay above it and have left already. Cards from a deal are not counted: a
        card that could have left the pile before the deal may lie below it instead.
        """
        return self.exposed[rank + 1] != 0 or self.at_home[rank] + removed < self.home_limit[rank]

    def deal(self, board: Board, stock: int) -> int:
        """Deal in the relaxation; return how many cards are left in the stock.

        Cards go to empty piles first. A pile from which not every card can have left is not empty, and a
        pile does not become filled before its first deal; the others may be empty or not. ``possible``
        collects, over all these cases, the ranks that each pile may get, or none. A covering card then
        leaves if any of these ranks could. All dealt cards are uncovered at once. A card that is certainly
        covered is not uncovered again before its cover has left.

        ``bottom_ranks`` collects the possible ranks of a pile's lowest card, and ``low_rank`` is an upper
        bound for the lowest rank in a pile that is not empty. A card that lies above a lower one in all
        cases (a bit of ``always_above``) is added to ``above_lower``.
        """
        first = board.reserve
        count = board.foundation - first
        for pile in range(first, board.foundation):
            self.possible[pile] = 0
            self.low_rank[pile] = self.lowest_rank(board, pile)
        self.always_above = (1 << count) - 1
        for empty in range(1 << count):
            self.add_deal_case(board, stock, empty)
        for pile in range(first, board.foundation):
            ranks = self.possible[pile]
            if ranks & 1 << 13:
                continue
            cover_count = self.cover_count[pile]
            under = 0
            if cover_count:
                under = self.cover_ranks[(pile << 5) + cover_count - 1]
            elif self.top[pile] >= 0:
                under = 1 << board.rank[board.cards[(pile << 7) + self.top[pile]]]
            for i in range(13):
                if under == 1 << i:
                    self.open[i] -= 1
            self.cover_ranks[(pile << 5) + cover_count] = ranks
            self.cover_count[pile] = cover_count + 1
        for i in range(count):
            if stock:
                stock -= 1
                rank = board.rank[board.cards[stock]]
                self.open[rank] += 1
                if (self.always_above >> i) & 1:
                    self.above_lower[rank] += 1
        return stock

    def lowest_rank(self, board: Board, pile: int) -> int:
        """An upper bound for the lowest rank in a pile, if there is anything in it."""
        lowest = highest(self.bottom_ranks[pile])
        for i in range(self.top[pile] + 1):
            rank = board.rank[board.cards[(pile << 7) + i]]
            if rank < lowest:
                lowest = rank
        for i in range(self.cover_count[pile]):
            rank = highest(self.cover_ranks[(pile << 5) + i])
            if rank < lowest:
                lowest = rank
        return lowest

    def add_deal_case(self, board: Board, stock: int, empty: int) -> None:
        """Add the case that exactly the piles in ``empty`` are empty, if it is possible."""
        first = board.reserve
        for pile in range(first, board.foundation):
            bare = (empty >> (pile - first)) & 1
            if bare and self.top[pile] + self.cover_count[pile] >= 0:
                return
            if not bare and stock == board.size[0] and board.size[pile] == 0:
                return
        card = 0
        for bare in range(2):
            for pile in range(first, board.foundation):
                if (empty >> (pile - first)) & 1 == bare:
                    continue
                if stock == 0:
                    self.possible[pile] |= 1 << 13
                    continue
                stock -= 1
                rank = board.rank[board.cards[stock]]
                self.possible[pile] |= 1 << rank
                if bare == 0:
                    self.bottom_ranks[pile] |= 1 << rank
                if bare == 0 or self.low_rank[pile] >= rank:
                    self.always_above &= ~(1 << card)
                card += 1


def highest(ranks: int) -> int:
    """The highest of a set of ranks (bits); 13 if the set is empty."""
    rank = 12
    while rank >= 0 and not (ranks >> rank) & 1:
        rank -= 1
    return rank if rank >= 0 else FULL
