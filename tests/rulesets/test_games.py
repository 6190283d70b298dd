"""The games as a shelf: ids, aliases, revisions."""

import pytest

from app.rulesets import GAMES, find_game, find_revision


def test_the_eight_rule_sets_are_there():
    assert [spec.id for spec in GAMES] == [
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
    names = [name for spec in GAMES for name in (spec.id, *spec.aliases)]
    assert len(names) == len(set(names)) == 9


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.id)
def test_a_game_is_found_by_id_and_by_revision(spec):
    found = [find_game(spec.id), find_game(f" {spec.id.upper()} "), find_revision(spec.id, 1)]
    assert found == [spec] * 3


def test_unknown_names_find_nothing():
    assert find_game("") is None
    assert find_game("klondike") is None
    assert find_game("bristol\0") is None
    assert find_revision("bristol", 99) is None
    assert find_revision("wood", 1) is None  # records keep ids, never aliases


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.id)
def test_the_decks_fit_the_foundations(spec):
    assert spec.cards == spec.decks * 52 == 13 * sum(group.count for group in spec.foundations)


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.id)
def test_piles_are_named_and_ordered_stock_waste_reserve_foundations_tableau(spec):
    expected = ["stock"]
    expected += ["waste"] if spec.waste else []
    expected += [f"r{n}" for n in range(1, (spec.reserve.count if spec.reserve else 0) + 1)]
    expected += [f"f{n}" for n in range(1, spec.cards // 13 + 1)]
    expected += [f"t{n}" for n in range(1, spec.tableau.count + 1)]
    assert list(spec.layout.ids) == expected
