"""A real server in a process of its own, and hands for its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.hands import Hands
from tests.browser.running import running

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Page

expect.set_options(timeout=15_000)


@pytest.fixture(scope="session")
def site_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the running site keeps its database, ``site.db``."""
    return tmp_path_factory.mktemp("browser")


@pytest.fixture(scope="session")
def site_address(site_folder: Path) -> Iterator[str]:
    """The address of a running site with an empty database."""
    with running(f"sqlite:///{site_folder / 'site.db'}", site_folder) as address:
        yield address


@pytest.fixture
def seat(site_address: str) -> Callable[..., Hands]:
    """Sit a page down at a new table."""

    def sit(page: Page, ruleset: str, code: str) -> Hands:
        return Hands.at_new_table(page, site_address, ruleset, code)

    return sit
