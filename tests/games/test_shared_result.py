"""How many squares stand for a result."""

import pytest

from app.games.shared_result import filled_squares


@pytest.mark.parametrize(
    ("home", "cards", "filled"),
    [(0, 52, 0), (1, 52, 1), (5, 52, 1), (10, 52, 1), (11, 52, 2), (51, 52, 9), (52, 52, 10)],
)
def test_squares_are_full_for_whole_tenths_and_one_for_the_first_card(
    home: int, cards: int, filled: int
) -> None:
    assert filled_squares(home, cards) == filled
