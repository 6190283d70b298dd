"""Back closes what lies over a table, and leaves the table only when nothing does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.browser.game_page import GamePage

CODE = "7KQ4M-2XWTP"
SHEETS = [".settings-sheet", ".rules-sheet", ".question-sheet", "#keys"]
ROWS = ['a[href^="/settings"]', 'a[href^="/rules/"]', 'a[href$="/help/winnable"]', "button.keys"]


@pytest.fixture
def table(page: Page, open_game: Callable[..., GamePage]) -> GamePage:
    page.set_viewport_size({"width": 390, "height": 844})
    return open_game(page, "klondike", CODE)


def depth(page: Page) -> int:
    """How many entries lie behind this page in the history."""
    index: int = page.evaluate("navigation.currentEntry.index")
    return index


def expect_depth(page: Page, wanted: int) -> None:
    page.wait_for_function("wanted => navigation.currentEntry.index === wanted", arg=wanted)


def open_menu(page: Page) -> None:
    page.locator(".menu > summary").click()
    expect(page.locator(".menu > .sheet")).to_be_visible()


def test_back_closes_the_menu_then_leaves(page: Page, table):
    address, start = page.url, depth(page)
    open_menu(page)
    expect_depth(page, start + 1)
    page.go_back()
    expect(page.locator(".menu > .sheet")).to_be_hidden()
    assert page.url == address
    expect_depth(page, start)
    page.go_back()
    expect(page).not_to_have_url(address)
    assert table.page_errors == []


@pytest.mark.parametrize(("row", "sheet"), [*zip(ROWS, SHEETS, strict=True)])
def test_back_closes_a_sheet_and_the_table_stays(page: Page, table, row: str, sheet: str):
    address, start = page.url, depth(page)
    if sheet == "#keys":
        page.keyboard.press("?")
    else:
        open_menu(page)
        page.locator(f".menu {row}").click()
    expect(page.locator(sheet)).to_be_visible()
    expect_depth(page, start + 1)
    page.go_back()
    expect(page.locator(sheet)).to_be_hidden()
    assert page.url == address
    expect_depth(page, start)
    assert table.page_errors == []


def test_who_closes_a_sheet_is_where_the_history_was_and_forward_changes_nothing(page: Page, table):
    address, start = page.url, depth(page)
    open_menu(page)
    expect_depth(page, start + 1)
    page.keyboard.press("Escape")
    expect_depth(page, start)
    page.evaluate("history.forward()")
    page.wait_for_timeout(100)
    expect_depth(page, start)
    expect(page.locator(".menu > .sheet")).to_be_hidden()
    open_menu(page)  # and it works again
    expect_depth(page, start + 1)
    page.reload()
    expect_depth(page, start)
    expect(page.locator(".menu > .sheet")).to_be_hidden()
    assert page.url == address


def test_what_leads_away_leaves_no_entry_behind(page: Page, table):
    address, start = page.url, depth(page)
    open_menu(page)
    expect_depth(page, start + 1)
    page.locator(".menu .sharing > summary").click()
    page.locator('.menu a[href^="/deal/"]').click()
    expect(page).to_have_url(re.compile("/deal/"))
    assert depth(page) == start + 1
    page.go_back()
    expect(page).to_have_url(address)
    expect(page.locator(".menu > .sheet")).to_be_hidden()
    open_menu(page)
    expect_depth(page, start + 1)
    page.locator(".menu").get_by_role("button", name="New deal").click()
    expect(page).not_to_have_url(address)
    expect(page.locator("#table")).to_be_visible()
    assert depth(page) == start + 1
    page.go_back()
    expect(page).to_have_url(address)
    assert depth(page) == start
    assert table.page_errors == []
