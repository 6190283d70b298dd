"""The bubbles of a first game: what they are about, what they leave free, and how they go."""

import math
import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.faults import all_faults, resize
from tests.browser.game_page import GamePage, overlapping_in_the_line
from tests.support.known import CODE

pytestmark = pytest.mark.kept_page

SIZES = [(390, 844), (844, 390), (1440, 900)]

PARTS = """([grip]) => {
  const box = (element) => element.getBoundingClientRect().toJSON();
  const anchor = document.querySelector(grip);
  const cards = [...document.querySelectorAll("#table .pile > :is(button:not(.empty), b, i, small)")]
    .map((card) => box(card.querySelector("svg") ?? card)).filter(({ width }) => width > 0);
  return { cards, coach: box(document.getElementById("coach")),
           ring: box(document.querySelector(".coach-ring")),
           anchor: box(anchor.matches("#table button") ? anchor.querySelector("svg") ?? anchor : anchor),
           rail: box(document.getElementById("rail")),
           width: innerWidth, height: innerHeight };
}"""


# Until nothing has moved for as long as a bubble waits for the cards, also in the frames of a busy machine.
AT_REST = """async () => {
  const seen = () => document.querySelectorAll("#coach, .coach-ring, #table .pile :is(button, b, i, svg)");
  const measure = () => JSON.stringify([...seen()].map((part) => part.getBoundingClientRect()));
  let [last, since, frames] = ["", 0, 0];
  while (frames < 30 || performance.now() - since < 500) {
    const now = measure();
    if (now !== last) [last, since, frames] = [now, performance.now(), 0];
    await new Promise(requestAnimationFrame);
    frames += 1;
  }
}"""
# A refusal goes by itself sooner than a busy machine has measured it.
LONG_REFUSALS = """() => {
  const wait = window.setTimeout;
  window.setTimeout = (call, pause, ...more) => wait(call, pause > 2000 ? pause * 10 : pause, ...more);
}"""


def expect_in_its_place(page: Page, anchor: str) -> None:
    """The bubble is on the screen, covers no card, and what it is about has a ring around it."""
    page.evaluate(AT_REST)
    parts = page.evaluate(PARTS, [anchor])
    coach, at = parts["coach"], parts["anchor"]
    assert coach["left"] >= 0
    assert coach["top"] >= -2  # at the upper edge, its own is off the screen
    assert coach["right"] <= parts["width"]
    assert coach["bottom"] <= parts["height"]
    assert lie_apart(coach, at), f"the bubble covers {anchor}"
    rail = parts["rail"]
    if parts["height"] <= 480:  # below the cards or beside a button, or in the line above
        is_near = coach["right"] > rail["left"] - 20
        assert coach["top"] <= 0 or coach["top"] > parts["height"] / 2 or is_near
        assert coach["height"] <= 44
    elif rail["width"] < rail["height"]:  # beside the table
        assert coach["right"] < rail["left"]
        is_near = coach["right"] > rail["left"] - 20 and coach["top"] >= at["top"] - coach["height"]
        lowest = max(card["bottom"] for card in parts["cards"])
        assert is_near or coach["bottom"] >= parts["height"] - 50 or coach["top"] <= lowest + 40
    else:
        assert coach["bottom"] <= rail["top"] - 8
    assert [card for card in parts["cards"] if not lie_apart(coach, card)] == []
    assert parts["ring"]["left"] == pytest.approx(at["left"], abs=3)
    assert parts["ring"]["top"] == pytest.approx(at["top"], abs=3)


def lie_apart(one: dict[str, float], other: dict[str, float]) -> bool:
    """Whether two boxes share no room."""
    return (
        one["right"] <= other["left"]
        or one["left"] >= other["right"]
        or one["bottom"] <= other["top"]
        or one["top"] >= other["bottom"]
    )


@pytest.fixture
def newcomer(page: Page) -> Page:
    """A page in a browser that has not played here before."""
    page.context.clear_cookies()
    return page


