"""What the end of a game that was not won says to its player: how it went, and whether the deal can be won at all.

It says only what is true: a sentence for a game that was nearly won, for a hard deal, or for one that ended early.
"""

from __future__ import annotations

from typing import Final

from app.games.model import Game
from app.games.outcome_summary import PlayerOutcome
from app.rulesets.expectations import EXPECTATIONS
from app.text import gettext, ngettext, sentences

_NEAR: Final = 5  # a fifth of the cards at most was missing
_EARLY: Final = 4  # at most a quarter of the moves that a win takes
_NEARLY_ALL: Final = 0.97  # of the deals of a game
_MOST: Final = 0.5
_RARELY: Final = 0.2  # of random deals are won by a player who sees only the table


def loss_comment(game: Game, home: int, player_outcome: PlayerOutcome) -> str:
    """How it went, and whether the deal can be won; where neither can be said, how often that is so in its game."""
    if (
        player_outcome.context.can_be_won
        and player_outcome.context.is_hard
        and not _is_near(game, home)
    ):
        return gettext("This deal is hard, but it can be won.")
    if player_outcome.context.can_be_won and _is_early(game) and not _is_near(game, home):
        # Nobody can go back in a game that was resigned.
        return (
            gettext("This deal can be won: undo, or go back to where you could still win.")
            if game.can_undo
            else gettext("This deal can be won, and you can try it again.")
        )
    can_be_won = gettext("This deal can be won.") if player_outcome.context.can_be_won else ""
    return sentences(_how_it_went(game, home), can_be_won) or _of_the_game(game)


def _is_near(game: Game, home: int) -> bool:
    return (game.rules.cards - home) * _NEAR <= game.rules.cards


def _is_early(game: Game) -> bool:
    return game.moves * _EARLY <= EXPECTATIONS[game.rules.id].moves


def _how_it_went(game: Game, home: int) -> str:
    if _is_near(game, home):
        short = game.rules.cards - home
        return ngettext(
            "So close: only %(n)s card to go.", "So close: only %(n)s cards to go.", short
        )
    if not game.moves:
        return gettext("You stopped before the first move.")
    if _is_early(game) and game.can_undo:
        return gettext("Undo to try another way.")
    if _is_early(game):
        return ngettext("It ended after %(n)s move.", "It ended after %(n)s moves.", game.moves)
    return gettext("You were past halfway.") if home * 2 > game.rules.cards else ""


def _of_the_game(game: Game) -> str:
    expected, title = EXPECTATIONS[game.rules.id], game.rules.title
    share = expected.winnable
    # Where few are won, that most could be would sound like a reproach.
    if expected.careful_wins < _RARELY:
        return gettext("Wins are rare in %(game)s.", game=title)
    if share >= _NEARLY_ALL:
        return gettext("Nearly every deal of %(game)s can be won.", game=title)
    if share >= _MOST:
        return gettext("Most deals of %(game)s can be won.", game=title)
    return gettext("Wins are rare in %(game)s.", game=title)
