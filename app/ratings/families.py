"""Families of games: rule sets that are played alike share one rating.

A family has the same decks, foundations, building rules, units of moves and way of dealing from the stock. What differs
inside a family is the layout, the base and how empty piles are filled. It is named after one of its games.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from app.engine.ruleset import Ruleset
from app.errors import NotFoundError
from app.rulesets import RULESETS, find_ruleset

_NAMED_AFTER: Final = ("bristol", "terrace", "rouge-et-noir")


class Family(NamedTuple):
    """A family of games, with the id and the title of the game that it is named after."""

    id: str
    title: str
    rulesets: tuple[Ruleset, ...]


def families_of(rulesets: Sequence[Ruleset], named_after: Sequence[str]) -> tuple[Family, ...]:
    """The families, in order of their first rule sets, which name those without a game of ``named_after``."""
    found: list[list[Ruleset]] = []
    for rules in rulesets:
        alike = next((family for family in found if _traits(family[0]) == _traits(rules)), None)
        if alike is None:
            found.append([rules])
        else:
            alike.append(rules)
    families = []
    for members in found:
        name = next((rules for rules in members if rules.id in named_after), members[0])
        families.append(Family(name.id, name.title, tuple(members)))
    return tuple(families)


def _traits(rules: Ruleset) -> object:
    foundations = tuple((each.count, each.build, each.color) for each in rules.foundations)
    tableau = rules.tableau
    return rules.decks, foundations, tableau.build, tableau.move_unit, rules.stock.deals_to


FAMILIES: Final = families_of(RULESETS, _NAMED_AFTER)

_OF_RULESET: Final = {rules.id: family for family in FAMILIES for rules in family.rulesets}


def family_of(ruleset: str) -> Family:
    """The family of a rule set, by id or alias; raises ``NotFoundError``."""
    rules = find_ruleset(ruleset)
    if rules is None:
        raise NotFoundError("There is no game with this name.")
    return _OF_RULESET[rules.id]


def find_family(family_id: str) -> Family:
    """A family by its id; raises ``NotFoundError``."""
    found = next((family for family in FAMILIES if family.id == family_id), None)
    if found is None:
        raise NotFoundError("There is no rating of this name.")
    return found
