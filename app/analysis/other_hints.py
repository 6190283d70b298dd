"""Which moves are hints, after the first one: good enough, and not the same move in other words."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final, TypeVar

from app.analysis.hint_odds import kind_of
from app.analysis.judgement import THRESHOLDS, MoveClass
from app.engine.actions import Action, Move
from app.games.model import Game
from app.solver.advice import Advice
from app.solver.estimates import Estimate
from app.solver.follow_ups import follow_up_sentence
from app.solver.hints import is_gain, side_effect
from app.solver.sight import Sight

_WORTH: Final = 0.5  # the share of the best chance that another hint has at least
_LOSES: Final = next(least for least, name in THRESHOLDS if name is MoveClass.MISTAKE)
"""Another hint loses less than this of the chance to win: no review calls a hint a mistake."""
_MOST_HINTS: Final = 4

_T = TypeVar("_T")


def worth_offering(
    game: Game,
    sight: Sight,
    advice: Advice,
    choices: Sequence[Estimate],
    as_good: Collection[Action],
) -> list[Estimate]:
    """The hints in order: of the choices, and of the actions that are ``as_good`` as the first one.

    An action that counts as one with the first is a hint if something speaks for it besides: else it would only name
    a move that does no harm.
    """
    first = choices[0]
    others = [
        one
        for one in advice.equals
        if first.chance < 1
        and one.action in as_good
        and not any(one.action == choice.action for choice in choices)
        and _has_reason(game, sight, one.action)
    ]
    good = [
        one
        for one in (first, *others, *choices[1:])
        if one.chance >= _WORTH * first.chance and first.chance - one.chance < _LOSES
    ]
    return without_taking_down(game, without_twins(game, good), lambda one: one.action)[
        :_MOST_HINTS
    ]


def _has_reason(game: Game, sight: Sight, action: Action) -> bool:
    rules = game.rules
    return is_gain(rules, sight, action) or bool(
        side_effect(rules, sight, action) or follow_up_sentence(rules, sight, action)
    )


def without_taking_down(
    game: Game, found: Sequence[_T], action: Callable[[_T], Action]
) -> list[_T]:
    """Hints without the later ones that take a card down: a player who looks for another move hardly means that."""
    return [one for n, one in enumerate(found) if not n or not takes_down(game, action(one))]


def without_twins(game: Game, found: Sequence[Estimate]) -> list[Estimate]:
    """Hints without the later ones that only name another empty pile of a kind: in words they are the same."""
    first = {kind_of(game, one.action): one for one in reversed(found)}
    return [one for one in found if first[kind_of(game, one.action)] is one]


def takes_down(game: Game, action: Action) -> bool:
    """Whether an action takes a card from a foundation."""
    layout = game.rules.layout
    return isinstance(action, Move) and layout.index[action.source] in layout.foundations
