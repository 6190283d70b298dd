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

    from playwright.sync_api import Browser, BrowserContext, FloatRect, Locator, Page

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


def _box(part: Locator) -> FloatRect:
    box = part.bounding_box()
    assert box is not None
    return box


def _click(picture: Locator) -> None:
    """Click where something lies that takes no clicks itself."""
    box = _box(picture)
    picture.page.mouse.click(box["x"] + 8, box["y"] + 8)


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


def test_a_form_without_a_network_leads_back_to_its_page(installed, site_address):
    page = _play_until_kept(installed, site_address)
    page.goto(f"{site_address}/games")
    installed.set_offline(True)
    by_code = page.get_by_role("region", name="Play a deal by its code")
    by_code.get_by_label("Code", exact=True).fill(CODE)
    by_code.get_by_role("button", name="Deal", exact=True).click()
    expect(page.get_by_text("You're offline.")).to_be_visible(timeout=10_000)
    assert page.url == f"{site_address}/games"
    installed.set_offline(False)
    expect(page.get_by_role("heading", name="Games", exact=True)).to_be_visible()
    by_code.get_by_label("Code", exact=True).fill(CODE)
    by_code.get_by_role("button", name="Deal", exact=True).click()
    expect(page.locator("#table")).to_be_visible()


def test_a_click_without_a_network_says_that_it_was_not_made(installed, site_address):
    page = _play_until_kept(installed, site_address)
    installed.set_offline(True)
    page.goto(f"{site_address}/")
    table = page.locator("#table").bounding_box()
    _click(page.locator(".pile button:visible").last)
    expect(page.locator("#offline-status")).to_have_text(
        "You're offline, so your move wasn't made."
    )
    expect(page.locator("#offline-note")).to_be_hidden()
    assert page.locator("#table").bounding_box() == table, "nothing has moved"
    expect(page.locator("#offline-status")).to_be_empty()
    expect(page.locator("#offline-note")).to_be_visible()
    installed.set_offline(False)
    expect(page.get_by_role("heading", name="Games", exact=True)).to_be_visible()


def test_a_key_without_a_network_is_no_error_where_a_script_is_not_there_yet(
    installed, site_address
):
    """Scripts that a first visit does without are asked for with the first move."""
    page = installed.new_page()
    game = GamePage.start(page, site_address, "bristol", CODE)
    installed.set_offline(True)
    with page.expect_event("requestfailed", lambda request: "hint-place" in request.url):
        page.keyboard.press("u")
    page.wait_for_timeout(300)  # an error comes after the failed request
    assert game.page_errors == []
    installed.set_offline(False)
    with page.expect_response(lambda response: "hint-place" in response.url):
        page.locator(".rail .hint").click()
    expect(page.locator(".rail .hint")).to_have_attribute("aria-busy", "false")
    assert game.page_errors == []


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1440, 900)], ids=str)
def test_what_is_said_about_the_last_table_lies_whole_above_it(installed, site_address, size):
    page = _play_until_kept(installed, site_address)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    installed.set_offline(True)
    page.goto(f"{site_address}/")
    said, again = page.locator("#offline-note"), page.get_by_role("link", name="Try again")
    expect(said).to_contain_text("Your game is saved")
    cloth = _box(page.locator(".cloth"))
    for part in (said, again):
        box = _box(part)
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size[0]
        assert box["y"] + box["height"] <= cloth["y"]
    assert cloth["y"] + cloth["height"] <= size[1]


def test_the_last_table_of_an_ended_game_shows_its_cards_alone(installed, site_address):
    """Its panel offers what needs a connection, and nobody goes on with a game that is over."""
    page = _play_until_kept(installed, site_address)
    game = page.url.rpartition("/")[2]
    resigned = page.request.post(f"{site_address}/api/v1/games/{game}/resign", data={"version": 1})
    assert resigned.ok
    page.reload()
    expect(page.locator(".ending")).to_be_visible()
    _wait_for(page, "localStorage.getItem('fairdeal.last-view').includes('ending')")
    installed.set_offline(True)
    page.goto(f"{site_address}/")
    expect(page.locator("#offline-note")).to_be_visible()
    expect(page.locator("#offline-saved")).to_be_hidden()
    expect(page.locator(".pile").first).to_be_visible()
    expect(page.locator(".ending")).to_be_hidden()


