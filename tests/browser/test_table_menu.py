"""The menu of a table: its rows, what they open, and where it lies."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.faults import all_faults, resize
from tests.browser.game_page import wait_until
from tests.browser.interception import intercept

if TYPE_CHECKING:
    from playwright.sync_api import Route

pytestmark = pytest.mark.kept_page

BRISTOL = "7KQ4M-2XWTP"
WITH_A_CHOICE = "00000-00003"  # Bristol: t3 may go to t4 or t7, and to no foundation
PHONE = (390, 844)
SIZES = [PHONE, (844, 390), (1024, 768), (1440, 900)]
ROWS = ".sheet :is(:is(section, .rows) > :is(a, button), section > form > button, summary)"


def test_the_menu_of_a_phone_names_its_groups(page_with, open_game):
    page = page_with(viewport={"width": PHONE[0], "height": PHONE[1]}, has_touch=True)
    open_game(page, "bristol", BRISTOL)
    page.locator(".menu > summary").tap()
    groups = page.locator(".sheet > section > h2")
    tops = groups.evaluate_all("""all => all.map((one) => {
      const { top, height, left } = one.getBoundingClientRect();
      const below = one.nextElementSibling.getBoundingClientRect();
      return [one.innerText, height > 12 && left >= 8 && top + height <= below.top + 1];
    })""")
    assert tops == [["This game", True], ["Help", True], ["Together", True]]
    page.locator(".sharing > summary").tap()
    for group in groups.all():
        expect(group).to_be_hidden()


def test_lines_in_the_menu_are_as_far_from_the_rows_above_as_from_those_below(page, open_game):
    open_game(page, "bristol", BRISTOL)
    page.locator(".menu > summary").click()
    with all_faults() as at:
        for size in ((390, 844), (1440, 900)):
            with at(f"{size}"):
                resize(page, *size)
                share, end = page.locator(".sharing > summary").bounding_box(), page.locator(".end")
                row, line = end.locator("summary").bounding_box(), end.bounding_box()
                above = line["y"] - share["y"] - share["height"]
                assert abs(above - (row["y"] - line["y"])) <= 1


def test_the_menu_begins_with_what_you_look_for_and_ends_with_resigning(page, open_game):
    open_game(page, "bristol", BRISTOL)
    page.locator(".menu > summary").click()
    rows = page.locator(ROWS)
    said = [row.inner_text() for row in rows.all() if row.is_visible()]
    assert said == [
        "New deal",
        "Start over",
        "Rules of Bristol",
        "Is it still winnable?",
        "Keyboard shortcuts",
        "Settings",
        "Play together",
        "Share",
        "Resign",
    ]
    resign = page.locator(".end summary")
    place = resign.bounding_box()
    resign.click()
    assert resign.bounding_box() == place
    # What it asks takes its place in the sheet, and lies over no other row.
    over = page.locator(".sheet").evaluate("""sheet => {
      const asked = sheet.querySelector(".end .question").getBoundingClientRect();
      return [...sheet.querySelectorAll("section:not(.end) > *")].filter((row) => {
        const { top, bottom, height } = row.getBoundingClientRect();
        return height > 0 && Math.min(bottom, asked.bottom) - Math.max(top, asked.top) > 1;
      }).map((row) => row.textContent);
    }""")
    assert over == []
    resign.click()
    page.locator(".sharing > summary").click()
    shared = [row.inner_text() for row in rows.all() if row.is_visible()]
    assert shared == [
        "Back",
        "Share this deal",
        "Save as text",
        "Who can watch\nAnyone with the link",
        "Show your chance to win",
    ]
    shown = page.locator(".sheet svg:visible")
    expect(shown).to_have_count(len(shared) - 1)  # all but the way back
    for picture in shown.all():  # the sprite has it
        page.wait_for_function("(one) => one.getBBox().width > 0", arg=picture.element_handle())


IN_VIEW = """part => {
  const box = part.getBoundingClientRect();
  return [box.top + 1, box.bottom - 1].every((y) => part.contains(document.elementFromPoint(box.left + 20, y)));
}"""
"""Whether all of it can be seen and pressed."""


@pytest.mark.parametrize("has_script", [True, False])
@pytest.mark.parametrize("size", SIZES)
def test_what_resigning_asks_is_in_view(page_with, open_game, size, has_script):
    page = page_with(viewport={"width": size[0], "height": size[1]}, java_script_enabled=has_script)
    open_game(page, "bristol", BRISTOL)
    page.locator(".menu > summary").click()
    resign = page.locator(".end summary")
    yes = page.get_by_role("button", name="Yes, resign")
    box = resign.bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.click(*middle)  # it does not scroll there, as Playwright would
    expect(yes).to_be_visible()
    wait_until(page, lambda: yes.evaluate(IN_VIEW))  # it is scrolled there, if need be
    # Read from above: what it is, the question, and the way back under the hand.
    heading = page.locator(".end .question h2")
    expect(heading).to_have_text("Resign")
    assert heading.bounding_box()["y"] < yes.bounding_box()["y"] < resign.bounding_box()["y"]
    expect(page.locator(".end .when-open")).to_have_text("Back to the game")
    expect(page.locator(".end .when-closed")).to_be_hidden()
    # A second click closes it, and does not resign.
    assert resign.bounding_box() == pytest.approx(box, abs=1)
    page.mouse.click(*(yes.bounding_box()[side] + 10 for side in ("x", "y")))
    expect(page.get_by_role("heading", name="You resigned")).to_be_visible()


def test_an_open_row_of_the_menu_is_one_box_with_what_it_opened(page, open_game):
    open_game(page, "bristol", BRISTOL)
    page.locator(".menu > summary").click()
    color = "(row) => getComputedStyle(row).backgroundColor"
    for row in (".end .sure", ".audience"):
        if row == ".audience":
            page.locator(".sharing > summary").click()
        box, summary = page.locator(row), page.locator(f"{row} > summary")
        summary.hover()
        clear = box.evaluate(color)
        assert summary.evaluate(color) != clear, "a closed row lights up"
        summary.click()
        assert box.evaluate(color) != clear
        assert summary.evaluate(color) == clear, "an open one is lit as a whole"
        summary.click()


@pytest.mark.parametrize("size", SIZES)
def test_what_opens_in_the_menu_is_in_view(page_with, open_game, size):
    page = page_with(viewport={"width": size[0], "height": size[1]})
    open_game(page, "bristol", BRISTOL)
    page.locator(".menu > summary").click()
    for summary, opened in (
        (".sharing > summary", ".sharing .rows > a >> nth=0"),
        (".sharing .before-begin > summary", ".before-begin form button"),
        (".audience > summary", ".audience form button >> nth=-1"),
    ):
        page.locator(summary).click()
        expect(page.locator(opened)).to_be_visible()
        page.wait_for_function(IN_VIEW, arg=page.locator(opened).element_handle(), timeout=10_000)


@pytest.mark.parametrize("has_script", [True, False])
def test_sharing_is_a_page_of_the_menu_with_the_way_back_at_its_top(
    page_with, open_game, has_script
):
    page = page_with(java_script_enabled=has_script)
    open_game(page, "bristol", BRISTOL)
    page.locator(".menu > summary").click()
    sheet, share = page.locator(".sheet"), page.locator(".sharing > summary")
    settings = sheet.get_by_role("link", name="Settings")
    elsewhere = [settings, page.locator(".subpage.sure"), page.locator(".end summary")]
    deal = page.get_by_role("link", name="Share this deal")
    with all_faults() as at:
        for size in SIZES:
            with at(f"{size}"):
                resize(page, *size, has_script=has_script)
                share.click()
                expect(deal).to_be_visible()
                for row in elsewhere:
                    expect(row).to_be_hidden()
                box, top = sheet.bounding_box(), share.bounding_box()
                assert box["y"] >= 0
                assert top["y"] - box["y"] <= 16  # the first row
                assert top["y"] + top["height"] <= deal.bounding_box()["y"]
                expect(share.locator(".when-open")).to_be_visible()  # "Back"
                share.click()
                expect(settings).to_be_visible()


@pytest.mark.parametrize("has_script", [True, False])
def test_a_game_is_shared_only_after_a_question(page_with, open_game, has_script):
    page = page_with(java_script_enabled=has_script)
    open_game(page, "bristol", BRISTOL)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    page.locator(".menu > summary").click()
    row = page.locator(".sheet .subpage.sure > summary")
    invite = page.get_by_role("button", name="Invite players")
    with all_faults() as at:
        for size in SIZES:
            with at(f"{size}"):
                resize(page, *size, has_script=has_script)
                row.click()
                expect(page.locator(".subpage .question")).to_contain_text("Anyone with the link")
                expect(page.locator(".end summary")).to_be_hidden()
                assert invite.evaluate(IN_VIEW)
                expect(row).to_have_text(re.compile("Cancel"))
                row.click()
                expect(invite).to_be_hidden()
    assert "POST" not in sent
    expect(page.locator("#people")).to_have_count(0)
    row.click()
    invite.click()
    expect(page.locator("#people")).to_have_count(1)


def test_who_opens_the_menu_again_has_not_been_asked_anything(page, open_game):
    open_game(page, "bristol", BRISTOL)
    menu = page.locator(".menu > summary")
    menu.click()
    page.locator(".end summary").click()
    expect(page.locator(".end .question")).to_be_visible()
    menu.click()
    menu.click()
    expect(page.locator(".end summary")).to_be_visible()
    expect(page.locator(".end .question")).to_be_hidden()
    page.locator(".sharing > summary").click()
    menu.click()
    menu.click()
    expect(page.locator(".sheet").get_by_role("link", name="Settings")).to_be_visible()


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_row_of_the_menu_wraps_on_a_phone_and_resigning_is_in_view(
    page_with, open_game, language
):
    width, height = PHONE
    page = page_with(
        viewport={"width": width, "height": height}, has_touch=True, is_mobile=True, locale=language
    )
    open_game(page, "bristol", BRISTOL)
    measure = """rows => rows.filter(row => row.checkVisibility() && !row.querySelector("small"))
                             .map(row => [row.innerText, row.getBoundingClientRect().height])"""
    rows = page.locator(f"{ROWS}, .sharing summary")
    menu = page.locator(".menu > summary")
    with all_faults() as at:
        for size in (PHONE, (844, 390)):
            with at(f"{language} {size}"):
                resize(page, *size)
                menu.tap()
                assert page.locator(".end summary").evaluate(IN_VIEW)
                heights = rows.evaluate_all(measure)
                page.locator(".sharing > summary").tap()
                heights += rows.evaluate_all(measure)
                assert len(heights) > 11
                assert [row for row in heights if row[1] != 44] == []
                menu.tap()  # closed for the next size


def test_on_a_phone_the_first_rows_of_the_menu_need_no_scrolling(page_with, open_game):
    page = page_with(has_touch=True)
    open_game(page, "bristol", BRISTOL)
    page.locator(".menu > summary").tap()
    for width, height in ((390, 844), (844, 390)):
        resize(page, width, height)
        sheet = page.locator(".sheet").bounding_box()
        for name in ("Settings", "Is it still winnable?"):
            row = page.locator(".sheet").get_by_role("link", name=name).bounding_box()
            assert row["y"] + row["height"] <= sheet["y"] + sheet["height"] - 20, (width, name)


@pytest.mark.parametrize("has_touch", [True, False])
def test_on_a_phone_on_its_side_sharing_is_not_under_resigning(page_with, open_game, has_touch):
    page = page_with(viewport={"width": 844, "height": 390}, has_touch=has_touch)
    open_game(page, "bristol", BRISTOL)
    page.locator(".menu > summary").click()
    for row in (".sharing > summary", ".end summary"):
        assert page.locator(row).evaluate(IN_VIEW), row
    scrolls = page.locator(".sheet").evaluate("(sheet) => sheet.scrollHeight - sheet.clientHeight")
    assert scrolls <= 1


@pytest.mark.parametrize("size", [(844, 390), (667, 375)])
def test_on_a_phone_on_its_side_the_menu_lies_on_the_screen_and_covers_no_row(
    page_with, open_game, size
):
    page = page_with(viewport={"width": size[0], "height": size[1]}, has_touch=True)
    open_game(page, "freecell", "00000-00000")
    page.locator(".menu > summary").tap()
    sheet = page.locator(".sheet").bounding_box()
    assert sheet["y"] >= 8
    assert sheet["y"] + sheet["height"] <= size[1] - 8
    others, end = (page.locator(f".sheet {part}").bounding_box() for part in (".others", ".end"))
    assert others["y"] + others["height"] <= end["y"]
    page.locator(".end summary").tap()
    for row in (".end summary", ".end .question button"):
        assert page.locator(row).evaluate(IN_VIEW), row


def test_an_open_menu_stays_until_the_game_ends(page, open_game):
    game_page = open_game(page, "bristol", WITH_A_CHOICE)
    menu = page.locator(".menu[open]")
    asked: list[Route] = []
    intercept(page, "**/help/hint", asked.append)
    with page.expect_request("**/help/hint"):
        page.get_by_role("button", name="Hint").click()
    page.locator(".menu > summary").click()
    expect(menu).to_be_visible()
    asked[0].continue_()
    expect(game_page.notice).to_contain_text(re.compile("Play|Deal"))
    expect(menu).to_be_visible()
    page.request.post(f"{page.url}/resign", form={"version": 0})  # from another window
    expect(page.locator("#state.over")).to_be_attached()
    expect(menu).to_be_hidden()


def test_escape_closes_the_menu_wherever_the_focus_is(page, open_game):
    open_game(page, "bristol", BRISTOL)
    menu, button = page.locator(".menu[open]"), page.locator(".menu > summary")
    button.click()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Escape")
    expect(menu).to_have_count(0)
    expect(button).to_be_focused()
    button.click()
    page.get_by_role("button", name="Keyboard shortcuts").click()
    expect(page.locator("#keys[open]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#keys[open]")).to_have_count(0)
    expect(menu).to_have_count(0)
    expect(button).to_be_focused()


@pytest.mark.parametrize("has_script", [True, False])
def test_the_menu_of_a_finished_game_offers_only_what_can_be_done(page_with, open_game, has_script):
    page = page_with(java_script_enabled=has_script)
    open_game(page, "bristol", BRISTOL)
    finished = page.url
    page.locator(".menu > summary").click()
    page.locator(".end summary").click()
    page.get_by_role("button", name="Yes, resign").click()
    expect(page.get_by_role("heading", name="You resigned")).to_be_visible()
    page.locator(".menu > summary").click()
    said = [row.inner_text() for row in page.locator(ROWS).all() if row.is_visible()]
    shortcuts = ["Keyboard shortcuts"] if has_script else []
    assert said == [
        "New deal",
        "Start over",
        "Rules of Bristol",
        *shortcuts,
        "Settings",
        "Challenge a friend to beat this",
        "Share",
    ]
    page.locator(".sheet").get_by_role("button", name="Start over").click()
    expect(page.locator("#state.over")).to_have_count(0)
    assert page.url != finished
    expect(page.locator("#code")).to_have_value(BRISTOL)


def test_what_you_play_from_the_menu_closes_it(page, open_game):
    game_page = open_game(page, "bristol", WITH_A_CHOICE)
    page.keyboard.press("d")
    game_page.expect_version(1)
    page.locator(".menu > summary").click()
    page.get_by_role("button", name="Start over").click()
    expect(page.locator(".menu[open]")).to_have_count(0)
    game_page.expect_version(2)
