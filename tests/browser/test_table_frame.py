"""What lies around the board: the line with moves and clock, the menu, and the ending."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import GUIDED
from tests.browser.faults import all_faults, resize
from tests.browser.game_page import SLOW_MOTION, GamePage, overlapping_in_the_line, wait_until
from tests.browser.interception import intercept
from tests.golden.records import RECORDS

if TYPE_CHECKING:
    from playwright.sync_api import FloatRect, Locator, Page, Route

pytestmark = pytest.mark.kept_page

BRISTOL = "7KQ4M-2XWTP"
WITH_A_CHOICE = "00000-00003"  # Bristol: t3 may go to t4 or t7, and to no foundation
LOST = next(r for r in RECORDS if (r.ruleset, r.end) == ("bristol", "lost") and r.code)
WON = next(r for r in RECORDS if (r.ruleset, r.end) == ("bristol", "won") and r.code)
PHONE = (390, 844)
SIZES = [PHONE, (844, 390), (1024, 768), (1440, 900)]
ROWS = ".sheet :is(:is(section, .rows) > :is(a, button), section > form > button, summary)"
ANOTHER = re.compile("New deal|An easier deal")  # by whether this one has been judged yet
INDEX = 14  # pixels of a fanned card that show its rank
RINGED = """() => [...document.querySelectorAll("#table .pile button:not(.empty) svg")]
  .filter((card) => getComputedStyle(card).outlineStyle !== "none").length"""
CARDS = "#table .pile > :is(button:not(.empty), b, i)"
COVERED = """(cards, note) => cards.filter((card) => {
  const box = (card.querySelector("svg") ?? card).getBoundingClientRect();
  return Math.min(box.right, note.x + note.width) > Math.max(box.left, note.x)
    && Math.min(box.bottom, note.y + note.height) > Math.max(box.top, note.y);
}).length"""
WITH_A_NOTE = """(note) => new Promise((onload, onerror) => {
  const sheet = document.createElement("link");
  const href = document.querySelector('link[href*="cards.css"]').href.replace("cards.css", "deals.css");
  Object.assign(sheet, { rel: "stylesheet", href, onload, onerror });
  document.head.append(sheet);
  document.getElementById("notice").insertAdjacentHTML("beforebegin",
    `<form class="nearest">${note}</form>`);
})"""


def test_the_line_on_a_phone_shows_the_whole_name(page_with, open_game, site_address):
    page = page_with(viewport={"width": PHONE[0], "height": PHONE[1]})
    open_game(page, "terrace", "00000-00000")
    headers = {"Origin": site_address}
    page.request.post(f"{page.url}/watch/audience", form={"audience": "public"}, headers=headers)
    page.reload()
    expect(page.locator("#watchable")).to_have_text("Everyone can watch")  # for screen readers
    expect(page.locator(".watched")).to_be_visible()
    expect(page.locator("#status")).to_contain_text("0 moves")
    name = page.locator("h1").evaluate("(name) => [name.scrollWidth, name.clientWidth]")
    assert name[0] <= name[1]


def test_who_watches_on_a_phone_reads_the_game_and_the_player(page_with, open_game):
    page = page_with()
    open_game(page, "blondes-and-brunettes-till-dawn", "00000-00000")
    watching = page_with(viewport={"width": PHONE[0], "height": PHONE[1]})
    watching.goto(page.url)
    expect(watching.locator("#viewers")).to_be_visible()
    for part in (".game-bar h1", ".game-bar .whose"):
        words = watching.locator(part).evaluate("(part) => [part.scrollWidth, part.clientWidth]")
        assert words[0] <= words[1]
    title, player = (
        watching.locator(f".game-bar {part}").bounding_box() for part in ("h1", ".whose")
    )
    assert player["y"] >= title["y"] + title["height"] - 1
    assert overlapping_in_the_line(watching) == []


@pytest.mark.parametrize("ruleset", ["rouge-et-noir", "blondes-and-brunettes-till-dawn"])
def test_the_line_on_a_phone_names_its_number_beside_an_occasion(page_with, open_game, ruleset):
    page = page_with(viewport={"width": PHONE[0], "height": PHONE[1]})
    open_game(page, ruleset, "00000-00000")
    page.locator(".game-bar .name").evaluate(
        """name => name.insertAdjacentHTML("beforeend",
            '<span class="occasion">Daily<span class="spared"> 22 Nov</span></span>')"""
    )
    word = page.locator("#status .spared").bounding_box()
    assert word["width"] > 10  # not only the bare number
    assert overlapping_in_the_line(page) == []
    name, occasion = (
        page.locator(f".game-bar {part}").last.bounding_box() for part in (".name", ".occasion")
    )
    assert occasion["y"] + occasion["height"] <= name["y"] + name["height"] + 1, "it is cut off"
    assert page.locator(".top").bounding_box()["height"] <= 44


@pytest.mark.parametrize("size", [PHONE, (844, 390)])
def test_name_and_difficulty_stand_in_the_line_on_a_touch_screen(page_with, open_game, size):
    """A finger needs a high word to press, which takes no more of the line than it shows."""
    page = page_with(viewport={"width": size[0], "height": size[1]}, has_touch=True)
    for ruleset in ("klondike", "blondes-and-brunettes-till-dawn"):
        open_game(page, ruleset, "00000-00000")
        page.locator(".game-bar .name").evaluate(
            """name => name.insertAdjacentHTML("beforeend",
                '<details class="occasion"><summary>gentle</summary><p>Words</p></details>')"""
        )
        bar, name, grade = (
            page.locator(part).last.bounding_box() for part in (".top", "h1", ".game-bar .occasion")
        )
        assert name["y"] >= 2
        assert grade["y"] + grade["height"] <= bar["height"] - 2
        middle = (name["y"] + grade["y"] + grade["height"]) / 2
        assert middle == pytest.approx(bar["height"] / 2, abs=2)
        word = page.locator("details.occasion > summary").last.bounding_box()
        assert word["height"] >= 44


@pytest.mark.parametrize("width", [320, PHONE[0]])
def test_what_was_found_has_a_line_of_its_own_on_a_phone(page_with, open_game, width):
    page = page_with(viewport={"width": width, "height": PHONE[1]})
    open_game(page, "beleaguered-castle", "00000-00000")
    page.locator(".game-bar .name").evaluate(
        """name => {
          name.querySelector(".occasion")?.remove();
          name.insertAdjacentHTML("beforeend",
            '<details class="occasion"><summary>gentle</summary><p>Words</p></details>'
            + '<span class="assisted">assisted</span>'
            + '<span class="answered" data-moves="0">Not winnable after move 13</span>');
        }"""
    )
    bar, name, grade, found = (
        page.locator(part).bounding_box()
        for part in (".top", "h1", ".game-bar .occasion", ".answered")
    )
    assert bar["height"] <= 44
    assert name["y"] >= 2
    assert grade["y"] < name["y"] + name["height"] / 2, "beside the name"
    assert found["y"] >= name["y"] + name["height"]
    assert found["y"] + found["height"] <= bar["height"]
    for part in ("h1", ".answered"):
        words = page.locator(part).evaluate("(part) => [part.scrollWidth, part.clientWidth]")
        assert words[0] <= words[1]


def test_a_press_on_the_word_beside_the_name_says_what_it_means(page, open_game):
    open_game(page, "klondike", "00000-00000")
    word, meaning = (page.locator(f".occasion > {part}") for part in ("summary", "p"))
    with all_faults() as at:
        for size in (PHONE, (844, 390), (1440, 900)):
            with at(f"{size}"):
                resize(page, *size)
                cards = page.locator("#t1").bounding_box()
                expect(meaning).to_be_hidden()
                word.click()
                expect(meaning).to_have_text("Might not be winnable")
                box = meaning.bounding_box()
                assert box["x"] >= 0
                assert box["x"] + box["width"] <= size[0]
                assert page.locator("#t1").bounding_box() == cards
                page.mouse.click(size[0] / 2, size[1] - 160)
                expect(meaning).to_be_hidden()
                word.focus()
                page.keyboard.press("Enter")
                expect(meaning).to_be_visible()
                page.keyboard.press("Enter")


@pytest.mark.parametrize("ruleset", ["signora", "terrace"])
def test_on_a_phone_on_its_side_what_is_first_lies_beside_the_name(page, open_game, ruleset):
    open_game(page, ruleset, "00000-00001")
    page.locator(".game-bar .name").evaluate(
        """name => name.insertAdjacentHTML("beforeend",
            '<span class="occasion">Daily<span class="spared"> 25 Nov</span></span>')"""
    )
    page.locator("#status .clock").evaluate("clock => clock.classList.remove('pauses')")
    with all_faults() as at:
        for size in ((844, 390), (740, 360)):
            with at(f"{ruleset} {size}"):
                resize(page, *size)
                expect(page.locator("#notice .first")).to_contain_text("Start the foundations")
                assert overlapping_in_the_line(page) == []
                assert page.locator("h1").evaluate("name => name.scrollWidth <= name.clientWidth")
                first = page.locator("#notice .first").bounding_box()
                assert first
                assert first["height"] < 36  # two short lines
                tops = page.locator("#table .pile svg").evaluate_all(
                    "cards => cards.map((card) => card.getBoundingClientRect().top)"
                )
                assert first["y"] + first["height"] <= min(tops)


def test_on_a_phone_on_its_side_the_stock_deals_and_the_keyboard_has_a_button(page, open_game):
    page.set_viewport_size({"width": 844, "height": 390})
    game_page = open_game(page, "bristol", "00000-00001")
    deal = page.locator(".rail .deal")
    assert deal.bounding_box()["height"] == 0
    page.locator("#stock > button").click()
    game_page.expect_version(1)
    page.locator(".rail .undo").focus()
    page.keyboard.press("Shift+Tab")
    expect(deal).to_be_focused()
    assert deal.bounding_box()["height"] >= 44
    page.keyboard.press("Enter")
    game_page.expect_version(2)
    page.keyboard.press("d")
    game_page.expect_version(3)


def test_on_a_phone_on_its_side_a_stock_that_may_play_its_card_has_a_button_beside_it(
    page, open_game
):
    page.set_viewport_size({"width": 844, "height": 390})
    open_game(page, "terrace", "00000-00001")
    assert page.locator(".rail .deal").bounding_box()["height"] >= 44


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


def test_on_a_large_screen_the_rail_grows_with_the_cards(page, open_game):
    page.set_viewport_size({"width": 1440, "height": 900})
    open_game(page, "freecell", BRISTOL)
    size = """() => { const hint = document.querySelector(".rail .hint");
      return [hint.querySelector("svg").clientWidth, parseFloat(getComputedStyle(hint).fontSize)]; }"""
    usual = page.evaluate(size)
    page.set_viewport_size({"width": 2560, "height": 1440})
    assert all(new >= 1.65 * old for new, old in zip(page.evaluate(size), usual, strict=True))


@pytest.mark.parametrize("size", [(1440, 900), (2560, 1440)])
def test_on_a_large_screen_each_button_is_at_one_height_in_all_games(page, open_game, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    heights = []
    for ruleset in ("freecell", "klondike", "bristol", "signora"):
        open_game(page, ruleset, BRISTOL)
        boxes = [page.locator(f".rail .{name}").bounding_box() for name in ("undo", "redo", "hint")]
        heights.append([round(box["y"]) for box in boxes if box])
    assert len(heights[0]) == 3
    assert heights == heights[:1] * 4


def test_on_a_large_screen_a_short_game_fills_the_height(page_with, open_game):
    page = page_with(viewport={"width": 2560, "height": 1440})
    open_game(page, "klondike", BRISTOL)
    ends = page.locator("#table .pile svg").evaluate_all(
        "all => all.map(card => card.getBoundingClientRect().bottom)"
    )
    assert max(ends) >= 0.7 * 1440


def test_on_a_large_screen_the_menu_and_the_tips_grow_with_the_cards(page_with, open_game):
    page = page_with(viewport={"width": 1440, "height": 900})
    open_game(page, "bristol", BRISTOL)
    page.locator(".menu > summary").click()
    heights = """() => [".sheet section svg", ".sheet .sharing summary", ".coach .next"].map(
      (name) => document.querySelector(name).getBoundingClientRect().height)"""
    usual = page.evaluate(heights)
    page.set_viewport_size({"width": 2560, "height": 1440})
    assert [new / old for new, old in zip(page.evaluate(heights), usual, strict=True)] == (
        pytest.approx([1.5] * 3, rel=0.05)
    )


def test_a_tapped_button_of_the_rail_does_not_stay_lit(browser, browser_context_args, site_address):
    touch = browser.new_context(
        **browser_context_args | {"viewport": {"width": PHONE[0], "height": PHONE[1]}},
        is_mobile=True,
        has_touch=True,
    )
    page = GamePage.start(touch.new_page(), site_address, "freecell", BRISTOL).page
    undo = page.locator(".rail .undo")
    undo.hover()  # as after a tap on a telephone
    assert undo.evaluate("button => button.matches(':hover')")
    background = undo.evaluate("button => getComputedStyle(button).backgroundColor")
    assert background == "rgba(0, 0, 0, 0)"
    touch.close()


@pytest.mark.parametrize("ruleset", ["blondes-and-brunettes-till-dawn", "beleaguered-castle"])
def test_a_line_of_any_width_has_the_whole_title_of_a_game(page, open_game, ruleset):
    cut = "title => title.scrollWidth > title.clientWidth"
    open_game(page, ruleset, BRISTOL)
    title = page.locator("h1")
    for width, height in ((320, 640), (390, 844), (844, 390), (1024, 768), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        assert not title.evaluate(cut), width


@pytest.mark.parametrize("ruleset", ["freecell", "terrace"])
def test_empty_places_have_an_outline(page, open_game, ruleset):
    open_game(page, ruleset, BRISTOL)
    with all_faults() as at:
        for size in (PHONE, (844, 390), (1440, 900)):
            with at(f"{ruleset} {size}"):
                resize(page, *size)
                edges = page.locator("#table .empty").evaluate_all(
                    "places => places.map((place) => getComputedStyle(place).borderTopStyle)"
                )
                assert set(edges) == {"dashed"}
                assert len(edges) >= 8  # foundations, with free cells or empty columns


def test_a_hint_has_the_word_and_the_only_rings(page, open_game):
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    open_game(page, "terrace", BRISTOL)
    page.evaluate(WITH_A_NOTE, "Terrace is hard to win.")
    assert page.evaluate(RINGED) == 3  # the columns of which one begins the foundations
    expect(page.locator(".nearest")).to_be_visible()
    page.locator(".rail .hint").click()
    expect(page.locator(".pile button.advised")).to_have_count(1)
    expect(page.locator(".nearest")).to_be_hidden()
    assert page.evaluate(RINGED) == 1  # what to play; it goes to an empty place


@pytest.mark.parametrize(
    ("ruleset", "note"),
    [
        (
            "spider",
            (
                "<span>Spider is hard to win. Spider (One Suit) is a gentler start.</span>"
                "<button>Play a gentle Spider (One Suit)</button>"
            ),
        ),
        (
            "freecell",
            "There is no gentle deal of FreeCell ready, so you got the nearest one: fiendish.",
        ),
    ],
)
def test_a_note_about_the_deal_covers_no_card_and_goes(page_with, open_game, ruleset, note):
    page = page_with()
    game_page = open_game(page, ruleset, BRISTOL)
    shown = page.locator(".nearest")
    with all_faults() as at:
        for size in SIZES:
            with at(f"{ruleset} {size}"):
                resize(page, *size)
                before = page.locator("#rail").bounding_box()
                page.evaluate(WITH_A_NOTE, note)
                heights = page.locator(".nearest button").evaluate_all(
                    "buttons => buttons.map((button) => button.getBoundingClientRect().height)"
                )
                assert all(height >= 36 for height in heights), "a finger misses it"
                assert page.locator("#rail").bounding_box() == before
                box = shown.bounding_box()
                assert box
                assert box["width"] <= 480
                assert box["y"] + box["height"] <= size[1]
                assert page.locator(CARDS).evaluate_all(COVERED, box) == 0
            shown.evaluate("note => note.remove()")
    page.evaluate(WITH_A_NOTE, note)
    expect(shown).to_be_visible()
    game_page.play(game_page.moves[0])
    for size in SIZES:
        resize(page, *size)
        expect(shown).to_be_hidden()


def test_the_line_above_the_board_counts_the_moves(page, open_game):
    game_page = open_game(page, "bristol", WITH_A_CHOICE)
    line = page.locator("#status")
    expect(line).to_contain_text("0 moves")
    game_page.drag("t3", "t4")
    game_page.expect_version(1)
    expect(line).to_contain_text("1 move")
    page.keyboard.press("u")
    game_page.expect_version(2)
    expect(line).to_contain_text("0 moves")
    page.keyboard.press("r")
    game_page.expect_version(3)
    expect(line).to_contain_text("1 move")


def test_what_must_be_chosen_before_the_first_move_goes_with_it(page, open_game):
    game_page = open_game(page, "bristol", WITH_A_CHOICE)
    choice = page.get_by_text("Show spectators the chance")
    menu = page.locator(".menu > summary")
    menu.click()
    page.locator(".sharing > summary").click()
    expect(choice).to_be_visible()
    menu.click()
    game_page.drag("t3", "t4")
    game_page.expect_version(1)
    menu.click()
    page.locator(".sharing > summary").click()
    expect(page.get_by_role("link", name="Share this deal")).to_be_visible()
    expect(choice).to_be_hidden()


def test_a_form_that_comes_too_late_leads_back_to_the_table(page, open_game):
    game_page = open_game(page, "bristol", WITH_A_CHOICE)
    address = page.url
    other = page.context.new_page()
    other.goto(address)
    game_page.drag("t3", "t4")
    game_page.expect_version(1)
    other.locator("form[action$='/watch/chance']").evaluate("form => form.requestSubmit()")
    expect(other.locator("#notice")).to_contain_text("Choose before the first move")
    expect(other.locator("#state")).to_have_attribute("data-version", "1")
    assert other.url == address
    other.reload()
    expect(other.locator("#notice")).not_to_contain_text("Choose before the first move")
    expect(other.locator("#table")).to_be_visible()


def test_the_clock_of_an_open_game_is_a_choice(page, open_game, site_address):
    open_game(page, "bristol", BRISTOL)
    clock = page.locator("#status .clock")
    expect(clock).to_be_hidden()
    page.get_by_text("Menu", exact=True).click()
    page.get_by_role("link", name="Settings").click()
    page.get_by_text("Clock and automatic moves").click()
    page.locator(".of-clock .is-on").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.get_by_role("link", name="Done").click()
    expect(clock).to_be_visible()
    expect(clock).to_have_text(re.compile("0:(0[2-9]|[1-5])"))  # it counts without an answer


def test_the_clock_counts_on_after_an_answer_and_moves_nothing(page, open_game, site_address):
    page.context.add_cookies(
        [
            {
                "name": "fd_look",
                "value": "auto.two.right.sage.lattice.normal.off.off.on",
                "url": site_address,
            }
        ]
    )
    game_page = open_game(page, "bristol", WITH_A_CHOICE)
    clock = page.locator("#status .clock")
    expect(clock).to_have_text(re.compile("0:(0[2-9]|[1-5])"))
    count = page.locator("#status span").first.bounding_box()
    game_page.click("t3")  # picked up only: the time goes on
    expect(page.locator(".pile.lit")).to_have_count(2)
    assert _seconds(clock.inner_text()) >= 2
    game_page.click("t4")
    game_page.expect_version(1)
    expect(clock).to_have_text(re.compile("0:(0[5-9]|[1-5])"))
    page.keyboard.press("u")
    game_page.expect_version(2)
    assert page.locator("#status .clock").bounding_box()["width"] > 0
    assert count
    assert page.locator("#status span").first.bounding_box()["y"] == count["y"]


def _seconds(text: str) -> int:
    minutes, seconds = text.split(":")
    return 60 * int(minutes) + int(seconds)


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
        "Show spectators the chance",
        "Resign",
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
    for is_sharing in (False, True):
        if is_sharing:
            resign.dispatch_event("click")
            page.locator(".sharing > summary").dispatch_event("click")
        box = resign.bounding_box()
        middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.click(*middle)  # it does not scroll there, as Playwright would
        expect(yes).to_be_visible()
        wait_until(page, lambda: yes.evaluate(IN_VIEW))  # it is scrolled there, if need be
        # Read from above: what it is, the question, and the way back under the hand.
        heading = page.locator(".question h2")
        expect(heading).to_have_text("Resign")
        assert heading.bounding_box()["y"] < yes.bounding_box()["y"] < resign.bounding_box()["y"]
        expect(page.locator(".end .when-open")).to_have_text("Back to the game")
        expect(page.locator(".end .when-closed")).to_be_hidden()
        assert resign.bounding_box() == pytest.approx(
            box, abs=1
        )  # a second click closes it, and does not resign
    page.mouse.click(*(yes.bounding_box()[side] + 10 for side in ("x", "y")))
    expect(page.get_by_role("heading", name="Resigned")).to_be_visible()


def test_an_open_row_of_the_menu_is_one_box_with_what_it_opened(page, open_game):
    open_game(page, "bristol", BRISTOL)
    page.locator(".menu > summary").click()
    color = "(row) => getComputedStyle(row).backgroundColor"
    for row in (".sharing", ".end .sure"):
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
def test_sharing_is_a_panel_in_place_of_the_other_rows(page_with, open_game, has_script):
    page = page_with(java_script_enabled=has_script)
    open_game(page, "bristol", BRISTOL)
    page.locator(".menu > summary").click()
    sheet, share = page.locator(".sheet"), page.locator(".sharing > summary")
    settings = sheet.get_by_role("link", name="Settings")
    together = sheet.get_by_role("button", name="Play together")
    with all_faults() as at:
        for size in SIZES:
            with at(f"{size}"):
                resize(page, *size, has_script=has_script)
                box = share.bounding_box()
                hand = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
                for _ in range(2):  # its row stays under the hand: a second click leads back
                    page.mouse.click(*hand)
                    expect(page.get_by_role("link", name="Share this deal")).to_be_visible()
                    expect(settings).to_be_hidden()
                    expect(together).to_be_hidden()
                    assert sheet.bounding_box()["y"] >= 0
                    expect(share.locator(".when-open")).to_be_visible()  # "Back"
                    page.mouse.click(*hand)
                    expect(settings).to_be_visible()


def test_who_opens_the_menu_again_has_not_been_asked_anything(page, open_game):
    open_game(page, "bristol", BRISTOL)
    menu = page.locator(".menu > summary")
    menu.click()
    page.locator(".end summary").click()
    expect(page.locator(".question")).to_be_visible()
    menu.click()
    menu.click()
    expect(page.locator(".end summary")).to_be_visible()
    expect(page.locator(".question")).to_be_hidden()
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
                assert len(heights) > 12
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
    expect(page.get_by_role("heading", name="Resigned")).to_be_visible()
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


def test_a_phone_without_keys_is_shown_none(page_with, open_game):
    page = page_with(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    open_game(page, "bristol", BRISTOL)
    page.locator(".menu > summary").tap()
    expect(page.get_by_role("link", name="Rules of Bristol")).to_be_visible()
    expect(page.get_by_role("button", name="Keyboard shortcuts")).to_be_hidden()
    sheet = page.locator(".sheet").bounding_box()
    assert sheet["x"] >= 0
    assert sheet["x"] + sheet["width"] <= 390


def test_no_covered_card_rises_over_those_on_it(page, open_game):
    """Under a mouse that rests where a card was dropped, and while it is pressed."""
    game_page = open_game(page, "freecell", "00000-00001")  # t8 ends with a run of three
    covered, last = game_page.box("t8:2"), game_page.box("t8")
    clip: FloatRect = {  # without the edges, whose shadows differ
        "x": last["x"] + INDEX,
        "y": last["y"] + INDEX,
        "width": last["width"] - 2 * INDEX,
        "height": last["height"] / 3,
    }
    page.mouse.move(5, 400)
    page.wait_for_timeout(300)
    before = page.screenshot(clip=clip)
    page.mouse.move(covered["x"] + 40, covered["y"] + 8)
    page.wait_for_timeout(300)  # of any transition
    assert page.screenshot(clip=clip) == before
    edge = "card => getComputedStyle(card).boxShadow"
    assert page.locator('#t8 [value="t8:2"] svg').evaluate(edge) != page.locator(
        "#t8 [value=t8] svg"
    ).evaluate(edge), "nothing shows what the mouse is on"


SHOWN = "card => getComputedStyle(card).getPropertyValue('--card-middle').trim() !== 'none'"


def test_a_covered_card_has_only_its_index_until_it_can_be_seen(page, open_game):
    """In the first column lies a queen below the last card; the king of the fourth takes a queen."""
    record = next(record for record in RECORDS if record.name == "freecell-won")
    page.set_viewport_size({"width": 1440, "height": 900})
    game_page = open_game(page, "freecell", record.code)
    game_page.play_unseen(record.moves[:12])
    queen = page.locator("#t1 > :nth-last-child(2) svg")
    king = page.locator("#t4 > :last-child")
    assert not queen.evaluate(SHOWN)
    assert king.locator("svg").evaluate(SHOWN)
    page.set_viewport_size({"width": 768, "height": 1024})
    assert not queen.evaluate(SHOWN)
    page.set_viewport_size({"width": 1440, "height": 900})

    box = page.locator("#t1 > :last-child").bounding_box()
    page.mouse.move(box["x"] + 40, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + 60, box["y"] + 160, steps=4)
    assert queen.evaluate(SHOWN), "the card on it is lifted"
    page.mouse.up()
    expect(page.locator(".lifted")).to_have_count(0)
    assert not queen.evaluate(SHOWN)

    king = page.locator("#t4 > b, #t4 > button").nth(king.evaluate(PLACE))
    page.evaluate(SLOW_MOTION)
    page.locator("#t2 > button").last.click()
    game_page.expect_version(13)
    page.wait_for_timeout(100)
    assert king.locator("svg").evaluate(SHOWN), "the queen is on its way"
    page.wait_for_timeout(2000)
    assert not king.locator("svg").evaluate(SHOWN)


PLACE = "card => [...card.parentElement.children].indexOf(card)"


def test_what_is_held_and_where_it_may_go_look_different(page, open_game):
    game_page = open_game(page, "bristol", WITH_A_CHOICE)
    game_page.click("t3")
    expect(page.locator(".pile.lit")).to_have_count(2)
    for forced in (None, "active"):
        page.emulate_media(forced_colors=forced)
        page.wait_for_timeout(200)
        held = _ring(page, ".pile [aria-pressed=true] svg")
        target = _ring(page, ".pile.lit > button:last-of-type svg")
        assert held != target
    page.emulate_media(forced_colors=None)
    resting = page.evaluate(
        "() => getComputedStyle(document.querySelector('.pile [aria-pressed=true] svg')).translate"
    )
    assert resting not in {"none", "0px"}


def _ring(page: Page, selector: str) -> tuple[str, str]:
    ring: list[str] = page.evaluate(
        """(selector) => {
          const style = getComputedStyle(document.querySelector(selector));
          return [style.outlineStyle, style.outlineColor];
        }""",
        selector,
    )
    return ring[0], ring[1]


def test_a_lost_game_keeps_its_fans_readable(page, open_game):
    game_page = open_game(page, "bristol", LOST.code)
    game_page.play_unseen(LOST.moves)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        game_page.expect_version(len(LOST.moves))
        ending = page.locator(".ending")
        expect(ending.get_by_role("heading", name="No moves left")).to_be_visible()
        words = ending.locator(".choices :is(button, a, summary):visible")
        heading, fact = (ending.locator(part).bounding_box() for part in ("h2", ".fact"))
        if width > PHONE[0] and height > 400:  # a phone has room for one line
            assert fact["y"] >= heading["y"] + heading["height"] - 2, f"at {width}x{height}"
        first = ["Undo", "Find the last winnable position", ANOTHER, "More"]
        expect(ending.locator(".primary")).to_have_text("Undo")
        expect(words).to_have_text(first)
        _check_strip(page, height)
        ending.get_by_text("More", exact=True).click()
        folded = [
            "Undo",
            "More",
            "Try this deal again",
            "Review this game",
            "Replay",
            "Share",
            "Other games",
        ]
        expect(words).to_have_text(folded)
        _check_strip(page, height)
        ending.get_by_text("More", exact=True).click()
        expect(words).to_have_text(first)


def test_a_resigned_game_keeps_its_board(page_with, open_game):
    page = page_with()
    open_game(page, "signora", LOST.code)
    tops = {size: _tops_of_foundations(page, size) for size in SIZES}
    page.locator(".menu > summary").click()
    page.locator(".end summary").click()
    page.get_by_role("button", name="Yes, resign").click()
    ending = page.locator(".ending")
    expect(ending.get_by_role("heading", name="Resigned")).to_be_visible()
    with all_faults() as at:
        for size in SIZES:
            with at(size):
                assert _tops_of_foundations(page, size) == tops[size]
                strip = ending.bounding_box()
                assert strip
                assert strip["height"] <= (176 if size == PHONE else 116)
                if size == (844, 390):
                    primary = ending.locator(".choices > .secondary, .choices > .primary").first
                    expect(primary).to_have_css("padding-inline-start", "10px")
                # That no card got home is not worth a word.
                expect(ending.locator(".fact")).to_have_count(0)
                expect(ending).to_contain_text("That was a short game.")
                for button in page.locator(".rail > button").all():
                    expect(button).to_be_hidden()  # each would only say that the game is over
                expect(page.locator(".menu > summary")).to_be_visible()
                words = ending.locator(".choices :is(button, a, summary):visible")
                expect(words).to_have_text(
                    ["Try this deal again", ANOTHER, "Review this game", "More"]
                )
                if size == PHONE:
                    first, *others = [button.bounding_box() for button in words.all()]
                    assert all(other["y"] == others[0]["y"] > first["y"] for other in others)
                    assert first["width"] > PHONE[0] * 0.85
                _check_strip(page, size[1])
                words.last.click()
                expect(words.first).to_have_text("Try this deal again")
                _check_strip(page, size[1])
                ending.get_by_text("More", exact=True).click()


@pytest.mark.parametrize("name", ["bristol-won", "dover-won"])
def test_a_win_leaves_the_foundations_where_they_were_on_a_large_screen(page, open_game, name):
    won = next(record for record in RECORDS if record.name == name)
    game_page = open_game(page, won.ruleset, won.code)
    sizes = [
        (960, 700),
        (1024, 768),
        (1120, 740),
        (1280, 800),
        (1440, 900),
        (1920, 1080),
        (2560, 1440),
    ]
    tops = {size: _tops_of_foundations(page, size) for size in sizes}
    game_page.play_unseen(won.moves)
    expect(page.locator(".ending")).to_be_visible()
    for size in sizes:
        after = _tops_of_foundations(page, size)
        panel = page.locator(".ending").bounding_box()
        assert panel
        for home, before in zip(after, tops[size], strict=True):
            assert home["y"] == pytest.approx(before["y"], abs=1), f"at {size}"
            assert home["x"] == pytest.approx(before["x"], abs=1), f"at {size}"
            assert panel["x"] + panel["width"] <= home["x"], f"at {size}"


@pytest.mark.parametrize("name", ["bristol-won", "freecell-won", "eight-off-won", "signora-won"])
def test_on_a_large_screen_a_win_lies_in_the_middle_of_the_free_cloth(page, open_game, name):
    won = next(record for record in RECORDS if record.name == name)
    open_game(page, won.ruleset, won.code).play_unseen(won.moves)
    expect(page.locator(".ending")).to_be_visible()
    for size in [(1440, 900), (1920, 1080), (2560, 1440)]:
        homes = _tops_of_foundations(page, size)
        panel, cloth = (page.locator(each).bounding_box() for each in (".ending", ".cloth"))
        assert panel
        assert cloth
        beside = min(home["x"] for home in homes) >= panel["x"] + panel["width"]
        top = cloth["y"] if beside else max(home["y"] + home["height"] for home in homes)
        above = panel["y"] - top
        below = cloth["y"] + cloth["height"] - panel["y"] - panel["height"]
        assert above >= 0, f"at {size}"
        assert above == pytest.approx(below, abs=0.05 * size[1]), f"at {size}"
        assert panel["width"] >= 0.4 * size[0], f"at {size}"


def _tops_of_foundations(page: Page, size: tuple[int, int]) -> list[Any]:
    resize(page, *size)
    return [pile.bounding_box() for pile in page.locator(".foundations .pile").all()]


_BOXES = "all => all.map((one) => one.getBoundingClientRect().toJSON())"
_CARDS_OF_COLUMNS = """columns => columns.map((column) => {
  const cards = [...column.querySelectorAll(":scope > b, :scope > button:not(.empty)")];
  return cards.map((card) => card.getBoundingClientRect().toJSON());
})"""


def _check_strip(page: Page, height: int) -> None:
    """Every choice lies within the strip, apart from the others, and the strip covers no card."""
    ending = page.locator(".ending")
    strip = ending.bounding_box()
    assert strip
    boxes: list[FloatRect] = ending.locator(":is(button, a, summary):visible").evaluate_all(_BOXES)
    for number, box in enumerate(boxes):
        assert strip["x"] <= box["x"]
        assert box["x"] + box["width"] <= strip["x"] + strip["width"] + 1
        assert box["y"] + box["height"] <= height
        for other in boxes[:number]:
            beside = (
                box["x"] >= other["x"] + other["width"] or other["x"] >= box["x"] + box["width"]
            )
            below = (
                box["y"] >= other["y"] + other["height"] or other["y"] >= box["y"] + box["height"]
            )
            assert beside or below
    columns: list[list[FloatRect]] = page.locator(".tableau .pile").evaluate_all(_CARDS_OF_COLUMNS)
    for cards in columns:
        for box in cards[:-1]:
            assert box["height"] >= INDEX
        for box in cards:
            is_above = box["y"] + box["height"] <= strip["y"] + 1
            assert is_above or box["y"] >= strip["y"] + strip["height"] - 1
    assert boxes
    assert any(columns)


def test_the_ending_is_moved_aside_and_stays_there(page, open_game):
    game_page = open_game(page, "bristol", LOST.code)
    game_page.play_unseen(LOST.moves)
    ending = page.locator(".ending")
    undo = ending.get_by_role("button", name="Undo")
    expect(undo).to_be_visible()
    aside = ending.locator(":scope > details > summary")
    aside.click()
    expect(undo).to_be_hidden()
    game_page.click("t3")  # an answer of the server
    page.wait_for_timeout(500)
    expect(undo).to_be_hidden()
    page.reload()
    expect(page.get_by_role("heading", name="No moves left")).to_be_visible()
    expect(undo).to_be_hidden()
    aside.click()
    undo.click()
    game_page.expect_version(len(LOST.moves) + 1)
    expect(ending).to_have_count(0)


def test_the_ending_folds_without_a_script(page_with, open_game):
    page = page_with(java_script_enabled=False)
    open_game(page, "bristol", LOST.code).play_unseen(LOST.moves)
    undo = page.locator(".ending").get_by_role("button", name="Undo")
    expect(undo).to_be_visible()
    page.locator(".ending").get_by_text("More", exact=True).click()
    expect(page.locator(".ending").get_by_role("link", name="Replay")).to_be_visible()
    expect(page.locator(".ending").get_by_role("link", name="Share")).to_be_visible()
    page.locator(".ending > details > summary").click()
    expect(undo).to_be_hidden()
    expect(page.locator(".ending").get_by_role("link", name="Replay")).to_be_hidden()


def _expect_buttons_alike(words: Locator) -> None:
    """Each is 8 pixels from the next one, and as high; all but the first look the same."""
    words.page.mouse.move(0, 0)
    boxes = [box for word in words.all() if (box := word.bounding_box())]
    for one, two in pairwise(boxes):
        across = two["x"] - one["x"] - one["width"]
        down = two["y"] - one["y"] - one["height"]
        assert max(across, down) == pytest.approx(8, abs=1)
    looks = words.evaluate_all(
        """all => all.slice(1).map((each) => {
          const { borderColor, textDecorationLine, backgroundColor } = getComputedStyle(each);
          return [borderColor, textDecorationLine, backgroundColor, each.offsetHeight].join();
        })"""
    )
    assert len({*looks}) == 1


@pytest.mark.parametrize("width", [1024, 1440])
def test_how_a_game_stands_is_read_with_its_name_and_apart_from_the_links(page, open_game, width):
    page.set_viewport_size({"width": width, "height": 800})
    open_game(page, "bristol", WON.code)
    name, status = (
        page.locator(f".game-bar {part}").bounding_box() for part in (".name", "#status")
    )
    links = page.locator(".game-bar nav").bounding_box()
    assert 0 <= status["x"] - name["x"] - name["width"] < 20
    assert links["x"] - status["x"] - status["width"] > 60
    for part in page.locator("#status, .occasion > summary").all():
        expect(part).to_have_css("text-decoration-line", "none")


def test_a_won_game_has_one_first_thing_to_do(page, open_game):
    open_game(page, "bristol", WON.code).play_unseen(WON.moves)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        ending = page.locator(".ending")
        expect(ending.get_by_role("heading", name="You won!")).to_be_visible()
        primary, claim = ending.locator(".primary"), ending.locator(".claim")
        expect(primary).to_have_text("Next deal gentle")
        words = ending.locator(".choices :is(button, a, summary):visible")
        first = ["Next deal gentle", "Review this game", "Challenge a friend", "Share", "More"]
        expect(words).to_have_text(first)
        _expect_buttons_alike(words)
        ending.get_by_text("More", exact=True).click()
        _expect_buttons_alike(words)
        expect(words).to_have_text([*first[:-1], "Replay", "Share this deal", "Other games"])
        expect(claim).to_have_text("Create an account to keep your results in every browser.")
        last = ending.get_by_role("link", name="Other games").bounding_box()
        below = claim.bounding_box()
        beside = below["x"] + below["width"] <= primary.bounding_box()["x"]
        assert beside or below["y"] >= last["y"] + last["height"], "after all that can be done"
        panel = ending.bounding_box()
        assert panel["y"] + panel["height"] <= height
        for home in page.locator(".foundations .pile svg").all():
            box = home.bounding_box()
            is_left = box["x"] + box["width"] <= panel["x"]
            beside = is_left or panel["x"] + panel["width"] <= box["x"]
            assert beside or box["y"] + box["height"] <= panel["y"], f"at {width}x{height}"


def test_a_long_press_spreads_a_fan_and_plays_nothing(page, open_game):
    game_page = open_game(page, "bristol", BRISTOL)
    fan = game_page.history.position.piles[game_page.history.rules.layout.index["t1"]]
    box = game_page.box("t1")
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    page.mouse.down()
    expect(page.locator(".spread svg")).to_have_count(len(fan.cards))
    page.mouse.up()
    page.wait_for_timeout(300)
    game_page.expect_version(0)
    expect(page.locator(".pile [aria-pressed=true], .lifted, .ghost")).to_have_count(0)
    page.mouse.click(5, 400)
    expect(page.locator(".spread")).to_have_count(0)
    game_page.card("t1").click(delay=50)  # a short press still plays
    expect(
        page.locator(".pile [aria-pressed=true], #state[data-version='1'], #notice .why")
    ).not_to_have_count(0)


def test_a_fan_that_is_spread_marks_the_card_pressed_and_closes_without_playing(page, open_game):
    game_page = open_game(page, "bristol", WITH_A_CHOICE)
    game_page.click("t3")
    held = page.locator("#table button[aria-pressed=true]")
    expect(held).to_have_count(1)
    box, other = game_page.box("t5"), game_page.box("t7")
    spread = page.locator(".spread")
    fan = game_page.history.position.piles[game_page.history.rules.layout.index["t5"]].cards
    for put_away in (
        lambda: page.mouse.click(other["x"] + 10, other["y"] + 10),  # where the held card could go
        lambda: page.keyboard.press("Escape"),
    ):
        page.mouse.move(box["x"] + 10, box["y"] + 10)
        page.mouse.down()
        expect(spread).to_be_visible()
        page.mouse.up()
        expect(spread.locator(".pressed use")).to_have_attribute(
            "href", re.compile(f"#{fan[-1].text}$")
        )
        put_away()
        expect(spread).to_have_count(0)
        page.wait_for_timeout(200)
        expect(held).to_have_count(1)
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    page.mouse.down()
    expect(spread).to_be_visible()
    page.mouse.up()
    page.get_by_role("button", name="Hint").click()  # what is no pile does what it says
    expect(spread).to_have_count(0)
    expect(game_page.notice).to_contain_text(re.compile("Play|Deal"))
    page.keyboard.press("Escape")
    game_page.click("t3")
    game_page.click("t7")  # the next touch plays again
    game_page.expect_version(1)


def test_a_fan_that_is_spread_closes_when_its_cards_change(page, open_game):
    game_page = open_game(page, "bristol", WITH_A_CHOICE)
    box = game_page.box("t3")
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    page.mouse.down()
    expect(page.locator(".spread")).to_be_visible()
    page.mouse.up()
    page.request.post(f"{page.url}/move", form={"version": 0, "move": "t3-t7"})  # another window
    expect(page.locator("#state[data-version='1']")).to_be_attached()
    expect(page.locator(".spread")).to_have_count(0)


def test_a_hand_that_has_looked_at_a_fan_drags_its_card(page, open_game):
    game_page = open_game(page, "bristol", "00000-00003")
    start, end = game_page.box("t3"), game_page.box("t7")
    page.mouse.move(start["x"] + 20, start["y"] + 20)
    page.mouse.down()
    expect(page.locator(".spread")).to_be_visible()
    page.mouse.move(start["x"] + 28, start["y"] + 28)  # a finger that rolls only looks
    expect(page.locator(".spread")).to_be_visible()
    page.mouse.move(end["x"] + 20, end["y"] + 20, steps=4)
    expect(page.locator(".spread")).to_have_count(0)
    page.mouse.up()
    game_page.expect_version(1)
    expect(game_page.notice).to_contain_text("on the five of hearts.")


def test_a_card_of_a_fan_that_was_spread_can_be_picked_up_there(page, open_game):
    game_page = open_game(page, "yukon", "00000-00001")
    move = next(move for move in game_page.moves if re.fullmatch(r"t\d-t\d:\d+", move))
    source, count = move.split("-")[0], int(move.split(":")[1])
    top = game_page.box(source)
    page.mouse.move(top["x"] + 10, top["y"] + 10)
    page.mouse.down()
    copies = page.locator(".spread svg")
    expect(copies.first).to_be_visible()
    page.mouse.up()
    face = copies.nth(-count).locator("use").get_attribute("href")
    copies.nth(-count).click()
    expect(copies).to_have_count(0)
    lifted = page.locator(f'#table button[value="{source}:{count}"][aria-pressed=true]')
    expect(page.locator("#state[data-version='1']").or_(lifted)).to_have_count(1)
    if lifted.count():
        assert lifted.locator("use").first.get_attribute("href") == face
        game_page.click(move.split("-")[1].split(":")[0])
    game_page.expect_version(1)


@pytest.mark.parametrize("wins", [1, 2])
def test_on_a_phone_on_its_side_a_win_is_one_group_beside_what_to_do(page_with, open_game, wins):
    page = page_with(
        viewport={"width": 844, "height": 390}, reduced_motion="reduce", storage_state=GUIDED
    )
    for _ in range(wins):
        open_game(page, "bristol", WON.code).play_unseen(WON.moves)
    expect(page.locator(".ending h2")).to_be_visible()
    box: dict[str, dict[str, float]] = {
        name: page.locator(f".ending{selector}").evaluate(
            "part => part.getBoundingClientRect().toJSON()"
        )
        for name, selector in (
            ("panel", ""),
            ("head", " > div"),
            ("meaning", " .meaning"),
            ("primary", " .primary"),
            ("chevron", " > details > summary"),
            ("choices", " .choices"),
        )
    }

    def end(name: str) -> float:
        return box[name]["y"] + box[name]["height"]

    assert 0 <= box["meaning"]["y"] - end("head") < 12
    court = page.locator(".court").bounding_box()
    claim = page.locator(".claim")
    lowest = end("meaning")
    if claim.count():
        it = claim.bounding_box()
        lowest = it["y"] + it["height"]
        assert it["x"] + it["width"] <= box["choices"]["x"]
    above, below = box["head"]["y"] - court["y"] - court["height"], end("panel") - lowest
    assert abs(above - below) < 16
    for part in page.locator(".meaning > :visible").all():
        inner = part.bounding_box()
        assert inner["x"] + inner["width"] <= box["choices"]["x"]
    assert box["chevron"]["y"] - box["panel"]["y"] < 8
    right = [box[name]["x"] + box[name]["width"] for name in ("panel", "chevron")]
    assert 0 <= right[0] - right[1] < 8
    assert box["primary"]["y"] - end("chevron") >= 4
    page.locator(".ending .more > summary").click()
    links = page.locator(".ending .more > :is(summary, .aside):visible").all()
    assert len(links) == 3  # without the word that opened them
    assert len({round(link.bounding_box()["y"]) for link in links}) <= 2
    panel = page.locator(".ending").bounding_box()
    for link in links:
        it = link.bounding_box()
        assert it["y"] + it["height"] <= panel["y"] + panel["height"]


@pytest.mark.parametrize("ruleset", ["klondike", "freecell", "canfield", "signora"])
def test_on_a_phone_on_its_side_a_win_lies_beside_the_foundations(
    page_with, open_game, site_address, ruleset
):
    page = page_with(reduced_motion="reduce", storage_state=GUIDED)
    won = next(r for r in RECORDS if (r.ruleset, r.end) == (ruleset, "won") and r.code)
    open_game(page, ruleset, won.code).play_unseen(won.moves)
    with all_faults() as at:
        for language in ("en", "de", "fr", "ar", "ja"):
            cookie = {"name": "fd_language", "value": language, "url": site_address}
            page.context.add_cookies([cookie])
            page.reload()
            panel = page.locator(".ending")
            for size in ((844, 390), (667, 375)):
                with at(f"{language} {size}"):
                    resize(page, *size)
                    outer = panel.bounding_box()
                    assert outer["x"] >= 0
                    for card in page.locator(".foundations .pile svg").all():
                        box = card.bounding_box()
                        is_before = box["x"] + box["width"] <= outer["x"]
                        assert is_before or outer["x"] + outer["width"] <= box["x"]
                    words = panel.locator(":is(h2, .praise, .tally, .primary)")
                    for part in words.all():
                        inner = part.bounding_box()
                        assert inner["x"] >= outer["x"]
                        assert inner["x"] + inner["width"] <= outer["x"] + outer["width"]
                    assert panel.evaluate("one => one.scrollHeight - one.clientHeight") <= 1


def test_the_cells_of_a_won_game_are_no_empty_slab(page, open_game):
    won = next(r for r in RECORDS if (r.ruleset, r.end) == ("freecell", "won") and r.code)
    open_game(page, "freecell", won.code).play_unseen(won.moves)
    expect(page.locator("#table[data-won]")).to_be_attached()
    drawn = page.locator(".cells").evaluate(
        """cells => {
          const { backgroundColor, boxShadow } = getComputedStyle(cells);
          return [backgroundColor, boxShadow];
        }"""
    )
    assert drawn == ["rgba(0, 0, 0, 0)", "none"]


def test_no_line_is_left_of_the_reserve_of_a_won_game(page, open_game):
    page.set_viewport_size({"width": 844, "height": 390})
    open_game(page, "bristol", WON.code).play_unseen(WON.moves)
    expect(page.locator("#table[data-won]")).to_be_attached()
    drawn = page.locator(".reserve").evaluate("one => getComputedStyle(one).borderLeftColor")
    assert drawn == "rgba(0, 0, 0, 0)"


def test_a_second_win_is_compared_with_the_first(page, open_game):
    for _ in range(2):
        open_game(page, "bristol", WON.code).play_unseen(WON.moves)
    meaning = page.locator(".ending .meaning")
    moves, time, row = meaning.locator(".tally > div").all()
    expect(moves).to_have_text(re.compile(rf"Moves\s*{len(WON.moves)}\s*best: {len(WON.moves)}"))
    expect(time).to_contain_text("Time")
    expect(row).to_have_text(re.compile(r"Wins in a row\s*2"))


@pytest.mark.parametrize("locale", ["en-US", "de-DE", "pl-PL"])
def test_no_note_of_a_win_runs_into_the_next_figure(page_with, open_game, locale):
    page = page_with(reduced_motion="reduce", storage_state=GUIDED, locale=locale)
    for _ in range(2):
        open_game(page, "bristol", WON.code).play_unseen(WON.moves[:-20])
        form = {"version": str(len(WON.moves) - 20)}
        answer = page.request.post(f"{page.url}/help/finish", form=form)
        assert answer.ok
        page.goto(page.url)
    figures = page.locator(".tally > div")
    expect(figures).to_have_count(3)
    expect(figures.first).to_contain_text("20 autom")
    with all_faults() as at:
        for size in (PHONE, (844, 390), (1024, 768), (1440, 900)):
            with at(size):
                resize(page, *size)
                columns = [column.bounding_box() for column in figures.all()]
                for column, figure in zip(columns, figures.all(), strict=True):
                    for part in figure.locator(":is(dt, dd):visible").all():
                        box = part.bounding_box()
                        assert column["x"] <= box["x"], part.inner_text()
                        end = column["x"] + column["width"] + 0.5
                        assert box["x"] + box["width"] <= end, part.inner_text()


def test_the_card_of_a_first_win_fits_with_its_court_and_its_ribbon(page_with, open_game):
    page = page_with(reduced_motion="reduce", storage_state=GUIDED)
    open_game(page, "bristol", WON.code).play_unseen(WON.moves)
    panel = page.locator(".ending")
    with all_faults() as at:
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            for size in (PHONE, (844, 390), (1440, 900)):
                with at(f"{scheme} {size}"):
                    resize(page, *size)
                    _expect_a_card_that_fits(panel, size[1])


def _expect_a_card_that_fits(panel: Locator, height: int) -> None:
    expect(panel.get_by_role("heading", name="You won!")).to_be_visible()
    expect(panel.locator(".praise")).to_have_text("Your first win in Bristol")
    assert panel.evaluate("one => one.scrollHeight - one.clientHeight") <= 1
    outer = panel.bounding_box()
    assert outer
    faces = panel.locator(".court").evaluate(
        "one => ['full', 'low', 'compact'].map((face) => getComputedStyle(one).getPropertyValue(`--card-${face}`))"
    )
    assert [face for face in faces if face != "none"] == ["inline"], "one face on each card"
    parts = (".court", "h2", ".praise", ".tally", ".primary", ".more > summary", ".claim")
    for part in parts:
        box = panel.locator(part).bounding_box()
        assert box, part
        assert outer["x"] - 1 <= box["x"], part
        assert box["x"] + box["width"] <= outer["x"] + outer["width"] + 1, part
        assert outer["y"] - 1 <= box["y"], part
        assert box["y"] + box["height"] <= min(outer["y"] + outer["height"], height) + 1, part
    figures = panel.locator(".tally b")
    expect(figures).to_have_count(2)
    expect(figures.first).to_have_text(str(len(WON.moves)))
    sizes = [
        panel.locator(part).first.evaluate("one => parseFloat(getComputedStyle(one).fontSize)")
        for part in ("h2", ".tally b", ".tally dt", ".claim")
    ]
    assert sizes == sorted(sizes, reverse=True)


def test_a_count_keeps_apart_from_its_pile_and_the_column_below(page_with, open_game):
    page = page_with()
    open_game(page, "klondike", BRISTOL)
    with all_faults() as at:
        for size in ((1024, 768), (1440, 900), (2560, 1440)):
            with at(f"{size}"):
                resize(page, *size)
                pile, count, column = (
                    page.locator(each).bounding_box()
                    for each in ("#stock button", "#stock small", "#t1 svg")
                )
                assert pile
                assert count
                assert column
                assert count["y"] - pile["y"] - pile["height"] > 5
                assert column["y"] - count["y"] - count["height"] > 5


RESERVE_OVER = """() => {
  const box = (element) => element.getBoundingClientRect();
  const foot = (card) => Math.max(box(card).bottom, box(card.querySelector("svg") ?? card).bottom);
  const seen = [...document.querySelectorAll(".reserve .pile")].map((pile) => {
    const cards = [...pile.children].filter((card) => card.tagName !== "SMALL");
    const tops = cards.map((card) => box(card).top);
    return {
      count: cards.length,
      top: Math.min(...tops),
      bottom: Math.max(...cards.map(foot)),
      left: box(pile).left, right: box(pile).right,
    };
  });
  const tableau = box(document.querySelector(".tableau"));
  const places = [...seen, {top: tableau.top, bottom: tableau.bottom, left: tableau.left, right: tableau.right}];
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  return [seen.map((pile) => pile.count),
          places.flatMap((a, i) => places.slice(i + 1).filter((b) => meet(a, b)).map((b) => [a, b]))];
}"""


def test_a_reserve_with_many_cards_keeps_away_from_the_columns_in_every_state(page_with, open_game):
    page = page_with(storage_state=GUIDED)
    game_page = open_game(page, "bristol", BRISTOL)
    game_page.play_unseen(["deal"] * 9)
    address = page.url
    with all_faults() as at:

        def expect_room(state: str) -> None:
            for size in ((1440, 900), (1024, 768), PHONE, (844, 390)):
                with at(f"{state} {size}"):
                    resize(page, *size)
                    assert page.evaluate(RESERVE_OVER) == [[10, 9, 9], []]

        expect_room("open")
        page.goto(f"{address}/help/winnable")
        expect_room("asked about")
        page.request.post(f"{address}/resign", form={"version": 9})
        page.goto(address)
        expect(page.locator("#state.over")).to_be_attached()
        expect_room("resigned")
