"""The rule sets together: ids, aliases, revisions."""

import pytest

from app.rulesets import (
    DAILY_RULESETS,
    HOUSE_RULESETS,
    RULESETS,
    WELL_KNOWN_RULESETS,
    find_revision,
    find_ruleset,
)


def test_the_eight_games_with_a_daily_deal_come_first():
    assert RULESETS[:8] == HOUSE_RULESETS
    assert (*HOUSE_RULESETS, *WELL_KNOWN_RULESETS) == DAILY_RULESETS
    assert [rules.id for rules in WELL_KNOWN_RULESETS] == [
        "klondike",
        "freecell",
        "spider-one-suit",
    ]
    assert [rules.id for rules in HOUSE_RULESETS] == [
        "bristol",
        "signora",
        "blondes-and-brunettes",
        "blondes-and-brunettes-till-dawn",
        "rouge-et-noir",
        "terrace",
        "falling-star",
        "rouge-et-noir-classic",
    ]


def test_no_name_means_two_games():
    names = [name for rules in RULESETS for name in (rules.id, *rules.aliases)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
def test_a_game_is_found_by_id_and_by_revision(rules):
    found = [
        find_ruleset(rules.id),
        find_ruleset(f" {rules.id.upper()} "),
        find_ruleset(rules.title),
        find_revision(rules.id, 1),
    ]
    assert found == [rules] * 4


def test_unknown_names_find_nothing():
    assert find_ruleset("") is None
    assert find_ruleset("whist") is None
    assert find_ruleset("bristol\0") is None
    assert find_revision("bristol", 99) is None
    assert find_revision("wood", 1) is None  # records keep ids, never aliases


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
def test_the_decks_fit_the_foundations(rules):
    assert rules.cards == rules.decks * 52 == 13 * sum(group.count for group in rules.foundations)


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
def test_piles_are_named_and_ordered_stock_waste_reserve_cells_foundations_tableau(rules):
    expected = ["stock"]
    expected += ["waste"] if rules.waste else []
    expected += [f"r{n}" for n in range(1, (rules.reserve.count if rules.reserve else 0) + 1)]
    expected += [f"c{n}" for n in range(1, (rules.cells.count if rules.cells else 0) + 1)]
    expected += [f"f{n}" for n in range(1, rules.cards // 13 + 1)]
    expected += [f"t{n}" for n in range(1, rules.tableau.count + 1)]
    assert list(rules.layout.ids) == expected
