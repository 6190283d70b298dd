"""The moves of a line to a win that is still to be played, as instructions with every card known."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from app.engine.actions import DEAL, Action
from app.engine.position import Position
from app.engine.ruleset import Ruleset
from app.solver.awaited_cards import awaited
from app.solver.hints import instruction
from app.solver.sight import Sight
from app.text import Text, ngettext


class LineStep(NamedTuple):
    """What to do next on a line in one sentence, and how many of its actions that is: deals in a row are one step."""

    said: Text
    length: int


def next_step(rules: Ruleset, position: Position, actions: Sequence[Action]) -> LineStep:
    """The first step of these actions. The game is over, so it may name a card that lies face down."""
    sight = _sight_of_all(position)
    deals = sum(1 for _ in takewhile(lambda action: action == DEAL, actions))
    card = awaited(rules, sight, actions)
    if card:
        return LineStep(card.said, deals)
    if deals > 1:
        return LineStep(ngettext("Deal %(n)s time.", "Deal %(n)s times.", deals), deals)
    return LineStep(instruction(rules, sight, actions[0]), 1)


def _sight_of_all(position: Position) -> Sight:
    return Sight(
        tuple(pile.cards for pile in position.piles),
        tuple(pile.down for pile in position.piles),
        position.redeals,
    )
