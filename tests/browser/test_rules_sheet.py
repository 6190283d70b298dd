"""The rules, read over the table."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import violations
from tests.browser.interception import intercept

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.kept_page

CODE = "7KQ4M-2XWTP"


def _cards(page: Page) -> str:
    """The table's markup, without what the mouse adds to the card below it."""
    return re.sub(r' class="(not-meant)?"', "", page.locator("#table").inner_html())


def test_the_rules_open_over_the_table_and_lead_back_to_the_same_game(page: Page, open_game):
    game_page = open_game(page, "spider", CODE)
    address, table = page.url, _cards(page)
    page.locator(".menu > summary").click()
    page.locator(".menu").get_by_role("link", name="Rules of Spider").click()
    sheet = page.get_by_role("dialog", name="Rules of Spider")
    expect(sheet.get_by_role("heading", name="In short")).to_be_visible()
    expect(sheet.get_by_role("button")).to_have_count(0)  # nothing deals another game
    assert violations(page) == []
    sheet.get_by_role("link", name="Columns").click()
    heading = sheet.get_by_role("heading", name="Columns", exact=True)
    expect(heading).to_be_in_viewport()
    back = sheet.get_by_role("link", name="Back to the game")
    # Not under the way back, which stays in sight.
    foot = back.evaluate("link => link.getBoundingClientRect().bottom")
    assert heading.evaluate("heading => heading.getBoundingClientRect().top") >= foot
    back.click()
    expect(sheet).to_be_hidden()
    expect(page.locator(".menu > summary")).to_be_focused()
    assert page.url == address
    assert _cards(page) == table
    assert game_page.page_errors == []


@pytest.mark.parametrize(
    ("link", "script"),
    [
        ("Settings", "settings-sheet"),
        ("Rules of Klondike", "rules-sheet"),
        ("Is it", "question-sheet"),
    ],
)
def test_without_its_script_a_link_of_the_menu_leads_to_its_page(
    page: Page, open_game, link: str, script: str
):
    """Such as the script of a release that is gone."""
    open_game(page, "klondike", CODE)
    intercept(page, f"**/{script}*.js*", lambda route: route.abort())
    page.locator(".menu > summary").click()
    chosen = page.locator(".menu").get_by_role("link", name=link)
    path = chosen.get_attribute("href")
    chosen.click()
    expect(page).to_have_url(re.compile(re.escape(str(path)) + "$"))


def test_the_code_of_the_deal_is_copied_or_selected(page_with, open_game):
    page = page_with(permissions=["clipboard-read", "clipboard-write"])
    game_page = open_game(page, "klondike", CODE)
    page.locator(".menu > summary").click()
    page.locator(".menu .sharing > summary").click()
    copy = page.locator(".menu .code .copy")
    copy.click()
    expect(copy).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == CODE
    page.evaluate(
        """() => {
          navigator.clipboard.writeText = () => Promise.reject(new DOMException("", "NotAllowedError"));
          document.execCommand = () => false;
        }"""
    )
    copy.click()
    expect(copy).to_have_text("Selected: copy it")
    assert page.evaluate("getSelection().toString()") == CODE
    assert game_page.page_errors == []


def test_the_link_above_the_table_opens_them_too(page: Page, open_game):
    open_game(page, "klondike", CODE)
    address = page.url
    link = page.locator(".game-bar").get_by_role("link", name="Rules")
    link.click()
    expect(page.get_by_role("dialog", name="Rules")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Rules")).to_be_hidden()
    expect(link).to_be_focused()
    assert page.url == address


@pytest.mark.parametrize("has_script", [True, False])
def test_on_a_phone_the_parts_are_a_list_of_headings_that_open(page_with, site_address, has_script):
    page = page_with(viewport={"width": 390, "height": 844}, java_script_enabled=has_script)
    page.goto(f"{site_address}/rules/signora")
    columns = page.locator(".part").filter(has=page.get_by_role("heading", name="Columns"))
    picture = columns.first.locator(".moves")
    expect(page.locator(".pictured .moves").first).to_be_visible()  # one shows that there are more
    expect(picture).to_be_hidden()
    assert page.locator("main").bounding_box()["height"] < 2400
    columns.first.locator("summary").click()
    expect(picture).to_be_visible()
    if has_script:
        page.locator(".parts").get_by_role("link", name="Reserve").click()
        reserve = page.get_by_text("You can't move cards to the reserve.")
        expect(reserve).to_be_in_viewport()
        assert violations(page) == []


@pytest.mark.parametrize(
    ("width", "height", "most"), [(844, 390, 3300), (1024, 768, 3900), (1440, 900, 3900)]
)
def test_where_there_is_room_all_parts_are_in_sight(
    page_with, site_address, width: int, height: int, most: int
):
    """On a desktop the page is longer: its pictures stand beside their words."""
    page = page_with(viewport={"width": width, "height": height}, java_script_enabled=False)
    page.goto(f"{site_address}/rules/signora")
    for part in page.locator(".part").all():
        expect(part.locator("p").first).to_be_visible()
    assert page.locator("main").bounding_box()["height"] < most


def test_in_the_sheet_on_a_phone_a_link_opens_its_part(page: Page, open_game):
    page.set_viewport_size({"width": 390, "height": 844})
    open_game(page, "spider", CODE)
    page.locator(".menu > summary").click()
    page.locator(".menu").get_by_role("link", name="Rules of Spider").click()
    sheet = page.get_by_role("dialog", name="Rules of Spider")
    text = sheet.locator(".part").filter(has=page.get_by_role("heading", name="Foundations")).first
    expect(text).to_be_visible()
    expect(text.locator("p").first).to_be_hidden()
    sheet.get_by_role("link", name="Foundations").click()
    expect(text.locator("p").first).to_be_in_viewport()


@pytest.mark.parametrize("has_touch", [True, False], ids=["touch", "mouse"])
def test_the_keys_are_listed_where_there_may_be_a_keyboard(page_with, site_address, *, has_touch):
    page = page_with(has_touch=has_touch, is_mobile=has_touch)
    page.goto(f"{site_address}/rules/klondike")
    keys = page.get_by_role("heading", name="Keyboard shortcuts")
    expect(keys).to_have_count(0 if has_touch else 1)
    expect(page.locator("kbd:visible").filter(has_text=re.compile("^z$"))).to_have_count(
        0 if has_touch else 1
    )
