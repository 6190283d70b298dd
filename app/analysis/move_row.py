"""A judged move as texts: what was played, its class, the chances, and the better move."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from app.analysis.judgement import JudgedMove, MoveClass
from app.engine.actions import parse_action
from app.engine.position import Position
from app.games import descriptions
from app.games.model import Game
from app.games.solver_line import SOLVER_LINE
from app.i18n.formats import chance_percent, signed_points
from app.text import pgettext, without_stop

CLASS_WORDS: Final[Mapping[MoveClass, str]] = {
    MoveClass.BEST: pgettext("class of a move", "best"),
    MoveClass.GOOD: pgettext("class of a move", "good"),
    MoveClass.INACCURACY: pgettext("class of a move", "inaccuracy"),
    MoveClass.MISTAKE: pgettext("class of a move", "mistake"),
    MoveClass.BLUNDER: pgettext("class of a move", "blunder"),
    MoveClass.REPEAT: pgettext("class of a move", "repeats an earlier position"),
}


class SiteMove(StrEnum):
    """A move that the site chose and not the player, so that nothing is to be judged."""

    HINT = "hinted"
    AUTOMATIC = "automatic"


_SITE_WORDS: Final[Mapping[SiteMove, str]] = {
    SiteMove.HINT: pgettext("class of a move", "hint"),
    SiteMove.AUTOMATIC: pgettext("class of a move", "automatic"),
}


class MoveRow(NamedTuple):
    """A move, as texts. ``number`` counts the moves of the line from 1.

    ``better`` is empty for a best move. A move of the site has that as its class, and nothing is better.
    """

    number: int
    version: int
    path: str
    played: str
    said: str
    better: str
    move_class: str
    name: str
    before: str
    after: str
    thrown: str
    luck: str


def move_row(
    game: Game,
    n: int,
    move: JudgedMove,
    before: Position,
    after: Position,
    *,
    site: Mapping[int, SiteMove],
) -> MoveRow:
    """The move with index ``n``, which led from one position to another; ``site`` has the moves that the site chose."""
    rules = game.rules
    chosen = site.get(move.version)
    better = ""
    if move.best and move.best != move.action and move.is_measurably_worse and not chosen:
        # Not how it would have gone: the player could not see the card that it turned.
        better = move_text(game, before, move.best)
    said = descriptions.played(rules, before, parse_action(rules.layout, move.action), after)
    return MoveRow(
        number=n + 1,
        version=move.version,
        path=moment_path(game, move.version),
        played=without_stop(said),
        said=said,
        better=better,
        move_class=chosen or move.move_class,
        name=_SITE_WORDS[chosen] if chosen else CLASS_WORDS[move.move_class],
        before=chance_percent(move.before),
        after=chance_percent(move.after),
        thrown=f"{round(100 * move.thrown)}",
        luck="" if move.luck is None else signed_points(move.luck),
    )


def site_moves(game: Game, hinted: Collection[int]) -> Mapping[int, SiteMove]:
    """The versions at which the site chose the move: by a hint, or by itself as the player wished."""
    by_itself = [n for n, moment in enumerate(game.moments()) if moment.event.is_automatic]
    return {
        **dict.fromkeys(hinted, SiteMove.HINT),
        **dict.fromkeys(by_itself, SiteMove.AUTOMATIC),
    }


def moment_path(game: Game, step: int, *, is_solver: bool = False) -> str:
    """The review with the position of a step of the replay on its board, or of the solver's line."""
    line = SOLVER_LINE if is_solver else ""
    return f"/games/{game.id}/help/review?at={step}{line}#board"


def move_text(game: Game, position: Position, action: str) -> str:
    """A move in words, without the cards that it would turn up."""
    return descriptions.announced(game.rules, position, parse_action(game.rules.layout, action))
