"""The rules, read over the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import violations

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.kept_page

CODE = "7KQ4M-2XWTP"


def test_the_rules_open_over_the_table_and_lead_back_to_the_same_game(page: Page, open_game):
    game_page = open_game(page, "spider", CODE)
    address, table = page.url, page.locator("#table").inner_html()
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
    assert page.locator("#table").inner_html() == table
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
