"""How good a hint is, in words: its chance to win, and the other moves that are about as good.

A review calls all of these moves the best; a hint tells only of those that are hints, too.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from app.analysis.judgement import SUSPICIOUS
from app.engine.actions import DEAL, Action, Move
from app.engine.vocabulary import Zone
from app.games.model import Game
from app.i18n.formats import percent
from app.solver.advice import Advice
from app.solver.calibration import is_measured
from app.solver.estimates import Estimate
from app.text import gettext

NEARLY_LOST: Final = gettext(
    "Going by the cards in sight, there is hardly any chance to win from here."
)
_LEAST: Final = 0.01  # of a chance that has a number
_HARDLY: Final = 0.02  # of a chance that was compared with games that were played
_HARDLY_EVER: Final = (
    0.001  # of one that was not: the player who judges each turn may win more often
)
_FEW_MOVES: Final = 3
_ANOTHER: Final = gettext("Another move is about as good.")
_OTHERS: Final = gettext("Other moves are about as good.")


def about_as_good(game: Game, advice: Advice, best: Estimate) -> frozenset[Action]:
    """The actions that nobody would be blamed for in place of the ``best``, itself included.

    A card that fits several empty piles of a kind has one move to them.
    """
    found = [
        one.action
        for one in (best, *advice.estimates)
        if one.is_known
        and best.chance - one.chance < SUSPICIOUS
        and not best.is_clearly_better_than(one)
    ]
    return frozenset({kind_of(game, action): action for action in reversed(found)}.values())


def kind_of(game: Game, action: Action) -> tuple[object, ...]:
    """What an action has in common with those that only take another empty pile of a kind."""
    if not isinstance(action, Move):
        return (action,)
    layout, piles = game.rules.layout, game.position.piles
    target = layout.index[action.target]
    zone: Zone = layout.zones[target]
    return (action.source, action.count, zone if not piles[target].cards else action.target)


def is_nearly_lost(game: Game, new: Collection[Action], best: Estimate) -> bool:
    """Whether hardly any chance is left with the best action; the ``new`` ones lead to no earlier position.

    The figures of games that were never compared with games played may be far too low while a lot can still come. So
    there few moves must be left as well, and no card to deal.
    """
    if not best.is_known or best.is_rough:
        return False
    if is_measured(game.rules.id):
        return best.chance < _HARDLY
    are_few = len({kind_of(game, action) for action in new}) <= _FEW_MOVES
    return best.chance < _HARDLY_EVER and DEAL not in game.legal_actions and are_few


def odds_text(chance: float, next_best: float | None) -> str:
    """The chance after an action, and after the next best, if that is given."""
    about = chance_text(chance)
    if chance >= 1 or next_best is None:
        return gettext("%(chance)s.", chance=about)
    return gettext(
        "%(chance)s; next best move: %(next)s.", chance=about, next=share_text(next_best)
    )


def ties_text(others: int) -> str:
    """That so many other hints are about as good; empty if none is.

    It gives no number: a review calls more moves the best than there are hints.
    """
    if not others:
        return ""
    return _ANOTHER if others == 1 else _OTHERS


def chance_text(chance: float) -> str:
    """A chance in words.

    >>> chance_text(0.463), chance_text(0.001), chance_text(1.0)
    ('About 46% chance to win', 'Less than 1% chance to win', 'Sure to win')
    """
    if chance >= 1:
        return gettext("Sure to win")
    if chance < _LEAST:
        return gettext("Less than 1%% chance to win")
    return gettext("About %(share)s chance to win", share=share_text(chance))


def share_text(chance: float) -> str:
    """A chance as a number; never that of a certain win."""
    return gettext("less than 1%%") if chance < _LEAST else percent(min(chance, 1 - _LEAST))
