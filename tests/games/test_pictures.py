"""The pictures of games: the whole of a table."""

import pytest

from app.games.pictures import example_opening, whole_of
from app.rulesets import RULESETS


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
def test_the_whole_picture_has_all_columns_and_nothing_beyond_its_edge(rules):
    picture = whole_of(rules, example_opening(rules))
    columns = {pile.x for pile in picture.drawing.piles}
    assert len(columns) >= rules.tableau.count, "each beside the others"
    x, y, width, height = map(int, picture.view_box.split())
    for pile in picture.drawing.piles:
        assert x <= pile.x < x + width
        assert y <= pile.y < y + height
