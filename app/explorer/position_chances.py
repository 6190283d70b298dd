"""The chances to win at a position, from what shows: a function of plain values, for worker processes."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from app.analysis.judgement import SUSPICIOUS
from app.engine.position import regardless_of_order
from app.engine.ruleset import Ruleset
from app.engine.transition import apply, is_won
from app.games.lookup import stored_rules
from app.solver.advice import SEED
from app.solver.estimates import Estimate
from app.solver.fresh_orders import FreshOrders
from app.solver.insight import estimate
from app.solver.sight import Sight, see

_BUDGET: Final = (
    600_000  # positions; as for a hint that was refined, and with its seed: so both say the same
)
_BUDGET_EACH: Final = 30_000  # for what an action leads to
_ORDERS: Final = 12  # of unseen cards, for an action that turns one


def judge_position(ruleset: str, revision: int, sight: Sight) -> dict[str, float]:
    """The chance to win after each legal action, from what shows and nothing else.

    Actions that seem worse than the best one were hardly played out. So they are judged again by the position that they
    lead to, or by the mean of all that can come if they turn a card. What then seems better than the best one is as
    good at most, since that was looked at far more closely.
    """
    rules = stored_rules(ruleset, revision)
    found = estimate(sight, rules, SEED, _BUDGET)
    before = sight.with_hidden(sight.unseen(rules))  # in any order: what shows is the same
    alike = {*rules.layout.tableau, *rules.layout.foundations}
    chances: dict[str, float] = {}
    closer: dict[Hashable, float] = {}  # moves to another empty pile of a kind are looked at once
    for one in found.actions:
        chance = one.chance
        if chance < found.chance - SUSPICIOUS and one.deviation:
            there = regardless_of_order(apply(rules, before, one.action), alike)
            if there not in closer:
                closer[there] = min(found.chance, _closer(rules, sight, one))
            chance = closer[there]
        chances[str(one.action)] = round(chance, 4)
    return chances


def _closer(rules: Ruleset, sight: Sight, rough: Estimate) -> float:
    """The chance after an action that was hardly played out."""
    orders = FreshOrders(rules, sight, rough.action, SEED)
    if sight.only_position(rules) is None and orders.turns_a_card:
        return orders.run(_ORDERS).chance
    before = sight.with_hidden(sight.unseen(rules))  # in any order: what shows is the same
    after = apply(rules, before, rough.action)
    there = 1.0 if is_won(rules, after) else estimate(see(after), rules, SEED, _BUDGET_EACH).chance
    return max(rough.chance, there)
