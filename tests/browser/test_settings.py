"""The settings, over a table and on their page: what is chosen is seen and saved at once."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import violations
from tests.browser.game_page import wait_until
from tests.browser.interception import intercept
from tests.support.known import CODE

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route


pytestmark = pytest.mark.kept_page


def test_settings_open_over_the_table_and_take_effect_at_once(page: Page, open_game):
    open_game(page, "bristol", CODE)
    game = page.url
    page.locator(".menu > summary").click()
    page.locator('.menu a[href^="/settings"]').click()
    sheet = page.get_by_role("dialog", name="Settings")
    sheet.get_by_role("radio", name="Plum").check()
    sheet.get_by_role("radio", name="Stars").check()
    root = page.locator("html")
    expect(root).to_have_attribute("data-cloth", "plum")
    expect(root).to_have_attribute("data-back", "stars")
    expect(sheet.get_by_role("status")).to_have_text("Saved.")
    expect(sheet.get_by_role("button", name="Save")).to_be_hidden()
    sheet.get_by_role("link", name="Done").click()
    expect(sheet).to_be_hidden()
    assert page.url == game
    page.reload()
    expect(root).to_have_attribute("data-cloth", "plum")
    expect(root).to_have_attribute("data-back", "stars")


def test_single_characters_can_be_turned_off_as_shortcuts(page: Page, open_game):
    """Who speaks to the page types letters without meaning to: WCAG 2.1.4. Keys with Ctrl still work."""
    game_page = open_game(page, "bristol", CODE)
    page.keyboard.press("d")
    game_page.expect_version(1)
    page.locator(".menu > summary").click()
    page.locator('.menu a[href^="/settings"]').click()
    sheet = page.get_by_role("dialog", name="Settings")
    sheet.get_by_role("group", name="Keyboard shortcuts").get_by_role("radio", name="Off").check()
    expect(sheet.get_by_role("status")).to_have_text("Saved.")
    sheet.get_by_role("link", name="Done").click()
    for _ in range(2):  # at once, and on the next page
        for key in "udzrh?":
            page.keyboard.press(key)
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.reload()
    expect(page.locator("html")).to_have_attribute("data-keys", "off")
    page.keyboard.press("Control+z")
    game_page.expect_version(2)  # the first change since


def test_shortcuts_work_with_caps_lock_and_not_with_shift(page: Page, open_game):
    game_page = open_game(page, "bristol", CODE)
    press = """(options) => document.body.dispatchEvent(
      new KeyboardEvent("keydown", { bubbles: true, ...options }))"""
    page.evaluate(press, {"key": "D", "shiftKey": True})
    page.evaluate(press, {"key": "D"})
    game_page.expect_version(1)
    page.evaluate(press, {"key": "U"})
    game_page.expect_version(2)


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1440, 900)])
def test_the_sheet_has_a_heading_the_way_back_and_what_concerns_the_table_first(
    page: Page, open_game, size
):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_game(page, "klondike", CODE)
    page.locator(".menu > summary").click()
    page.locator('.menu a[href^="/settings"]').click()
    sheet = page.get_by_role("dialog", name="Settings")
    expect(sheet.get_by_role("heading", name="Settings")).to_be_focused()
    shown = sheet.bounding_box()
    assert shown
    assert shown["y"] >= 0
    assert shown["height"] <= size[1] * (0.85 if size[0] < size[1] else 1)
    if size[0] < size[1]:
        expect(sheet.get_by_text("Cloth")).to_be_in_viewport()
    sheet.get_by_role("radio", name="On").last.check()
    expect(sheet.get_by_role("status")).to_be_in_viewport()
    expect(sheet.get_by_role("link", name="Done")).to_be_in_viewport()
    language = sheet.get_by_label("Language").bounding_box()
    last = sheet.locator(".settings section").last.bounding_box()
    assert language
    assert last
    assert language["y"] >= last["y"] + last["height"]
    assert violations(page) == []


def test_the_language_is_chosen_in_the_sheet_and_the_table_stays(page: Page, open_game):
    open_game(page, "bristol", CODE)
    game = page.url
    page.locator(".menu > summary").click()
    page.locator('.menu a[href^="/settings"]').click()
    language = page.get_by_role("dialog").get_by_label("Language")
    language.click()
    language.select_option("de")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    assert page.url == game


def test_on_their_page_a_choice_is_saved_at_once(page: Page, site_address):
    page.goto(f"{site_address}/settings")
    shown = "Object.keys(document.documentElement.dataset)"
    before = page.evaluate(shown)
    page.get_by_role("radio", name="Night blue").check()
    expect(page.locator(".shown [role=status]")).to_have_text("Saved.")
    assert page.evaluate(shown) == before, "what the page doesn't show is not written on it"
    page.goto(f"{site_address}/")
    expect(page.locator("html")).to_have_attribute("data-cloth", "night")


@pytest.mark.usefixtures("context")  # for the clock
def test_it_is_said_to_be_saved_when_the_last_choice_is_and_for_a_moment(page: Page, site_address):
    page.clock.install()
    page.goto(f"{site_address}/settings")
    held: list[Route] = []
    intercept(page, "**/settings", held.append)
    said = page.locator(".shown [role=status]")
    page.get_by_role("radio", name="Plum").check()
    page.get_by_role("radio", name="Stars").check()
    wait_until(page, lambda: held)
    held[0].continue_()
    wait_until(page, lambda: len(held) > 1)  # it is sent when the first is answered
    expect(said).to_be_empty()
    held[1].continue_()
    expect(said).to_have_text("Saved.")
    page.clock.run_for(4000)
    expect(said).to_be_empty()


def test_what_was_not_saved_is_told(page: Page, site_address):
    page.goto(f"{site_address}/settings")
    intercept(page, "**/settings", lambda route: route.abort())
    page.get_by_role("radio", name="Night blue").check()
    expect(page.locator(".shown [role=status]")).to_have_text(
        "Your choice wasn't saved. Please try again."
    )
    expect(page.locator("fieldset.just-saved")).to_have_count(0)


def test_without_a_script_the_button_is_within_reach(page_with, site_address):
    size = {"width": 390, "height": 844}
    page = page_with(java_script_enabled=False, viewport=size)
    page.goto(f"{site_address}/settings")
    page.get_by_role("radio", name="Dark").check()
    save = page.get_by_role("button", name="Save")
    box, bar = save.bounding_box(), page.locator("nav.places").bounding_box()
    assert box
    assert bar
    assert 0 <= box["y"] <= bar["y"] - box["height"], "on the screen, above the places"
    save.click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_a_small_table_shows_what_is_chosen_and_stays_beside_the_choices(page_with, site_address):
    page = page_with(viewport={"width": 390, "height": 844})
    page.goto(f"{site_address}/settings")
    cloth = "() => getComputedStyle(document.querySelector('.shown .opening')).backgroundImage"
    back = "() => getComputedStyle(document.querySelector('.shown i'), '::before').backgroundImage"
    grounds = (
        "() => [...document.querySelectorAll('.shown .pile')]"
        ".map((pile) => getComputedStyle(pile).backgroundImage)"
    )
    before = page.evaluate(cloth)
    assert len(set(page.evaluate(grounds))) == 5, "by game, each lies on that of another one"
    page.get_by_role("radio", name="Plum").check()
    page.get_by_role("radio", name="Stars").check()
    said = page.locator(".shown [role=status]")
    expect(said).to_have_text("Saved.")
    assert said.bounding_box()["width"] <= 1, "it lies over no header, no card and no choice"
    expect(page.locator("fieldset.just-saved")).to_have_class(re.compile("of-card_back"))
    assert page.evaluate(cloth) != before
    assert set(page.evaluate(grounds)) == {"none"}, "the one cloth is that of the table"
    assert "back-stars" in page.evaluate(back)
    page.mouse.wheel(0, 300)
    page.wait_for_function(
        "() => document.querySelector('.shown').getBoundingClientRect().top === 0"
    )
    # The swatches are two rows of three.
    swatches = ".of-cloth .options label"
    boxes = page.locator(swatches).evaluate_all(  # at once: the page may still scroll
        "all => all.map((each) => each.getBoundingClientRect().toJSON())"
    )
    assert len(boxes) == 6
    assert len({round(box["width"]) for box in boxes}) == 1, boxes
    assert len({round(box["y"]) for box in boxes}) == 2, boxes


def test_the_small_table_has_the_faces_of_a_table_on_this_device(
    page: Page, site_address: str, open_game
):
    face = """(face) => {
      const style = getComputedStyle(face);
      return ["full", "compact", "low"].filter((size) => {
        const shown = style.getPropertyValue(`--card-${size}`);
        return shown ? shown === "inline" : size === "full";
      });
    }"""
    open_game(page, "freecell", "00000-00000")
    table = page.url
    seen = []
    for width, height in ((390, 844), (844, 390), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"{site_address}/settings")
        shown = page.locator(".shown .opening b").first.evaluate(face)
        page.goto(table)
        assert shown == page.locator(".tableau .pile button").first.evaluate(face)
        seen += shown
    assert seen == ["compact", "low", "full"]


BACK_SIZES = """(labels) => labels.map((label) => {
  const { width, height } = getComputedStyle(label, "::before");
  return [parseFloat(width), parseFloat(height)];
})"""


@pytest.mark.parametrize("width", [390, 1440])
def test_backs_are_as_large_as_small_cards(page_with, site_address, width: int):
    page = page_with(viewport={"width": width, "height": 900})
    page.goto(f"{site_address}/settings")
    sizes = page.locator(".of-card_back label > span").evaluate_all(BACK_SIZES)
    assert len(sizes) == 6
    assert all(size == [45, 63] for size in sizes), sizes


def test_what_is_rarely_changed_is_folded_and_saved_without_a_script(page_with, site_address):
    page = page_with(java_script_enabled=False, viewport={"width": 390, "height": 844})
    page.goto(f"{site_address}/settings")
    finish = page.get_by_role("group", name="Auto-finish casual games")
    expect(finish).to_be_hidden()
    page.get_by_text("Clock and automatic moves").click()
    finish.get_by_role("radio", name="On").check()
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Clock and automatic moves").click()
    expect(finish.get_by_role("radio", name="On")).to_be_checked()


def test_nothing_lies_over_the_settings_when_they_are_saved(page: Page, site_address):
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{site_address}/settings?back=/games")
    page.get_by_role("radio", name="Night blue").check()
    expect(page.locator(".shown [role=status]")).to_have_text("Saved.")
    save, last = (
        page.locator(".save").bounding_box(),
        page.locator(".settings section").last.bounding_box(),
    )
    assert save
    assert last
    assert save["y"] >= last["y"] + last["height"]


def test_the_cards_of_the_small_table_lie_apart_at_every_width(page: Page, site_address):
    page.goto(f"{site_address}/settings")
    for width in (320, 844, 1024, 1440):
        page.set_viewport_size({"width": width, "height": 800})
        edges = page.locator(".shown .pile").evaluate_all(
            "piles => piles.map(pile => pile.firstElementChild.getBoundingClientRect())"
            ".map(({ left, right }) => [left, right])"
        )
        gaps = [after[0] - before[1] for before, after in pairwise(sorted(edges))]
        assert min(gaps) >= 2, (width, gaps)


@pytest.mark.parametrize("width", [320, 700])
@pytest.mark.parametrize("language", ["en", "de", "fr", "pl", "ar"])
def test_every_page_leads_to_them_from_its_head(page_with, site_address, language: str, width: int):
    page = page_with(viewport={"width": width, "height": 844}, locale=language)
    page.goto(f"{site_address}/together")
    gear = page.locator(".top a[href='/settings']")
    box = gear.bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 44
    assert page.evaluate("document.scrollingElement.scrollWidth") == width
    gear.click()
    expect(page).to_have_url(f"{site_address}/settings")


PREVIEW_ABOVE = """(title) => {
  const heading = [...document.querySelectorAll("h2")].find((each) => each.textContent.trim() === title);
  heading.scrollIntoView();
  window.scrollBy(0, -4); // a preview that stayed would lie over it
  return document.querySelector(".shown").getBoundingClientRect().bottom;
}"""


def test_on_a_phone_the_preview_stays_with_what_it_shows(page_with, site_address):
    phone: Page = page_with(viewport={"width": 390, "height": 640}, has_touch=True, is_mobile=True)
    phone.goto(f"{site_address}/settings")
    assert phone.evaluate(PREVIEW_ABOVE, "Appearance") > 100
    assert phone.evaluate(PREVIEW_ABOVE, "Motion and sound") <= 4
    expect(phone.get_by_role("group", name="Handedness")).to_be_visible()
    expect(phone.get_by_role("group", name="Keyboard shortcuts")).to_be_hidden()
