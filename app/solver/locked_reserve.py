"""Deals that are lost from the start, as anyone can see: the reserve holds the cards that it waits for."""

from __future__ import annotations

from app.engine.position import Position
from app.engine.rules import legal_actions
from app.engine.ruleset import Ruleset
from app.engine.transition import apply
from app.solver.board import Board
from app.solver.pruning import ReservePruning
from app.solver.pruning_choice import pruning_for
from app.solver.rule_tables import rule_tables


def is_locked(rules: Ruleset, opening: Position) -> bool:
    """Whether the cards in sight prove that a deal can't be won, whatever is played first, which may choose the base.

    The proof reads the reserve and the foundations alone: see ``ReservePruning.is_dead_end``.
    """
    tables = rule_tables(rules)
    pruning = pruning_for(tables)
    hides = any(opening.piles[index].down for index in rules.layout.reserves)
    if hides or not isinstance(pruning, ReservePruning):
        return False
    if pruning.is_dead_end(Board(tables, opening)):
        return True
    after = [apply(rules, opening, action) for action in legal_actions(rules, opening)]
    return bool(after) and all(pruning.is_dead_end(Board(tables, one)) for one in after)
