"""The families of games."""

from collections import Counter

from app.rulesets import RULESETS
from app.rulesets.families import FAMILIES, family_of


def test_each_game_is_in_one_family():
    members = Counter(rules.id for family in FAMILIES for rules in family.rulesets)
    assert members == Counter(rules.id for rules in RULESETS)
    assert all(family_of(rules) is family for family in FAMILIES for rules in family.rulesets)


def test_a_family_is_named_after_its_first_game():
    for family in FAMILIES:
        assert (family.id, family.title) == (family.rulesets[0].id, family.rulesets[0].title)
