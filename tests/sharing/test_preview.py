"""Link previews: what they show, what they must not show, and how they are rendered."""

from __future__ import annotations

import asyncio
import random
import struct

import pytest

from app.engine.deal import opening
from app.engine.position import Pile, Position
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_code, parse_code
from app.errors import UnavailableError
from app.games.mini_table import mini_table
from app.rulesets import RULESETS
from app.sharing import preview
from app.sharing.preview import (
    HEIGHT,
    SIGNATURE_HEIGHT,
    TOP,
    PreviewCache,
    preview_svg,
    render_png,
    scale_of,
)
from tests.support.games import WITH_HIDDEN_CARDS

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


@pytest.mark.parametrize("rules", WITH_HIDDEN_CARDS, ids=lambda rules: rules.id)
def test_hidden_cards_have_no_influence_on_the_preview(rules: Ruleset) -> None:
    position = opened(rules)
    other = with_other_hidden_cards(position)
    assert other != position
    assert preview_svg(rules, other) == preview_svg(rules, position)


@pytest.mark.anyio
async def test_the_same_drawing_makes_the_same_picture_byte_for_byte() -> None:
    svg = preview_svg(RULESETS[0], opened(RULESETS[0]))
    assert await render_png(svg) == await render_png(svg)


@every_game
def test_the_preview_shows_what_the_table_shows(rules: Ruleset) -> None:
    position = opened(rules)
    drawn = [card.name for pile in mini_table(rules, position).piles for card in pile.cards]
    faces = {name for name in drawn if name != "back"}
    spread = [*rules.layout.reserves, *rules.layout.tableau]
    shown = {card.text for index in spread for card in position.piles[index].face_up}
    tops = [pile.cards[-1].text for pile in position.piles if len(pile.cards) > pile.down]
    assert faces == shown | set(tops)
    preview = preview_svg(rules, position)
    assert all(f'<g id="{name}">' in preview for name in drawn)
    assert "upright" not in preview, "without the style sheet it is that of a large screen"


@every_game
def test_nothing_is_drawn_outside_the_picture_or_over_the_site_name(rules: Ruleset) -> None:
    table = mini_table(rules, opened(rules))
    scale = scale_of(table)
    for pile in table.piles:
        below = 140 * scale * pile.scale
        for card in pile.cards:
            assert 0 <= card.x <= table.width - 100 * pile.scale + 0.5
            assert 0 <= TOP + card.y * scale <= HEIGHT - SIGNATURE_HEIGHT - below + 1e-6


@pytest.mark.anyio
async def test_the_preview_has_the_size_that_other_sites_expect() -> None:
    png = await render_png(preview_svg(RULESETS[0], opened(RULESETS[0])))
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", png[16:24]) == (1200, 630)


@pytest.mark.anyio
async def test_a_preview_is_rendered_once_however_many_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    async def render(svg: str) -> bytes:
        calls.append(svg)
        return b"picture"

    monkeypatch.setattr(preview, "render_png", render)
    cache = PreviewCache()
    asked = [cache.preview(RULESETS[0], CODE, "here") for _ in range(5)]
    assert await asyncio.gather(*asked) == [b"picture"] * 5
    assert await cache.preview(RULESETS[0], CODE, "here") == b"picture"
    assert calls == [preview_svg(RULESETS[0], opened(RULESETS[0]))]
    await cache.close()


@pytest.mark.anyio
async def test_a_preview_that_failed_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    cache = PreviewCache()
    with monkeypatch.context() as broken:
        broken.setattr(preview, "preview_svg", lambda *_: "no drawing")
        with pytest.raises(RuntimeError, match="ValueError: unknown token"):
            await cache.preview(RULESETS[0], CODE, "here")
    assert await cache.preview(RULESETS[0], CODE, "here")
    await cache.close()


@pytest.mark.anyio
async def test_too_many_different_previews_at_once_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def render(_svg: str) -> bytes:
        await asyncio.sleep(0)
        return b"picture"

    monkeypatch.setattr(preview, "render_png", render)
    cache = PreviewCache()
    codes = [parse_code(f"{number:010}") for number in range(40)]
    answers = await asyncio.gather(
        *(cache.preview(RULESETS[0], code, f"network {code}") for code in codes),
        return_exceptions=True,
    )
    assert sum(isinstance(answer, UnavailableError) for answer in answers) == 24
    assert sum(isinstance(answer, bytes) for answer in answers) == 16
    await cache.close()


@pytest.mark.anyio
async def test_one_network_takes_neither_all_places_nor_the_pictures_of_the_games(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    released = asyncio.Event()

    async def render(_svg: str) -> bytes:
        await released.wait()
        return b"picture"

    monkeypatch.setattr(preview, "render_png", render)
    cache = PreviewCache()
    codes = [parse_code(f"{number:010}") for number in range(40)]
    flood = [asyncio.create_task(cache.preview(RULESETS[0], code, "one")) for code in codes]
    await asyncio.sleep(0)
    other = asyncio.create_task(cache.preview(RULESETS[0], CODE, "other"))
    own = [asyncio.create_task(cache.game(rules, CODE)) for rules in RULESETS[1:]]
    own.append(asyncio.create_task(cache.site()))
    await asyncio.sleep(0)
    released.set()
    refused = await asyncio.gather(*flood, return_exceptions=True)
    assert sum(isinstance(answer, UnavailableError) for answer in refused) == 37
    assert await other == b"picture"
    assert set(await asyncio.gather(*own)) == {b"picture"}
    assert await cache.preview(RULESETS[0], codes[-1], "one") == b"picture"
    await cache.close()


@pytest.mark.anyio
async def test_closing_ends_what_is_being_rendered() -> None:
    cache = PreviewCache()
    asked = asyncio.create_task(cache.preview(RULESETS[0], CODE, "here"))
    await asyncio.sleep(0.01)
    await cache.close()
    with pytest.raises(asyncio.CancelledError):
        await asked
