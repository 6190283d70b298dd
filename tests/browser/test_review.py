"""Analysis in a browser: what asking means for the game, the wait, the answer, and the steps through a review."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import violations
from tests.browser.game_page import SEARCHED
from tests.golden.records import RECORDS

LOST = {record.ruleset: record for record in RECORDS if record.end == "lost"}
PHONE = {"width": 390, "height": 844}


def ask_and_look_back(page, open_game, ruleset) -> str:
    """Ask whether a game can be won just before it is lost, and have it reviewed then; the address of its review."""
    record = LOST[ruleset]
    open_game(page, ruleset, record.code).play_unseen(record.moves[:-1])
    game = page.url.split("/games/")[1]
    page.goto(f"/games/{game}/help/winnable")
    expect(page.get_by_text("marked as assisted")).to_be_visible()
    if page.viewport_size == PHONE:
        expect_a_board_for_a_phone(page)
    page.get_by_role("button", name="Check if it can be won").click()
    expect(page.locator(".answer")).to_contain_text("No.", timeout=SEARCHED)
    page.get_by_role("link", name="Back to the game").first.click()
    expect(page.locator(".top .assisted")).to_be_visible()
    body = {"version": len(record.moves) - 1, "move": record.moves[-1]}
    page.request.post(f"/api/v1/games/{game}/moves", data=body)
    page.goto(f"/games/{game}/replay")
    page.get_by_role("button", name="Review this game").click()  # this alone starts it
    expect(page.get_by_text("What wins")).to_be_visible(timeout=SEARCHED)
    return f"/games/{game}/help/review"


@pytest.fixture
def reader(browser, site_address):
    """Makes browsers, with or without scripts."""
    made = []

    def make(**how):
        made.append(browser.new_context(base_url=site_address, **how))
        return made[-1].new_page()

    yield make
    for context in made:
        context.close()


def expect_a_way_home_in_the_header_alone(page):
    """As at a table: the bar of the moves has the lower edge for itself."""
    expect(page.get_by_role("navigation", name="Site")).to_be_hidden()
    home = page.get_by_role("banner").get_by_role("link", name="Fair Deal")
    page.evaluate("scrollTo(0, 0)")
    expect(home).to_be_in_viewport()
    expect(home).to_have_attribute("href", "/")


def at(page, caption):
    expect(page.locator(".steps p")).to_have_text(caption)


def expect_a_board_for_a_phone(page):
    """As wide as the screen, as high as its longest column, each index in sight, and nothing printed over a card."""
    found = page.evaluate("""() => {
      const cloth = document.querySelector(".preview").getBoundingClientRect();
      const cardsOf = (piles) => [...document.querySelectorAll(piles)].map((pile) =>
        [...pile.children].filter((one) => one.matches("b, i, button")).map((one) => one.getBoundingClientRect()));
      const cards = cardsOf(".tableau .pile");
      const all = cardsOf("#table .pile").flat(); // a reserve may lie beside the columns
      const strips = cards.flatMap((pile) => pile.slice(1).map((card, n) => card.top - pile[n].top));
      const said = document.querySelector("figcaption") ?? document.querySelector(".said");
      return {
        left: Math.min(...all.map((card) => card.left)),
        right: Math.max(...all.map((card) => card.right)),
        below: cloth.bottom - Math.max(...all.map((card) => card.bottom)),
        strip: Math.min(...strips),
        caption: said.getBoundingClientRect().top - cloth.bottom,
      };
    }""")
    assert 6 <= found["left"] <= 16
    assert 6 <= 390 - found["right"] <= 16
    assert 0 <= found["below"] <= 20
    assert found["strip"] >= 18
    assert found["caption"] >= 4


# How many lines of text each of some cells has.
LINES = """cells => cells.map((cell) => {
  const text = document.createRange();
  text.selectNodeContents(cell);
  return new Set([...text.getClientRects()].map((line) => Math.round(line.top))).size;
})"""


def expect_the_board_first(page):
    """On a phone: right below it the curve, then the words and the figures; the controls stay above the bar."""
    parts = ("#table", ".chances", ".said", ".score")
    tops = [page.locator(part).bounding_box()["y"] for part in parts]
    assert tops == sorted(tops)
    cloth = page.locator(".preview").bounding_box()
    assert (
        page.locator(".chances").bounding_box()["y"] - cloth["y"] - cloth["height"] < 60
    )  # for its heading
    for down in (0, 400):
        page.evaluate("(down) => scrollTo(0, down)", down)
        steps = page.locator(".steps").bounding_box()
        assert 780 < steps["y"] < steps["y"] + steps["height"] <= 844
    page.evaluate("scrollTo(0, 0)")


def step_on_the_solvers_way(page):
    """It is another line on the same board."""
    page.locator(".best li a").nth(3).click()
    at(page, re.compile("The solver's move 4 of"))
    expect(page.locator(".found [aria-current]")).to_have_count(1)
    page.keyboard.press("ArrowLeft")
    at(page, re.compile("The solver's move 3 of"))
    page.get_by_role("link", name="Back to the game").click()
    expect(page.locator(".said")).to_contain_text("blunder")


def test_asking_and_stepping_through_a_review(reader, open_game):
    page = reader(color_scheme="dark", viewport=PHONE)
    address = ask_and_look_back(page, open_game, "bristol")
    last = len(LOST["bristol"].moves)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    for text in page.locator(".chances text").all():  # the axes stay on the screen
        box = text.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
    expect_the_board_first(page)
    expect_a_board_for_a_phone(page)
    expect_a_way_home_in_the_header_alone(page)
    for link in page.locator(".steps a").all():
        box = link.bounding_box()
        assert min(box["width"], box["height"]) >= 44

    page.set_viewport_size({"width": 1440, "height": 900})
    expect(page.get_by_role("navigation", name="Site")).to_be_visible()
    expect(page.locator(".exact li").first).to_be_visible()
    at_first = page.locator(".steps p").inner_text()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".steps p")).not_to_have_text(at_first)
    page.keyboard.press("ArrowLeft")
    at(page, at_first)
    page.keyboard.press("Home")
    at(page, f"Before move 1 of {last}")
    assert (
        page.locator(".chances .move").first.inner_html() == "1"
    )  # the curve counts as the steps do
    page.get_by_role("link", name="Next", exact=True).click()
    at(page, f"Before move 2 of {last}")
    page.keyboard.press("End")
    at(page, "Where the game ended")
    expect(page.locator(".said")).to_contain_text(f"Lost after {last} moves")
    curve = page.locator(".chances").bounding_box()
    page.mouse.click(curve["x"] + curve["width"] / 2, curve["y"] + curve["height"] / 2)
    expect(page.locator(".steps p")).to_contain_text("Before move 4")

    # A move far down in the list shows its position on the board beside it, and nothing scrolls.
    page.get_by_text("Every move as a table").click()
    assert max(page.locator(".found td").evaluate_all(LINES)) <= 3
    row = page.locator(".found tr").nth(60)
    row.scroll_into_view_if_needed()
    scrolled = page.evaluate("scrollY")
    row.click()
    at(page, f"Before move 60 of {last}")
    assert page.evaluate("scrollY") == scrolled > 400
    expect(page.locator("#board .cloth")).to_be_in_viewport(ratio=1)
    expect(row.locator("a")).to_have_attribute("aria-current", "true")

    step_on_the_solvers_way(page)
    row.click()
    at(page, f"Before move 60 of {last}")
    board = page.locator("#table").inner_html()
    page.reload()
    expect(page).to_have_url(f"{address}?at=59")
    assert page.locator("#table").inner_html() == board


def test_asking_and_stepping_through_a_review_without_a_script(reader, open_game):
    page = reader(java_script_enabled=False, viewport={"width": 1440, "height": 900})
    address = ask_and_look_back(page, open_game, "simple-simon")
    last = len(LOST["simple-simon"].moves)
    page.locator(".played li a").first.click()
    number = page.locator(".played li span").first.inner_text()
    at(page, f"Before move {number} of {last}")
    page.get_by_role("link", name="End", exact=True).click()
    at(page, "Where the game ended")
    page.get_by_role("link", name="Start", exact=True).click()
    expect(page).to_have_url(f"{address}?at=0#board")
    page.get_by_role("link", name="Watch the solver").click()
    expect(page.locator(".steps p")).to_contain_text("The solver's move 1 of")
    page.go_back()
    page.get_by_role("button", name="Play on from here").click()
    expect(page.locator("#table")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/games/[^/]+$"))
    assert page.url.split("/games/")[1] not in address


WHERE_PILES_LIE = """() => {
  const box = (id) => document.getElementById(id).getBoundingClientRect();
  const step = box("t2").left - box("t1").left;
  const piles = [...document.querySelectorAll("#table .pile[id]")].map((pile) => pile.getBoundingClientRect());
  return piles.map((pile) => [(pile.left - box("t1").left) / step, Math.sign(Math.round(pile.top - box("t1").top))]);
}"""


@pytest.mark.parametrize(
    "ruleset", ["bristol", "canfield", "eight-off", "freecell", "klondike", "terrace"]
)
def test_the_board_of_a_review_lies_as_the_table_did(reader, open_game, ruleset):
    """Every pile at the same column and row, on the same cloth, in cards that are nearly as large."""
    page = reader(viewport={"width": 1440, "height": 900})
    open_game(page, ruleset, "GNT00-00000")
    game = page.url.split("/games/")[1]

    def seen(cloth):
        return (
            page.evaluate(WHERE_PILES_LIE),
            page.locator(cloth).evaluate("(one) => getComputedStyle(one).backgroundColor"),
            page.locator("#t1").bounding_box()["width"],
        )

    places, color, width = seen(".at-table")
    body = {"version": 0}
    assert page.request.post(f"/api/v1/games/{game}/resign", data=body).ok
    page.goto(f"/games/{game}/help/review?at=0")
    found, its_color, its_width = seen(".at-move .preview")
    assert [one[1] for one in found] == [one[1] for one in places]
    assert [one[0] for one in found] == pytest.approx([one[0] for one in places], abs=0.05)
    assert its_color == color
    assert its_width > 0.65 * width
    page.get_by_role("button", name="Stop").click()
