from __future__ import annotations

import asyncio
import io
import random

import pytest
from PIL import Image

from app.engine.deal import opening
from app.engine.position import Pile, Position
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_code, parse_code
from app.errors import UnavailableError
from app.rulesets import RULESETS
from app.sharing import gallery as gallery_module
from app.sharing.gallery import PictureCache
from app.sharing.picture import HEIGHT, WIDTH, draw, drawn, grid_of

CODE = parse_code("7KQ4M-2XWTP")
every_game = pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)


def opened(rules: Ruleset) -> Position:
    return opening(rules, deck_of_code(CODE, rules.decks))


def with_other_hidden_cards(position: Position) -> Position:
    """The same to look at: the hidden cards have changed places among themselves."""
    hidden = [card for pile in position.piles for card in pile.cards[: pile.down]]
    random.Random(1).shuffle(hidden)
    return Position(
        tuple(
            Pile((*(hidden.pop() for _ in range(pile.down)), *pile.face_up), pile.down)
            for pile in position.piles
        )
    )


@every_game
def test_hidden_cards_have_no_influence_on_the_picture(rules: Ruleset) -> None:
    position = opened(rules)
    other = with_other_hidden_cards(position)
    assert other != position
    assert draw(rules, other) == draw(rules, position)


@every_game
def test_the_picture_shows_what_the_table_shows(rules: Ruleset) -> None:
    position = opened(rules)
    faces = {card.name for card in drawn(rules, position) if len(card.name) == 2}
    spread = [*rules.layout.reserves, *rules.layout.tableau]
    shown = {card.text for index in spread for card in position.piles[index].face_up}
    tops = [pile.cards[-1].text for pile in position.piles if len(pile.cards) > pile.down]
    assert faces == shown | set(tops)


@every_game
def test_nothing_is_drawn_over_the_edge_or_over_the_signature(rules: Ruleset) -> None:
    grid = grid_of(rules)
    for _, x, y in drawn(rules, opened(rules)):
        assert 0 <= x <= WIDTH - grid.width
        assert 0 <= y <= HEIGHT - 66 - grid.height


def test_the_picture_has_the_size_that_previews_expect() -> None:
    with Image.open(io.BytesIO(draw(RULESETS[0], opened(RULESETS[0])))) as picture:
        assert (picture.format, picture.size) == ("PNG", (1200, 630))


@pytest.mark.anyio
async def test_a_picture_is_drawn_once_however_many_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def draw_once(rules: Ruleset, code: str) -> bytes:
        calls.append((rules.id, code))
        return b"picture"

    monkeypatch.setattr(gallery_module, "_opening_picture", draw_once)
    gallery = PictureCache()
    asked = [gallery.picture(RULESETS[0], CODE) for _ in range(5)]
    assert await asyncio.gather(*asked) == [b"picture"] * 5
    assert await gallery.picture(RULESETS[0], CODE) == b"picture"
    assert calls == [(RULESETS[0].id, CODE)]
    await gallery.close()


@pytest.mark.anyio
async def test_a_picture_that_failed_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_spec: Ruleset, _code: str) -> bytes:
        raise ValueError("no ink")

    gallery = PictureCache()
    monkeypatch.setattr(gallery_module, "_opening_picture", fail)
    with pytest.raises(ValueError, match="no ink"):
        await gallery.picture(RULESETS[0], CODE)
    monkeypatch.undo()
    assert await gallery.picture(RULESETS[0], CODE)
    await gallery.close()


@pytest.mark.anyio
async def test_a_crowd_of_different_pictures_is_turned_away() -> None:
    gallery = PictureCache()
    codes = [parse_code(f"{number:010}") for number in range(40)]
    answers = await asyncio.gather(
        *(gallery.picture(RULESETS[0], code) for code in codes), return_exceptions=True
    )
    assert sum(isinstance(answer, UnavailableError) for answer in answers) == 24
    assert sum(isinstance(answer, bytes) for answer in answers) == 16
    await gallery.close()
