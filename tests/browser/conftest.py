"""A real server in its own process, and pages that play games on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.game_page import GamePage
from tests.browser.kept_pages import KeptPages
from tests.browser.running import running

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

GUIDED: Any = {
    "cookies": [
        {"name": "fd_guided", "value": "yes", "domain": "127.0.0.1", "path": "/", "expires": -1}
    ],
    "origins": [],
}
"""The state of a browser that needs no guide: without it, bubbles show in open games."""

HAS_FAILED = pytest.StashKey[bool]()
"""Of a test, also if it is tried once more."""

expect.set_options(timeout=45_000)  # a busy machine may need them


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note that a test has failed, for what it leaves behind."""
    report = yield
    item.stash[HAS_FAILED] = item.stash.get(HAS_FAILED, False) or report.failed
    return report


@pytest.fixture(scope="session")
def site_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the running site keeps its database, ``site.db``."""
    return tmp_path_factory.mktemp("browser")


@pytest.fixture(scope="session")
def site_address(site_folder: Path) -> Iterator[str]:
    """The address of a running site with an empty database."""
    with running(f"sqlite:///{site_folder / 'site.db'}", site_folder) as address:
        yield address


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Without service workers, which would see requests before the routes of a test do, and past the first game."""
    return {**browser_context_args, "service_workers": "block", "storage_state": GUIDED}


@pytest.fixture(scope="session")
def all_kept_pages(browser: Browser, site_address: str) -> Iterator[KeptPages]:
    """The pages that tests lend each other."""
    pages = KeptPages(browser, site_address)
    yield pages
    pages.close()


@pytest.fixture
def kept_pages(all_kept_pages: KeptPages, request: pytest.FixtureRequest) -> Iterator[KeptPages]:
    """The same for one test, which gives them back at its end."""
    yield all_kept_pages
    all_kept_pages.take_back(is_kept=not request.node.stash.get(HAS_FAILED, False))


@pytest.fixture
def page_with(kept_pages: KeptPages) -> Callable[..., Page]:
    """A function for a page of somebody who is new here; it takes the options of a context."""
    return lambda **options: kept_pages.lend(options)


@pytest.fixture
def page(request: pytest.FixtureRequest) -> Page:
    """A page of somebody who needs no guide: in files that are marked, one which other tests had before.

    Tests that ask for its context may do to that what they like.
    """
    if "context" in request.fixturenames or not request.node.get_closest_marker("kept_page"):
        context: BrowserContext = request.getfixturevalue("context")
        return context.new_page()
    pages: KeptPages = request.getfixturevalue("kept_pages")
    return pages.lend({"storage_state": GUIDED})


@pytest.fixture
def page_errors(page: Page) -> list[str]:
    """What the browser's console complains of; the security policy speaks up there, too."""
    heard: list[str] = []
    page.on("pageerror", lambda error: heard.append(str(error)))

    def listen(said: ConsoleMessage) -> None:
        if said.type == "error":
            heard.append(said.text)

    page.on("console", listen)
    return heard


@pytest.fixture
def open_game(site_address: str) -> Callable[..., GamePage]:
    """Sit a page down at a new table."""

    def sit(page: Page, ruleset: str, code: str) -> GamePage:
        return GamePage.start(page, site_address, ruleset, code)

    return sit


@pytest.fixture
def deal_on_the_games_page(site_address: str) -> Callable[..., GamePage]:
    """The same, by the form for codes on the games page."""

    def sit(page: Page, ruleset: str, code: str) -> GamePage:
        return GamePage.start_on_the_games_page(page, site_address, ruleset, code)

    return sit
