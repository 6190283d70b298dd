"""Questions that need every card, in a browser: with a script, which refreshes by itself, and without."""

import re
import time
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import violations
from tests.browser.game_page import SEARCHED
from tests.browser.interception import intercept
from tests.golden.records import RECORDS

pytestmark = pytest.mark.kept_page

WON = next(record for record in RECORDS if record.name == "bristol-won")
LOST = next(record for record in RECORDS if record.name == "bristol-lost")
STUCK = next(record for record in RECORDS if record.name == "freecell-lost")
YES = "Yes. You can still win from here."


SEARCHING = """<section id="asked"><p role="status">Searching…</p><progress max="100" value="1"></progress></section>"""


def lose(page, open_game):
    """A page at a table that was played into a dead end; the address of its game."""
    open_game(page, "bristol", LOST.code).play_unseen(LOST.moves)
    return page.url


def open_question(page):
    page.get_by_text("Menu", exact=True).click()
    page.get_by_role("link", name="Is it still winnable?").click()
    return page.get_by_role("dialog", name="Is it still winnable?")


def shown_on(page):
    """The table without the card that a hint flies across it for a moment, and what the mouse passed on its way."""
    return page.locator("#table").evaluate(
        """(table) => {
            const copy = table.cloneNode(true);
            copy.querySelectorAll(".ghost").forEach((ghost) => ghost.remove());
            for (const passed of copy.querySelectorAll(".not-meant")) passed.removeAttribute("class");
            return copy.innerHTML.trim();
        }"""
    )


def test_whether_it_is_still_winnable_is_asked_over_the_table(page, open_game):
    game_page = open_game(page, "bristol", WON.code)
    page.keyboard.press("h")
    page.wait_for_function(
        "() => ['hint', 'rough'].map((name) => document.querySelector(`#state [name=${name}]`).value).join() === '1,0'"
    )
    expect(page.locator("#table button.advised")).not_to_have_count(0)
    address, table = page.url, shown_on(page)
    sheet = open_question(page)
    expect(sheet.get_by_text("marked as assisted")).to_be_visible()
    expect(page.locator(".game-bar .assisted")).to_have_count(0)
    assert violations(page) == []
    sheet.get_by_role("button", name="Check if it can be won").click()
    expect(sheet.get_by_text(YES)).to_be_visible(timeout=SEARCHED)  # by itself
    expect(page.locator(".game-bar .assisted")).to_have_count(1)
    assert violations(page) == []
    sheet.get_by_role("link", name="Back to the game").click()
    expect(sheet).to_be_hidden()
    assert page.url == address
    assert shown_on(page) == table, "the hint is still shown"
    known = page.locator(".game-bar .answered")
    expect(known).to_have_text("Winnable from the start")
    game_page.play(WON.moves[0])
    expect(known).to_be_visible()
    assert game_page.page_errors == []
    before = marks_beside_the_name(page)
    page.reload()
    assert marks_beside_the_name(page) == before


def marks_beside_the_name(page):
    return page.locator(".game-bar .name > *").evaluate_all(
        "all => all.map((one) => one.textContent)"
    )


def test_nothing_is_asked_before_one_chooses_to(page, open_game):
    open_game(page, "bristol", WON.code)
    sheet = open_question(page)
    sheet.get_by_text("marked as assisted").wait_for()
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    page.keyboard.press("Enter")  # the focus is on the menu again
    page.get_by_role("link", name="Is it still winnable?").click()
    sheet.get_by_role("link", name="Cancel").click()
    expect(sheet).to_be_hidden()
    page.reload()
    expect(page.locator(".game-bar .assisted")).to_have_count(0)


def test_a_question_about_an_earlier_position_is_refused_in_its_place(page, open_game):
    game_page = open_game(page, "bristol", WON.code)
    sheet = open_question(page)
    sheet.get_by_text("marked as assisted").wait_for()
    game_page.play_elsewhere(WON.moves[:1])
    ask = sheet.get_by_role("button", name="Check if it can be won")
    ask.click()
    expect(sheet.get_by_role("alert")).to_have_text(
        "The game has changed. Ask again from the current position."
    )
    ask.click()
    expect(sheet.get_by_text(YES)).to_be_visible(timeout=SEARCHED)