@pytest.mark.parametrize(
    ("ruleset", "first"), [("bristol", 0), ("rouge-et-noir", 1), ("blondes-and-brunettes", 2)]
)
def test_each_bubble_lies_in_its_place_and_rings_what_it_is_about(
    newcomer, open_game, ruleset, first
):
    """The window gets another size again and again; each game is opened in another."""
    sizes = [*SIZES[first:], *SIZES[:first]]

    def expect_in_every_place(anchor: str) -> None:
        for size in sizes:
            with at(f"{anchor} at {size}"):
                resize(newcomer, *size)
                expect_in_its_place(newcomer, anchor)
        resize(newcomer, *sizes[0])

    newcomer.set_viewport_size({"width": sizes[0][0], "height": sizes[0][1]})
    game = open_game(newcomer, ruleset, CODE)
    coach = newcomer.locator("#coach")
    with all_faults() as at:
        expect(coach).to_contain_text("The goal: bring all")
        expect_in_every_place("#table .pile[id^=f]")
        expect(newcomer.locator("noscript")).to_be_hidden()
        coach.get_by_role("button", name="Next").click()
        expect(coach).to_contain_text(
            "Click a card, or drag it. If it fits in two places, choose one."
        )
        expect(coach.locator(".by-touch").last).to_be_hidden()
        card = coach.get_attribute("data-card")
        expect_in_every_place(f'#table button[value="{card}"]')
        coach.get_by_role("button", name="Next").click()
        expect(coach).to_contain_text("Click the stock to deal")
        expect_in_every_place("#stock button")
        game.click("stock")  # doing it is as good as Next
        game.expect_version(1)
        expect(coach).to_contain_text("Undo takes back any move.")
        expect_in_every_place(".rail .undo")
    with newcomer.expect_response(lambda answer: answer.url.endswith("/guided")):
        newcomer.locator(".rail .undo").click()
    expect(coach).to_have_count(0)
    newcomer.reload()
    expect(newcomer.locator("#table")).to_be_visible()
    assert newcomer.locator("#coach").count() == 0
    assert not game.page_errors


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "ar"])
def test_on_a_phone_on_its_side_no_bubble_lies_over_columns_that_fill_the_cloth(
    page_with, site_address, locale
):
    game = GamePage.start(
        page_with(viewport={"width": 844, "height": 390}, locale=locale),
        site_address,
        "freecell",
        CODE,
    )
    coach = game.page.locator("#coach")
    card = coach.get_attribute("data-card")
    for anchor in ("#table .pile[id^=f]", f'#table button[value="{card}"]'):
        expect(coach).to_be_visible()
        expect_in_its_place(game.page, anchor)
        coach.locator(".next").click()


def test_on_a_phone_on_its_side_a_bubble_lies_below_short_columns(newcomer, open_game):
    newcomer.set_viewport_size({"width": 844, "height": 390})
    open_game(newcomer, "klondike", CODE)
    coach = newcomer.locator("#coach")
    expect(coach).to_be_visible()
    expect_in_its_place(newcomer, "#table .pile[id^=f]")
    box = coach.bounding_box()
    assert box
    assert box["y"] > 200
    corner = coach.evaluate("coach => getComputedStyle(coach).borderStartStartRadius")
    assert corner == "12px"


def test_long_words_lie_below_the_cards_where_the_line_above_is_too_low_for_them(
    browser, site_address
):
    context = browser.new_context(viewport={"width": 667, "height": 375}, locale="fr-FR")
    reader = context.new_page()
    # Somebody who reads larger letters.
    reader.add_init_script(
        """addEventListener("DOMContentLoaded", () => (document.documentElement.style.fontSize = "125%"))"""
    )
    page = GamePage.start(reader, site_address, "rouge-et-noir", CODE).page
    expect(page.locator("#coach")).to_be_visible()
    page.evaluate(AT_REST)
    parts = page.evaluate(PARTS, [".rail .undo"])
    assert parts["coach"]["height"] > 44
    assert [card for card in parts["cards"] if not lie_apart(parts["coach"], card)] == []
    context.close()


