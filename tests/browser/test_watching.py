"""Watching a game of somebody else: the line above the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.faults import all_faults, resize
from tests.support.known import CODE

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

SIZES = ((390, 844), (844, 390), (768, 1024), (1024, 768), (1280, 800), (1440, 900), (2560, 1440))
CUT = """() => {
  const line = document.querySelector(".game-bar");
  line.querySelector(".whose bdi").textContent = "Graceful Bumblebee"; // the widest name that a guest is given
  return [...line.querySelectorAll("h1, .whose")]
    .filter((name) => name.scrollWidth > name.clientWidth + 1 || name.clientWidth < 40)
    .map((name) => name.textContent);
}"""


@pytest.mark.parametrize("locale", ["en", "de"])
def test_whoever_watches_can_read_the_names(
    page_with: Callable[..., Page], site_address: str, locale: str
) -> None:
    form: dict[str, str | float | bool] = {"ruleset": "forty-thieves", "code": CODE}
    player, watcher = page_with(), page_with(locale=locale)
    dealt = player.request.post(f"{site_address}/play", form=form, headers={"Origin": site_address})
    watcher.goto(dealt.url)
    watcher.locator("#viewers:not([hidden])").wait_for(state="attached")
    with all_faults() as at:
        for width, height in SIZES:
            with at(f"{width} x {height}"):
                resize(watcher, width, height)
                assert watcher.evaluate(CUT) == []
