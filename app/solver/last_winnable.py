"""Find the last winnable position of a finished game by bisection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.engine.position import Position
from app.engine.ruleset import Ruleset
from app.solver.solve import Budget, CancelCheck, SearchOutcome, SolveResult, solve_from


@dataclass(frozen=True, slots=True)
class LastWinnable:
    """What is known about the positions of a game, numbered from 0 for the opening.

    Positions up to ``winnable`` can be won, as ``solution`` proves; those from ``unwinnable`` on cannot.
    Those in between are undecided. ``None`` means that there is no such position.
    """

    winnable: int | None
    solution: SolveResult | None
    unwinnable: int | None

    @property
    def is_exact(self) -> bool:
        """Whether the action that lost the game is known exactly."""
        return self.winnable is not None and self.unwinnable == self.winnable + 1


def find_last_winnable(
    rules: Ruleset,
    positions: Sequence[Position],
    budget: Budget,
    cancelled: CancelCheck | None = None,
    *,
    most: int | None = None,
) -> LastWinnable:
    """Find the last winnable position among ``positions``, those of a game without its undone moves.

    If a position can be won, so can every earlier one, and if it cannot, neither can any later one. So
    bisection finds the border. ``budget`` is for each position solved; after ``most`` positions searched in all, no
    further one is. Once one of them is undecided, the ends of the open interval are tried in turn: late positions
    leave little to search, and early ones offer the most ways to win.
    """
    winnable, solution, unwinnable = -1, None, len(positions)
    searched = 0
    undecided: set[int] = set()
    while True:
        number = _next(winnable, unwinnable, undecided)
        is_spent = most is not None and searched >= most
        if number is None or is_spent or (cancelled and cancelled()):
            break
        found = solve_from(rules, positions[number], budget, cancelled=cancelled)
        searched += found.positions
        match found.outcome:
            case SearchOutcome.WON:
                winnable, solution = number, found
            case SearchOutcome.UNWINNABLE:
                unwinnable = number
            case SearchOutcome.UNDECIDED:
                undecided.add(number)
    return LastWinnable(
        winnable if solution else None,
        solution,
        unwinnable if unwinnable < len(positions) else None,
    )


_MAX_UNDECIDED = 8  # undecided positions after which to give up


def _next(winnable: int, unwinnable: int, undecided: set[int]) -> int | None:
    """The next position to solve: the middle of the open interval, or the nearest one not tried."""
    middle = (winnable + unwinnable) // 2
    untried = [n for n in range(winnable + 1, unwinnable) if n not in undecided]
    if not untried or len(undecided) >= _MAX_UNDECIDED:
        return None
    if undecided:
        return untried[-1] if len(undecided) % 2 else untried[0]
    return min(untried, key=lambda n: abs(n - middle))
