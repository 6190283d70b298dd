"""Where a table lies depends on the player's hand, not on the direction of the language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser.conftest import GUIDED
from tests.browser.faults import all_faults, resize
from tests.golden.records import RECORDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.browser.game_page import GamePage

SIZES: Final[dict[str, Any]] = {
    "phone": {"width": 390, "height": 844},
    "phone on its side": {"width": 844, "height": 390},
    "desktop": {"width": 1440, "height": 900},
}
PLACES: Final = ("#stock", "#f1", "#t1", ".rail .deal", ".menu > summary")


@pytest.mark.parametrize("hand", ["left", "right"])
def test_in_arabic_all_lies_on_the_side_where_it_lies_in_english(
    page_with: Callable[..., Page], site_address: str, hand: str
):
    sides: dict[str, dict[str, dict[str, str]]] = {}
    for language in ("en", "ar"):
        page = page_with(base_url=site_address, extra_http_headers={"Accept-Language": language})
        look = f"auto.two.{hand}.sage.lattice.normal.off.off.off"
        page.context.add_cookies([{"name": "fd_look", "value": look, "url": site_address}])
        new = page.request.post("/api/v1/games", data={"ruleset": "klondike"})
        page.goto(f"/games/{new.json()['id']}")
        for name, size in SIZES.items():
            resize(page, **size)
            middles = page.evaluate(
                """(places) => places.map((place) => {
                  const { left, right } = document.querySelector(place).getBoundingClientRect();
                  return (left + right) / 2 < innerWidth / 2 ? "left" : "right";
                })""",
                PLACES,
            )
            sides.setdefault(name, {})[language] = dict(zip(PLACES, middles, strict=True))
    with all_faults() as at:
        for name, found in sides.items():
            with at(name):
                assert found["ar"] == found["en"]
                assert found["en"][".rail .deal"] == hand
                if name == "desktop":
                    continue  # the order of play: the stock at the beginning of the first row
                assert found["en"]["#stock"] == hand, "under the thumb"


@pytest.mark.parametrize("ruleset", ["bristol", "freecell"])
def test_for_the_left_hand_the_card_of_a_win_lies_on_an_upright_phone(
    page_with: Callable[..., Page],
    open_game: Callable[..., GamePage],
    site_address: str,
    ruleset: str,
):
    page = page_with(viewport=SIZES["phone"], reduced_motion="reduce", storage_state=GUIDED)
    look = "auto.two.left.sage.lattice.normal.off.off.off"
    page.context.add_cookies([{"name": "fd_look", "value": look, "url": site_address}])
    won = next(each for each in RECORDS if (each.ruleset, each.end) == (ruleset, "won"))
    assert won.code
    open_game(page, ruleset, won.code).play_unseen(won.moves)
    box = page.locator(".ending").bounding_box()
    assert box
    assert box["x"] == pytest.approx(390 - box["x"] - box["width"], abs=1), "in the middle"
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("ruleset", ["freecell", "bakers-game", "eight-off"])
def test_cells_and_foundations_keep_their_sides_however_the_screen_is_held(
    page_with: Callable[..., Page], site_address: str, ruleset: str
):
    with all_faults() as at:
        for hand in ("left", "right"):
            page = page_with(base_url=site_address)
            look = f"auto.two.{hand}.sage.lattice.normal.off.off.off"
            page.context.add_cookies([{"name": "fd_look", "value": look, "url": site_address}])
            new = page.request.post("/api/v1/games", data={"ruleset": ruleset})
            page.goto(f"/games/{new.json()['id']}")
            for name, size in SIZES.items():
                if ruleset == "eight-off" and name == "phone":
                    continue  # eight cells have a row of their own
                with at(f"{name}, {hand} hand"):
                    resize(page, **size)
                    cells, homes = page.evaluate(
                        """() => [".cells", ".foundations"].map((zone) => {
                          const { left, right } = document.querySelector(zone).getBoundingClientRect();
                          return (left + right) / 2;
                        })"""
                    )
                    assert (cells < homes) == (hand == "right")
