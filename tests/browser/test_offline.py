"""The installed site without a network: the last table is shown, and nothing of anybody's lies in the caches."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.game_page import GamePage
from tests.support.known import CODE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext, Page

_CACHED = """async () => {
  const urls = [];
  for (const name of await caches.keys())
    for (const request of await (await caches.open(name)).keys()) urls.push(new URL(request.url).pathname);
  return urls;
}"""


@pytest.fixture
def installed(browser: Browser) -> Iterator[BrowserContext]:
    """A browser of its own that may have service workers."""
    context = browser.new_context()
    yield context
    context.close()


def _wait_for(page: Page, condition: str) -> None:
    """Wait until an expression is true; the policy of the pages forbids playwright's own way to do that."""
    until = time.monotonic() + 60
    while not page.evaluate(condition):
        assert time.monotonic() < until, condition
        page.wait_for_timeout(50)


def _play_until_kept(context: BrowserContext, site_address: str) -> Page:
    """Play one move, until the shell is cached and the table is kept."""
    page = context.new_page()
    GamePage.start(page, site_address, "bristol", CODE)
    page.keyboard.press("d")
    expect(page.locator("#state")).to_have_attribute("data-version", "1")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    _wait_for(page, "caches.match('/offline').then(Boolean)")
    kept = "JSON.parse(localStorage.getItem('fairdeal.last-view') ?? '{}').table ?? ''"
    _wait_for(page, f"({kept}).includes('data-version=\"1\"')")
    return page


def test_without_a_network_the_last_table_is_shown(installed, site_address):
    page = _play_until_kept(installed, site_address)
    cards = page.locator(".pile button svg use").count()
    page.keyboard.press("h")
    _wait_for(page, "localStorage.getItem('fairdeal.last-view').includes('advised')")
    installed.set_offline(True)
    page.goto(f"{site_address}/")
    expect(page.get_by_text("You're offline.")).to_be_visible(timeout=10_000)
    expect(page.locator("#offline-title")).to_have_text("Bristol")
    expect(page.locator("#offline-when")).to_have_text(re.compile(r"^\d+ \w+, \d\d:\d\d$"))
    expect(page.get_by_role("link", name="Sign in")).to_be_hidden()
    expect(page.locator("#offline-table").locator(".lit, .advised, [aria-pressed]")).to_have_count(
        0
    )
    expect(page.locator(".pile button svg use")).to_have_count(cards)


def test_another_page_says_that_it_needs_a_connection(installed, site_address):
    page = _play_until_kept(installed, site_address)
    game = page.url
    installed.set_offline(True)
    page.goto(f"{site_address}/daily")
    expect(page.get_by_text("This page needs a connection.")).to_be_visible()
    expect(page.locator(".pile")).to_have_count(0)
    page.goto(game)
    expect(page.locator(".pile").first).to_be_visible()


def test_a_click_without_a_network_says_that_it_was_not_made(installed, site_address):
    page = _play_until_kept(installed, site_address)
    installed.set_offline(True)
    page.goto(f"{site_address}/")
    page.locator(".pile button:visible").last.click()
    expect(page.locator("#offline-status")).to_have_text(
        "You're offline, so your move wasn't made."
    )
    installed.set_offline(False)
    expect(page.get_by_role("heading", name="Games", exact=True)).to_be_visible()


def test_the_caches_hold_the_shell_only(installed, site_address):
    page = _play_until_kept(installed, site_address)
    page.goto(f"{site_address}/me")
    cached = page.evaluate(_CACHED)
    assert "/offline" in cached
    assert [url for url in cached if not url.startswith("/static/") and url != "/offline"] == []
    assert 'data-player=""' in page.evaluate(
        "caches.match('/offline').then((found) => found.text())"
    )


def test_another_tab_does_not_bring_the_last_table_back(installed, site_address):
    page = _play_until_kept(installed, site_address)
    installed.clear_cookies()  # as after signing out
    other = installed.new_page()
    other.goto(f"{site_address}/")
    _wait_for(other, "localStorage.getItem('fairdeal.last-view') === null")
    page.goto("about:blank")
    other.wait_for_timeout(600)
    assert other.evaluate("localStorage.getItem('fairdeal.last-view')") is None


def test_deleting_ones_data_takes_the_last_table_along(installed, site_address):
    page = _play_until_kept(installed, site_address)
    installed.clear_cookies()  # as after signing out or deleting everything: nobody is here any more
    page.goto(f"{site_address}/")
    _wait_for(page, "localStorage.getItem('fairdeal.last-view') === null")
    installed.set_offline(True)
    page.goto(f"{site_address}/")
    expect(page.get_by_role("heading", name="No network")).to_be_visible()
