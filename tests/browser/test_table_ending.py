"""How a table looks when its game has ended: the board that stays, and what lies on it or beside it."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import GUIDED
from tests.browser.faults import all_faults, resize
from tests.golden.records import RECORDS

if TYPE_CHECKING:
    from playwright.sync_api import FloatRect, Locator, Page

pytestmark = pytest.mark.kept_page

LOST = next(r for r in RECORDS if (r.ruleset, r.end) == ("bristol", "lost") and r.code)
WON = next(r for r in RECORDS if (r.ruleset, r.end) == ("bristol", "won") and r.code)
PHONE = (390, 844)
SIZES = [PHONE, (844, 390), (1024, 768), (1440, 900)]
ANOTHER = re.compile("New deal|An easier deal")  # by whether this one has been judged yet
INDEX = 14  # pixels of a fanned card that show its rank


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
        places = [word.bounding_box() for word in words.all()]
        ending.get_by_text("More", exact=True).click()
        folded = [
            *first,
            "Try this deal again",
            "Review this game",
            "Replay",
            "Share deal",
            "Other games",
        ]
        expect(words).to_have_text(folded)
        assert [word.bounding_box() for word in words.all()][: len(first)] == places
        for word in words.all():
            box = word.bounding_box()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= height
        ending.locator("h2").click()  # anywhere else
        expect(words).to_have_text(first)


OVER_THE_PANEL = """async () => {
  const src = document.querySelector('script[src*="js/table.js"]').src;
  const { showAt } = await import(src.replace("table.js", "refusal.js"));
  const { overlap } = await import(src.replace("table.js", "placing.js"));
  const panel = document.querySelector(".ending").getBoundingClientRect();
  return [...document.querySelectorAll("#table .pile")].map((pile) => {
    showAt("The four of hearts has nowhere to go right now. A black five would take it.", pile.lastElementChild);
    return Math.round(overlap(document.querySelector(".toast").getBoundingClientRect(), panel));
  });
}"""


def test_a_refusal_after_the_end_covers_nothing_of_its_panel(page, open_game):
    game_page = open_game(page, "bristol", LOST.code)
    game_page.play_unseen(LOST.moves)
    with all_faults() as at:
        for size in SIZES:
            with at(size):
                resize(page, *size)
                expect(page.locator(".ending")).to_be_visible()
                assert max(page.evaluate(OVER_THE_PANEL)) == 0


def test_on_a_phone_a_lost_game_ends_in_the_same_place_right_above_the_bar(page, open_game):
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    places = set()
    for name in ("bristol", "klondike-one-pass", "spider", "yukon"):
        record = next(r for r in RECORDS if (r.ruleset, r.end) == (name, "lost") and r.code)
        open_game(page, name, record.code).play_unseen(record.moves)
        expect(page.get_by_role("heading", name="No moves left")).to_be_visible()
        strip, bar = (page.locator(each).bounding_box() for each in (".ending", "#rail"))
        assert strip["y"] + strip["height"] == pytest.approx(bar["y"], abs=1), name
        places.add((strip["x"], strip["width"], strip["y"]))
        gauge, heading = (page.locator(f".ending {one}").bounding_box() for one in (".gauge", "h2"))
        assert gauge["y"] - strip["y"] >= 6, "not glued to the edge"
        assert heading["y"] - gauge["y"] - gauge["height"] >= 5
        _check_strip(page, PHONE[1])
    assert len(places) == 1


def test_on_a_phone_on_its_side_the_end_of_every_game_is_as_wide(page_with, open_game):
    page = page_with(viewport={"width": 844, "height": 390}, storage_state=GUIDED)
    widths = set()
    for ruleset in ("bristol", "freecell", "spider", "yukon"):
        lost = next(r for r in RECORDS if (r.ruleset, r.end) == (ruleset, "lost") and r.code)
        open_game(page, ruleset, lost.code).play_unseen(lost.moves)
        widths.add(round(page.locator(".ending:not(.whole)").bounding_box()["width"]))
    assert len(widths) == 1, "whatever its columns leave"


def test_a_heading_with_nothing_beside_it_has_the_whole_line(page_with, open_game):
    """As that of a race that no one won."""
    page = page_with(viewport={"width": 1440, "height": 900})
    open_game(page, "klondike", "GNT00-00000")
    page.locator(".menu > summary").click()
    page.locator(".end summary").click()
    page.get_by_role("button", name="Yes, resign").click()
    heading = page.locator(".ending h2")
    expect(heading).to_have_text("You resigned")
    expect(page.locator(".ending .fact")).to_have_count(0)
    height = heading.bounding_box()["height"]
    heading.evaluate("one => { one.textContent = 'No one won this time'; }")
    assert heading.bounding_box()["height"] == height, "in one line"


def test_a_resigned_game_keeps_its_board(page_with, open_game):
    page = page_with()
    open_game(page, "signora", LOST.code)
    tops = {size: _tops_of_foundations(page, size) for size in SIZES}
    page.locator(".menu > summary").click()
    page.locator(".end summary").click()
    page.get_by_role("button", name="Yes, resign").click()
    ending = page.locator(".ending")
    expect(ending.get_by_role("heading", name="You resigned")).to_be_visible()
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
                # Before the first move there is nothing to count.
                expect(ending.locator(".fact")).to_have_count(0)
                expect(ending).to_contain_text("You stopped before the first move.")
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
                expect(words.nth(2)).to_have_text("Review this game")
                expect(words.last).to_have_text("Other games")
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


def test_full_cells_lie_apart_beside_the_ending_on_a_phone_on_its_side(page, open_game):
    filled = "t3-c1 t7-c2 t2-c3 t5-c4 t4-t5 t6-f3 t7-t3 t1-t4 t1-t5 t5-f1 t7-f1 c1-t3 t1-c1"
    page.set_viewport_size({"width": 844, "height": 390})
    open_game(page, "freecell", "00000-00001").play_unseen(filled.split())
    page.reload()
    expect(page.get_by_role("heading", name="No moves left")).to_be_visible()
    cards = [page.locator(f"#c{n} > :is(b, button)").bounding_box() for n in range(1, 5)]
    for above, below in pairwise(cards):
        assert above["y"] + above["height"] <= below["y"]
    tray = page.locator(".cells").bounding_box()
    assert cards[-1]["y"] + cards[-1]["height"] <= tray["y"] + tray["height"]


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
    expect(page.locator(".ending").get_by_role("link", name="Share deal")).to_be_visible()
    page.locator(".ending").get_by_text("More", exact=True).click()
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


def _places_from_the_first(words):
    """The boxes of buttons, measured from the first one: the panel grows upwards on some screens."""
    boxes = [word.bounding_box() for word in words.all()]
    first = boxes[0]
    return [
        tuple(round(n) for n in (b["x"] - first["x"], b["y"] - first["y"], b["width"], b["height"]))
        for b in boxes
    ]


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
        first = [
            "Next deal gentle",
            "Review this game",
            "Challenge a friend",
            "Share result",
            "More",
        ]
        expect(words).to_have_text(first)
        _expect_buttons_alike(words)
        places = _places_from_the_first(words)
        ending.get_by_text("More", exact=True).click()
        _expect_buttons_alike(words)
        expect(words).to_have_text([*first[:-1], "Share deal", "Replay", "Other games"])
        now = _places_from_the_first(words)
        assert now[: len(places)] == places, "what was there stays, and the deal is where More was"
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
    # With as many choices as after a win that hints led to, the first keeps clear of the line below the picture.
    page.locator(".ending .choices > .primary").evaluate(
        """first => {
          for (let n = 0; n < 3; n += 1) {
            const more = first.cloneNode(true);
            more.className = "secondary more-of-them";
            first.after(more);
          }
        }"""
    )
    court, first = (page.locator(f".ending {one}").bounding_box() for one in (".court", ".primary"))
    assert first["y"] - court["y"] - court["height"] >= 6
    page.locator(".ending .more-of-them").evaluate_all("all => all.forEach((one) => one.remove())")
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