@pytest.mark.parametrize("size", [(1024, 768), (1440, 900), (2560, 1440)])
def test_beside_a_toolbar_the_bubble_about_undo_lies_next_to_it(newcomer, open_game, size):
    """There it may cover cards that lie face down, but no others."""
    newcomer.set_viewport_size({"width": size[0], "height": size[1]})
    open_game(newcomer, "klondike", CODE)
    newcomer.locator("#coach[data-topic=goal].placed").wait_for()
    newcomer.keyboard.press("d")
    newcomer.locator("#coach[data-topic=move]").get_by_role("button", name="Next").click()
    newcomer.locator("#coach[data-topic=undo]").wait_for()
    newcomer.evaluate(AT_REST)
    parts = newcomer.evaluate(PARTS, [".rail .undo"])
    coach, undo = parts["coach"], parts["anchor"]
    assert 0 < undo["left"] - coach["right"] < 40
    assert coach["top"] < undo["bottom"]
    assert coach["bottom"] > undo["top"]
    faces = newcomer.locator("#table .pile > :is(button:not(.empty), b) svg")
    for number in range(faces.count()):
        assert lie_apart(
            coach, faces.nth(number).evaluate("face => face.getBoundingClientRect().toJSON()")
        )


def test_a_bubble_does_not_touch_the_cards_beside_it(newcomer, open_game):
    newcomer.set_viewport_size({"width": 2560, "height": 1440})
    open_game(newcomer, "signora", CODE)
    newcomer.locator("#coach[data-topic=goal].placed").wait_for()
    newcomer.evaluate(AT_REST)
    coach = newcomer.evaluate(PARTS, ["#table .pile[id^=f]"])["coach"]
    card = newcomer.locator(".reserve .pile > button").last.bounding_box()
    assert 8 <= coach["left"] - card["x"] - card["width"] < 40


def test_beside_a_bubble_the_difficulty_stays_in_sight(newcomer, open_game):
    newcomer.set_viewport_size({"width": 844, "height": 390})
    open_game(newcomer, "freecell", CODE)
    newcomer.evaluate("""() => {
      document.querySelector(".game-bar .occasion")?.remove();
      document.querySelector(".game-bar h1").insertAdjacentHTML("afterend", '<span class="occasion">fiendish</span>');
    }""")
    coach, grade = newcomer.locator("#coach"), newcomer.locator(".game-bar .occasion")
    expect(coach).to_be_visible()
    newcomer.evaluate(AT_REST)
    boxes = [part.bounding_box() for part in (grade, newcomer.locator("#status"), coach)]
    for one, other in pairwise(boxes):
        assert one
        assert other
        assert one["x"] + one["width"] <= other["x"]
    assert overlapping_in_the_line(newcomer) == []


def test_the_words_of_a_bubble_keep_clear_of_its_buttons(newcomer, open_game):
    newcomer.set_viewport_size({"width": 390, "height": 844})
    open_game(newcomer, "bristol", CODE)
    coach = newcomer.locator("#coach")
    gap = """coach => {
      const words = document.createRange();
      words.selectNodeContents(coach.querySelector(".words"));
      const next = document.createRange();
      next.selectNodeContents(coach.querySelector(".next"));
      return next.getBoundingClientRect().left - words.getBoundingClientRect().right;
    }"""
    for words in ("The goal", "Click a card", "Click the stock to deal"):
        expect(coach.locator(".words")).to_contain_text(words)
        assert coach.evaluate(gap) >= 6
        coach.locator(".next").click()


