"""The families of games."""

from collections import Counter

from app.rulesets import RULESETS
from app.rulesets.families import FAMILIES, family_of
from app.rulesets.spider import SPIDER


def test_each_game_is_in_one_family():
    members = Counter(rules.id for family in FAMILIES for rules in family.rulesets)
    assert members == Counter(rules.id for rules in RULESETS)
    assert all(family_of(rules) is family for family in FAMILIES for rules in family.rulesets)


def test_a_family_is_named_after_one_of_its_games():
    for family in FAMILIES:
        assert (family.id, family.title) in {(rules.id, rules.title) for rules in family.rulesets}


def test_a_family_begins_with_the_game_to_begin_with():
    firsts = {family.id: family.rulesets[0].id for family in FAMILIES}
    others = {name: first for name, first in firsts.items() if name != first}
    assert others == {"spider": "spider-one-suit"}
    assert [rules.id for rules in family_of(SPIDER).rulesets] == [
        "spider-one-suit",
        "spider-two-suits",
        "spider",
        "simple-simon",
    ]
