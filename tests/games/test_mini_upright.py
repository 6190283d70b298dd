"""Small tables on an upright phone: the row of the stock is in the order of its table."""

from __future__ import annotations

from itertools import combinations

import pytest

from app.engine.deal import opening
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_seed
from app.engine.vocabulary import Zone
from app.games.catalog import find_offer
from app.games.mini_drawing import CARD_WIDTH, MiniPile, MiniTable
from app.games.mini_table import mini_table, zone_labels
from app.games.table_layout import table_classes
from app.rulesets import RULESETS, find_ruleset
from app.rulesets.canfield import CANFIELD
from app.rulesets.klondike import KLONDIKE

AT_THE_RIGHT = {"stock-above", "in-tiers"}
"""Classes of tables whose stock has the right edge of an upright phone, with the foundations at the left."""


def whole(rules: Ruleset) -> MiniTable:
    return mini_table(rules, opening(rules, deck_of_seed(bytes(32), rules.decks)))


def drawings(rules: Ruleset) -> tuple[MiniTable, MiniTable]:
    """A whole table, and a part of it."""
    return whole(rules), find_offer(rules.id).picture.drawing


def upright(table: MiniTable, zone: Zone) -> list[tuple[int, int]]:
    """From where to where each pile of a zone reaches on an upright phone."""
    return [ends(pile) for pile in table.piles if pile.zone is zone]


def ends(pile: MiniPile) -> tuple[int, int]:
    left, right = pile.x, max([pile.x, *(card.x for card in pile.cards)])
    return left + pile.aside, right + pile.aside + round(CARD_WIDTH * pile.scale)


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
def test_the_stock_lies_where_the_table_of_a_phone_has_it(rules: Ruleset):
    table = whole(rules)
    foundations = upright(table, Zone.FOUNDATION)
    if not rules.has_stock:
        assert not table.differs_upright
        return
    (stock,) = upright(table, Zone.STOCK)
    if AT_THE_RIGHT & set(table_classes(rules).split()):
        assert foundations[0][0] == 0
        assert stock[1] == table.width
        assert foundations == sorted(foundations), "in their own order"
        for waste in upright(table, Zone.WASTE):
            assert foundations[-1][1] < waste[0] < waste[1] < stock[0]
    else:
        reserves = upright(table, Zone.RESERVE)
        assert reserves[0][0] == 0
        assert max(reserves)[1] < stock[0] < stock[1] < min(foundations)[0]


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
def test_on_a_phone_piles_lie_side_by_side_within_the_picture(rules: Ruleset):
    for table in drawings(rules):
        for pile in table.piles:
            left, right = ends(pile)
            assert left >= 0
            assert right <= table.width + 0.5
        for one, other in combinations(table.piles, 2):
            if one.y == other.y:
                (a, b), (c, d) = ends(one), ends(other)
                assert b < c or d < a


@pytest.mark.parametrize("name", ["klondike", "spider", "forty-thieves", "canfield", "signora"])
def test_the_part_that_a_tile_shows_begins_with_foundations_on_a_phone(name: str):
    rules = find_ruleset(name)
    assert rules
    table = find_offer(name).picture.drawing
    top = sorted((ends(pile), pile.zone) for pile in table.piles if pile.y == 0)
    last = Zone.STOCK if any(zone is Zone.STOCK for _, zone in top) else Zone.RESERVE
    assert (top[0][1], top[-1][1]) == (Zone.FOUNDATION, last)
    assert (top[0][0][0], top[-1][0][1]) == (0, table.width)


def test_columns_stay_below_the_foundations():
    columns = upright(whole(CANFIELD), Zone.TABLEAU)
    assert columns == upright(whole(CANFIELD), Zone.FOUNDATION)
    assert upright(whole(CANFIELD), Zone.RESERVE) == upright(whole(CANFIELD), Zone.STOCK)
    assert all(pile.aside == 0 for pile in whole(KLONDIKE).piles if pile.zone is Zone.TABLEAU)


def test_piles_that_move_are_groups_which_a_style_sheet_moves_back():
    table = whole(KLONDIKE)
    for drawn in (table.svg(), table.svg("/cards.svg"), table.svg_without_sprite()):
        assert drawn.count('<g class="upright" transform="translate(') == 3
    assert "upright" not in table.as_on_large_screens().svg()
    assert "upright" not in whole(find_ruleset("freecell") or KLONDIKE).svg()


def test_the_number_of_a_part_moves_with_it():
    labels = {label.zone: label.upright for label in zone_labels(whole(KLONDIKE))}
    for zone, label in labels.items():
        pile = next(pile for pile in whole(KLONDIKE).piles if pile.zone is zone)
        assert (f'"translate({pile.aside})"' in label) == (zone is not Zone.TABLEAU)
