"""Whether a deal can begin with a move: somebody new to a game should not have to deal before anything else."""

from __future__ import annotations

from functools import lru_cache

from app.engine.actions import Deal
from app.engine.deal import opening
from app.engine.rules import legal_actions
from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code, deck_of_code


@lru_cache(maxsize=1024)
def begins_with_a_move(rules: Ruleset, code: Code) -> bool:
    """Whether the first action can be something other than a deal."""
    position = opening(rules, deck_of_code(code, rules.decks))
    return any(not isinstance(action, Deal) for action in legal_actions(rules, position))