@pytest.mark.parametrize(
    ("width", "height", "ruleset"), [(844, 390, "freecell"), (390, 844, "bristol")]
)
def test_where_a_phone_has_little_room_a_cross_dismisses_all(
    newcomer, open_game, width, height, ruleset
):
    newcomer.set_viewport_size({"width": width, "height": height})
    open_game(newcomer, ruleset, CODE)
    cross = newcomer.get_by_role("button", name="Don't show again")
    expect(cross).to_be_visible()
    newcomer.evaluate(AT_REST)
    box, other = cross.bounding_box(), newcomer.locator("#coach .next").bounding_box()
    assert box
    assert other
    assert box["height"] >= 44
    assert box["width"] >= (44 if ruleset == "freecell" else 24)
    assert box["x"] >= other["x"] + other["width"] - 1
    with newcomer.expect_response("**/guided"):
        cross.click()
    expect(newcomer.locator("#coach")).to_have_count(0)


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_a_bubble_leaves_counts_free_and_is_the_one_voice(page_with, site_address, locale):
    page = GamePage.start(
        page_with(viewport={"width": 390, "height": 844}, locale=locale),
        site_address,
        "terrace",
        CODE,
    ).page
    expect(page.locator("#coach")).to_be_visible()
    page.evaluate(AT_REST)
    parts = page.evaluate(PARTS, [".rail .undo"])
    assert [card for card in parts["cards"] if not lie_apart(parts["coach"], card)] == []
    for first in page.locator(".first").all():
        expect(first).to_be_hidden()
    while page.locator("#coach").is_visible():
        page.locator("#coach .next").click()
        page.wait_for_timeout(100)
    expect(page.locator(".state > .first")).to_be_visible()


def test_what_was_done_is_not_said_again(newcomer, open_game):
    game = open_game(newcomer, "bristol", CODE)
    coach = newcomer.locator("#coach")
    with newcomer.expect_response("**/guided"):
        game.click("stock")
    expect(coach).to_contain_text("Click a card, or drag it.")
    newcomer.reload()
    expect(coach).to_contain_text("Click a card, or drag it.")  # neither the goal
    coach.get_by_role("button", name="Next").click()
    expect(coach).to_contain_text("Undo takes back any move.")  # nor the stock


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1440, 900)])
def test_a_bubble_stays_where_it_is_and_fades_while_a_refusal_is_there(
    newcomer, open_game, width, height
):
    newcomer.set_viewport_size({"width": width, "height": height})
    game = open_game(newcomer, "klondike", CODE)
    expect(newcomer.locator("#coach")).to_contain_text("The goal")
    newcomer.evaluate(AT_REST)
    newcomer.evaluate(LONG_REFUSALS)
    place = newcomer.locator("#coach").bounding_box()
    stuck = [f"t{n}" for n in range(1, 8) if not any(m.startswith(f"t{n}") for m in game.moves)]
    for grip in stuck:
        game.click(grip)
        expect(newcomer.locator(".toast")).to_be_visible()
        expect_in_its_place(newcomer, "#table .pile[id^=f]")
        assert newcomer.locator("#coach").bounding_box() == place
        expect(newcomer.locator("#coach")).to_have_css("opacity", "0")  # one voice at a time
        expect(newcomer.locator(".coach-ring")).to_have_css("opacity", "0")
        expect(newcomer.locator("#coach .next")).to_have_css("pointer-events", "none")
    newcomer.mouse.move(width / 2, height - 2)
    newcomer.mouse.down()  # the next touch
    expect(newcomer.locator(".toast")).to_have_count(0)
    expect(newcomer.locator("#coach")).to_have_css("opacity", "1")


def test_on_a_phone_a_bubble_lies_near_what_it_is_about(newcomer, open_game):
    newcomer.set_viewport_size({"width": 390, "height": 844})
    open_game(newcomer, "klondike", CODE)
    coach = newcomer.locator("#coach")
    card = coach.get_attribute("data-card")
    for anchor in ("#table .pile[id^=f]", f'#table button[value="{card}"]', "#stock button"):
        expect_in_its_place(newcomer, anchor)
        parts = newcomer.evaluate(PARTS, [anchor])
        # Between them are only columns: it lies right below the highest of those that leave it no room.
        above = [
            one
            for one in parts["cards"]
            if one["left"] < parts["coach"]["right"] and one["right"] > parts["coach"]["left"]
        ]
        assert parts["coach"]["top"] - max(one["bottom"] for one in above) <= 12
        if anchor == "#stock button":  # it lies beside it, over empty places
            assert parts["anchor"]["left"] - parts["coach"]["right"] <= 12
            assert parts["coach"]["top"] < parts["anchor"]["bottom"]
        coach.locator(".next").click()


