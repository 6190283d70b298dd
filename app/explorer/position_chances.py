"""The chances to win at a position, from what shows: a function of plain values, for worker processes."""

from __future__ import annotations

from typing import Final

from app.analysis.judgement import SUSPICIOUS
from app.engine.ruleset import Ruleset
from app.engine.transition import apply, is_won
from app.games.lookup import stored_rules
from app.solver.estimates import Estimate
from app.solver.fresh_orders import FreshOrders
from app.solver.insight import estimate
from app.solver.sight import Sight, see

_BUDGET: Final = 30_000  # positions; as for a move in a review
_ORDERS: Final = 12  # of unseen cards, for an action that turns one
_SEED: Final = "explorer"  # the same position has the same chances everywhere


def judge_position(ruleset: str, revision: int, sight: Sight) -> dict[str, float]:
    """The chance to win after each legal action, from what shows and nothing else.

    Actions that seem worse than the best one were hardly played out. So they are judged again by the position that they
    lead to, as its own page will say, or by the mean of all that can come if they turn a card.
    """
    rules = stored_rules(ruleset, revision)
    found = estimate(sight, rules, _SEED, _BUDGET)
    return {
        str(one.action): round(_closer(rules, sight, one), 4)
        if one.chance < found.chance - SUSPICIOUS and one.deviation
        else round(one.chance, 4)
        for one in found.actions
    }


def _closer(rules: Ruleset, sight: Sight, rough: Estimate) -> float:
    """The chance after an action that was hardly played out."""
    orders = FreshOrders(rules, sight, rough.action, _SEED)
    if sight.only_position(rules) is None and orders.turns_a_card:
        return orders.run(_ORDERS).chance
    before = sight.with_hidden(sight.unseen(rules))  # in any order: what shows is the same
    after = apply(rules, before, rough.action)
    there = 1.0 if is_won(rules, after) else estimate(see(after), rules, _SEED, _BUDGET).chance
    return max(rough.chance, there)
