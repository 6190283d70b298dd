"""What need not be searched in Bristol and its like: any suits, single cards, spaces never filled.

As in ``cuts``, the arguments stand with the methods, and tests hold them against exhaustive search.
"""

from __future__ import annotations

from app.solver.board import Board
from app.solver.pruning import Pruning
from app.solver.relaxation import Relaxation

FULL = 13  # cards on a foundation that takes no more, and higher than any rank


class FanPruning(Pruning):
    """Pruning where ranks alone count, and deals cover the piles of the reserve."""

    def __init__(self) -> None:
        """Each has a generous game of its own, for room to play in."""
        self.game = Relaxation()

    def hopeless(self, board: Board) -> bool:
        """Whether even the generous game leaves a card that is never in the open: it stays out.

        When it leaves none, ``covered`` counts what it was too generous about.
        """
        return self.game.leaves_cards(board) or self.covered(board)

    def covered(self, board: Board) -> bool:
        """Whether all four cards of a rank must be home before the last lower card under them is.

        Count the cards of a rank that are at home, and those that lie, in whatever pile, somewhere
        above a lower card, or that deals will surely lay above one (the generous game knows);
        nothing of the rank above is ever laid open on the tableau. Choose a lower card under each of
        the latter, and look at the moment in which, after the last of these deals, the last chosen
        one comes into the open. Then all that were counted have left what they lay on, so they are
        at home; and the chosen card is not. As foundations build rank on rank, no more cards of a
        rank than of a lower one can be at home: of the chosen card's at most three, so of this one
        too.
        """
        game = self.game
        for pile in range(board.reserve, board.piles):
            if board.foundation <= pile < board.tableau:
                continue
            lowest = FULL
            for i in range(board.size[pile]):
                rank = board.rank[board.cards[(pile << 7) + i]]
                if rank > lowest:
                    game.above[rank] += 1
                else:
                    lowest = rank
        for rank in range(13):
            covering = game.above[rank] > game.at_home[rank]
            if covering and game.above[rank] > 3 and not game.laid[rank + 1]:
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

    def useless(self, board: Board, move: int) -> bool:
        """Whether the only card of a tableau pile would be laid on another pile.

        Empty piles take nothing, so leaving it where it is gives up nothing: whatever is laid on it
        can be laid on it there, it can go wherever it could go from the other pile, and the card
        that it would have covered stays free. So a win after the move is one without it.
        """
        source, target = move & 31, (move >> 5) & 31
        return source >= board.tableau and target >= board.tableau and board.size[source] == 1