UNREACHABLE = "The site can't be reached. Try again."


def test_what_cannot_be_sent_is_said_in_the_sheet_and_can_be_sent_again(page, open_game):
    open_game(page, "bristol", WON.code)
    sheet = open_question(page)
    sheet.get_by_text("marked as assisted").wait_for()
    page.context.set_offline(True)
    ask = sheet.get_by_role("button", name="Check if it can be won")
    for _ in range(2):
        ask.click()
        expect(sheet.get_by_role("alert")).to_have_text(UNREACHABLE)
    page.context.set_offline(False)
    ask.click()
    expect(sheet.get_by_text(YES)).to_be_visible(timeout=SEARCHED)
    expect(sheet.get_by_role("alert")).to_have_count(0)


@pytest.mark.usefixtures("context")  # it keeps a clock
def test_looking_for_the_answer_stops_where_it_is_refused_and_slows_down_where_it_fails(
    page, open_game
):
    open_game(page, "bristol", WON.code)
    page.clock.install()
    looks = []
    status = 500

    def answer(route):
        if route.request.method == "POST":
            return route.fulfill(body=SEARCHING, content_type="text/html")
        looks.append(route.request)
        return route.fulfill(status=status, body="", content_type="text/html")

    sheet = open_question(page)
    sheet.get_by_text("marked as assisted").wait_for()
    intercept(page, "**/help/winnable", answer)
    sheet.get_by_role("button", name="Check if it can be won").click()
    sheet.get_by_role("progressbar").wait_for()
    seen = []
    for seconds in (1, 2, 4):
        page.clock.run_for(seconds * 1000)
        page.wait_for_timeout(100)
        seen.append(len(looks))
    assert seen == [1, 2, 3]
    expect(sheet.get_by_role("alert")).to_have_text(
        "Connection lost. Your game is saved. Reconnecting…"
    )
    status = 404
    for _ in range(4):
        page.clock.run_for(10_000)
        page.wait_for_timeout(100)
    assert len(looks) == 4


def test_the_answer_comes_without_a_script_by_looking_again(page_with, open_game):
    page = page_with(java_script_enabled=False)
    open_game(page, "bristol", WON.code)
    page.get_by_text("Menu", exact=True).click()
    page.get_by_role("link", name="Is it still winnable?").click()
    page.get_by_role("button", name="Check if it can be won").click()
    until = time.monotonic() + SEARCHED / 1000
    while not page.get_by_text(YES).count() and time.monotonic() < until:
        page.wait_for_timeout(250)
        with page.expect_navigation():  # or the next round reads the page that is being left
            page.get_by_role("link", name="Refresh").click()
    expect(page.get_by_text(YES)).to_be_visible()


def test_a_dead_end_leads_back_to_the_last_winnable_position(page, open_game):
    """It says what it means before it looks; one tap goes back, and what was undone can be redone."""
    game_page = open_game(page, "freecell", STUCK.code)
    game_page.play_unseen(STUCK.moves)
    address = page.url
    offer = page.locator(".ending").get_by_role("link", name="Find the last winnable position")
    offer.click()
    sheet = page.get_by_role("dialog", name="Find the last winnable position")
    expect(sheet.get_by_text("will be marked as assisted")).to_be_visible()
    expect(page.locator(".game-bar .assisted")).to_have_count(0)
    sheet.get_by_role("button", name="Find the last winnable position").click()
    back = sheet.get_by_role("button", name="Go back to move 6")
    expect(sheet.get_by_role("heading")).to_have_text("Find the last winnable position")
    expect(back).to_be_visible(timeout=SEARCHED)
    expect(sheet.get_by_text("It could still be won after move 6, 5 moves ago.")).to_be_visible()
    expect(page.locator(".game-bar .assisted")).to_have_count(1)
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    expect(offer).to_be_focused()
    game_page.expect_version(len(STUCK.moves))  # nothing has happened yet
    offer.click()
    back.click()
    game_page.expect_version(len(STUCK.moves) + 5)
    expect(sheet).to_be_hidden()
    expect(page.locator(".ending")).to_have_count(0)
    expect(game_page.notice).to_have_text("You are back at move 6, and you can win from here.")
    expect(page.locator(".rail .undo")).to_be_focused()
    assert page.url == address
    assert set(game_page.moves) >= {STUCK.moves[6]}
    page.keyboard.press("r")
    game_page.expect_version(len(STUCK.moves) + 6)
    assert game_page.page_errors == []


