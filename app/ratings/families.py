"""Games of a family share one rating: strength in one of them is strength in the others."""

from __future__ import annotations

from app.errors import NotFoundError
from app.rulesets import families, find_ruleset
from app.rulesets.families import FAMILIES, Family
from app.text import gettext


def family_of(ruleset: str) -> Family:
    """The family of a rule set, by id or alias; raises ``NotFoundError``."""
    rules = find_ruleset(ruleset)
    if rules is None:
        raise NotFoundError(gettext("There is no game with this name."))
    return families.family_of(rules)


def find_family(family_id: str) -> Family:
    """A family by its id; raises ``NotFoundError``."""
    found = next((family for family in FAMILIES if family.id == family_id), None)
    if found is None:
        raise NotFoundError(gettext("There is no rating with this name."))
    return found