def test_the_last_table_is_a_picture(installed, site_address):
    """A mouse finds nothing to press, the keyboard passes by, and screen readers can read the cards."""
    page = _play_until_kept(installed, site_address)
    installed.set_offline(True)
    page.goto(f"{site_address}/")
    card = page.locator(".pile button:visible").last
    box = _box(card)
    page.mouse.move(box["x"] + 8, box["y"] + 8)
    pointer = "({ x, y }) => getComputedStyle(document.elementFromPoint(x, y)).cursor"
    assert page.evaluate(pointer, {"x": box["x"] + 8, "y": box["y"] + 8}) == "default"
    assert not card.evaluate("card => card.matches(':hover')")
    assert card.evaluate("card => card.getAttribute('aria-label') || card.textContent")
    page.get_by_role("link", name="Try again").focus()
    page.keyboard.press("Tab")
    assert not page.evaluate("document.activeElement.closest('.cloth') !== null")


def test_trying_again_says_that_there_is_still_no_connection(installed, site_address):
    page = _play_until_kept(installed, site_address)
    installed.set_offline(True)
    page.goto(f"{site_address}/")
    again = page.get_by_role("link", name="Try again")
    again.click()
    expect(page.locator("#offline-status")).to_have_text("There is still no connection.")
    installed.set_offline(False)
    expect(page.get_by_role("heading", name="Games", exact=True)).to_be_visible()


def test_the_last_table_keeps_nothing_that_moves_and_no_styles(installed, site_address):
    page = _play_until_kept(installed, site_address)
    page.evaluate("""() => {
      const card = document.querySelector(".pile button svg");
      card.style.visibility = "hidden";
      card.style.visibility = "";  // as after an animation: the attribute stays, and is empty
      const copy = card.cloneNode(true);
      copy.classList.add("ghost");
      document.querySelector("#table").append(copy);
      const layer = document.createElement("div");
      layer.setAttribute("aria-hidden", "true");
      layer.className = "curtain";
      document.querySelector(".cloth").append(layer);
      document.dispatchEvent(new CustomEvent("htmx:after:swap", { detail: {} }));
    }""")
    cards = page.locator(".pile button svg use").count()
    before = page.evaluate("JSON.parse(localStorage.getItem('fairdeal.last-view')).at")
    _wait_for(page, f"JSON.parse(localStorage.getItem('fairdeal.last-view')).at > {before}")
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(said.text))
    installed.set_offline(True)
    page.goto(f"{site_address}/")
    expect(page.locator(".pile button svg use")).to_have_count(cards)
    expect(page.locator("#offline-table").locator("[style], .ghost, .curtain")).to_have_count(0)
    assert [said for said in complaints if "style" in said] == []


def test_a_page_that_is_being_left_is_not_loaded_again(installed, site_address):
    """Somebody opens another page just when the network is back: to reload this one would stop that."""
    page = _play_until_kept(installed, site_address)
    installed.set_offline(True)
    page.goto(f"{site_address}/")
    expect(page.locator("#offline-note")).to_be_visible()
    page.evaluate("""() => {
      window.fetch = () => new Promise((answer) => (window.answer = () => answer({ ok: true })));
    }""")
    installed.set_offline(False)
    _wait_for(page, "window.answer !== undefined")
    page.evaluate("dispatchEvent(new Event('beforeunload')), answer(), window.isSame = true")
    page.wait_for_timeout(800)
    assert page.evaluate("window.isSame")
    answer = page.goto(f"{site_address}/daily")
    assert answer is not None
    assert answer.ok


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
