"""The chance to win after each action, estimated from what a player sees and nothing else.

Everything follows from the sight, the seed and the number of positions. A larger budget continues the
same computation, so it never loses what a smaller one found.
"""

from __future__ import annotations

from app.engine.ruleset import Ruleset
from app.solver.estimates import Estimates, Estimator
from app.solver.known_cards import KnownCardsEstimator, known_position
from app.solver.sight import Sight
from app.solver.turn_estimator import ACTION_COST, TurnEstimator


def estimator_for(rules: Ruleset, sight: Sight, seed: str) -> Estimator:
    """The estimator of a position; nothing that was never seen has an influence on it.

    It is for people: of plans that are about as good, it prefers those that they like, the shorter ones.
    """
    known = known_position(rules, sight)
    if known:
        return KnownCardsEstimator(rules, known)
    return TurnEstimator(rules, sight, seed, action_cost=ACTION_COST)


def estimate(sight: Sight, rules: Ruleset, seed: str, budget: int) -> Estimates:
    """The chance to win after each legal action, within about ``budget`` positions."""
    estimator = estimator_for(rules, sight, seed)
    estimator.run(budget)
    return estimator.estimates()
