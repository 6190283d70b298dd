"""The Chromium of this machine, for benchmarks."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextmanager
def chromium() -> Iterator[Browser]:
    """A headless browser; raises ``RuntimeError`` if there is none."""
    named = os.environ.get("TEST_BROWSER") or next(filter(None, map(shutil.which, _NAMES)), None)
    if named is None:
        raise RuntimeError("No Chromium on this machine: install it, or name one in TEST_BROWSER.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=named, args=_ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()
