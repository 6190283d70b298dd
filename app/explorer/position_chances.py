"""The chances to win at a position, from what shows: a function of plain values, for worker processes."""

from __future__ import annotations

from typing import Final

from app.analysis.judgement import SUSPICIOUS
from app.engine.actions import DEAL, Action
from app.engine.position import has_revealed
from app.engine.ruleset import Ruleset
from app.engine.transition import apply, is_won
from app.games.lookup import stored_rules
from app.solver.insight import estimate
from app.solver.sight import Sight, see

_BUDGET: Final = 30_000  # positions; as for a move in a review
_SEED: Final = "explorer"  # the same position has the same chances everywhere


def judge_position(ruleset: str, revision: int, sight: Sight) -> dict[str, float]:
    """The chance to win after each legal action, from what shows and nothing else.

    Actions that seem worse than the best one were hardly played out. So those that turn no card are judged again by the
    position that they lead to, as its own page will say.
    """
    rules = stored_rules(ruleset, revision)
    found = estimate(sight, rules, _SEED, _BUDGET)
    return {
        str(one.action): round(max(one.chance, _chance_after(rules, sight, one.action)), 4)
        if one.chance < found.chance - SUSPICIOUS
        else round(one.chance, 4)
        for one in found.actions
    }


def _chance_after(rules: Ruleset, sight: Sight, action: Action) -> float:
    """The chance at the position that an action leads to; 0 if it turns a card, so that many positions can follow."""
    before = sight.with_hidden(sight.unseen(rules))  # in any order: what shows is the same
    after = apply(rules, before, action)
    if action == DEAL or has_revealed(before, after):
        return 0.0
    return 1.0 if is_won(rules, after) else estimate(see(after), rules, _SEED, _BUDGET).chance
