"""The searches that worker processes run, with plain values in and out.

All cards are known, except to hints and to the judge of moves.

Budgets are numbers of positions, so that the same question has the same answer on every machine. Only without
compiled code does a search reach the time limit of its job.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final

from app.analysis.judging import PlayedTurn, judge_game
from app.analysis.model import (
    FullReview,
    TurningPoint,
    UnfinishedCurve,
    WinnabilityVerdict,
    Winnable,
)
from app.engine.actions import Action, parse_action
from app.engine.position import Position
from app.engine.ruleset import Ruleset
from app.engine.transition import is_won
from app.games.lookup import stored_rules
from app.jobs.worker_main import is_stopping, report
from app.solver.advice import SEED, Advice, Plan, advise
from app.solver.foresight import PlayedMove, decisions_of, measure
from app.solver.insight import estimate
from app.solver.last_winnable import find_last_winnable
from app.solver.sight import Sight
from app.solver.solve import Budget, SearchOutcome, solve_from
from app.solver.vain_moves import without_vain_moves

WINNABLE_SECONDS: Final = 120.0
REVIEW_SECONDS: Final = 240.0
FORESIGHT_SECONDS: Final = 120.0
_BUDGET: Final = 2_000_000  # at most 270 MB: see app/deals/proving.py
_CHANCE_BUDGET: Final = 30_000  # as for a move in a review
_BUDGET_EACH: Final = 500_000
_BUDGET_BACK: Final = 200_000  # for each position while someone waits to play on
_MOST_BACK: Final = 1_000_000  # for all of them: at most a minute, as for the question itself
_HALF_CHECKS: Final = 60  # after this many cancellation checks the progress of a search is 50 %
_SEED: Final = "foresight"
_JUDGED: Final = 0.7  # the progress of a review when all moves are judged
_DECIDED: Final = 0.6  # the progress of a question when its own position is decided


def find_winnable(ruleset: str, revision: int, positions: Sequence[Position]) -> str:
    """Whether the last of these positions of a game can be won and, if not, which one could.

    The text of a ``WinnabilityVerdict``; that of the last position alone is reported as soon as it is known.
    """
    rules = stored_rules(ruleset, revision)
    solution = solve_from(
        rules,
        positions[-1],
        Budget(_BUDGET),
        progress=lambda so_far: report(_DECIDED * so_far.positions / _BUDGET),
        cancelled=is_stopping,
    )
    match solution.outcome:
        case SearchOutcome.WON:
            return str(WinnabilityVerdict(Winnable.YES))
        case SearchOutcome.UNWINNABLE:
            return str(_look_back(rules, positions))
        case SearchOutcome.UNDECIDED:
            return str(WinnabilityVerdict(Winnable.UNKNOWN))


def _look_back(rules: Ruleset, positions: Sequence[Position]) -> WinnabilityVerdict:
    """The verdict on a game whose last position can't be won."""
    known = WinnabilityVerdict(Winnable.NO, None, len(positions) - 1)
    found = find_last_winnable(
        rules,
        positions[:-1],
        Budget(_BUDGET_BACK),
        _reporting(_DECIDED, str(known)),
        most=_MOST_BACK,
    )
    lost = known.lost if found.unwinnable is None else found.unwinnable
    return WinnabilityVerdict(Winnable.NO, found.winnable, lost)


def _reporting(share: float, found: str) -> Callable[[], bool]:
    """Whether to stop, reporting what was ``found`` each time: the progress approaches 1 from ``share``.

    The number of times is not known beforehand.
    """
    checks = 0

    def is_cancelled() -> bool:
        nonlocal checks
        checks += 1
        report(1 - (1 - share) * 0.5 ** (checks / _HALF_CHECKS), found)
        return is_stopping()

    return is_cancelled


def find_review(
    ruleset: str,
    revision: int,
    turns: Sequence[PlayedTurn],
    positions: Sequence[Position],
    line: str,
) -> str:
    """How well a game was played that went through these positions by the actions of ``line``.

    The text of a ``FullReview``.
    """
    rules = stored_rules(ruleset, revision)
    actions = [parse_action(rules.layout, word) for word in line.split()]

    drawn = ""

    def is_cancelled(chances: Sequence[float], count: int) -> bool:
        nonlocal drawn
        drawn = str(UnfinishedCurve(tuple(chances), count - 1))
        report(_JUDGED * len(chances) / count, drawn)
        return is_stopping()

    judged = judge_game(rules, turns, actions, is_cancelled)
    turning_point = (
        None if is_won(rules, positions[-1]) else find_turning_point(rules, positions, drawn)
    )
    return str(FullReview(judged, turning_point))


def find_turning_point(
    rules: Ruleset, positions: Sequence[Position], drawn: str = ""
) -> TurningPoint:
    """Where a game that went through these positions slipped away; ``drawn`` is what is shown meanwhile."""
    is_cancelled = _reporting(_JUDGED, drawn)
    found = find_last_winnable(rules, positions, Budget(_BUDGET_EACH), is_cancelled)
    winnable, solution = found.winnable, found.solution
    if solution is None and found.unwinnable != 0 and not is_stopping():
        # The opening has the most ways to win; so it gets a larger budget.
        longer = solve_from(rules, positions[0], Budget(_BUDGET), cancelled=is_cancelled)
        if longer.outcome is SearchOutcome.WON:
            winnable, solution = 0, longer
    line: Sequence[Action] = ()
    if solution and winnable is not None:
        line = without_vain_moves(rules, positions[winnable], solution.actions)
    return TurningPoint(winnable, found.unwinnable, tuple(map(str, line)))


def find_foresight(ruleset: str, revision: int, turns: Sequence[PlayedTurn], line: str) -> str:
    """How far the actions of ``line``, which lead from each turn to the next, agree with the true order.

    The text of a ``Foresight``.
    """
    rules = stored_rules(ruleset, revision)
    moves = (
        PlayedMove(turn.position, parse_action(rules.layout, word), turn.version, turn.remembered)
        for turn, word in zip(turns, line.split(), strict=False)
    )
    return str(measure(rules, decisions_of(moves), _SEED, cancelled=lambda _: is_stopping()))


def find_advice(
    ruleset: str,
    revision: int,
    sight: Sight,
    new: Sequence[Action],
    budget: int,
    *,
    plan: Plan | None = None,
    repeated: Collection[Action] = (),
) -> Advice | None:
    """The actions worth playing, with their chances, first the next of a plan; ``None`` if not known in time."""
    rules = stored_rules(ruleset, revision)
    return advise(rules, sight, new, budget, is_stopping, plan=plan, repeated=repeated)


def find_chance(ruleset: str, revision: int, sight: Sight) -> float:
    """The chance to win, from what the players have seen and nothing else."""
    found = estimate(sight, stored_rules(ruleset, revision), SEED, _CHANCE_BUDGET)
    return float(found.chance)
