"""What the first action of a plan is for: a card that goes home later, or one that is turned up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from app.engine.actions import Action, Move
from app.engine.cards import Card
from app.engine.position import Position, has_revealed
from app.engine.rules import legal_actions, refusal
from app.engine.ruleset import PileId, Ruleset
from app.engine.transition import apply
from app.engine.vocabulary import Zone
from app.solver.hints import is_gain
from app.solver.sight import Sight


class Aim(NamedTuple):
    """The aim of an action: a card that goes home or, if it is ``None``, turning the next card of a pile."""

    card: Card | None
    pile: PileId


def aim_of(rules: Ruleset, sight: Sight, plan: Sequence[Action]) -> Aim | None:
    """The aim of the first action of a plan.

    ``None`` if the action reaches its aim itself, or the plan has none. What the rest of the plan reaches without the
    first action is no aim of it.
    """
    first, *later = plan
    if not later or is_gain(rules, sight, first):
        return None
    index = rules.layout.index
    before = sight.with_hidden(sight.unseen(rules))
    moved = (
        before.piles[index[first.source]].cards[-first.count :] if isinstance(first, Move) else ()
    )
    position, without = apply(rules, before, first), before
    for action in later:
        after = apply(rules, position, action)
        after_without = _apply_same(rules, position, without, action)
        match action:
            case Move(source, target, 1) if rules.layout.zones[index[target]] is Zone.FOUNDATION:
                card = position.piles[index[source]].cards[-1]
                if card not in moved and not _plays_home(rules, without, card):
                    return Aim(card, source)
            case Move(source) if has_revealed(position, after):
                return None if has_revealed(without, after_without) else Aim(None, source)
            case _:
                pass
        position, without = after, after_without
    return None


def _apply_same(rules: Ruleset, position: Position, other: Position, action: Action) -> Position:
    """The ``other`` position after an action of ``position``; unchanged if it is illegal there or moves others."""
    if isinstance(action, Move):
        source = rules.layout.index[action.source]
        cards, other_cards = position.piles[source].cards, other.piles[source].cards
        if cards[-action.count :] != other_cards[-action.count :]:
            return other
    return other if refusal(rules, other, action) else apply(rules, other, action)


def _plays_home(rules: Ruleset, position: Position, card: Card) -> bool:
    """Whether a foundation would take the card now, from wherever it lies."""
    index, zones = rules.layout.index, rules.layout.zones
    return any(
        isinstance(action, Move)
        and action.count == 1
        and zones[index[action.target]] is Zone.FOUNDATION
        and position.piles[index[action.source]].cards[-1] == card
        for action in legal_actions(rules, position)
    )
