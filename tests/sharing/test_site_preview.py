"""The picture and the tags of the site itself."""

from __future__ import annotations

import struct

import pytest
from httpx import AsyncClient

from app.engine.cards import fresh_deck
from app.engine.deal import opening
from app.http.templates import render
from app.rulesets import find_ruleset
from app.sharing.preview import HEIGHT, WIDTH, preview_svg, site_svg

pytestmark = pytest.mark.anyio


async def test_the_site_has_a_picture_of_its_own(visitor: AsyncClient):
    answer = await visitor.get("/preview.png")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png")
    assert struct.unpack(">II", answer.content[16:24]) == (WIDTH, HEIGHT)
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
    assert "public" in answer.headers["cache-control"]
    assert (await visitor.get("/preview.png")).content == answer.content


async def test_each_game_has_a_picture(visitor: AsyncClient):
    answer = await visitor.get("/preview/bristol.png")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png")
    assert struct.unpack(">II", answer.content[16:24]) == (WIDTH, HEIGHT)
    assert (await visitor.get("/preview/whist.png")).status_code == 404


def test_pictures_hold_no_words():
    """The name of the site is drawn, and cards are the same everywhere: no picture is needed for each language."""
    rules = find_ruleset("bristol")
    assert rules
    deal = preview_svg(rules, opening(rules, fresh_deck(rules.decks)))
    assert "<path" in deal
    assert "<text" not in deal + site_svg()


def test_the_tags_of_the_home_page_have_title_description_and_picture():
    tags = render("sharing/_site_preview.html", origin="https://cards.example")
    for name, value in (
        ("og:title", "Fair Deal"),
        ("og:url", "https://cards.example/"),
        ("og:image", "https://cards.example/preview.png"),
        ("og:description", "Play alone"),
    ):
        assert f'property="{name}" content="{value}' in " ".join(tags.split()), name
