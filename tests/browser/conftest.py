"""A real server in a process of its own, and hands for its tables."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.hands import Hands

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Page

PATIENCE = 90  # seconds; a busy machine may need them
expect.set_options(timeout=15_000)


@pytest.fixture(scope="session")
def site_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the running site keeps its database, ``site.db``."""
    return tmp_path_factory.mktemp("browser")


@pytest.fixture(scope="session")
def site_address(site_folder: Path) -> Iterator[str]:
    """The address of a running site with an empty database."""
    folder = site_folder
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "app", "serve", "--port", str(port)]
    environment = {
        **os.environ,
        "DATABASE_URL": f"sqlite:///{folder / 'site.db'}",
        "FAIRDEAL_UNPROVEN_DEALS": "true",
        "FAIRDEAL_PROOF_SECONDS": "0",  # proofs would compete with the browser
    }
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(address, server)
        yield address
    finally:
        server.terminate()
        server.wait(PATIENCE)


def _wait_for(address: str, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        assert server.poll() is None, "the server stopped instead of starting"
        try:
            with urllib.request.urlopen(f"{address}/readyz", timeout=5):
                return
        except (urllib.error.URLError, TimeoutError):
            time.sleep(0.1)
    raise TimeoutError(address)


@pytest.fixture
def seat(site_address: str) -> Callable[..., Hands]:
    """Sit a page down at a new table."""

    def sit(page: Page, ruleset: str, code: str) -> Hands:
        return Hands.at_new_table(page, site_address, ruleset, code)

    return sit
