"""A league on a phone: founded, shared, joined in another browser without scripts, and its board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import pytest
from playwright.sync_api import expect

from tests.browser.test_challenges import PHONE, faults

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_league_is_founded_joined_and_shows_its_board(
    page_with: Callable[..., Page], site_address: str, scheme: Literal["light", "dark"]
) -> None:
    anna = page_with(viewport=PHONE, color_scheme=scheme)
    page_errors: list[str] = []
    anna.on("pageerror", lambda error: page_errors.append(str(error)))
    anna.goto(f"{site_address}/leagues")
    expect(anna.get_by_text("You aren't in a league yet")).to_be_visible()
    assert faults(anna) == []
    anna.get_by_role("link", name="Start a league").click()
    anna.get_by_label("Name of the league").fill("Card club")
    anna.get_by_text("Choose the games").click()
    row = anna.locator("label", has_text="Signora")
    row.click(position={"x": 300, "y": 4})  # all of it is the target
    expect(anna.get_by_label("Signora")).to_be_checked()
    row.click()
    expect(anna.get_by_label("Signora")).not_to_be_checked()
    for target, least in ((row, 44), (anna.get_by_label("Signora"), 24)):
        size = target.bounding_box()
        assert size
        assert size["height"] >= least
    assert faults(anna) == []
    anna.get_by_role("button", name="Start the league").click()
    expect(anna.get_by_role("heading", name="Card club")).to_be_visible()
    link = anna.get_by_label("Link").input_value()
    assert link.startswith(f"{site_address}/league/")
    assert faults(anna) == []

    ben = page_with(viewport=PHONE, color_scheme=scheme, java_script_enabled=False)
    ben.goto(link)
    expect(ben.get_by_role("heading", name="1 member")).to_be_visible()
    ben.get_by_role("button", name="Join the league").click()
    board = ben.get_by_role("table")
    expect(board.get_by_role("row")).to_have_count(3)
    expect(board.get_by_role("row").last).to_contain_text("you")
    expect(ben.get_by_role("heading", name="2 members")).to_be_visible()
    expect(ben.get_by_text("The others can't even see")).to_be_visible()

    anna.reload()
    expect(anna.get_by_role("table").get_by_role("row")).to_have_count(3)
    anna.get_by_text("Remove", exact=True).click()
    anna.get_by_role("button", name="Remove").click()
    expect(anna.get_by_role("heading", name="1 member")).to_be_visible()
    ben.reload()
    expect(ben.get_by_text("The owner removed you from this league")).to_be_visible()
    assert faults(anna) == []
    assert page_errors == []


def test_a_new_league_has_three_games_and_asks_for_friends_first(
    page_with: Any, site_address: str
) -> None:
    page = page_with(viewport={"width": 1440, "height": 900})
    page.goto(f"{site_address}/league/new")
    begin = page.get_by_role("button", name="Start the league").bounding_box()
    assert begin["y"] < 600
    page.get_by_text("Choose the games").click()
    expect(page.get_by_role("checkbox", checked=True)).to_have_count(3)
    rows = page.locator(".found .choice").evaluate_all(
        "all => all.map(choice => choice.getBoundingClientRect().top)"
    )
    assert rows[0::2][: len(rows[1::2])] == rows[1::2]
    page.get_by_label("Name of the league").fill("Friday cards")
    page.get_by_role("button", name="Start the league").click()
    invitation = page.get_by_role("region", name="Invite friends")
    today = page.get_by_role("region", name="Still open")
    board, members = (page.locator(f"section:has(#{part})") for part in ("board", "members"))
    boxes = [each.bounding_box() for each in (invitation, today, board, members)]
    assert all(boxes)
    first, second, above, below = boxes
    assert first["y"] < 300
    assert second["y"] > first["y"]
    assert below["y"] - above["y"] - above["height"] <= 40
