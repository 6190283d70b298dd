"""Pruning for Bristol: suits do not matter, single cards move, empty piles are never refilled.

As in ``pruning``, the proofs are in the docstrings, and tests compare with an exhaustive search.
"""

from __future__ import annotations

from app.solver.board import Board
from app.solver.pruning import Pruning
from app.solver.relaxation import Relaxation

FULL = 13  # cards on a foundation that takes no more, and higher than any rank


class FanPruning(Pruning):
    """Pruning for games in which only ranks matter and deals cover the reserve piles."""

    def __init__(self) -> None:
        """Allocate a relaxation, which is reused for every position."""
        self.relaxation = Relaxation()

    def is_dead_end(self, board: Board) -> bool:
        """Whether some card can never be uncovered even in the relaxation, or cards are deadlocked.

        ``is_deadlocked`` uses counts that the relaxation leaves behind, so it comes second.
        """
        return self.relaxation.has_unreachable_card(board) or self.is_deadlocked(board)

    def is_deadlocked(self, board: Board) -> bool:
        """Whether all four cards of a rank must be home before some lower card below them.

        Take a rank such that no card of the rank above is ever uncovered on the tableau. Count its
        cards that are home, those that lie above a lower card in any pile, and those that deals are
        certain to put above one (as the relaxation finds). For each of the latter two, choose a
        lower card below it, and consider the moment, after the last of these deals, when the last
        chosen card is uncovered. By then all counted cards have left their piles, so they are home,
        and the chosen card is not. Foundations build rank on rank, so there are never more cards
        home of a rank than of a lower one: at most three of the chosen card's rank, hence at most
        three of this rank. A count of four is a contradiction.
        """
        relaxation = self.relaxation
        for pile in range(board.reserve, board.piles):
            if board.foundation <= pile < board.tableau:
                continue
            lowest = FULL
            for i in range(board.size[pile]):
                rank = board.rank[board.cards[(pile << 7) + i]]
                if rank > lowest:
                    relaxation.above_lower[rank] += 1
                else:
                    lowest = rank
        for rank in range(13):
            covering = relaxation.above_lower[rank] > relaxation.at_home[rank]
            if covering and relaxation.above_lower[rank] > 3 and not relaxation.exposed[rank + 1]:
                return True
        return False

    def safe_move(self, board: Board) -> int:
        """A move home of a card of the lowest rank still out, unless that would change a deal.

        Nothing will ever be placed on it, since all lower cards are home. Each card of its rank has
        a foundation that waits for it, so it does not compete with another card. Empty piles are
        never refilled, except that a deal goes to empty reserve piles first; so the move has no
        other effect if the stock is empty or the reserve pile holds more cards. Therefore every
        solution from here also works after the move, with this card's moves left out: the card it
        covered is only free earlier.
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

    def is_dominated(self, board: Board, move: int) -> bool:
        """Whether ``move`` takes the only card of a tableau pile to another tableau pile.

        Empty piles take nothing, so leaving the card where it is loses nothing: cards can be placed
        on it there, it can go wherever it could go from the other pile, and the card that it would
        have covered stays free. So every win after the move is also a win without it.
        """
        source, target = move & 31, (move >> 5) & 31
        return source >= board.tableau and target >= board.tableau and board.size[source] == 1
