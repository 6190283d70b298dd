"""The pictures of games: the whole of a table, and a close-up of a wide one."""

import pytest

from app.games.mini_drawing import CARD_HEIGHT
from app.games.pictures import close_up_of, example_opening, whole_of
from app.rulesets import RULESETS
from app.rulesets.bristol import BRISTOL
from app.rulesets.klondike import KLONDIKE


def test_a_table_is_wide_if_it_is_more_than_twice_as_wide_as_high():
    assert whole_of(BRISTOL, example_opening(BRISTOL)).is_wide
    assert not whole_of(KLONDIKE, example_opening(KLONDIKE)).is_wide


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
def test_the_cards_fill_a_close_up(rules):
    position = example_opening(rules)
    picture = close_up_of(rules, position)
    _x, _y, width, height = map(int, picture.view_box.split())
    assert 1.2 < width / height < 1.8
    drawing = picture.drawing
    cards = [card for pile in drawing.piles for card in pile.cards]
    assert max(card.y for card in cards) + CARD_HEIGHT == drawing.height
    assert min(pile.y for pile in drawing.piles) == 0
