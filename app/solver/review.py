"""After the game: where it slipped away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.engine.position import Position
from app.engine.ruleset import Ruleset
from app.solver.result import Budget, Outcome, SolveResult
from app.solver.solve import Stopper, solve_from


@dataclass(frozen=True, slots=True)
class Review:
    """What is known of the positions of a game, by their number from the opening's 0.

    Up to ``winnable`` the deal could be won, as ``verdict`` shows by a line from there; from
    ``unwinnable`` on it could not. What lies between the two is not known; ``None`` is no position.
    """

    winnable: int | None
    verdict: SolveResult | None
    unwinnable: int | None

    @property
    def is_exact(self) -> bool:
        """Whether the very action is known that gave the win away."""
        return self.winnable is not None and self.unwinnable == self.winnable + 1


def review(
    rules: Ruleset,
    positions: Sequence[Position],
    budget: Budget,
    cancelled: Stopper | None = None,
) -> Review:
    """Find the last winnable position of a game that went through ``positions``, without undo.

    Where a position can be won, so can every earlier one, since play leads from that to this; and
    where it cannot, no later one can. So halving finds the border. ``budget`` is for each of the
    few positions looked at. Once one of them stays undecided, the ends of what is open are tried in
    turn: late positions have little left to search, early ones the most ways to win.
    """
    winnable, verdict, unwinnable = -1, None, len(positions)
    undecided: set[int] = set()
    while True:
        number = _next(winnable, unwinnable, undecided)
        if number is None or (cancelled and cancelled()):
            break
        found = solve_from(rules, positions[number], budget, cancelled=cancelled)
        match found.outcome:
            case Outcome.WON:
                winnable, verdict = number, found
            case Outcome.UNWINNABLE:
                unwinnable = number
            case Outcome.UNDECIDED:
                undecided.add(number)
    return Review(
        winnable if verdict else None,
        verdict,
        unwinnable if unwinnable < len(positions) else None,
    )


_PATIENCE = 8  # undecided positions after which more tries are a waste


def _next(winnable: int, unwinnable: int, undecided: set[int]) -> int | None:
    """The middle of what is open, or what is nearest to it and untried."""
    middle = (winnable + unwinnable) // 2
    untried = [n for n in range(winnable + 1, unwinnable) if n not in undecided]
    if not untried or len(undecided) >= _PATIENCE:
        return None
    if undecided:
        return untried[-1] if len(undecided) % 2 else untried[0]
    return min(untried, key=lambda n: abs(n - middle))
