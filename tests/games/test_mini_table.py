"""Tables drawn small: every card has its place in the drawing."""

from __future__ import annotations

import pytest

from app.engine.deal import opening
from app.engine.history import History
from app.engine.position import Pile, Position
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_seed
from app.engine.vocabulary import Zone
from app.games.catalog import list_offers
from app.games.mini_drawing import CARD_HEIGHT, CARD_WIDTH, MiniPile, MiniTable, Overlap
from app.games.mini_table import longest_column, mini_table
from app.games.model import Game, Kind
from app.games.moments import GameEvent
from app.games.move_pictures import move_pictures
from app.games.pictures import whole_of
from app.rulesets import RULESETS, find_ruleset
from app.rulesets.bristol import BRISTOL
from tests.support.leaks import sample_actions

LENGTH = 60
INDEX = range(6, 52)  # where the rank and suit of a small face are, in units from its top


def tables(rules: Ruleset) -> list[Game]:
    """A table after each action of some play."""
    deck = deck_of_seed(bytes(range(32)), rules.decks)
    history = History.start(rules, deck)
    found = [
        Game.start(
            game_id="g", kind=Kind.RACE, history=history, code=None, owner_id="anna", at_ms=0
        )
    ]
    for number, word in enumerate(sample_actions(rules, deck, LENGTH), 1):
        entry = GameEvent(action=word, at_ms=number * 1000, actor_id="anna", key=None)
        found.append(found[-1].after(entry))
    return found


def lowest(pile: MiniPile) -> float:
    """The bottom of a pile, with an empty place."""
    return max([pile.y, *(card.y for card in pile.cards)]) + CARD_HEIGHT * pile.scale


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
def test_every_card_lies_in_the_drawing_and_the_longest_column_fills_it(rules: Ruleset):
    positions = [game.position for game in tables(rules)]
    height = longest_column(positions, rules)
    drawings = [mini_table(rules, position, column_height=height) for position in positions]
    assert len({(drawing.width, drawing.height) for drawing in drawings}) == 1
    piles = [pile for drawing in drawings for pile in drawing.piles]
    right = max(card.x + CARD_WIDTH * pile.scale for pile in piles for card in pile.cards)
    assert right <= drawings[0].width + 0.5
    assert max(map(lowest, piles)) == pytest.approx(drawings[0].height, abs=1)


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
def test_a_face_down_card_is_drawn_as_a_back(rules: Ruleset):
    for game in tables(rules):
        hidden = sum(pile.down for pile in game.position.piles[rules.layout.tableau.start :])
        shown = [card for pile in mini_table(rules, game.position).piles for card in pile.cards]
        assert sum(card.name == "back" for card in shown) >= hidden


def half_ranks(table: MiniTable) -> list[str]:
    """The faces in columns that are covered in the middle of their rank."""

    def cut(pile: MiniPile) -> list[str]:
        pairs = zip(pile.cards, pile.cards[1:], strict=False)
        return [
            one.name for one, upon in pairs if one.name != "back" and upon.y - one.y - 1 in INDEX
        ]

    return [name for pile in table.piles if pile.overlap is Overlap.DOWN for name in cut(pile)]


@pytest.mark.parametrize("offer", list_offers(), ids=lambda offer: offer.id)
def test_no_rank_is_cut_in_half(offer):
    assert half_ranks(offer.picture.drawing) == []
    for picture in move_pictures(find_ruleset(offer.id)):
        assert [half_ranks(part) for part in picture.parts] == [[]] * len(picture.parts)


@pytest.mark.parametrize("offer", list_offers(), ids=lambda offer: offer.id)
def test_a_picture_has_no_card_below_its_edge(offer):
    (_, y, _, height) = map(int, offer.picture.view_box.split())
    drawing = offer.picture.drawing
    assert max(map(lowest, drawing.piles)) <= y + height


@pytest.mark.parametrize("length", range(1, 40))
def test_a_column_of_any_length_can_be_read_or_is_a_stack(length: int):
    deck = deck_of_seed(bytes(32), 1)
    column = Pile(tuple(deck[:length]), 0)
    piles = (*opening(BRISTOL, deck).piles[: BRISTOL.layout.tableau.start], *[column] * 8)
    assert half_ranks(mini_table(BRISTOL, Position(piles))) == []


_ALWAYS_DRAWN = {Zone.TABLEAU, Zone.FOUNDATION}


def test_a_long_column_overlaps_more():
    deck = deck_of_seed(bytes(32), 1)
    column = Pile(tuple(deck[:30]), 0)
    piles = (*opening(BRISTOL, deck).piles[: BRISTOL.layout.tableau.start], *[column] * 8)
    drawing = mini_table(BRISTOL, Position(piles))
    assert longest_column([Position(piles)], BRISTOL) <= 800
    assert max(card.y for card in drawing.piles[-1].cards) + CARD_HEIGHT <= drawing.height


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
def test_a_picture_of_a_table_shows_every_pile_whole(rules: Ruleset):
    position = opening(rules, deck_of_seed(bytes(32), rules.decks))
    picture = whole_of(rules, position)
    x, y, width, height = map(int, picture.view_box.split())
    piles = picture.drawing.piles
    shown = [index for index, zone in enumerate(rules.layout.zones) if zone in _ALWAYS_DRAWN]
    assert len(piles) >= len(shown)
    for pile in piles:
        for card_x, card_y in [(pile.x, pile.y), *((card.x, card.y) for card in pile.cards)]:
            assert x < card_x < card_x + CARD_WIDTH * pile.scale < x + width
            assert y < card_y < card_y + CARD_HEIGHT * pile.scale < y + height


def test_the_reserve_of_canfield_lies_as_on_its_table():
    rules = find_ruleset("canfield")
    assert rules
    position = opening(rules, deck_of_seed(bytes(32), rules.decks))
    table = mini_table(rules, position)
    stock, _waste, *foundations = table.piles[:6]
    reserve, *columns = table.piles[6:]
    assert (reserve.x, reserve.overlap) == (stock.x, Overlap.DOWN)
    assert [pile.x for pile in columns] == [pile.x for pile in foundations]
    assert {pile.y for pile in columns} == {reserve.y}
    assert len({card.y for card in reserve.cards}) == len(reserve.cards) == 13
    assert table.height == max(card.y for card in reserve.cards) + CARD_HEIGHT


@pytest.mark.parametrize("name", ["bristol", "vincent", "dover", "gotham"])
def test_foundations_beside_fans_lie_as_on_the_table(name: str):
    rules = find_ruleset(name)
    assert rules
    table = mini_table(rules, opening(rules, deck_of_seed(bytes(32), rules.decks)))
    stock, *reserves = table.piles[:4]
    count = len(rules.layout.foundations)
    homes, columns = table.piles[4 : 4 + count], table.piles[4 + count :]
    assert {pile.y for pile in (stock, *reserves)} == {0} == {homes[0].y}
    assert {lowest(pile) for pile in reserves} == {CARD_HEIGHT}
    assert len({home.x for home in homes}) == count // 4
    assert len({home.y for home in homes}) == 4
    assert min(home.x for home in homes) > max(column.x for column in columns) + CARD_WIDTH
    for upper, lower in zip(homes, homes[count // 4 :], strict=False):
        assert lowest(upper) < lower.y
    assert lowest(homes[-1]) == pytest.approx(table.height, abs=1)
