"""Notices that are lost, late, twice or out of order, and streams that only look alive: all pages end up right."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.game_page import GamePage

BRISTOL = "7KQ4M-2XWTP"
# A stream that opens as it should and keeps to itself what it hears, until it is told to pass it on.
KEEPING = """
    window.streams = [];
    const Real = window.EventSource;
    window.EventSource = class extends EventTarget {
        static CLOSED = 2;
        static OPEN = 1;
        constructor(address) {
            super();
            this.heard = [];
            this.real = new Real(address);
            this.real.onopen = () => this.onopen();
            this.real.onmessage = (event) => this.heard.push(event);
            this.real.addEventListener("change", (event) => this.heard.push(event));
            streams.push(this);
        }
        get readyState() { return this.real.readyState; }
        leading(from) { return this.heard.find((event) => JSON.parse(event.data).from === from); }
        close() { this.real.close(); }
        pass(type, data) {
            const event = new MessageEvent(type, { data });
            if (type === "message") this.onmessage(event);
            else this.dispatchEvent(event);
        }
    };
"""

LATER = "new Promise((done) => setTimeout(done, 400))"
"""When the page has asked for what a notice makes it ask for: by its own clock, which may be late on a busy machine."""


@pytest.fixture
def other(page: Page) -> Page:
    """Another tab of the same player, whose streams keep what they hear."""
    tab = page.context.new_page()
    tab.add_init_script(KEEPING)
    return tab


@pytest.fixture
def viewer(browser: Browser) -> Iterator[Page]:
    """Another visitor, whose streams do the same."""
    tab = browser.new_page()
    tab.add_init_script(KEEPING)
    yield tab
    tab.close()


def expect_version(page: Page, version: int) -> None:
    expect(page.locator("#state")).to_have_attribute("data-version", str(version))


def until(page: Page, expression: str, wanted: object) -> None:
    """Wait for a value; the page's own waiting would need what the security policy forbids."""
    for _ in range(300):
        if page.evaluate(expression) == wanted:
            return
        page.wait_for_timeout(50)
    raise TimeoutError(expression)


def visit(page: Page, game_page: GamePage) -> None:
    page.goto(game_page.page.url)
    until(page, "streams.map((stream) => stream.readyState)", [1])


def deal(game_page: GamePage, version: int) -> None:
    game_page.page.keyboard.press("d")
    game_page.expect_version(version)


def test_a_stream_that_seems_open_and_is_dead_is_replaced(
    page: Page, other: Page, open_game: Callable[..., GamePage]
) -> None:
    page.clock.install()
    game_page = open_game(page, "bristol", BRISTOL)
    visit(other, game_page)
    deal(game_page, 1)
    other.clock.fast_forward(20_000)
    other.evaluate("streams[0].pass('beat', '{}')")
    other.clock.fast_forward(20_000)
    assert other.evaluate("streams.length") == 1  # it gives signs of life, so it stays
    deal(game_page, 2)
    other.clock.fast_forward(26_000)
    until(other, "streams.map((stream) => stream.readyState)", [2, 1])
    expect_version(other, 2)


def test_a_clock_that_is_set_back_keeps_no_page_from_looking(
    page: Page, other: Page, open_game: Callable[..., GamePage]
) -> None:
    page.clock.install(time="2026-03-10T12:00:00")
    game_page = open_game(page, "bristol", BRISTOL)
    other.route("**/stream", lambda route: route.fulfill(status=429, body="too many"))
    other.goto(page.url)
    until(other, "streams.map((stream) => stream.readyState)", [2])
    other.clock.set_system_time("2026-03-09T12:00:00")
    deal(game_page, 1)
    other.clock.fast_forward(6_000)
    expect_version(other, 1)


def test_notices_in_any_order_and_number_lead_to_the_right_table(
    page: Page, other: Page, open_game: Callable[..., GamePage]
) -> None:
    game_page = open_game(page, "bristol", BRISTOL)
    visit(other, game_page)
    asked: list[str] = []
    other.on(
        "request", lambda request: asked.append(request.url) if "/board?" in request.url else None
    )
    for version in (1, 2, 3):
        deal(game_page, version)
    expect_version(other, 0)
    for version in (2, 1, 3, 3, 2):
        other.evaluate("version => streams[0].pass('message', JSON.stringify({version}))", version)
    expect_version(other, 3)
    other.evaluate(LATER)
    asked.clear()
    for version in (3, 1, 2):
        other.evaluate("version => streams[0].pass('message', JSON.stringify({version}))", version)
    other.evaluate(LATER)
    assert asked == []
    expect_version(other, 3)


def test_changes_that_do_not_continue_the_viewers_version_are_ignored(
    page: Page, viewer: Page, open_game: Callable[..., GamePage]
) -> None:
    game_page = open_game(page, "bristol", BRISTOL)
    visit(viewer, game_page)
    deal(game_page, 1)
    until(viewer, "streams[0].heard.length > 0", wanted=True)
    viewer.evaluate("""streams[0].pass('message', '{"version": 1}')""")
    expect_version(viewer, 1)
    for version in (2, 3, 4):
        deal(game_page, version)
        until(viewer, f"streams[0].leading({version - 1}) !== undefined", wanted=True)
    piles = "[...document.querySelectorAll('#table .pile')].map((pile) => pile.innerText)"
    before = viewer.evaluate(piles)
    for since, shown in ((2, 1), (1, 2), (1, 2), (3, 2), (2, 3), (1, 3), (2, 3)):
        viewer.evaluate("since => streams[0].pass('change', streams[0].leading(since).data)", since)
        expect_version(viewer, shown)
    assert viewer.evaluate(piles) != before
    viewer.evaluate("""streams[0].pass('message', '{"version": 4}')""")
    expect_version(viewer, 4)
    assert viewer.evaluate(piles) == page.evaluate(piles)


def test_a_page_that_has_missed_a_notice_hears_of_it_with_a_heartbeat(
    page: Page, other: Page, open_game: Callable[..., GamePage]
) -> None:
    game_page = open_game(page, "bristol", BRISTOL)
    asked: list[str] = []
    other.on(
        "request", lambda request: asked.append(request.url) if "/board?" in request.url else None
    )
    other.clock.install()
    visit(other, game_page)
    deal(game_page, 1)
    table = page.url.rsplit("/", 1)[1]

    def beat(version: int) -> None:
        data = f'{{"versions": {{"room:other": 9, "table:{table}": {version}}}}}'
        other.evaluate("data => streams[0].pass('beat', data)", data)

    for _ in range(4):
        beat(0)
        other.clock.run_for(20_000)  # with a stream that is alive it never asks of its own accord
    expect_version(other, 0)
    assert asked == []
    beat(1)
    other.clock.run_for(1_000)
    expect_version(other, 1)
    assert len(asked) == 1
