"""Warnings before the next move: something has to be done first, the stock ends, or the game gets nowhere."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from app.engine.actions import Move
from app.engine.position import Position
from app.engine.rules import legal_actions
from app.engine.stock_passes import begins_last_pass, has_run_out, idle_passes
from app.engine.vocabulary import Zone
from app.games import guidance
from app.games.model import Game, Status
from app.games.view_models import NoticeLine
from app.text import gettext, sentences

# Of the stock without a play: after the first it is said and, once more, after the second.
_IDLE: Final = (
    gettext("You went through the stock without a play."),
    gettext("You have been through the stock twice without playing a card."),
)


def before_next_move(game: Game) -> NoticeLine:
    """An empty pile comes first, a run is complete, the stock ends, or the game gets nowhere; else an empty line."""
    if game.is_over:
        return NoticeLine()
    first = guidance.fill_first(game.rules, game.position) or guidance.take_run_home(
        game.rules, game.legal_actions
    )
    text = sentences(_of_the_stock(game), first)
    if text:
        return NoticeLine(text)
    return _only_dealt(game) or _circling(game) or NoticeLine()


def ask_path(game: Game) -> str:
    """Where its players ask for the last position that could be won; empty where they may not."""
    return f"/games/{game.id}/help/winnable?last=true" if game.may_be_searched else ""


def with_ways_back(notice: NoticeLine, game: Game) -> NoticeLine:
    """A line that tells of a dead end, with the ways out of it that the game allows."""
    undo = f"/games/{game.id}/undo" if game.can_undo else ""
    return notice._replace(ask=ask_path(game), undo=undo)


def _of_the_stock(game: Game) -> str:
    """That the last pass of the stock begins, or that the stock is out: said once, with the action that did it."""
    if not game.rules.has_stock or game.can_redo:
        return ""
    if has_run_out(game.history):
        return gettext("The stock is empty: no more cards come.")
    if begins_last_pass(game.history):
        return gettext("This is your last time through the stock.")
    return ""


def _only_dealt(game: Game) -> NoticeLine | None:
    """A note when the player has dealt through the whole stock, or twice, and played nothing; else ``None``.

    By then they have seen every card that is dealt, so it tells them nothing of hidden cards whether one can move.
    """
    passes = idle_passes(game.history) if game.status is Status.PLAYING else []
    if not 1 <= len(passes) <= len(_IDLE):
        return None
    said = _IDLE[len(passes) - 1]
    if game.kind.has_ranked_rules:
        return NoticeLine(said)
    zones = _zones_to_play_from(game, passes[0])
    if not zones:
        no_card = gettext("No card can move any more, so undo to try another way.")
        return with_ways_back(NoticeLine(said, second=no_card), game)
    if len(passes) == len(_IDLE):
        return NoticeLine(
            said, second=gettext("Some cards can still move: a hint shows you which.")
        )
    return NoticeLine(said, second=_where_to_look(zones))


def _zones_to_play_from(game: Game, positions: Iterable[Position]) -> set[Zone]:
    """From where a card could be moved in any of the positions."""
    layout = game.rules.layout
    return {
        layout.zones[layout.index[action.source]]
        for position in positions
        for action in legal_actions(game.rules, position)
        if isinstance(action, Move)
    }


def _where_to_look(zones: Collection[Zone]) -> str:
    """Where a card could be played during a pass."""
    if zones == {Zone.WASTE}:
        return gettext("Look again: a card from the stock can be played.")
    if zones == {Zone.TABLEAU}:
        return gettext("Look at the columns: a card there can still move.")
    return gettext("Look again: some cards can still move.")


def _circling(game: Game) -> NoticeLine | None:
    """A warning when every move leads to an earlier position; else ``None``."""
    if game.status is not Status.PLAYING or not game.history.is_circling:
        return None
    said = gettext("You are going in circles: every move leads to a position you have seen before.")
    return with_ways_back(NoticeLine(said), game)
