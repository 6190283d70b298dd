"""Pictures of tables, on a phone: the stock is on the side where the table that opens has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.faults import all_faults, resize

if TYPE_CHECKING:
    from playwright.sync_api import Page

PHONE = {"width": 390, "height": 844}
GAMES = ["klondike", "spider-one-suit", "canfield", "forty-thieves", "terrace"]

STOCK_IS_RIGHT = """() => {
  const middle = (one) => (one.getBoundingClientRect().left + one.getBoundingClientRect().right) / 2;
  return middle(document.querySelector("#stock")) > middle(document.querySelector("#f1"));
}"""

NUMBER_OF_THE_STOCK_IS_RIGHT = """() => {
  const titles = [...document.querySelectorAll(".parts li")].map(one => one.textContent.trim());
  const circles = [...document.querySelectorAll(".number circle")].map(one => one.getBoundingClientRect().left);
  return circles[titles.indexOf("Stock")] > circles[titles.indexOf("Foundations")];
}"""

CARDS_UNDER_THEIR_NUMBERS = """() => [...document.querySelectorAll(".number circle")].every(circle => {
  const { left, right, top } = circle.getBoundingClientRect();
  return [...document.querySelectorAll(".opening :is(use, .place)")].some(one => {
    const box = one.getBoundingClientRect();
    return box.left < left && right < box.right && box.top < top && top < box.bottom;
  });
})"""


def seen_by(page: Page, address: str, game: str, hand: str) -> tuple[bool, bool]:
    """Whether the stock is at the right of the foundations: on the page of the rules, and on that of a deal."""
    found = []
    for path, at_the_right in (
        (f"/rules/{game}", NUMBER_OF_THE_STOCK_IS_RIGHT),
        (f"/deal/{game}/ABCDE-FGHJK", STOCK_IS_RIGHT),
    ):
        page.goto(address + path)
        page.evaluate("hand => document.documentElement.dataset.hand = hand", hand)
        found.append(page.evaluate(at_the_right))
        assert page.evaluate(CARDS_UNDER_THEIR_NUMBERS)
    return found[0], found[1]


@pytest.mark.parametrize("game", GAMES)
def test_pictures_on_a_phone_have_the_stock_where_the_table_has_it(
    page_with: Any, site_address: str, game: str
):
    page = page_with(viewport=PHONE)
    dealt = page.request.post(f"{site_address}/play", form={"ruleset": game}).url
    with all_faults() as at:
        for hand in ("right", "left"):
            with at(hand):
                page.goto(dealt)
                page.evaluate("hand => document.documentElement.dataset.hand = hand", hand)
                table = page.evaluate(STOCK_IS_RIGHT)
                assert table == (hand == "right")
                assert seen_by(page, site_address, game, hand) == (table, table)


def test_pictures_on_a_large_screen_have_the_stock_at_the_left(page_with: Any, site_address: str):
    page = page_with(viewport={"width": 1440, "height": 900})
    assert seen_by(page, site_address, "klondike", "right") == (False, False)
    page.goto(f"{site_address}/games")
    shown = page.locator("#game-klondike img")
    assert "upright" not in shown.evaluate("one => one.currentSrc")
    resize(page, PHONE["width"], PHONE["height"])
    page.wait_for_function(
        "() => document.querySelector('#game-klondike img').currentSrc.endsWith('upright=yes')"
    )
    where = "() => document.querySelector('.upright').getBoundingClientRect().left / innerWidth"
    address = shown.evaluate("one => one.currentSrc")
    page.goto(address)
    assert page.evaluate(where) > 0.7
    page.goto(address.partition("?")[0])
    assert page.evaluate(where) < 0.3
