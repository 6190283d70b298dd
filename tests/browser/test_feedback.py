"""What a player sees, hears and is told: refusals at the hand, the line, undoing by key, the moment after a win."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import ConsoleMessage, Page, expect

from tests.browser.conftest import GUIDED
from tests.browser.faults import all_faults, resize
from tests.browser.game_page import SWAP_IN, wait_until

pytestmark = pytest.mark.kept_page

BRISTOL = "7KQ4M-2XWTP"


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1440, 900), (2560, 1440)])
def test_a_refusal_appears_beside_its_card_and_never_over_it(page_with, open_game, size):
    page = page_with(viewport={"width": size[0], "height": size[1]})
    game_page = open_game(page, "bristol", BRISTOL)
    movable = {move.split("-")[0] for move in game_page.moves}
    stuck = [f"t{n}" for n in range(1, 9) if f"t{n}" not in movable] + ["f1"]
    toast = page.locator(".toast")
    for grip in dict.fromkeys((stuck[0], stuck[-2], stuck[-1])):
        page.evaluate(WHEN_SAID, [grip, *movable])
        game_page.click(grip)
        wait_until(page, lambda: page.evaluate("window.said"))
        said = page.evaluate("window.said")
        assert said["text"] == said["line"]
        own, card = said["own"], said["cards"].pop(grip)
        across = max(own["x"] - card["x"] - card["width"], card["x"] - own["x"] - own["width"])
        along = max(own["y"] - card["y"] - card["height"], card["y"] - own["y"] - own["height"])
        assert 0 < max(across, along) < 430  # beside it, and near
        for other, playable in said["cards"].items():
            assert (
                own["x"] + own["width"] <= playable["x"]
                or own["x"] >= playable["x"] + playable["width"]
                or own["y"] + own["height"] <= playable["y"]
                or own["y"] >= playable["y"] + playable["height"]
            ), f"the sentence about {grip} covers {other}"
        assert own["x"] >= 0
        assert own["y"] >= 0
        assert own["x"] + own["width"] <= size[0]
        assert own["y"] + own["height"] <= size[1]
    line = game_page.notice.bounding_box()
    expect(game_page.notice.locator(".why")).to_have_class(
        "why sr-only"
    )  # not a second time, below
    assert line is not None
    expect(toast).to_have_count(0)
    page.evaluate(WHEN_SAID, [stuck[0]])
    game_page.click(stuck[0])
    wait_until(page, lambda: page.evaluate("window.said"))
    page.mouse.move(size[0] / 2, size[1] - 2)
    page.wait_for_timeout(200)  # sooner, it would be the second press of a double click
    page.evaluate(AT_THE_NEXT_TOUCH)
    page.mouse.down()  # the next touch, wherever
    expect(toast).to_have_count(0)
    assert page.evaluate("window.left") == 0


# The next sentence at a card, the same in the line for screen readers, and where it and some cards lie when all is at
# rest. The page notes it, as it goes after some seconds, and a busy machine may look later.
WHEN_SAID = """grips => {
  const box = (element) => element.getBoundingClientRect().toJSON();
  const card = (grip) => document.querySelector(`#table button[value="${grip}"] svg`);
  const note = (_, observer) => {
    const toast = document.querySelector(".toast");
    if (!toast) return;
    observer.disconnect();
    for (const animation of document.getAnimations()) animation.finish();
    window.said = {
      text: toast.innerText,
      line: document.querySelector("#notice .why").innerText,
      own: box(toast),
      cards: Object.fromEntries(grips.map((grip) => [grip, box(card(grip))])),
    };
  };
  window.said = null;
  document.querySelector(".toast")?.remove();
  new MutationObserver(note).observe(document.body, { childList: true });
}"""
# How many sentences the next touch leaves: a moment later they would go by themselves.
AT_THE_NEXT_TOUCH = """() => document.addEventListener("pointerdown",
  () => (window.left = document.querySelectorAll(".toast").length), { capture: true })"""


def test_a_double_click_does_not_put_away_what_its_first_press_was_told(page, open_game):
    game_page = open_game(page, "bristol", BRISTOL)
    stuck = next(
        f"t{n}" for n in range(1, 9) if not any(m.startswith(f"t{n}-") for m in game_page.moves)
    )
    box = game_page.box(stuck)
    page.mouse.move(box["x"] + 8, box["y"] + 8)
    for _ in range(8):  # until a second press comes so early that it is one by accident
        page.evaluate(WHEN_SAID, [stuck])
        page.evaluate(HOW_FAR_APART)
        click(page, 1)
        wait_until(page, lambda: page.evaluate("window.said"))
        click(page, 2)
        if page.evaluate("window.presses[1] - window.presses[0] < 150"):
            break
        page.wait_for_timeout(500)
    assert page.locator(".toast").count() == 1


def click(page: Page, count: int) -> None:
    page.mouse.down(click_count=count)
    page.mouse.up(click_count=count)


HOW_FAR_APART = """() => {
  window.presses = [];
  addEventListener("pointerdown", (event) => window.presses.push(event.timeStamp));
}"""


@pytest.mark.parametrize(
    "ruleset", ["bristol", "terrace", "klondike-draw-three", "freecell", "canfield", "dover"]
)
def test_no_refusal_covers_a_card_that_may_be_played(page, open_game, ruleset):
    code = BRISTOL if ruleset not in {"terrace", "dover"} else "00000-00000"
    game_page = open_game(page, ruleset, code)
    movable = sorted({move.split("-")[0].split(":")[0] for move in game_page.moves})
    for width, height in ((390, 844), (360, 640), (844, 390), (768, 1024), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        covered = page.evaluate(COVERED, movable)
        assert covered == [], f"at {width}x{height}"


@pytest.mark.parametrize("is_guided", [True, False])
@pytest.mark.parametrize(
    ("ruleset", "spared"),
    [
        ("klondike", "*"),  # empty places as well
        *((ruleset, ":not(.empty)") for ruleset in ("freecell", "spider", "simple-simon", "yukon")),
    ],
)
def test_a_refusal_on_a_phone_covers_hardly_a_pile_where_there_is_room(
    page_with, open_game, ruleset, spared, is_guided
):
    """The bubble of a first game, which takes the room below the columns, leaves it to the refusal."""
    guided = {"storage_state": GUIDED} if is_guided else {}
    page = page_with(viewport={"width": 390, "height": 844}, **guided)
    # No card of this Klondike may go to a foundation: those are as empty as the waste.
    open_game(page, ruleset, "00000-00000" if ruleset in {"spider", "klondike"} else BRISTOL)
    bubble = page.locator("#coach")
    expect(bubble).to_have_count(int(not is_guided))
    if not is_guided:
        expect(bubble).to_have_class(re.compile("placed"))
    found = page.evaluate(AREAS, [".tableau .pile", spared])
    assert found
    assert {pile: area for pile, area in found.items() if area > 100} == {}


def test_a_refusal_goes_to_free_cloth_before_over_many_cards(page, open_game):
    open_game(page, "freecell", BRISTOL)
    with all_faults() as at:
        for size in ((390, 844), (1440, 900)):
            with at(f"{size}"):
                resize(page, *size)
                found = page.evaluate(AREAS, [".pile", ":not(.empty)"])
                assert found
                assert {pile: area for pile, area in found.items() if area > 500} == {}


AREAS = """async ([places, spared]) => {
  const src = document.querySelector('script[src*="js/table.js"]').src;
  const { showAt } = await import(src.replace("table.js", "refusal.js"));
  const { overlap } = await import(src.replace("table.js", "placing.js"));
  const box = (element) => (element.querySelector("svg") ?? element).getBoundingClientRect();
  const all = [...document.querySelectorAll("#table .pile > :is(button, b, i)")];
  const cards = all.filter((each) => each.matches(spared)).map(box);
  const found = {};
  for (const pile of document.querySelectorAll(places)) {
    showAt("Only a black ten can go on the jack of diamonds.", [...pile.querySelectorAll("button")].at(-1));
    for (const animation of document.getAnimations()) animation.finish();
    const own = document.querySelector(".toast").getBoundingClientRect();
    found[pile.id] = Math.max(...cards.map((card) => Math.round(overlap(own, card))));
  }
  return found;
}"""
COVERED = """async (movable) => {
  const src = document.querySelector('script[src*="js/table.js"]').src;
  const { showAt } = await import(src.replace("table.js", "refusal.js"));
  const box = (element) => element.getBoundingClientRect();
  const tops = [...document.querySelectorAll("#table .pile")]
    .map(({ id, children }) => ({ id, button: [...children].filter((child) => child.matches("button")).at(-1) }))
    .filter(({ button }) => button);
  const playable = tops.filter(({ id }) => movable.includes(id))
    .map(({ id, button }) => ({ id, ...box(button.querySelector("svg") ?? button).toJSON() }));
  const long = "The king of spades can only go to an empty pile or onto a foundation that is complete.";
  const found = [];
  for (const { id, button } of tops.filter(({ id }) => !movable.includes(id))) {
    for (const sentence of ["Not now.", long]) {
      showAt(sentence, button);
      for (const animation of document.getAnimations()) animation.finish();
      const own = box(document.querySelector(".toast"));
      const isSeen = own.left >= 0 && own.top >= 0 && own.right <= innerWidth && own.bottom <= innerHeight;
      if (!isSeen) found.push(`${id} off the screen`);
      for (const card of playable) {
        const wide = Math.min(own.right, card.right) - Math.max(own.left, card.left);
        const high = Math.min(own.bottom, card.bottom) - Math.max(own.top, card.top);
        if (wide > 0 && high > 0) found.push(`${id} over ${card.id}`);
      }
    }
  }
  return found;
}"""


def test_a_refusal_appears_within_100_ms_of_its_answer(page, open_game):
    game_page = open_game(page, "bristol", BRISTOL)
    # Counted in frames: a busy machine draws fewer, and so is not taken for a slow page.
    page.evaluate("""() => {
        let frame = 0;
        const count = () => { frame++; requestAnimationFrame(count); };
        count();
        document.addEventListener("htmx:before:response", () => (window.answered = frame));
        new MutationObserver(() => {
            if (document.querySelector(".toast")) window.shown ??= frame;
        }).observe(document.body, { childList: true });
    }""")
    game_page.click("f1")
    expect(page.locator(".toast")).to_be_visible()
    assert page.evaluate("window.shown - window.answered") <= 6  # of 16 ms each


def test_a_refused_drag_is_no_error_of_the_page(page, open_game):
    game_page = open_game(page, "bristol", BRISTOL)
    lines: list[ConsoleMessage] = []
    page.on("console", lambda line: lines.append(line))  # noqa: PLW0108 - Playwright marks what it calls
    columns = [f"t{n}" for n in range(1, 9)]
    source, target = next(
        (source, target)
        for source in columns
        for target in columns
        if source != target and f"{source}-{target}" not in game_page.moves
    )
    with page.expect_response("**/move"):
        game_page.drag(source, target)
    expect(page.locator(".toast")).to_be_visible()
    game_page.expect_version(0)
    assert [line.text for line in lines if line.type == "error"] == []


def test_a_click_on_a_card_that_is_gone_when_its_turn_comes_is_not_silent(page, open_game):
    game_page = open_game(page, "bristol", BRISTOL)
    home = next(move for move in game_page.moves if "-f" in move).split("-")[0]
    name = game_page.card(home).get_attribute("aria-label")
    button = game_page.card(home)
    button.evaluate("button => { button.click(); button.click(); }")
    expect(page.locator(".toast")).to_have_text(f"The {name} is already on a foundation.")
    game_page.expect_version(1)


def test_a_refusal_of_what_is_nowhere_to_be_seen_is_said_at_the_hand(page, open_game):
    open_game(page, "bristol", BRISTOL)
    page.mouse.click(500, 640)  # below the cards
    toast = page.evaluate("""async () => {
        const src = document.querySelector('script[src*="js/table.js"]').src;
        const { showAt } = await import(src.replace("table.js", "refusal.js"));
        showAt("Not now.", document.querySelector(".sheet button")); // of a menu that is closed
        return document.querySelector(".toast").getBoundingClientRect().toJSON();
    }""")
    away = max(toast["x"] - 500, 500 - toast["x"] - toast["width"], 0)
    assert away + max(toast["y"] - 640, 640 - toast["y"] - toast["height"], 0) < 170


def test_a_page_reconnects_as_soon_as_the_network_is_back(page, context, open_game):
    game_page = open_game(page, "bristol", BRISTOL)
    context.set_offline(True)
    expect(game_page.notice).to_contain_text("Your game is saved. Reconnecting")
    page.keyboard.press("d")
    expect(game_page.notice).to_contain_text("nothing was changed")
    expect(page.locator(".toast")).to_have_count(0)  # no card is at fault, so none is covered
    page.wait_for_timeout(4500)  # the pauses between attempts have grown
    # By the clock of the page: a busy machine may take long for the answer.
    page.evaluate("""() => {
        const { fetch } = window;
        window.asked = [];
        window.fetch = (...what) => {
            window.asked.push(performance.now());
            return fetch(...what);
        };
        addEventListener("online", () => (window.back = performance.now()));
    }""")
    context.set_offline(False)
    expect(game_page.notice).to_contain_text("Reconnected")
    pauses = page.evaluate("window.asked.map((at) => Math.abs(at - window.back))")
    assert min(pauses) < 500  # milliseconds; the next attempt was due later
    game_page.expect_version(0)


def test_control_z_undoes_and_redoes_outside_text_fields(page, open_game):
    game_page = open_game(page, "bristol", BRISTOL)
    page.keyboard.press("d")
    game_page.expect_version(1)
    for version, key in enumerate(
        ("Control+z", "Control+Shift+z", "Meta+z", "Control+y", "Control+z"), start=2
    ):
        page.keyboard.press(key)
        game_page.expect_version(version)
    page.evaluate("document.body.append(document.createElement('input'))")
    page.locator("body > input").focus()
    page.keyboard.press("Control+y")
    page.wait_for_timeout(200)
    game_page.expect_version(6)


def test_the_keys_z_and_u_undo_outside_text_fields_and_without_another_key(page, open_game):
    game_page = open_game(page, "bristol", BRISTOL)
    for version, key in enumerate(("d", "z", "d", "u", "d"), start=1):
        page.keyboard.press(key)
        game_page.expect_version(version)
    page.keyboard.press("Alt+z")
    page.evaluate("document.body.append(document.createElement('input'))")
    page.locator("body > input").press("z")
    page.wait_for_timeout(200)
    game_page.expect_version(5)


def test_what_to_do_first_is_seen_until_it_is_done(page, open_game):
    game_page = open_game(page, "terrace", BRISTOL)
    first = page.locator(".state > .first")
    expect(first).to_be_visible()
    page.keyboard.press("d")
    expect(page.locator(".toast")).to_contain_text("Choose the base first")
    expect(first).to_be_visible()
    game_page.click("t1")
    game_page.expect_version(1)
    expect(first).to_have_count(0)


@pytest.mark.parametrize("size", [(390, 844), (1440, 900), (2560, 1440)])
@pytest.mark.parametrize("ruleset", ["terrace", "signora"])
def test_what_to_do_first_is_said_below_its_cards_which_have_a_ring(page, open_game, ruleset, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    game_page = open_game(page, ruleset, BRISTOL)
    first = page.locator(".state > .first")
    sentence = first.bounding_box()
    card = page.locator("#t1 svg").bounding_box()
    assert sentence
    assert card
    assert 4 < sentence["y"] - (card["y"] + card["height"]) < 24
    ringed = """() => [...document.querySelectorAll("#table .pile")].filter((pile) =>
      getComputedStyle(pile.querySelector(":scope > button:last-of-type svg") ?? pile).outlineStyle === "solid")
      .map(({ id }) => id).sort()"""
    may_start = {move.split("-")[0] for move in game_page.moves if "-f" in move}
    assert page.evaluate(ringed) == sorted(may_start)
    game_page.click("t1")
    game_page.expect_version(1)
    expect(first).to_have_count(0)
    assert page.evaluate(ringed) == []
    page.keyboard.press("u")
    game_page.expect_version(2)
    expect(first).to_be_visible()
    assert page.evaluate(ringed) == sorted(may_start)


def test_a_tap_deals_a_face_up_stock_that_fits_nowhere(page, open_game):
    code = "00000-00000"
    game_page = open_game(page, "blondes-and-brunettes-till-dawn", code)
    assert not any(move.startswith("stock-") for move in game_page.moves)
    game_page.click("stock")
    game_page.expect_version(1)
    expect(game_page.notice).to_contain_text("Dealt the")


def test_what_is_open_stays_open_when_the_table_is_brought_up_to_date(page, open_game):
    open_game(page, "bristol", BRISTOL)
    page.request.post(f"{page.url}/resign", form={"version": "0"})
    page.reload()
    page.wait_for_load_state()
    more = page.locator(".ending .more")
    more.locator("summary").click()
    fresh = page.locator("#state").evaluate("""state => {
        const fresh = state.cloneNode(true);
        fresh.querySelector(".more").removeAttribute("open"); // as the server sends it
        return fresh.outerHTML;
    }""")
    page.evaluate(SWAP_IN, fresh)
    page.wait_for_timeout(100)
    expect(more).to_have_js_property("open", value=True)


def test_sounds_are_loaded_only_when_they_are_wanted(page, open_game):
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    game_page = open_game(page, "bristol", BRISTOL)
    page.keyboard.press("d")
    game_page.expect_version(1)
    assert not any(address.endswith("/sound.js") for address in asked)
    page.evaluate("document.documentElement.dataset.sound = 'on'")
    with page.expect_request("**/sound.js"):
        page.keyboard.press("d")
    game_page.expect_version(2)
    assert game_page.page_errors == []


def test_motion_that_is_turned_off_lets_nothing_travel(page, open_game):
    game_page = open_game(page, "bristol", BRISTOL)
    page.evaluate("document.documentElement.dataset.speed = 'off'")
    page.keyboard.press("d")
    game_page.expect_version(1)
    moving = """() => document.getAnimations().filter(
        (a) => a.effect.getKeyframes().some((frame) => "transform" in frame)).length"""
    assert page.evaluate(moving) == 0


@pytest.mark.parametrize("ruleset", ["gotham", "spider"])
def test_a_hint_of_three_lines_covers_no_card_of_a_tall_phone(page_with, open_game, ruleset):
    page = page_with(viewport={"width": 390, "height": 844})
    game_page = open_game(page, ruleset, "00000-00000")
    game_page.notice.evaluate(
        """notice => {
          notice.innerHTML = "<span>Play the jack of diamonds from the stock to the reserve. "
            + "No move is clearly good here. This one does the least harm. Why?</span>";
        }"""
    )
    notice, cloth = game_page.notice.bounding_box(), page.locator(".cloth").bounding_box()
    assert notice["height"] > 50
    assert notice["y"] >= cloth["y"] + cloth["height"] - 1


RING = """svg => {
  const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(svg);
  return [outlineStyle, parseFloat(outlineWidth), outlineColor];
}"""


@pytest.mark.parametrize("size", [(390, 844), (1440, 900)])
def test_the_held_card_has_a_stronger_ring_than_where_it_may_go(page, open_game, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    game_page = open_game(page, "bristol", "00000-00003")
    game_page.click("t3")  # it may go to t4 or t7
    held = page.locator('#t3 button[aria-pressed="true"] svg').evaluate(RING)
    for target in ("t4", "t7"):
        lit = page.locator(f"#{target}.lit > button:last-of-type svg").evaluate(RING)
        assert (lit[0], lit[2]) == (held[0], held[2]) == ("solid", held[2])
        assert 0 < lit[1] < held[1]
