"""The rules page of a game: its columns on a wide screen, its order on a phone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.faults import all_faults, resize

PARTS = """parts => parts.map(part => {
  const box = (name) => part.querySelector(name).getBoundingClientRect();
  const said = box(".said"), moves = box(".moves");
  return { left: moves.left, beside: moves.left - said.right, top: moves.top - said.top };
})"""


@pytest.mark.parametrize("game", ["klondike", "spider", "terrace"])
def test_examples_stand_beside_their_words_below_one_edge(
    page_with: Any, site_address: str, game: str
):
    page = page_with()
    page.goto(f"{site_address}/rules/{game}")
    with all_faults() as at:
        for width in (1024, 1440):
            with at(f"{width} pixels"):
                resize(page, width, 900)
                parts = page.locator(".pictured").evaluate_all(PARTS)
                table = page.locator(".try").bounding_box()
                words = page.locator(".in-short").bounding_box()
                assert len(parts) >= 3
                assert max(abs(part["left"] - table["x"]) for part in parts) < 1, "one edge"
                assert all(part["beside"] > 0 for part in parts)
                assert all(abs(part["top"]) < 12 for part in parts), "next to their words"
                ends = [box["y"] + box["height"] for box in (table, words)]
                assert abs(ends[0] - ends[1]) < 160, "no hole below the table"


def test_a_phone_has_the_table_after_one_line_and_the_button_in_sight(
    page_with: Any, site_address: str
):
    page = page_with(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    page.goto(f"{site_address}/rules/klondike")
    lead, table, short, button = (
        page.locator(part).first.bounding_box()
        for part in (".lead", ".try", ".in-short h2", ".in-short button")
    )
    assert lead["y"] < table["y"] < button["y"] < short["y"]
    assert button["y"] + button["height"] < page.locator(".places").bounding_box()["y"]
