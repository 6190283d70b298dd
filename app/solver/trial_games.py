"""Games from positions just after a reveal, in guessed orders of the unseen cards: what chances are estimated from.

The fast player plays them and does not know the order that was guessed, so unlike a vote of solved guesses, this does
not count on lucky guesses: no strategy fusion, and only the fast player's own skill is assumed for the future. Where
the reveal tells every card, the game is searched instead: a search finds wins that the fast player misses.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from app.solver.fast_player import CAPACITY, LAST, LookAhead, derive_seed, new_turn
from app.solver.portfolio import portfolio_for
from app.solver.search import EXHAUSTED, RUNNING, WON

if TYPE_CHECKING:
    from app.solver.board import Board
    from app.solver.heuristic import Heuristic
    from app.solver.rule_tables import RuleTables
    from app.solver.sight import Sight
    from app.solver.turn import Turn

LAST_UNSEEN: Final = 2  # once one of so many cards is turned, every card is known
SOLVED: Final = 20_000  # positions that a search then may look at


class TrialGames:
    """The games played from the leaves of a turn, and how often they were won."""

    def __init__(
        self,
        tables: RuleTables,
        board: Board,
        sight: Sight,
        heuristic: Heuristic,
        *,
        seed: str,
        look: LookAhead,
        solving: int,
    ) -> None:
        """Prepare. With ``solving`` every game is searched, in at most so many positions, with every card known."""
        unseen = sight.unseen(tables.rules)
        self.kinds: Final = bytes(tables.kind(card) for card in unseen)
        self._tables = tables
        self._board = board
        self._seed = seed
        self._look = look
        self._solving = solving or (SOLVED if len(unseen) <= LAST_UNSEEN else 0)
        self._play = new_turn(tables, board, sight, heuristic, CAPACITY)
        self._searched = 0  # positions

    @property
    def positions(self) -> int:
        """The positions looked at so far."""
        return self._play.positions + self._searched

    def start(self, leaves: Iterable[int]) -> None:
        """Count from zero, for these leaves."""
        self.games = dict.fromkeys(leaves, 0)
        self.wins = dict.fromkeys(self.games, 0)
        self.home = dict.fromkeys(
            self.games, 0.0
        )  # shares of the cards on the foundations, added up

    def guess(self, number: int, turn: Turn) -> None:
        """Lay the unseen cards in the guessed order of this number, for the turn and for the games from it."""
        kinds = list(self.kinds)
        random.Random(f"{self._seed}/{number}").shuffle(kinds)  # noqa: S311 - guesses guard nothing
        for each in (turn, self._play):
            each.world[: len(kinds)] = bytes(kinds)

    def play(self, turn: Turn, leaf: int, number: int) -> bool:
        """Play one game from a leaf of the turn, with the order guessed before, and say whether it was won."""
        turn.go_to(leaf)
        if self._solving:
            won = self._solve()
        else:
            self._play.seed(derive_seed(self._seed, number))
            won = self._play.play(*self._look, LAST)
        self.games[leaf] += 1
        self.wins[leaf] += won
        self.home[leaf] += self._board.home / self._board.total
        return won

    def _solve(self) -> bool:
        """Whether the board's position is won with every card known."""
        search = portfolio_for(self._tables)[0].search(self._tables, self._board)
        status = RUNNING if self._solving > 1 else EXHAUSTED
        if self._board.home < self._board.total:
            status = search.advance(self._solving)
            self._searched += search.seen_count
        return status == WON or self._board.home == self._board.total
