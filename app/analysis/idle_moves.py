"""Moves that lead nowhere: to how the table lay before, or round and round the stock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from app.engine.actions import DEAL, Action, Move
from app.engine.position import Pile, Position, has_revealed
from app.engine.rules import goes_home
from app.engine.transition import apply
from app.games.model import Game
from app.solver.advice import Advice
from app.solver.sight import Sight


def returning_moves(game: Game, new: Collection[Action]) -> set[Action]:
    """The ``new`` moves within the tableau after which all but stock and waste lies as it did before in this line.

    A player who could do that now could have dealt then, and moved nothing. Columns may have changed places.
    """
    layout = game.rules.layout

    def laid(position: Position) -> tuple[Collection[tuple[Pile, int]], Sequence[Pile]]:
        columns = Counter(position.piles[index] for index in layout.tableau)
        moving = {*layout.tableau, layout.stock, layout.waste}
        others = tuple(pile for index, pile in enumerate(position.piles) if index not in moving)
        return frozenset(columns.items()), others

    before = {laid(position) for position in game.history.positions()}
    moves = [
        action
        for action in new
        if isinstance(action, Move) and layout.index[action.source] in layout.tableau
    ]
    return {move for move in moves if laid(apply(game.rules, game.position, move)) in before}


def is_idle(game: Game, sight: Sight, advice: Advice, action: Action) -> bool:
    """Whether every card has come by in vain, and the plan of an action turns no card and brings none home."""
    if not has_gone_round(game):
        return False
    plan = advice.plan_of(action)
    if plan is None:
        return action == DEAL
    rules = game.rules
    position = sight.with_hidden(sight.unseen(rules))
    for each in plan.actions:
        after = apply(rules, position, each)
        if goes_home(game.rules, each) or (each != DEAL and has_revealed(position, after)):
            return False
        position = after
    return True


def has_gone_round(game: Game) -> bool:
    """Whether nothing but deals was played since every card of stock and waste has come by."""
    if not game.rules.has_unlimited_redeals:
        return False
    layout, position = game.rules.layout, game.position
    dealt = [position.piles[index] for index in (layout.stock, layout.waste) if index is not None]
    size = sum(len(pile.cards) for pile in dealt)
    last = game.history.actions()[-size - 1 :]
    return len(last) > size and {*last} == {DEAL}
