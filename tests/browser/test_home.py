"""The home page: what fits on a phone, and rows of tiles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

PHONE: Any = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
TWO_SCREENS = 2 * 844  # pixels
OPEN_GAMES = ("rouge-et-noir", "terrace", "bristol")


def play(context: BrowserContext, site_address: str, path: str, **form: Any) -> None:
    answer = context.request.post(f"{site_address}{path}", form=form)
    assert answer.ok, answer.text()


@pytest.mark.parametrize("games", [(), OPEN_GAMES], ids=["newcomer", "three open games"])
def test_the_home_page_of_a_phone_has_two_screens_at_most(
    new_context: Any, site_address: str, games: tuple[str, ...]
):
    context = new_context(**PHONE)
    for game in games:
        play(context, site_address, "/play", ruleset=game)
    page = context.new_page()
    page.goto(site_address)
    expect(page.locator(".continue li")).to_have_count(len(games))
    expect(page.locator(".strip > li")).to_have_count(8)
    assert page.evaluate("document.documentElement.scrollHeight") <= TWO_SCREENS


def test_tiles_of_todays_deals_in_a_row_are_equally_high(new_context: Any, site_address: str):
    context = new_context(viewport={"width": 1440, "height": 900})
    play(context, site_address, "/play", ruleset="bristol")  # a newcomer has no tiles
    page = context.new_page()
    page.goto(site_address)
    others = page.locator(".others li:not(.more) a").evaluate_all(
        "tiles => tiles.map(tile => tile.getAttribute('href'))"
    )
    for path in others[:2]:  # one of two open ones is the picture above the tiles
        play(context, site_address, f"/daily/{path.rpartition('/')[2]}/play")
    page.reload()
    expect(page.locator(".others .open")).to_have_count(1)
    boxes = page.locator(".others a").evaluate_all(
        "tiles => tiles.map(tile => tile.getBoundingClientRect()).map(({ y, height }) => [y, height])"
    )
    rows: dict[float, set[float]] = {}
    for top, height in boxes:
        rows.setdefault(top, set()).add(round(height))
    assert len(boxes) > len(rows)
    assert all(len(heights) == 1 for heights in rows.values()), rows


def test_the_button_to_play_is_on_the_first_screen_of_a_phone_on_its_side(
    new_context: Any, site_address: str
):
    page = new_context(viewport={"width": 844, "height": 390}).new_page()
    page.goto(site_address)
    box = page.locator(".start .chief").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 390


def test_a_phone_says_that_there_is_one_attempt_and_what_a_card_does(
    new_context: Any, site_address: str
):
    context = new_context(**PHONE)
    play(context, site_address, "/play", ruleset="bristol")
    page = context.new_page()
    page.goto(site_address)
    expect(page.locator(".start").get_by_text("One attempt.")).to_be_visible()
    expect(page.locator(".continue li a .go")).to_have_text("Continue")


def test_a_star_is_pressed_in_place_and_works_without_scripts(new_context: Any, site_address: str):
    context = new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(f"{site_address}/games")
    star = page.get_by_role("button", name="Favourite: Scorpion")
    expect(star).to_have_attribute("aria-pressed", "false")
    star.click()
    expect(star).to_have_attribute("aria-pressed", "true")
    expect(page).to_have_url(f"{site_address}/games")
    without = new_context(java_script_enabled=False)
    without.add_cookies(context.cookies())
    plain = without.new_page()
    plain.goto(f"{site_address}/games")
    favourites = plain.get_by_role("region", name="Your favourites")
    favourites.get_by_role("button", name="Favourite: Scorpion").click()
    expect(plain).to_have_url(f"{site_address}/games#game-scorpion")
    expect(favourites).to_have_count(0)
