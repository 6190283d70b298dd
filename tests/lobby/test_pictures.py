"""The pictures of games, as files."""

from __future__ import annotations

import re

import pytest
from httpx import AsyncClient

from app.games.catalog import find_offer, list_offers
from app.games.sprite import back_shapes
from app.http.preferences import COOKIE, Appearance
from app.lobby.pictures import picture_url, upright_picture_url

pytestmark = pytest.mark.anyio


async def addresses_on(visitor: AsyncClient, path: str) -> list[str]:
    page = (await visitor.get(path)).text
    return [
        found.replace("&amp;", "&") for found in re.findall(r'<img src="(/pictures/[^"]+)"', page)
    ]


@pytest.mark.parametrize("path", ["/", "/games"])
async def test_every_tile_has_a_picture_that_browsers_keep(visitor: AsyncClient, path: str):
    found = await addresses_on(visitor, path)
    assert found
    if path == "/games":
        assert len(found) == len(list_offers())
    for address in found:
        answer = await visitor.get(address)
        assert answer.status_code == 200, address
        assert answer.headers["cache-control"] == "max-age=31536000, immutable"
        assert answer.headers["content-type"].startswith("image/svg+xml")
        assert answer.headers["content-encoding"] in ("br", "gzip")


@pytest.mark.parametrize("offer", list_offers(), ids=lambda offer: offer.id)
async def test_a_picture_stands_by_itself_and_draws_every_card(visitor: AsyncClient, offer):
    picture = (await visitor.get(picture_url(offer.id, Appearance()))).text
    assert "href" not in picture
    assert "--card-full" not in picture
    cards = sum(len(pile.cards) for pile in offer.picture.drawing.piles)
    assert picture.count('fill="var(--card-paper') >= cards


async def test_a_picture_has_the_colors_that_its_viewer_chose(visitor: AsyncClient):
    usual = await addresses_on(visitor, "/games")
    visitor.cookies.set(COOKIE, str(Appearance(theme="dark", suits="four", back="stars")))
    chosen = await addresses_on(visitor, "/games")
    assert not set(usual) & set(chosen)
    answer = (await visitor.get(chosen[0])).text
    assert ":root { color-scheme: dark; }" in answer
    assert 'data-suits="four"' in answer
    assert 'data-back="stars"' in answer
    for colors in (":root {", '[data-suits="four"] {', '[data-back="stars"] {'):
        assert colors in answer


def test_games_of_one_family_that_differ_in_the_stock_look_different():
    def shown(game: str) -> tuple[str, int]:
        piles = find_offer(game).picture.drawing.piles
        return piles[0].badge, max(len(pile.cards) for pile in piles if pile.overlap == "across")

    assert shown("klondike") == ("", 1)
    assert shown("klondike-draw-three") == ("", 3)
    assert shown("klondike-one-pass") == ("1×", 1)
    assert shown("klondike-three-passes") == ("3×", 3)
    badges = [
        find_offer(game).picture.drawing.piles[0].badge.replace("\N{VARIATION SELECTOR-15}", "")
        for game in ("spider-one-suit", "spider-two-suits", "spider")
    ]
    assert badges == ["♠", "♠♥", ""]


@pytest.mark.parametrize("offer", list_offers(), ids=lambda offer: offer.id)
def test_a_picture_has_no_style_of_its_own_and_no_badge_on_an_open_card(offer):
    drawing = offer.picture.drawing
    for drawn in (drawing.svg(), drawing.svg("/cards.svg"), drawing.svg_without_sprite()):
        assert "style=" not in drawn, "the security policy refuses it"
    for pile in drawing.piles:
        assert not pile.badge or not pile.cards or pile.cards[-1].name == "back"


def upright_on(page: str) -> list[str]:
    """What the tiles of a page show on an upright phone, where that is something else."""
    return re.findall(r'<source media="\(max-width: 560px\)" srcset="/pictures/\w+/([^"]+)"', page)


async def test_a_phone_shows_the_table_of_a_phone(visitor: AsyncClient):
    found = upright_on((await visitor.get("/games")).text)
    names = ["klondike", "spider", "canfield"]
    assert {f"{name}.svg?upright=yes" for name in names} <= set(found)
    assert not any(address.startswith("freecell") for address in found), "it is the same"
    moved_back = ".upright { transform: none; }"
    usual = (await visitor.get(picture_url("klondike", Appearance()))).text
    answer = await visitor.get(upright_picture_url("klondike", Appearance()))
    assert answer.headers["cache-control"] == "max-age=31536000, immutable"
    assert usual.replace(moved_back, "") == answer.text != usual
    assert '<g class="upright" transform="translate(' in answer.text


async def test_the_table_of_the_left_hand_is_like_the_usual_picture(visitor: AsyncClient):
    visitor.cookies.set(COOKIE, str(Appearance(hand="left")))
    page = (await visitor.get("/games")).text
    assert "/klondike.svg" in page
    assert upright_on(page) == []


async def test_what_is_no_picture_is_refused(visitor: AsyncClient):
    known = picture_url("spider", Appearance())
    assert (await visitor.get(known.replace("spider", "solitaire"))).status_code == 404
    assert (await visitor.get(known + "?suits=seven")).status_code == 422
    # An address of an earlier release still works, but is not kept.
    earlier = await visitor.get("/pictures/0123456789ab/spider.svg")
    assert (earlier.status_code, earlier.headers["cache-control"]) == (200, "no-cache")


async def test_pictures_and_small_tables_have_the_pattern_of_the_back_that_is_chosen(
    visitor: AsyncClient,
):
    lattice, stars = back_shapes("lattice"), back_shapes("stars")
    assert lattice != stars
    usual = (await visitor.get(picture_url("klondike", Appearance()))).text
    assert lattice in usual
    home = (await visitor.get("/")).text
    assert re.search(r'<use href="[^"]*/cards\.[^"]*svg#back"', home)
    look = Appearance(back="stars")
    visitor.cookies.set(COOKIE, str(look))
    drawn = (await visitor.get(picture_url("klondike", look))).text
    assert stars in drawn
    assert lattice not in drawn
    home = (await visitor.get("/")).text
    (address,) = set(re.findall(r'<use href="([^"]+)#back"', home))
    assert stars in (await visitor.get(address)).text
