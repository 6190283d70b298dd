"""Where a hint is said: at its cards and over none of them; over others only where the table is full."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

from tests.browser.faults import all_faults, resize
from tests.browser.game_page import SEARCHED, wait_until
from tests.golden.records import RECORDS

pytestmark = pytest.mark.kept_page

SIZES = [(390, 844), (844, 390), (1024, 768), (1440, 900), (2560, 1440)]
CODE = "7KQ4M-2XWTP"
NEAR = 240
READABLE = 150  # pixels: a narrower note is a tall sliver

# How far the sentence is from the nearest card of the hint or its goal, and how many things it covers.
LIE = """() => {
  const words = document.createRange();
  const boxOf = (each) => {
    words.selectNodeContents(each);  // a count is as wide as its pile, its number is not
    return (each.matches("small") ? words : (each.querySelector("svg") ?? each)).getBoundingClientRect();
  };
  const own = document.getElementById("notice").getBoundingClientRect();
  const shared = (box) => Math.max(0, Math.min(own.right, box.right) - Math.max(own.left, box.left) - 2)
    * Math.max(0, Math.min(own.bottom, box.bottom) - Math.max(own.top, box.top) - 2);
  const away = (box) => Math.hypot(Math.max(box.left - own.right, own.left - box.right, 0),
    Math.max(box.top - own.bottom, own.top - box.bottom, 0));
  const things = [...document.querySelectorAll("#table .pile > :is(button, b, i, small), .rail > button")]
    .filter((each) => !each.matches(".tableau i, .empty"));
  const meant = document.querySelectorAll(".pile button.advised, .pile.advised > button:last-of-type");
  return {
    away: Math.min(...[...meant].map((each) => away(boxOf(each)))),
    covered: things.filter((each) => shared(boxOf(each)) > 0).length,
    width: own.width,
    isOnScreen: own.left >= 0 && own.top >= 0 && own.right <= innerWidth && own.bottom <= innerHeight,
  };
}"""
PLACES = """() => [...document.querySelectorAll("#table .pile > :not(small), .rail > *")]
  .map((each) => { const { x, y } = each.getBoundingClientRect(); return [x, y]; })"""


def ask(page):
    page.locator(".rail .hint").click()
    expect(page.locator(".pile button.advised").first).to_be_visible()


@pytest.mark.parametrize("size", SIZES)
def test_a_hint_is_said_at_its_cards_covers_no_face_and_moves_nothing(page_with, open_game, size):
    page = page_with(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
    game_page = open_game(page, "klondike", CODE)
    before = page.evaluate(PLACES)
    ask(page)
    expect(game_page.notice).to_have_class("notice at-cards")
    expect(game_page.notice).to_have_attribute("role", "status")
    lie = page.evaluate(LIE)
    assert lie["away"] <= NEAR
    assert lie["covered"] == 0
    assert lie["isOnScreen"]
    assert lie["width"] >= READABLE
    assert page.evaluate(PLACES) == before


def test_the_reason_of_a_hint_opens_beside_its_cards_over_none(page_with, open_game):
    page = page_with(viewport={"width": 844, "height": 390}, reduced_motion="reduce")
    game_page = open_game(page, "klondike", CODE)
    before = page.evaluate(PLACES)
    ask(page)
    page.locator(".odds summary").click()
    expect(page.locator(".odds p")).to_be_visible()
    expect(game_page.notice).to_have_class("notice at-cards")
    assert page.evaluate(LIE)["covered"] == 0
    assert page.evaluate(PLACES) == before


BOX = """() => {
  const { left, top, right, bottom } = document.getElementById("notice").getBoundingClientRect();
  return [left, top, right, bottom].map(Math.round);
}"""


@pytest.mark.parametrize("ruleset", ["klondike", "spider-one-suit"])
@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1440, 900)])
def test_a_hint_keeps_its_place_when_its_reason_opens(page_with, open_game, ruleset, size):
    page = page_with(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
    open_game(page, ruleset, CODE)
    ask(page)
    expect(page.locator("#state [name=rough]")).to_have_value("0")
    left, top, right, bottom = page.evaluate(BOX)
    page.locator(".odds summary").click()
    expect(page.locator(".odds p")).to_be_visible()
    opened = page.evaluate(BOX)
    assert (opened[0], opened[2]) == (left, right)
    assert opened[1] == top or opened[3] == bottom
    assert opened[3] - opened[1] > bottom - top
    assert page.evaluate(LIE)["covered"] == 0
    page.locator(".odds summary").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".odds p")).to_be_hidden()
    assert page.evaluate(BOX) == [left, top, right, bottom]


def test_a_closer_look_leaves_the_hint_where_it_is(page, open_game):
    """The number of hints, which it adds, has its place from the start."""
    looks: list[Route] = []
    page.route(re.compile("/help/hint"), lambda route: looks.append(route))  # noqa: PLW0108
    open_game(page, "klondike", CODE)
    page.locator(".rail .hint").click()
    wait_until(page, lambda: len(looks) == 1)
    rough = looks[0].fetch().text()
    sentence = re.search(r'<span class="">([^<]*)', rough)
    assert sentence
    looks[0].fulfill(body=rough)
    wait_until(page, lambda: len(looks) == 2)
    before = page.evaluate(BOX)
    expect(page.locator(".odds > span")).to_have_text("")
    closer = looks[1].fetch().text()
    looks[1].fulfill(body=re.sub(r'(<span class="">)[^<]*', rf"\g<1>{sentence[1]}", closer))
    expect(page.locator(".odds > span")).to_have_text(re.compile("^Hint 1 of "))
    assert page.evaluate(BOX) == before


def test_a_long_reason_is_on_the_screen_and_covers_no_card(page_with, open_game):
    page = page_with(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    open_game(page, "klondike", CODE)
    ask(page)
    page.locator(".odds summary").click()
    expect(page.locator(".odds p")).to_be_visible()
    page.locator(".odds p").evaluate(
        "p => (p.textContent = 'One card fits on another one. '.repeat(9))"
    )
    lie = page.evaluate(LIE)
    assert (lie["covered"], lie["isOnScreen"]) == (0, True)
    assert lie["width"] >= READABLE


@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
def test_play_in_a_hint_plays_it_and_reading_it_does_not(page_with, open_game, size):
    viewport = {"width": size[0], "height": size[1]}
    page = page_with(viewport=viewport, has_touch=True, is_mobile=True)
    game_page = open_game(page, "klondike", CODE)
    ask(page)
    expect(game_page.notice).to_have_class("notice at-cards")
    expect(page.locator("#state [name=rough]")).to_have_value("0")  # it stays where it is
    card = page.locator(".pile button.advised").first.get_attribute("value")
    box = game_page.notice.bounding_box()
    assert box
    for x, y in ((box["width"] / 2, 14), (box["width"] - 4, 4)):  # the sentence, and the edge
        page.touchscreen.tap(box["x"] + x, box["y"] + y)
    page.wait_for_timeout(400)
    expect(page.locator(".undo")).to_be_disabled()
    play = page.get_by_role("button", name="Play", exact=True)
    own = play.bounding_box()
    assert own
    page.touchscreen.tap(own["x"] + own["width"] / 2, own["y"] - 5)  # a finger needs 44 pixels
    expect(page.locator(".undo")).to_be_enabled()
    expect(page.locator(f'.pile button.advised[value="{card}"]')).to_have_count(0)
    expect(page.locator(".toast")).to_have_count(0)


def test_a_hint_to_deal_has_its_button_and_enter_presses_it(page, open_game):
    game_page = open_game(page, "canfield", "GNT00-000MC")
    while page.locator("#stock.advised, #state.deal-advised").count() == 0:
        page.keyboard.press("h")
        expect(page.locator("#notice .play")).to_be_visible()
        if page.locator("#stock.advised, #state.deal-advised").count():
            break
        page.locator("#notice .play").click()
        expect(page.locator("#notice .play")).to_have_count(0)
    dealt = int(page.locator("#state").get_attribute("data-version"))
    page.locator("#notice .play").focus()
    page.keyboard.press("Enter")
    game_page.expect_version(dealt + 1)
    assert page.evaluate("document.activeElement !== document.body"), "the keyboard goes on there"


def test_a_hint_too_long_for_the_screen_is_in_its_line_with_its_button(page_with, open_game):
    page = page_with(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    game_page = open_game(page, "yukon", CODE)
    ask(page)
    game_page.notice.evaluate(
        """notice => { notice.firstElementChild.textContent = 'Play a king. '.repeat(400); }"""
    )
    expect(game_page.notice).to_have_class("notice")
    page.locator("#notice .play").dispatch_event("click")
    game_page.expect_version(1)


A_REASON = """() => {
  const why = "One card fits on another one. ".repeat(4);
  document.getElementById("notice").innerHTML = `<span>Play one card on another. </span>
    <div class="odds"><details><summary>Why?</summary><p>${why}</p></details><button class="play">Play</button></div>`;
}"""
OVER_WHAT_IT_MEANS = """() => {
  const boxOf = (each) => (each.querySelector("svg") ?? each).getBoundingClientRect();
  const own = document.getElementById("notice").getBoundingClientRect();
  return [...document.querySelectorAll(".pile button.advised, .pile.advised > button:last-of-type")].map(boxOf)
    .filter((box) => box.left < own.right - 2 && own.left < box.right - 2)
    .filter((box) => box.top < own.bottom - 2 && own.top < box.bottom - 2).length;
}"""


@pytest.mark.parametrize(
    ("ruleset", "moves"), [("spider", 191), ("signora", 110), ("freecell", 0), ("bristol", 4)]
)
def test_on_a_full_table_a_hint_moves_no_card_and_hides_none_that_it_is_about(
    page_with, open_game, ruleset, moves
):
    page = page_with(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    record = next(one for one in RECORDS if (one.ruleset, one.end) == (ruleset, "won"))
    game_page = open_game(page, ruleset, record.code)
    game_page.play_unseen(record.moves[:moves])
    page.locator(".rail .hint").click()
    expect(page.locator("#table .advised").first).to_be_visible(timeout=SEARCHED)
    expect(page.locator("#state [name=rough]")).to_have_value("0", timeout=SEARCHED)
    page.evaluate(A_REASON)
    with all_faults() as at:
        for size in SIZES:
            with at(f"{ruleset} {size}"):
                resize(page, *size)
                expect(game_page.notice).to_have_class("notice at-cards")
                before = page.evaluate(PLACES)
                assert page.evaluate(OVER_WHAT_IT_MEANS) == 0
                game_page.notice.get_by_text("Why?").click()
                expect(game_page.notice.get_by_role("paragraph")).to_be_visible()
                expect(game_page.notice).to_have_class("notice at-cards")
                assert page.evaluate(PLACES) == before
                assert page.evaluate(OVER_WHAT_IT_MEANS) == 0
                assert page.evaluate(LIE)["isOnScreen"]
                game_page.notice.locator("details").evaluate("each => { each.open = false; }")


LOST = next(r for r in RECORDS if (r.ruleset, r.end) == ("spider", "lost"))


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1440, 900)])
def test_a_note_that_nothing_wins_any_more_has_undo_in_it_and_moves_nothing(
    page_with, open_game, size
):
    page = page_with(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
    game_page = open_game(page, "spider", LOST.code)
    moves = LOST.moves[:-1]
    game_page.play_unseen(moves)
    before = page.evaluate(PLACES)
    page.locator(".rail .hint").click()
    undo = game_page.notice.get_by_role("button", name="Undo")
    expect(undo).to_be_visible()
    expect(game_page.notice).to_contain_text("you can no longer win from here")
    page.wait_for_timeout(300)  # until it has found its place
    assert page.evaluate(PLACES) == before
    lie = page.evaluate(LIE)
    assert (lie["covered"], lie["isOnScreen"]) == (0, True)
    undo.focus()
    page.keyboard.press("Enter")
    game_page.expect_version(len(moves) + 1)
    expect(game_page.notice.locator(".undo")).to_have_count(0)
    expect(page.locator(".rail .undo")).to_be_focused()


def test_play_in_a_hint_needs_no_script(page_with, open_game):
    page = page_with(viewport={"width": 390, "height": 844}, java_script_enabled=False)
    game_page = open_game(page, "klondike", "GNT00-00000")
    for version in range(1, 4):
        page.locator(".rail .hint").click()
        game_page.notice.get_by_role("button", name="Play").click()
        game_page.expect_version(version)
        expect(game_page.notice.locator(".odds")).to_have_count(0)


def test_that_undo_needs_no_script(page_with, open_game):
    page = page_with(java_script_enabled=False)
    game_page = open_game(page, "spider", LOST.code)
    moves = LOST.moves[:-1]
    game_page.play_unseen(moves)
    page.locator(".rail .hint").click()
    game_page.notice.get_by_role("button", name="Undo").click()
    game_page.expect_version(len(moves) + 1)


def test_why_can_be_tapped_beside_its_letters_and_plays_nothing(page_with, open_game):
    page = page_with(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    game_page = open_game(page, "klondike", CODE)
    ask(page)
    expect(game_page.notice).to_have_class("notice at-cards")
    box = page.locator(".odds summary").bounding_box()
    assert box
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] - 8)
    expect(page.locator(".odds p")).to_be_visible()
    page.locator(".odds p").tap()
    expect(page.locator(".odds p")).to_be_visible()
    expect(page.locator(".undo")).to_be_disabled()


def test_the_line_is_in_its_place_again_after_a_move(page, open_game):
    game_page = open_game(page, "klondike", CODE)
    ask(page)
    expect(game_page.notice).to_have_class("notice at-cards")
    game_page.play("t2-f1")
    expect(game_page.notice).to_have_class("notice")


def test_a_hint_that_finds_no_room_stays_in_its_line(page_with, open_game):
    page = page_with(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    game_page = open_game(page, "klondike", CODE)
    ask(page)
    expect(game_page.notice).to_have_class("notice at-cards")
    game_page.notice.evaluate(
        "notice => { notice.innerHTML = `<span>${'Play a king. '.repeat(160)}</span>`; }"
    )
    expect(game_page.notice).to_have_class("notice")


def test_in_its_line_a_hint_is_as_wide_as_a_sentence(page_with, open_game):
    page = page_with(viewport={"width": 2560, "height": 1440}, reduced_motion="reduce")
    game_page = open_game(page, "klondike", CODE)
    ask(page)
    game_page.notice.evaluate(
        "notice => { notice.innerHTML = `<span>${'Play a king. '.repeat(900)}</span><div class=odds></div>`; }"
    )
    expect(game_page.notice).to_have_class("notice")
    box, cloth = game_page.notice.bounding_box(), page.locator(".cloth").bounding_box()
    assert box
    assert cloth
    assert box["width"] < 0.6 * cloth["width"]
    assert abs(box["x"] + box["width"] / 2 - cloth["x"] - cloth["width"] / 2) < 12


@pytest.mark.parametrize("size", [(844, 390), (1440, 900)])
def test_where_nothing_wins_the_hint_is_said_at_the_button_to_undo(page, open_game, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    game_page = open_game(page, "klondike", CODE)
    page.keyboard.press("Shift")  # any sign that somebody plays
    game_page.notice.evaluate(
        """notice => { notice.innerHTML = '<span>You cannot win from here.</span> '
          + '<div class="odds"><a class="find" href="/">Find the last winnable position</a></div>'; }"""
    )
    expect(game_page.notice).to_have_class("notice at-cards")
    own, undo = game_page.notice.bounding_box(), page.locator(".rail .undo").bounding_box()
    assert own
    assert undo
    assert undo["x"] - own["x"] - own["width"] < NEAR
    lie = page.evaluate(LIE)
    assert lie["covered"] == 0
    assert lie["isOnScreen"]
    link = page.locator("#notice .find").bounding_box()
    assert link
    assert own["x"] <= link["x"]
    assert link["x"] + link["width"] <= own["x"] + own["width"]
