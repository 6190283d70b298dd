"""What a hint rests on: games played on with guesses of the unseen cards, or a way to win that is known."""

from __future__ import annotations

from typing import Final

from app.engine.transition import is_won
from app.games.model import Game
from app.solver.advice import Advice, Plan
from app.solver.estimates import Estimate
from app.solver.shortening import end_of
from app.solver.sight import Sight
from app.text import gettext, ngettext, sentences

_COMPARED: Final = gettext("In trial games from here, no other move did clearly better.")


def with_basis(besides: str, game: Game, sight: Sight, advice: Advice, estimate: Estimate) -> str:
    """The reasons, and what they rest on; it names no card that was never seen.

    Nothing is added if another action is clearly better, and a safe card or a plan only comes before it.
    """
    unseen = sight.hidden()
    if estimate.chance >= 1:
        plan = advice.plan_of(estimate.action)
        return besides or (_way_to_win(game, plan) if plan and not unseen else "")
    is_beaten = any(one.is_clearly_better_than(estimate) for one in advice.estimates)
    is_only = len(game.legal_actions) == 1  # compared with nothing
    if not unseen or is_beaten or is_only or advice.back is not None:
        return besides
    return sentences(besides, _COMPARED)


def _way_to_win(game: Game, plan: Plan) -> str:
    """How long a plan is that wins; empty if it does not go to the end."""
    end = end_of(game.rules, game.position, plan.actions)
    if end is None or not is_won(game.rules, end):
        return ""
    return ngettext(
        "There is a way to win from here in %(n)s move.",
        "There is a way to win from here in %(n)s moves.",
        len(plan.actions),
    )
