"""The families of games: how pages group them, and which of them share a rating.

A family is named after the game that most people know it by, or that the others derive from. Its id is the id of that
game. The families stand in the order in which a visitor looks for them: first what everybody knows. Small ones, which
share a row of tiles, are together. In a family, the game to begin with comes first: the one that it is named after, or
an easier one of the same rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import starmap
from typing import Final, NamedTuple

from app.engine.ruleset import Ruleset
from app.rulesets import RULESETS


class Family(NamedTuple):
    """A family of games, with the id and the title of the game that it is named after."""

    id: str
    title: str
    rulesets: tuple[Ruleset, ...]


_MEMBERS: Final[Mapping[str, tuple[str, ...]]] = {
    "klondike": ("klondike", "klondike-draw-three", "klondike-one-pass", "klondike-three-passes"),
    "spider": ("spider-one-suit", "spider-two-suits", "spider", "simple-simon"),
    "freecell": ("freecell", "bakers-game", "eight-off"),
    "canfield": ("canfield",),
    "forty-thieves": ("forty-thieves",),
    "beleaguered-castle": ("beleaguered-castle",),
    "rouge-et-noir": ("rouge-et-noir", "rouge-et-noir-classic"),
    "yukon": ("yukon", "russian-solitaire", "scorpion"),
    "bristol": ("bristol", "belvedere", "vincent", "dover", "spike", "new-york", "gotham"),
    "terrace": (
        "terrace",
        "signora",
        "blondes-and-brunettes",
        "blondes-and-brunettes-till-dawn",
        "falling-star",
        "generals-patience",
        "queen-of-italy",
        "mamy-susan",
    ),
}
"""The ids of the games of each family, by the id of the game that gives it its name."""


def _family(name: str, ids: tuple[str, ...]) -> Family:
    by_id = {rules.id: rules for rules in RULESETS}
    return Family(name, by_id[name].title, tuple(by_id[each] for each in ids))


FAMILIES: Final = tuple(starmap(_family, _MEMBERS.items()))

_OF_RULESET: Final = {rules.id: family for family in FAMILIES for rules in family.rulesets}


def family_of(rules: Ruleset) -> Family:
    """The family of a rule set."""
    return _OF_RULESET[rules.id]
