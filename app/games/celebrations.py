"""How the page celebrates a win: where its cards fly, and whether they shine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, get_args

from app.games.model import Game
from app.games.outcome_summary import OutcomeSummary
from app.rulesets.families import family_of

BACK: Final = frozenset({"undo", "restart"})
"""The actions that take moves back."""

Dance = Literal["wheel", "fan", "ribbons", "heart"]

_DANCES: Final[tuple[Dance, ...]] = get_args(Dance)

_FIRST: Final[Mapping[str, Dance]] = {
    "klondike": "ribbons",
    "spider": "fan",
    "canfield": "fan",
    "forty-thieves": "ribbons",
    "rouge-et-noir": "fan",
    "yukon": "ribbons",
    "terrace": "fan",
}
"""By the family of the game, at a player's first win; else the wheel. Each further win has the next of all dances."""


class Celebration(NamedTuple):
    """The moment after a win: ``is_clean`` without undo and hints."""

    dance: Dance = "wheel"
    is_clean: bool = False


NO_CELEBRATION: Final = Celebration()


def celebration_of(game: Game, summary: OutcomeSummary | None) -> Celebration:
    """The moment after a win; only its player, who has the ``summary``, sees whether it was clean."""
    first = _FIRST.get(family_of(game.rules).id, "wheel")
    if summary is None:
        return Celebration(first)
    dance = _DANCES[(_DANCES.index(first) + summary.wins - 1) % len(_DANCES)]
    return Celebration(dance, is_clean=not summary.had_help and not went_back(game))


def went_back(game: Game) -> bool:
    """Whether its player ever took a move back or began again."""
    return any(moment.event.action in BACK for moment in game.moments())
