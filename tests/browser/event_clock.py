"""The time that input events bear."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Page

# A key that means nothing here. The browser repeats moves of the mouse by itself, and presses no keys.
_KEY = "F13"
_HEAR = """(key) => {
    window.heardAt = new Promise((heard) => {
        window.addEventListener("keydown", (event) => event.key === key && heard(event.timeStamp), { capture: true });
    });
}"""
_LATER = 3600.0  # seconds: an event from before the page would bear 0
_TRIES = 5


class EventClock:
    """Times for events that a test makes, in seconds as the browser wants them.

    They are dates, which the browser turns into times of its page by the difference at its own start. That is wrong
    once the machine has set its clock, so the difference is measured here.
    """

    def __init__(self, page: Page, wire: CDPSession) -> None:
        sent = time.time() + _LATER
        page.evaluate(_HEAR, _KEY)
        for kind in ("keyDown", "keyUp"):
            wire.send("Input.dispatchKeyEvent", {"type": kind, "key": _KEY, "timestamp": sent})
        heard: float = page.evaluate("window.heardAt")
        self._offset = sent - heard / 1000 + _start_of(page)

    def now(self) -> float:
        """The time of an event that happens now."""
        return time.monotonic() + self._offset


def _start_of(page: Page) -> float:
    """The opposite of the time, by the clock that nobody sets, when the page's own began to count."""
    found = []
    for _ in range(_TRIES):
        before = time.monotonic()
        shown: float = page.evaluate("performance.now()")
        after = time.monotonic()
        found.append((after - before, shown / 1000 - (before + after) / 2))
    return min(found)[1]  # of the quickest answer, which is the most exact
