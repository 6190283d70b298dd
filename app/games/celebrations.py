"""How the page celebrates a win: where its cards fly, whether they shine, and for how long."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from app.games.model import Game
from app.games.outcome_summary import OutcomeSummary
from app.rulesets.families import family_of

BACK: Final = frozenset({"undo", "restart"})
"""The actions that take moves back."""

_MANY_HINTS: Final = 10
_SEEN: Final = 3  # wins at a game after which its player has seen the whole moment; see board.js

Dance = Literal["wheel", "fan", "ribbons"]

_DANCES: Final[Mapping[str, Dance]] = {
    "klondike": "ribbons",
    "spider": "fan",
    "canfield": "fan",
    "forty-thieves": "ribbons",
    "rouge-et-noir": "fan",
    "yukon": "ribbons",
    "terrace": "fan",
}
"""By the family of the game: two ribbons above and below the words, or a fan over them; else the cards form a wheel."""


class Celebration(NamedTuple):
    """The moment after a win: ``is_clean`` without undo and hints, ``is_brief`` after many hints, once seen often."""

    dance: Dance = "wheel"
    is_clean: bool = False
    is_brief: bool = False


NO_CELEBRATION: Final = Celebration()


def celebration_of(game: Game, summary: OutcomeSummary | None) -> Celebration:
    """The moment after a win; only its player, who has the ``summary``, sees whether it was clean."""
    dance = _DANCES.get(family_of(game.rules).id, "wheel")
    if summary is None:
        return Celebration(dance)
    is_clean = not summary.had_help and not went_back(game)
    is_brief = summary.wins > _SEEN and summary.hints >= _MANY_HINTS
    return Celebration(dance, is_clean, is_brief)


def went_back(game: Game) -> bool:
    """Whether its player ever took a move back or began again."""
    return any(moment.event.action in BACK for moment in game.moments())
