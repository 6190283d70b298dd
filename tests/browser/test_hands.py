"""Where a table lies depends on the player's hand, not on the direction of the language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SIZES: Final[dict[str, Any]] = {
    "phone": {"width": 390, "height": 844},
    "phone on its side": {"width": 844, "height": 390},
    "desktop": {"width": 1440, "height": 900},
}
PLACES: Final = ("#stock", "#f1", "#t1", ".rail .deal", ".menu > summary")


@pytest.mark.parametrize("hand", ["left", "right"])
@pytest.mark.parametrize("size", SIZES)
def test_in_arabic_all_lies_on_the_side_where_it_lies_in_english(
    browser: Browser, site_address: str, size: str, hand: str
):
    sides = {}
    for language in ("en", "ar"):
        context = browser.new_context(
            base_url=site_address,
            viewport=SIZES[size],
            extra_http_headers={"Accept-Language": language},
        )
        look = f"auto.two.{hand}.sage.lattice.normal.off.off.off"
        context.add_cookies([{"name": "fd_look", "value": look, "url": site_address}])
        page = context.new_page()
        new = context.request.post("/api/v1/games", data={"ruleset": "klondike"})
        page.goto(f"/games/{new.json()['id']}")
        middles = page.evaluate(
            """(places) => places.map((place) => {
              const { left, right } = document.querySelector(place).getBoundingClientRect();
              return (left + right) / 2 < innerWidth / 2 ? "left" : "right";
            })""",
            PLACES,
        )
        sides[language] = dict(zip(PLACES, middles, strict=True))
        context.close()
    assert sides["ar"] == sides["en"]
    assert sides["en"][".menu > summary"] == hand
