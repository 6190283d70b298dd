"""Time from a click to a changed pile in Chromium, compared with a minimal htmx page."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import httpx
from playwright.sync_api import Page

from bench import servers
from bench.browser import chromium
from bench.report import Figure, at_most

_ROUNDS = 5  # each with its own servers and browser, because memory layout makes a difference
_CLICKS = 20
_AT_REST = 150  # milliseconds; a page that comes to the front is painted first

# Clicks and resolves with the milliseconds until the watched part of the page has changed.
_TIMED_CLICK = """([button, watched]) => new Promise((resolve) => {
  const begun = performance.now();
  const observer = new MutationObserver(() => {
    observer.disconnect();
    resolve(performance.now() - begun);
  });
  observer.observe(document.querySelector(watched), {
    attributes: true, attributeFilter: ["aria-label", "data-n"], childList: true, subtree: true,
  });
  document.querySelector(button).click();
})"""


def run() -> Iterator[Figure]:
    """Run several rounds, each with its own servers and browser."""
    rounds = [_round() for _ in range(_ROUNDS)]
    theirs, ours = (median(times) for times in zip(*rounds, strict=True))
    ratios = sorted(our / their for their, our in rounds)
    detail = (
        f"{ours:.1f} ms against {theirs:.1f} ms; "
        f"{ratios[0]:.2f} to {ratios[-1]:.2f} in {_ROUNDS} rounds of {_CLICKS} deals"
    )
    yield at_most("click to changed pile / minimal htmx page", median(ratios), 1.3, detail)


def _round() -> tuple[float, float]:
    """Median milliseconds of the minimal page and of ours."""
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        folder = Path(name)
        with servers.yardstick(folder) as bare_port, servers.site(folder) as port:
            bare = browser.new_page()
            bare.goto(f"http://127.0.0.1:{bare_port}/minimal")
            table = browser.new_page()
            base = f"http://127.0.0.1:{port}"
            with httpx.Client(base_url=base) as client:
                started = client.post("/api/v1/games", json={"ruleset": "signora"})
                game = started.raise_for_status().json()
                home = next(move for move in game["legal_moves"] if move.startswith("t"))
                path = f"/api/v1/games/{game['id']}"
                move = {"version": 0, "move": home}
                client.post(f"{path}/moves", json=move).raise_for_status()
                cookie = {"name": "fd_session", "value": client.cookies["fd_session"], "url": base}
            table.context.add_cookies([cookie])  # type: ignore[list-item]
            table.goto(f"{base}/games/{game['id']}")
            table.wait_for_timeout(500)
            theirs, ours = _in_turns(bare, table)
            return median(theirs), median(ours)


def _in_turns(bare: Page, table: Page) -> tuple[list[float], list[float]]:
    """Alternate between the two pages, so that load on the machine affects both."""
    theirs: list[float] = []
    ours: list[float] = []
    for number in range(_CLICKS + 5):
        bare.bring_to_front()
        bare.wait_for_timeout(_AT_REST)
        plain = bare.evaluate(_TIMED_CLICK, ["#deal", "main"])
        table.bring_to_front()
        table.wait_for_timeout(_AT_REST)
        dealt = table.evaluate(_TIMED_CLICK, [".rail .deal", "#waste"])
        table.wait_for_timeout(250)  # the card has arrived
        if number >= 5:
            theirs.append(plain)
            ours.append(dealt)
    return theirs, ours
