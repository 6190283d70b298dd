"""The gentle deals that come with the program."""

from __future__ import annotations

import pytest

from app.deals.first_deals import FILE, first_deals, gentler_relative, read
from app.engine.shuffle import deck_of_code, parse_code
from app.rulesets import RULESETS, WELL_KNOWN_RULESETS, find_ruleset
from app.solver.difficulty import LEAST_GENTLE, POSITIONS_PER_TURN, Grade, difficulty
from tools.first_deals import gentlest

LINES = FILE.read_text(encoding="ascii").splitlines()
GAMES = [rules for rules in RULESETS if first_deals(rules)]


def test_every_line_is_of_a_current_game_and_the_gentlest_come_first():
    assert sum(len(first_deals(rules)) for rules in GAMES) == len(LINES)
    for rules in GAMES:
        wins = [found.wins for found in first_deals(rules).values()]
        assert wins == sorted(wins, reverse=True)


def test_each_is_gentle_by_itself_and_among_the_deals_of_its_game():
    for rules in GAMES:
        for found in first_deals(rules).values():
            assert found.games == len(POSITIONS_PER_TURN)
            assert found.wins >= LEAST_GENTLE
            assert found.grade is Grade.GENTLE


def test_most_computer_players_win_whatever_comes_first_in_a_well_known_game():
    for rules in WELL_KNOWN_RULESETS:
        assert min(found.wins for found in first_deals(rules).values()) >= 14, rules.id


def test_newcomers_to_the_game_that_home_offers_share_many_deals():
    klondike = find_ruleset("klondike")
    assert klondike
    assert len(first_deals(klondike)) >= 20


@pytest.mark.parametrize("ruleset", ["bristol", "klondike", "freecell", "signora", "yukon"])
def test_the_measured_difficulty_can_be_measured_again(ruleset: str):
    rules = find_ruleset(ruleset)
    assert rules
    code, found = next(iter(first_deals(rules).items()))
    assert difficulty(rules, deck_of_code(code, rules.decks)) == found


def test_the_search_finds_the_gentlest_and_nothing_that_is_not_gentle():
    bristol = find_ruleset("bristol")
    assert bristol
    hard, gentle, fair = (
        parse_code(text) for text in ("JNS00-00000", "THNNF-8NSSE", "JNS00-00001")
    )
    found = gentlest(bristol, [hard, fair, gentle], 2)
    assert [(code, measured.wins) for measured, code in found] == [(gentle, 20), (fair, 18)]
    assert [code for _, code in gentlest(bristol, [fair, hard, gentle], 1)] == [gentle]


def test_a_line_of_former_rules_is_left_out():
    assert read(["bristol 999 7KQ4M-2XWTP 20/20/1040", "whist 1 7KQ4M-2XWTP 20/20/1040"]) == {}


def test_a_game_without_gentle_deals_has_a_relative_with_some_if_its_family_has():
    found = {rules.id: gentler_relative(rules) for rules in RULESETS}
    names = {name: relative.id for name, relative in found.items() if relative}
    assert names == {
        "spider": "spider-one-suit",
        "spider-two-suits": "spider-one-suit",
        "generals-patience": "terrace",
    }
