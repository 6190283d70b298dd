"""What was special about how a game was won, in a line: taken from the game itself, so nothing new to its player."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final

from app.engine.actions import DEAL
from app.engine.history import History
from app.engine.transition import is_lost
from app.engine.vocabulary import Zone
from app.games.celebrations import BACK, went_back
from app.games.game_actions import WORDS
from app.games.model import Game
from app.games.outcome_summary import OutcomeSummary
from app.text import Text, gettext

_MOST: Final = 200  # positions that are judged; no game that people play to win turns back so often

_LEAST_CELLS: Final = 2  # a game with one cell would have been played without any


def deed_of(game: Game, summary: OutcomeSummary) -> str:
    """The rarest deed of a win; empty if it has none, or if the player had help, which another line says."""
    if summary.had_help:
        return ""
    return next((text for text, is_so in _DEEDS if is_so(game)), "") or _usual_deed(game, summary)


def _usual_deed(game: Game, summary: OutcomeSummary) -> str:
    """A deed that many good wins have."""
    if not went_back(game):
        # There are no hints in ranked games, so nothing is said of them.
        return (
            gettext("Without a single undo")
            if game.kind.has_ranked_rules
            else gettext("Without hints or undo")
        )
    return gettext("A hard deal, and you won it") if summary.context.is_hard else ""


def _had_no_move_left(game: Game) -> bool:
    left = islice(_turned_back_from(game), _MOST)
    return any(is_lost(game.rules, history.position) for history in left)


def _turned_back_from(game: Game) -> Iterator[History]:
    """Where moves were taken back; of several in a row, where the first was."""
    is_move, before = False, game.opening
    for moment in game.moments():
        if is_move and moment.event.action in BACK:
            yield before
        is_move, before = moment.event.action not in WORDS, moment.history


def _never_turned_the_waste(game: Game) -> bool:
    """Only where it may be turned over, and was dealt to the end."""
    stock, index = game.rules.stock, game.rules.layout.stock
    if not game.rules.can_deal or stock.redeals == 0:
        return False
    before = game.opening
    for moment in game.moments():
        if moment.event.action == str(DEAL) and not before.position.piles[index].cards:
            return False
        before = moment.history
    return True


def _kept_a_cell_free(game: Game) -> bool:
    cells = game.rules.layout.ranges[Zone.CELL]
    if len(cells) < _LEAST_CELLS:
        return False
    positions = [game.opening.position, *(each.history.position for each in game.moments())]
    return not any(all(each.piles[cell].cards for cell in cells) for each in positions)


_DEEDS: Final[tuple[tuple[Text, Callable[[Game], bool]], ...]] = (
    (gettext("You came back from a dead end"), _had_no_move_left),
    (gettext("Straight through: you never turned the waste over"), _never_turned_the_waste),
    (gettext("You always kept a cell free"), _kept_a_cell_free),
)