@pytest.mark.parametrize("ruleset", ["yukon", "russian-solitaire", "scorpion"])
def test_where_long_columns_leave_no_room_a_bubble_becomes_low(newcomer, open_game, ruleset):
    newcomer.set_viewport_size({"width": 390, "height": 844})
    game = open_game(newcomer, ruleset, CODE)
    coach = newcomer.locator("#coach")
    expect(coach).to_be_visible()
    expect(coach).to_contain_text("The goal")
    expect_in_its_place(newcomer, "#table .pile[id^=f]")
    cross = newcomer.get_by_role("button", name="Don't show again")
    expect(cross).to_be_visible()
    coach.locator(".next").click()
    expect(coach.locator(".words")).to_contain_text("Any face-up card moves")
    expect_in_its_place(newcomer, f'#table button[value="{coach.get_attribute("data-card")}"]')
    assert not game.page_errors


def test_long_words_find_room_above_a_toolbar_below_long_columns(page_with, site_address):
    page = GamePage.start(
        page_with(viewport={"width": 390, "height": 844}, locale="de-DE"),
        site_address,
        "yukon",
        CODE,
    ).page
    expect(page.locator("#coach")).to_be_visible()
    page.evaluate(AT_REST)
    parts = page.evaluate(PARTS, [".rail .undo"])
    assert [card for card in parts["cards"] if not lie_apart(parts["coach"], card)] == []
    assert parts["coach"]["bottom"] <= parts["rail"]["top"]