def test_a_way_back_that_another_page_has_taken_changes_nothing(page, open_game):
    game_page = open_game(page, "freecell", STUCK.code)
    game_page.play_unseen(STUCK.moves)
    page.locator(".ending .find").click()
    page.locator("#asked .primary").click()
    back = page.get_by_role("button", name="Go back to move 6")
    expect(back).to_be_visible(timeout=SEARCHED)
    form = {"version": len(STUCK.moves)}
    page.request.post(f"{page.url}/undo", form=form, max_redirects=0)
    back.click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    game_page.expect_version(len(STUCK.moves) + 1)
    expect(game_page.notice).to_have_text("The game has changed. Here it is now.")


def test_a_game_that_is_assisted_already_is_searched_at_once(page, open_game):
    game_page = open_game(page, "bristol", WON.code)
    game_page.play(WON.moves[0])
    page.request.post(f"{page.url}/help/winnable", form={"version": 1}, max_redirects=0)
    game_page.play(WON.moves[1])
    sheet = open_question(page)
    expect(sheet.get_by_text(YES)).to_be_visible(timeout=SEARCHED)


def test_the_solvers_way_is_walked_beside_the_game(page, open_game):
    game = lose(page, open_game)
    page.goto(f"{game}/replay")
    page.get_by_role("button", name="Review this game").click()
    expect(page.get_by_text(re.compile("Found|It could be won up to"))).to_be_visible(
        timeout=SEARCHED
    )
    page.goto(f"{game}/replay")
    expect(page.get_by_text("It could be won up to step")).to_be_visible()
    step = page.get_by_role("link", name=re.compile(r"Go to step \d+")).inner_text().split()[-1]
    page.goto(f"{game}/replay?at=0&line=solver")
    expect(page.locator(".step-line b")).to_have_text(re.compile(r"Solver's step 0 of \d+"))
    page.keyboard.press("ArrowRight")
    expect(page.locator("#table")).to_have_attribute("data-at", "1")
    expect(page).to_have_url(re.compile(r"\?at=1&line=solver$"))
    page.keyboard.press("End")
    kings = page.locator(".foundations").get_by_role(
        "group", name=re.compile("king of", re.IGNORECASE)
    )
    expect(kings).to_have_count(4)
    page.locator(".menu summary").click()
    expect(page.get_by_role("list", name="The solver's moves")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("list", name="Moves", exact=True).get_by_role("link").first.click()
    expect(page).to_have_url(re.compile(rf"\?at={int(step) + 1}$"))
    page.get_by_role("link", name=f"Go to step {step}").click()
    expect(page.locator("#table")).to_have_attribute("data-at", step)
    size = page.viewport_size
    page.set_viewport_size({"width": 390, "height": 844})
    parts = (".pace select", ".fork button", ".leads", ".step-line .chance", ".told", ".rail")
    boxes = [page.locator(part).bounding_box() for part in parts]
    rows = [boxes[0], *boxes[3:]]
    assert {round(box["y"]) for box in boxes[:3]} == {round(boxes[0]["y"])}  # one row of buttons
    for above, below in pairwise(rows):
        assert below["y"] >= above["y"] + above["height"] + 8
    label = page.locator(".chance span").bounding_box()
    assert label["width"] > 40
    page.set_viewport_size(size)
    page.get_by_role("link", name="See the review").click()
    page.get_by_role("link", name="Show this position on the table").click()
    page.get_by_role("button", name="Play on from here").click()
    expect(page.locator("#state")).to_have_attribute("data-version", step)
