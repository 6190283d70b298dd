"""Warnings before the next move: something has to be done first, or the game gets nowhere."""

from __future__ import annotations

from typing import Final

from app.engine.actions import Move
from app.engine.rules import legal_actions
from app.engine.stock_passes import idle_passes
from app.games import guidance
from app.games.model import Game, Status
from app.games.view_models import NoticeLine
from app.text import gettext

_PASSES: Final = 2  # of the stock without a play: then it is said, once


def before_next_move(game: Game) -> NoticeLine:
    """An empty pile comes first, a run is complete, or the game gets nowhere; else an empty line."""
    if game.is_over:
        return NoticeLine()
    text = guidance.fill_first(game.rules, game.position) or guidance.take_run_home(
        game.rules, game.legal_actions
    )
    if text:
        return NoticeLine(text)
    return _only_dealt(game) or _circling(game) or NoticeLine()


def ask_path(game: Game) -> str:
    """Where its players ask for the last position that could be won; empty where they may not."""
    return f"/games/{game.id}/help/winnable?last=true" if game.may_be_searched else ""


def _only_dealt(game: Game) -> NoticeLine | None:
    """A note when the player has dealt through the whole stock twice and played nothing; else ``None``.

    By then they have seen every card that is dealt, so it tells them nothing of hidden cards whether one can move.
    """
    passes = idle_passes(game.history) if game.status is Status.PLAYING else []
    if len(passes) != _PASSES:
        return None
    said = gettext("You have been through the stock twice without playing a card.")
    if game.kind.has_rank:
        return NoticeLine(said)
    if any(
        isinstance(action, Move)
        for position in passes[0]
        for action in legal_actions(game.rules, position)
    ):
        return NoticeLine(
            said, second=gettext("Some cards can still move: a hint shows you which.")
        )
    return NoticeLine(
        said,
        second=gettext("No card can move any more, so undo to try another way."),
        ask=ask_path(game),
    )


def _circling(game: Game) -> NoticeLine | None:
    """A warning when every move leads to an earlier position; else ``None``."""
    if game.status is not Status.PLAYING or not game.history.is_circling:
        return None
    said = gettext("You are going in circles: every move leads to a position you have seen before.")
    return NoticeLine(said, ask=ask_path(game))
