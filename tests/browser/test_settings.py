"""The settings over a table: the same form as on their page, and what is chosen is seen at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

CODE = "7KQ4M-2XWTP"


def test_settings_open_over_the_table_and_take_effect_at_once(page: Page, open_game):
    open_game(page, "bristol", CODE)
    game = page.url
    page.locator(".menu > summary").click()
    page.locator('.menu a[href^="/settings"]').click()
    sheet = page.get_by_role("dialog", name="Settings")
    sheet.get_by_role("radio", name="Plum").check()
    sheet.get_by_role("radio", name="Stars").check()
    sheet.get_by_role("button", name="Save").click()
    expect(sheet).to_be_hidden()
    root = page.locator("html")
    expect(root).to_have_attribute("data-cloth", "plum")
    expect(root).to_have_attribute("data-back", "stars")
    assert page.url == game
    page.reload()
    expect(root).to_have_attribute("data-cloth", "plum")


def test_without_saving_nothing_changes(page: Page, open_game):
    open_game(page, "bristol", CODE)
    page.locator(".menu > summary").click()
    page.locator('.menu a[href^="/settings"]').click()
    sheet = page.get_by_role("dialog", name="Settings")
    sheet.get_by_role("radio", name="Night blue").check()
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    expect(page.locator("html")).to_have_attribute("data-cloth", "sage")
