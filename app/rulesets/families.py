"""The families of games: how pages group them, and which of them share a rating.

A family is named after the game that most people know it by, or that the others derive from. Its id is the id of that
game. The families stand in the order in which a visitor looks for them: first what everybody knows.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from app.engine.ruleset import Ruleset
from app.rulesets import RULESETS


class Family(NamedTuple):
    """A family of games, with the id and the title of the game that it is named after."""

    id: str
    title: str
    rulesets: tuple[Ruleset, ...]


_MEMBERS: Final = (
    ("klondike", "klondike-draw-three", "klondike-one-pass", "klondike-three-passes"),
    ("freecell", "bakers-game", "eight-off"),
    ("spider", "spider-two-suits", "spider-one-suit", "simple-simon"),
    ("yukon", "russian-solitaire", "scorpion"),
    ("canfield",),
    ("forty-thieves",),
    ("beleaguered-castle",),
    ("bristol", "belvedere", "vincent", "dover", "spike", "new-york", "gotham"),
    (
        "terrace",
        "signora",
        "blondes-and-brunettes",
        "blondes-and-brunettes-till-dawn",
        "falling-star",
        "generals-patience",
        "queen-of-italy",
        "mamy-susan",
    ),
    ("rouge-et-noir", "rouge-et-noir-classic"),
)
"""The ids of the games of each family; the first one gives it its name."""


def _family(ids: tuple[str, ...]) -> Family:
    by_id = {rules.id: rules for rules in RULESETS}
    members = tuple(by_id[name] for name in ids)
    return Family(members[0].id, members[0].title, members)


FAMILIES: Final = tuple(map(_family, _MEMBERS))

_OF_RULESET: Final = {rules.id: family for family in FAMILIES for rules in family.rulesets}


def family_of(rules: Ruleset) -> Family:
    """The family of a rule set."""
    return _OF_RULESET[rules.id]
