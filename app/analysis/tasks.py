"""What worker processes find out with all the cards on the table. Plain values in and out.

The budgets are numbers of positions, so that the same question has the same answer on every machine that has
the time: only one without compiled code runs into the seconds that a job may take.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from app.analysis.model import LookBack, Winnable
from app.engine.position import Position
from app.games.model import stored_rules
from app.jobs.worker_main import is_stopping, report
from app.solver.last_winnable import find_last_winnable
from app.solver.solve import Budget, Outcome, solve_from

SECONDS: Final = 60.0
REVIEW_SECONDS: Final = 120.0
_MOST: Final = 2_000_000  # some 200 MB
_MOST_EACH: Final = 500_000
_HALF: Final = 60  # searches are interrupted so often before a review looks half done


def find_winnable(ruleset: str, revision: int, position: Position) -> str:
    """Whether a position can be won, as the text of a ``Winnable``."""
    rules = stored_rules(ruleset, revision)
    verdict = solve_from(
        rules,
        position,
        Budget(_MOST),
        progress=lambda so_far: report(so_far.positions / _MOST, "looking"),
        cancelled=is_stopping,
    )
    match verdict.outcome:
        case Outcome.WON:
            return Winnable.YES
        case Outcome.UNWINNABLE:
            return Winnable.NO
        case Outcome.UNDECIDED:
            return Winnable.UNKNOWN


def look_back(ruleset: str, revision: int, positions: Sequence[Position]) -> str:
    """Where a game that went through ``positions`` slipped away, as the text of a ``LookBack``."""
    rules = stored_rules(ruleset, revision)
    looks = 0

    def is_cancelled() -> bool:
        nonlocal looks
        looks += 1
        # How many looks there will be nobody knows: each brings the end nearer by the same part.
        report(1 - 0.5 ** (looks / _HALF), "looking")
        return is_stopping()

    found = find_last_winnable(rules, positions, Budget(_MOST_EACH), is_cancelled)
    winnable, verdict = found.winnable, found.solution
    if verdict is None and found.unwinnable != 0 and not is_stopping():
        # The opening has the most ways to win; it is worth a longer look than the others.
        longer = solve_from(rules, positions[0], Budget(_MOST), cancelled=is_cancelled)
        if longer.outcome is Outcome.WON:
            winnable, verdict = 0, longer
    line = verdict.actions if verdict else ()
    return str(LookBack(winnable, found.unwinnable, tuple(map(str, line))))
