"""The first sentence of a review: what one can learn from how a game ended."""

from __future__ import annotations

from typing import Final

from app.analysis.judged_view import JudgedView
from app.analysis.model import NOTHING_FOUND, FullReview
from app.games.model import Game, Status
from app.i18n.formats import chance_percent
from app.text import gettext

_STILL_OPEN: Final = 0.1
"""The least chance to win with which a player stops too early, going by what they could see."""


def headline_of(game: Game, review: FullReview, view: JudgedView | None, found: str) -> str:
    """What a player learns from a game: whose the moves of a win were, that few mattered, or where it was lost.

    ``found`` says what is known of where it could be won. Empty where the figures of the review say more.
    """
    if view and (view.verdict or view.praise):
        return view.verdict or view.praise
    if game.status is Status.RESIGNED:
        return _of_stopping(game, review)
    is_known = review.turning_point not in {None, NOTHING_FOUND}
    return found if is_known and not (view and view.has_score) else ""


def _of_stopping(game: Game, review: FullReview) -> str:
    """Whether a resigned game could still be won; empty if neither that nor a chance of some size is known."""
    depth, judged, found = game.history.depth, review.judged, review.turning_point
    chance = judged.end if judged and len(judged.moves) == depth else None
    if found and found.winnable == depth:
        if chance is None or chance >= _STILL_OPEN:
            return gettext("You stopped too early: this could still be won.")
        return gettext("It could still be won when it was resigned.")
    if found and found.unwinnable is not None:
        return gettext("When you stopped, this could no longer be won.")
    if chance is not None and chance >= _STILL_OPEN:
        return gettext(
            "When you stopped, the chance to win was still %(chance)s.",
            chance=chance_percent(chance),
        )
    return ""
