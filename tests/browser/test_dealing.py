"""The cards of a new game fly to their places, once, for who starts it on a page of this site."""

from dataclasses import astuple

import pytest
from playwright.sync_api import Page, expect

from app.http.preferences import COOKIE, Appearance
from tests.browser.game_page import SWAP_IN

NAMES = """() => [...document.querySelectorAll("#table .pile > *")]
  .map((card) => getComputedStyle(card).animationName)"""

# How far from the stock the first card of each column begins, without the turn that it makes on its way.
FROM_THE_STOCK = """() => {
  const table = document.getElementById("table");
  table.removeAttribute("data-dealt"); // who looks late would find the first cards in their places
  for (const card of table.querySelectorAll(".pile > *")) getComputedStyle(card).animationName;
  table.dataset.dealt = "";
  const stock = document.getElementById("stock").getBoundingClientRect();
  return [...document.querySelectorAll(".tableau .pile > :first-child")].map((card) => {
    for (const animation of card.getAnimations()) {
      animation.pause();
      animation.currentTime = 0;
    }
    card.style.setProperty("rotate", "none", "important");
    const { left, top } = card.getBoundingClientRect();
    return Math.hypot(left - stock.left, top - stock.top);
  });
}"""


@pytest.fixture
def new_game(site_address: str):
    """A function that starts a game as the button of the home page does."""

    def start(page: Page) -> None:
        page.goto(f"{site_address}/games")
        page.route("**/js/table.js*", lambda route: route.abort())  # nobody ends what is measured
        page.get_by_role("button", name="Play Klondike", exact=True).first.click()
        expect(page.locator("#table")).to_be_visible()

    return start


def test_each_card_but_the_stock_and_empty_places_is_dealt(page: Page, new_game):
    new_game(page)
    names = page.evaluate(NAMES)
    assert names.count("deal-in") == 28


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_the_cards_come_from_the_stock(page: Page, new_game, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    new_game(page)
    apart = page.evaluate(FROM_THE_STOCK)
    assert len(apart) == 7
    assert max(apart) < 2, "pixels"


def test_nothing_is_dealt_to_who_wants_no_motion(context, page, new_game, site_address):
    page.emulate_media(reduced_motion="reduce")
    new_game(page)
    assert "deal-in" not in page.evaluate(NAMES)
    page.emulate_media(reduced_motion="no-preference")
    look = astuple(Appearance(speed="off"))
    context.add_cookies([{"name": COOKIE, "value": ".".join(look), "url": site_address}])
    page.unroute_all()
    new_game(page)
    expect(page.locator("html")).to_have_attribute("data-speed", "off")
    assert "deal-in" not in page.evaluate(NAMES)


def test_what_is_swapped_in_later_is_not_dealt_again(page: Page, site_address: str):
    page.goto(f"{site_address}/games")
    page.get_by_role("button", name="Play Klondike", exact=True).first.click()
    page.locator("#table:not([data-dealt])").wait_for()
    page.evaluate(SWAP_IN, page.locator("#t6").evaluate("pile => pile.outerHTML"))
    assert "deal-in" not in page.evaluate(NAMES)
