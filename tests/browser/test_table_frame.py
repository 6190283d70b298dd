"""What lies around the board: the line with moves and clock, the menu, and the ending."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import GUIDED
from tests.browser.faults import all_faults, resize
from tests.browser.game_page import SLOW_MOTION, GamePage, overlapping_in_the_line
from tests.golden.records import RECORDS

if TYPE_CHECKING:
    from playwright.sync_api import FloatRect, Page

pytestmark = pytest.mark.kept_page

BRISTOL = "7KQ4M-2XWTP"
WITH_A_CHOICE = "00000-00003"  # Bristol: t3 may go to t4 or t7, and to no foundation
PHONE = (390, 844)
SIZES = [PHONE, (844, 390), (1024, 768), (1440, 900)]
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
            + '<span class="answered" data-moves="0">Not winnable as of move 13</span>');
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
    choice = page.get_by_text("Show your chance to win")
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
    expect(other).to_have_url(address)
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


def _ring(page: Page, selector: str) -> list[str]:
    ring: list[str] = page.evaluate(
        """(selector) => {
          const style = getComputedStyle(document.querySelector(selector));
          return [style.outlineStyle, style.outlineWidth, style.outlineColor];
        }""",
        selector,
    )
    return ring


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


def test_a_button_that_cannot_deal_says_why_until_it_can(page, open_game):
    game_page = open_game(page, "signora", "00000-00001")
    deal = page.locator(".rail > .deal")
    expect(deal).to_have_accessible_description(re.compile("^Choose the base first: "))
    expect(page.locator(".state > .first")).to_contain_text("Then you can deal.")
    game_page.play_unseen(["t1-f1"])
    page.reload()
    expect(deal).to_have_attribute("title", "Deal (d)")
    page.locator(".rail > .undo").click()
    expect(deal).to_have_accessible_description(re.compile("^Choose the base first: "))
    page.locator(".rail > .redo").click()
    expect(deal).to_have_attribute("title", "Deal (d)")


def test_what_a_difficulty_means_is_gone_with_escape_or_the_next_move(page_with, open_game):
    page = page_with(viewport={"width": 1440, "height": 900})
    open_game(page, "bristol", "GNT00-00007")
    mark = page.locator(".occasion")
    for close in (lambda: page.keyboard.press("Escape"), lambda: page.keyboard.press("d")):
        mark.locator("summary").click()
        expect(mark.locator("p")).to_be_visible()
        close()
        expect(mark.locator("p")).to_be_hidden()
    expect(mark.locator("summary")).to_be_focused()
