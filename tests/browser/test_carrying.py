"""Drags that end in no ordinary move, and where the focus is after an ending."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import GUIDED
from tests.browser.game_page import INTO_A_CARD
from tests.golden.records import RECORDS
from tests.support.known import CODE

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.kept_page

WITH_A_CHOICE = "00000-00003"  # Bristol: t3 may go to t4 or t7
WITH_AN_ACE = "00000-00001"  # Klondike: one card can go home at first


def carry(page: Page, start: str, end: str) -> None:
    """Press on the upper left of one thing and let go over the middle of another."""
    a, b = page.locator(start).bounding_box(), page.locator(end).bounding_box()
    assert a
    assert b
    page.mouse.move(a["x"] + INTO_A_CARD, a["y"] + INTO_A_CARD)
    page.mouse.down()
    page.mouse.move(b["x"] + b["width"] / 2, b["y"] + b["height"] / 2, steps=5)
    page.mouse.up()


def test_a_face_up_stock_is_dealt_by_dragging_its_card_to_the_waste(page: Page, open_game):
    game_page = open_game(page, "blondes-and-brunettes-till-dawn", CODE)
    carry(page, "#stock button", "#waste")
    game_page.expect_version(1)
    expect(page.locator("#waste button[value=waste] svg")).to_be_visible()


def test_a_covered_card_that_is_dragged_stays_and_the_page_says_why(page: Page, open_game):
    game_page = open_game(page, "bristol", CODE)
    carry(page, "#t1 svg >> nth=0", "#t5")
    expect(game_page.notice).to_have_text("Cards move one at a time in this game.")
    game_page.expect_version(0)


def test_a_pile_under_the_pointer_comes_before_those_that_the_card_covers(page: Page, open_game):
    game_page = open_game(page, "freecell", CODE)
    source = next(move for move in game_page.moves if move.endswith("-c4")).split("-")[0]
    card = page.locator(f"#{source} button svg").last.bounding_box()
    cell = page.locator("#c4").bounding_box()
    assert card
    assert cell
    page.mouse.move(card["x"] + 3, card["y"] + 3)
    page.mouse.down()
    corner = (cell["x"] + cell["width"] - 4, cell["y"] + cell["height"] - 4)
    page.mouse.move(*corner, steps=5)
    page.mouse.up()
    game_page.expect_version(1)
    expect(page.locator("#c4 button svg")).to_be_visible()


@pytest.mark.parametrize(
    ("ruleset", "by_touch", "why"),
    [
        ("freecell", False, "Those cards aren't a run"),
        ("bristol", True, "Cards move one at a time in this game."),
    ],
)
def test_a_press_on_a_covered_card_moves_no_other_and_the_page_says_why(
    page_with, open_game, ruleset, by_touch, why
):
    """The same as dragging it says. Here the last card of the column could move."""
    viewport = {"width": 390, "height": 844} if by_touch else {"width": 1440, "height": 900}
    page = page_with(viewport=viewport, has_touch=by_touch, storage_state=GUIDED)
    game_page = open_game(page, ruleset, CODE)
    column = next(move for move in game_page.moves if move[0] == "t").split("-")[0]
    press(page, f"#{column} > b >> nth=0", by_touch=by_touch)
    expect(game_page.notice).to_contain_text(why)
    expect(page.locator(".toast")).to_contain_text(why)
    expect(page.locator("#table [aria-pressed=true]")).to_have_count(0)
    game_page.expect_version(0)


@pytest.mark.parametrize("by_touch", [False, True])
def test_a_press_on_a_face_down_card_plays_no_other_and_the_page_says_so(
    page_with, open_game, by_touch
):
    viewport = {"width": 390, "height": 844} if by_touch else {"width": 1440, "height": 900}
    page = page_with(viewport=viewport, has_touch=by_touch, storage_state=GUIDED)
    game_page = open_game(page, "klondike", WITH_AN_ACE)
    column = next(move for move in game_page.moves if "-f" in move).split("-")[0]
    press(page, f"#{column} > i >> nth=0", by_touch=by_touch)
    expect(game_page.notice).to_have_text("That card is face down.")
    expect(page.locator(".toast")).to_have_text("That card is face down.")
    game_page.expect_version(0)
    game_page.click(column)
    game_page.expect_version(1)


def test_a_face_down_card_that_is_dragged_says_what_a_press_says(page: Page, open_game):
    game_page = open_game(page, "klondike", WITH_AN_ACE)
    carry(page, "#t7 > i >> nth=2", "#t3")
    expect(game_page.notice).to_have_text("That card is face down.")
    expect(page.locator(".toast")).to_have_text("That card is face down.")
    game_page.expect_version(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_last_card_of_a_column_lifts_only_where_a_press_would_play_it(page, open_game, scheme):
    """Its paper keeps its color: darker, it would look as if it were disabled."""
    page.emulate_media(color_scheme=scheme)
    open_game(page, "klondike", WITH_AN_ACE)
    last = page.locator("#t7 > button:last-child")

    def look_under_the_mouse(place: Locator) -> tuple[str, str, str]:
        place.hover(force=True)
        page.wait_for_timeout(200)  # until it has come up
        return tuple(
            last.locator("svg").evaluate(
                """card => {
                  const style = getComputedStyle(card);
                  return [style.translate, style.boxShadow, style.getPropertyValue("--card-paper")];
                }"""
            )
        )

    resting = look_under_the_mouse(page.locator("#t1 > button"))
    lifted = look_under_the_mouse(last)
    assert lifted[0] == "0px -2px"
    assert lifted[1] != resting[1]
    assert lifted[2] == resting[2]
    assert look_under_the_mouse(page.locator("#t7 > i >> nth=2")) == resting
    assert look_under_the_mouse(last) == lifted
    page.emulate_media(color_scheme=None)


def press(page: Page, place: str, *, by_touch: bool) -> None:
    """Press on what may not take clicks itself."""
    box = page.locator(place).bounding_box()
    assert box
    where = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    if by_touch:
        page.touchscreen.tap(*where)
    else:
        page.mouse.click(*where)


def test_while_cards_are_held_any_place_of_a_column_is_their_target(page: Page, open_game):
    game_page = open_game(page, "bristol", WITH_A_CHOICE)
    game_page.click("t3")
    expect(page.locator(".pile.lit")).to_have_count(2)
    press(page, "#t7 > b >> nth=0", by_touch=False)
    game_page.expect_version(1)
    expect(game_page.notice).to_contain_text("on the five of hearts.")


def test_the_focus_goes_on_to_undo_when_undo_takes_the_ending_away(page: Page, open_game):
    lost = next(each for each in RECORDS if (each.ruleset, each.end) == ("bristol", "lost"))
    game_page = open_game(page, "bristol", lost.code)
    game_page.play_unseen(lost.moves)
    page.locator(".ending").get_by_role("button", name="Undo").click()
    game_page.expect_version(len(lost.moves) + 1)
    expect(page.locator(".rail .undo")).to_be_focused()


TAP_WITHOUT_A_CLICK = """async (button, pause) => {
  const box = button.getBoundingClientRect();
  const how = { bubbles: true, isPrimary: true, pointerType: "touch", clientX: box.x + 20, clientY: box.y + 20 };
  button.dispatchEvent(new PointerEvent("pointerdown", how));
  await new Promise((done) => setTimeout(done, pause));
  button.dispatchEvent(new PointerEvent("pointerup", how));
}"""
"""What a browser may make of a tap after a card was flicked: it stops a scroll that there is none."""


def test_a_tap_on_a_control_after_a_flick_counts_and_any_other_only_once(new_context, open_game):
    page = new_context(viewport={"width": 390, "height": 844}, has_touch=True).new_page()
    game_page = open_game(page, "klondike", CODE)
    deal = page.locator(".rail .deal")
    deal.evaluate(TAP_WITHOUT_A_CLICK, 20)
    game_page.expect_version(1)
    deal.tap()
    game_page.expect_version(2)
    deal.evaluate(TAP_WITHOUT_A_CLICK, 600)  # a long press
    page.wait_for_timeout(300)  # a second click would come in this time
    game_page.expect_version(2)
    page.locator(".menu > summary").evaluate(TAP_WITHOUT_A_CLICK, 20)
    expect(page.locator(".menu")).to_have_attribute("open", "")
