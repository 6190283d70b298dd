"""What a player may expect of each game."""

import pytest

from app.games.catalog import list_offers
from app.rulesets import RULESETS
from app.rulesets.expectations import EXPECTATIONS


def test_there_are_figures_for_every_game():
    assert set(EXPECTATIONS) == {rules.id for rules in RULESETS}
    for expected in EXPECTATIONS.values():
        assert 0 <= expected.winnable <= 1
        # Both are of 200 deals, but not of the same.
        assert 0 <= expected.turns < expected.moves
        assert 0 <= expected.careful_wins <= expected.winnable + 0.05


@pytest.mark.parametrize(
    ("ruleset", "minutes", "win_rate"),
    [
        ("bristol", 5, 0.97),
        ("signora", 15, 0.79),
        ("rouge-et-noir", 15, 0.115),
        ("freecell", 10, 1),
        ("klondike", 15, 303 / 700),  # 20, if turning the stock took as long as thinking
    ],
)
def test_a_game_says_how_long_it_takes_and_how_often_it_is_won(ruleset, minutes, win_rate):
    offer = next(offer for offer in list_offers() if offer.id == ruleset)
    assert (offer.minutes, offer.win_rate) == (minutes, win_rate)


def test_only_games_that_deal_from_a_stock_have_turns():
    for rules in RULESETS:
        assert rules.has_stock or not EXPECTATIONS[rules.id].turns, rules.id