def find_places_by(page, script: str) -> None:
    """Replace what finds a place for a bubble, on a phone."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.route(
        "**/bubble-place*.js",
        lambda route: route.fulfill(content_type="text/javascript", body=script),
    )


def test_a_bubble_that_found_no_place_has_told_nothing(newcomer, open_game):
    find_places_by(
        newcomer,
        "export const placeForBubble = () => null, canServe = () => false, canStay = () => false;",
    )
    game = open_game(newcomer, "klondike", CODE)
    expect(newcomer.locator("#coach")).to_be_hidden()
    game.click("stock")
    game.expect_version(1)
    newcomer.wait_for_timeout(600)
    assert "fd_guided" not in {cookie["name"] for cookie in newcomer.context.cookies()}


def test_who_has_dealt_before_a_bubble_had_a_place_is_not_told_how(newcomer, open_game):
    find_places_by(
        newcomer,
        "export const placeForBubble = () => globalThis.room ?? null, canServe = () => true,"
        " canStay = () => false;",
    )
    game = open_game(newcomer, "klondike", CODE)
    game.click("stock")
    game.expect_version(1)
    newcomer.evaluate("() => { globalThis.room = [0, 400]; dispatchEvent(new Event('resize')); }")
    coach = newcomer.locator("#coach")
    for said in ("The goal", "Build the columns", "Undo takes back any move."):
        expect(coach.locator(".words")).to_contain_text(said)
        coach.locator(".next").click()
    expect(coach).to_be_hidden()


def test_who_plays_other_moves_is_told_about_the_stock_no_more(newcomer, open_game):
    game = open_game(newcomer, "klondike", CODE)
    coach = newcomer.locator("#coach")
    for _ in range(2):
        coach.locator(".next").click()
    expect(coach.locator(".words")).to_contain_text("Click the stock to deal")
    game.play(next(move for move in game.moves if "-" in move and "stock" not in move))
    expect(coach.locator(".words")).to_have_text("Undo takes back any move.")


def test_who_has_just_moved_a_card_is_not_sent_to_the_stock(newcomer, open_game):
    game = open_game(newcomer, "klondike", CODE)
    words = newcomer.locator("#coach .words")
    expect(words).to_contain_text("The goal")
    game.play(next(move for move in game.moves if "-" in move and "stock" not in move))
    expect(words).to_have_text("Undo takes back any move.")
    newcomer.locator("#coach .next").click()
    expect(words).to_contain_text("Click the stock to deal")  # asked for by Next


def gap_between(one: Any, other: Any) -> float:
    """Pixels between two boxes."""
    across = max(one["x"] - other["x"] - other["width"], other["x"] - one["x"] - one["width"], 0)
    down = max(one["y"] - other["y"] - other["height"], other["y"] - one["y"] - one["height"], 0)
    return math.hypot(across, down)


def test_on_a_desktop_each_bubble_lies_beside_what_it_is_about(newcomer, open_game):
    newcomer.set_viewport_size({"width": 1440, "height": 900})
    open_game(newcomer, "klondike", CODE)
    coach, ring = newcomer.locator("#coach"), newcomer.locator(".coach-ring")
    for words in ("The goal", "Click a card", "Click the stock"):
        expect(coach).to_contain_text(words)
        newcomer.evaluate(AT_REST)
        assert gap_between(coach.bounding_box(), ring.bounding_box()) <= 16
        coach.locator(".next").click()


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_choice_of_a_gentler_game_comes_before_the_bubbles(newcomer, open_game, width, height):
    newcomer.set_viewport_size({"width": width, "height": height})
    open_game(newcomer, "spider", CODE)
    newcomer.goto(f"{newcomer.url}?asked=easier")
    expect(newcomer.locator(".nearest")).to_be_visible()
    newcomer.wait_for_timeout(500)
    for part in ("#coach", ".coach-ring"):
        expect(newcomer.locator(part)).to_be_hidden()
    newcomer.keyboard.press("d")
    expect(newcomer.locator(".nearest")).to_be_hidden()
    expect(newcomer.locator("#coach")).to_be_visible()


def test_words_of_a_bubble_keep_off_its_edges(newcomer, open_game):
    newcomer.set_viewport_size({"width": 390, "height": 844})
    open_game(newcomer, "bristol", CODE)
    expect(newcomer.locator("#coach.placed")).to_be_visible()
    newcomer.evaluate(AT_REST)
    box, words = (newcomer.locator(part).bounding_box() for part in ("#coach", "#coach .words"))
    assert words["y"] - box["y"] >= 4
    assert box["y"] + box["height"] - words["y"] - words["height"] >= 4


def test_a_bubble_waits_while_a_hint_is_read(newcomer, open_game):
    open_game(newcomer, "klondike", CODE)
    coach = newcomer.locator("#coach")
    expect(coach).to_be_visible()
    newcomer.keyboard.press("h")
    expect(newcomer.locator("#notice")).to_contain_text("Why?")
    expect(coach).to_be_hidden()
    newcomer.keyboard.press("d")
    expect(coach).to_be_visible()


@pytest.mark.parametrize("locale", ["de-DE", "fr-FR", "pl-PL", "ar"])
def test_both_buttons_of_a_bubble_lie_in_one_row(page_with, site_address, locale):
    page = page_with(viewport={"width": 390, "height": 844}, locale=locale)
    page.goto(f"{site_address}/deal/klondike/{CODE}")
    page.locator("main form button").first.click()
    buttons = page.locator("#coach button")
    expect(buttons).to_have_count(2)
    # Both at once: the bubble may still be on its way to its place.
    tops = buttons.evaluate_all(
        "all => all.map((one) => Math.round(one.getBoundingClientRect().y))"
    )
    assert len(set(tops)) == 1


@pytest.mark.usefixtures("context")  # it keeps a script
def test_a_bubble_takes_no_room_and_no_clicks(newcomer, open_game):
    newcomer.set_viewport_size({"width": 390, "height": 844})
    newcomer.add_init_script(
        "window.shifted = 0; new PerformanceObserver((list) => { for (const each of list.getEntries())"
        " if (!each.hadRecentInput) { window.shifted += each.value;"
        " window.moved = each.sources.map(({ node }) => node?.outerHTML ?? node?.data).join(); } })"
        ".observe({ type: 'layout-shift', buffered: true });"
    )
    game = open_game(newcomer, "bristol", CODE)
    coach = newcomer.locator("#coach")
    expect(coach).to_contain_text("The goal")
    assert newcomer.evaluate(
        """() => { const { left, top } = document.querySelector("#coach .words").getBoundingClientRect();
                   return document.elementFromPoint(left + 4, top + 4).closest("#coach") === null; }"""
    )
    newcomer.wait_for_timeout(600)
    assert newcomer.evaluate("window.shifted") < 0.01, newcomer.evaluate("window.moved")
    game.click(str(coach.get_attribute("data-card")))
    game.expect_version(1)
    expect(coach).to_contain_text("Undo takes back any move.")  # a move also ends the goal
    newcomer.wait_for_timeout(500)
    assert newcomer.evaluate("window.shifted") < 0.01, newcomer.evaluate("window.moved")


def test_the_bubbles_can_be_dismissed_for_ever(newcomer, open_game):
    game = open_game(newcomer, "bristol", CODE)
    status = newcomer.locator("#coach").get_by_role("status")
    expect(status).to_have_text(
        "The goal: bring all 52 cards to the foundations, up from the ace, regardless of suit."
    )
    newcomer.get_by_role("button", name="Next").click()
    expect(status).to_have_text(re.compile(r"^Build the columns .* Click a card, [^T]*\.$"))
    with newcomer.expect_response("**/guided"):
        newcomer.get_by_role("button", name="Don't show again").click()
    expect(newcomer.locator("#coach")).to_have_count(0)
    game = open_game(newcomer, "bristol", CODE)
    assert newcomer.locator("#coach").count() == 0
    assert not game.page_errors


@pytest.mark.parametrize("size", SIZES)
def test_without_a_script_one_line_below_the_cards_says_it(page_with, site_address, size):
    size = {"width": size[0], "height": size[1]}
    page = page_with(viewport=size, java_script_enabled=False)
    page.goto(f"{site_address}/rules/bristol")
    page.get_by_role("button", name="Play Bristol").first.click()
    line = page.locator(".coach-line")
    for sentence in ("The goal:", "Click a card"):
        expect(line).to_contain_text(sentence)
    expect(line).not_to_contain_text("stock")
    line_box, top = line.bounding_box(), page.locator("#table").bounding_box()["y"]
    assert line_box
    assert line_box["y"] + line_box["height"] <= size["height"]
    assert line_box["x"] >= 8  # a card of its own, not a bar that ends somewhere
    assert line_box["x"] + line_box["width"] <= size["width"] - 8
    for card in page.locator("#table .pile svg").all():
        box = card.bounding_box()
        assert box["y"] + box["height"] <= line_box["y"] + 1
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#notice span").first).to_be_visible()
    expect(line).to_be_hidden()  # the hint lies in its place
    assert page.locator("#table").bounding_box()["y"] == top
    page.goto(page.url.partition("/help")[0])
    line.get_by_role("button", name="Got it").click()
    expect(page.locator("#table")).to_be_visible()
    expect(line).to_have_count(0)
    assert page.locator("#table").bounding_box()["y"] == top, "the cards lay there before"


def test_without_a_script_the_first_move_ends_the_line(page_with, site_address):
    page = page_with(viewport={"width": 390, "height": 844}, java_script_enabled=False)
    page.goto(f"{site_address}/rules/bristol")
    page.get_by_role("button", name="Play Bristol").first.click()
    expect(page.locator(".coach-line")).to_be_visible()
    top = page.locator("#table").bounding_box()["y"]
    page.locator("#stock > button").click()
    expect(page.locator("#state")).to_have_attribute("data-version", "1")
    expect(page.locator(".coach-line")).to_have_count(0)
    assert page.locator("#table").bounding_box()["y"] == top


def test_with_a_finger_one_taps(page_with, site_address):
    game = GamePage.start(
        page_with(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True),
        site_address,
        "freecell",
        CODE,
    )
    coach = game.page.locator("#coach")
    coach.get_by_role("button", name="Next").tap()
    expect(coach.get_by_role("status")).to_have_text(re.compile("Tap a card, or drag it"))
    expect(coach.locator(".by-mouse").last).to_be_hidden()
    coach.get_by_role("button", name="Got it").tap()
    expect(coach).to_be_hidden()  # there is no stock, and nothing to undo
    game.page.locator(f"#{game.moves[0].partition('-')[0]} button").last.tap()
    game.expect_version(1)
    expect(coach.locator(".words")).to_have_text("Undo takes back any move.")
    with game.page.expect_response("**/guided"):
        coach.get_by_role("button", name="Got it").tap()


def test_bubbles_go_when_the_game_is_under_way(newcomer, open_game):
    newcomer.set_viewport_size({"width": 390, "height": 844})
    game = open_game(newcomer, "klondike", CODE)
    coach = newcomer.locator("#coach")
    expect(coach).to_contain_text("The goal")
    for _ in range(4):
        newcomer.keyboard.press("d")
        newcomer.keyboard.press("u")
    newcomer.keyboard.press("d")
    newcomer.keyboard.press("d")
    game.expect_version(10)
    expect(coach).to_have_count(0)


def test_the_bubble_about_undo_goes_after_two_actions(newcomer, open_game):
    game = open_game(newcomer, "klondike", CODE)
    words = newcomer.locator("#coach .words")
    for version in (1, 2, 3, 4, 5, 6):
        newcomer.keyboard.press("d")
        game.expect_version(version)
        if version < 6:
            said = "Undo takes back any move." if version > 3 else "Build the columns"
            expect(words).to_contain_text(said)
    expect(newcomer.locator("#coach")).to_have_count(0)


def test_the_bubble_about_undo_goes_after_two_actions_of_different_kinds(newcomer, open_game):
    game = open_game(newcomer, "klondike", CODE)
    form = {"back": "/games", "ruleset": "klondike", "done": "goal.move.deal"}
    newcomer.request.post(newcomer.url.split("/games/")[0] + "/guided", form=form)
    game = open_game(newcomer, "klondike", CODE)
    coach = newcomer.locator("#coach")
    newcomer.keyboard.press("d")
    game.expect_version(1)
    newcomer.keyboard.press("d")  # before the bubble could come
    game.expect_version(2)
    move = next(move for move in game.moves if "-" in move)
    newcomer.locator(
        f'#table button[value="{move.split("-")[0]}"]'
    ).click()  # for the first time here
    held = newcomer.locator("#table button[aria-pressed=true]")
    expect(newcomer.locator("#state[data-version='3']").or_(held)).to_have_count(1)
    if held.count():
        newcomer.locator(f"#{move.split('-')[1]} > button").last.click()
    game.expect_version(3)
    expect(coach).to_have_count(0)


def test_who_plays_on_beside_a_bubble_has_read_it(newcomer, open_game):
    game = open_game(newcomer, "klondike", CODE)
    coach = newcomer.locator("#coach")
    expect(coach).to_contain_text("The goal")
    newcomer.keyboard.press("d")  # which is not what the next one is about
    game.expect_version(1)
    expect(coach).to_contain_text("Build the columns")
    for version in (2, 3, 4):
        expect(coach).to_be_visible()
        newcomer.keyboard.press("d")
        game.expect_version(version)
    expect(coach.locator(".words")).to_have_text("Undo takes back any move.")
    open_game(newcomer, "klondike", CODE)  # nor in the next game
    told = newcomer.locator("#coach template").evaluate_all(
        "all => all.map((one) => one.dataset.topic)"
    )
    assert told == ["undo"]
