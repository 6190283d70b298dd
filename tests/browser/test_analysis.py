"""Hints and the plain end in a browser: by button and by key, shown card by card."""

import re

import pytest
from playwright.sync_api import Request, Route, expect

from app.engine.actions import parse_action
from app.engine.history import History
from app.solver.auto_finish import automatic_finish
from tests.browser.conftest import GUIDED
from tests.browser.faults import all_faults, resize
from tests.browser.game_page import SLOW_MOTION, wait_until
from tests.browser.interception import intercept
from tests.golden.records import RECORDS

pytestmark = pytest.mark.kept_page

WON = next(record for record in RECORDS if record.name == "bristol-won")
WITH_A_CHOICE = "00000-00003"
HOME = "You won!"
SENTENCE = re.compile(r'(id="notice".*?<span class="">)[^<]*', re.DOTALL)


# How many cards lay ready when the film began, which may be over when a busy machine gets round to looking.
WATCH_THE_FILM = """() => {
    const table = document.getElementById("table");
    new MutationObserver(() => {
        if (table.matches(".in-sequence")) window.yetToTravel ??= table.querySelectorAll(".ghost").length;
    }).observe(table, { attributes: true, attributeFilter: ["class"] });
}"""


# The buttons that could be pressed, or to deal, and were where the one to finish is. It lies in the window.
FINISH_LIES_OVER = """(canRedo) => {
    const rail = document.getElementById("rail");
    rail.classList.add("can-finish");
    rail.classList.toggle("can-redo", canRedo);
    rail.querySelector(".redo").toggleAttribute("aria-disabled", !canRedo);
    const box = (part) => part.getBoundingClientRect();
    const finish = rail.querySelector(".finish");
    const isCommon = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    const its = box(finish);
    if (!its.width || its.left < 0 || its.top < 0 || its.right > innerWidth) return ["not in the window"];
    rail.classList.remove("can-finish");
    const others = [...rail.querySelectorAll(":scope > button, :scope > .menu > summary")];
    if (!others.some((each) => each.matches(".deal"))) return ["there is no button to deal"];
    const pressed = others.filter((each) => each.matches(".deal, :not([aria-disabled])"));
    return pressed.filter((each) => isCommon(its, box(each))).map((each) => each.className || "menu");
}"""


def at_the_end(page, open_game):
    """A page at a table whose rest is plain."""
    line = History.start(WON.rules, WON.cards)
    done = 0
    while not automatic_finish(line.rules, line.position):
        line = line.apply(parse_action(line.rules.layout, WON.moves[done]))
        done += 1
    game_page = open_game(page, "bristol", WON.code)
    game_page.play_unseen(WON.moves[:done])
    game_page.expect_version(done)
    return game_page


def expect_refined(page, number):
    """Wait for a hint, and for the closer look that follows: until then its sentence and its cards may change."""
    expect(page.locator("#state [name=hint]")).to_have_value(str(number))
    expect(page.locator("#state [name=rough]")).to_have_value("0")


def is_closer_look(request: Request) -> bool:
    return request.url.endswith("/help/hint") and "rough=1" in (request.post_data or "")


@pytest.fixture
def browser_context_args(browser_context_args, site_address):
    return {**browser_context_args, "base_url": site_address}


def test_a_hint_lights_a_card_and_its_target_and_again_the_next(page, open_game):
    game_page = open_game(page, "bristol", WITH_A_CHOICE)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("button.advised")).to_have_count(1)
    expect(page.locator(".pile.advised")).to_have_count(1)
    expect(game_page.notice).to_contain_text(re.compile("(Play|Deal) "))
    first = game_page.notice.inner_text()
    page.keyboard.press("h")
    expect(game_page.notice).not_to_have_text(first)
    expect(page.locator("button.advised")).to_have_count(1)
    expect(page.locator(".pile.advised")).to_have_count(1)
    game_page.expect_version(0)


@pytest.mark.parametrize("by_touch", [False, True], ids=["mouse", "touch"])
@pytest.mark.parametrize("place", ["button.advised", ".pile.advised button >> nth=-1"])
def test_a_press_on_the_card_of_a_hint_or_on_its_target_plays_it(
    page_with, open_game, by_touch, place
):
    """Also where the card has a choice of places, and the last card of the target has none."""
    page = page_with(has_touch=by_touch, storage_state=GUIDED)
    game_page = open_game(page, "bristol", WITH_A_CHOICE)
    for number in range(1, 10):
        page.keyboard.press("h")
        expect_refined(page, number)
        expect(page.locator("button.advised")).to_have_count(1)
        if page.locator("button.advised[value=r2]").count():
            break
    face = page.locator("#r2 button.advised use").get_attribute("href")
    target = page.locator(".pile.advised").get_attribute("id")
    pressed = page.locator(place)
    if by_touch:
        pressed.tap(position={"x": 8, "y": 8})
    else:
        pressed.click(position={"x": 8, "y": 8})
    game_page.expect_version(1)
    expect(page.locator(f"#{target} button >> nth=-1").locator("use")).to_have_attribute(
        "href", face
    )


def test_enter_plays_a_hint_that_a_key_asked_for(page, open_game):
    game_page = open_game(page, "bristol", WITH_A_CHOICE)
    page.keyboard.press("h")
    expect_refined(page, 1)
    advised = page.locator("#table button.advised, #stock.advised > button")
    expect(advised).to_be_focused()
    page.keyboard.press("Enter")
    game_page.expect_version(1)
    # By mouse, the focus stays where it is. So it does where the mouse opens the reason.
    page.get_by_role("button", name="Hint").click()
    expect_refined(page, 1)
    expect(page.get_by_role("button", name="Hint")).to_be_focused()


def test_enter_presses_finish_if_that_is_the_hint_that_a_key_asked_for(page, open_game):
    game_page = at_the_end(page, open_game)
    page.keyboard.press("h")
    expect(page.locator(".rail.finish-advised")).to_have_count(1)
    expect(page.locator(".rail > .finish")).to_be_focused()
    page.keyboard.press("Enter")
    game_page.expect_version(len(WON.moves))


@pytest.mark.parametrize("size", [(1440, 900), (390, 844), (844, 390)])
def test_a_hint_to_finish_has_a_button_that_presses_finish(page, open_game, size):
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    game_page = at_the_end(page, open_game)
    page.locator(".rail > .hint").click()
    own = page.locator("#notice").get_by_role("button", name="Finish", exact=True)
    expect(own).to_be_in_viewport(ratio=1)
    page.locator(".rail > .finish").evaluate(
        "button => button.addEventListener('click', () => { document.title = 'pressed'; })"
    )
    own.click()
    expect(page).to_have_title("pressed")
    game_page.expect_version(len(WON.moves))


def test_without_a_script_a_hint_to_finish_names_the_button_beside_the_cards(
    page_with, page, open_game
):
    game_page = at_the_end(page, open_game)
    address, kept = page.url, page.context.storage_state()
    plain = page_with(java_script_enabled=False, storage_state=kept)
    plain.goto(address)
    plain.get_by_role("button", name="Hint").click()
    expect(plain.locator("#notice")).to_contain_text("Press Finish.")
    expect(plain.locator("#notice .play")).to_be_hidden()
    plain.locator(".rail > .finish").click()
    plain.goto(address)
    expect(plain.locator("#state")).to_have_attribute("data-version", str(len(WON.moves)))
    assert game_page.history


@pytest.mark.parametrize("by", ["escape", "cloth"])
def test_a_hint_can_be_put_away(page, open_game, by):
    game_page = open_game(page, "klondike", WITH_A_CHOICE)
    page.get_by_role("button", name="Hint").click()
    expect_refined(page, 1)
    expect(page.locator("#notice.at-cards")).to_have_count(1)
    if by == "escape":
        page.keyboard.press("Escape")
    else:
        cloth = page.locator(".cloth").bounding_box()
        page.mouse.click(cloth["x"] + 3, cloth["y"] + cloth["height"] - 3)
    expect(page.locator(".advised")).to_have_count(0)
    expect(page.locator("#notice")).to_have_text("")
    expect(page.locator("#state")).to_have_attribute("data-version", "0")
    page.get_by_role("button", name="Hint").click()
    expect(game_page.notice.get_by_text("Why?")).to_be_visible()


def test_a_hint_that_was_put_away_does_not_come_back_refined(page, open_game):
    open_game(page, "klondike", WITH_A_CHOICE)
    held: list[Route] = []
    intercept(
        page,
        "**/help/hint",
        lambda route: held.append(route) if is_closer_look(route.request) else route.continue_(),
    )
    page.keyboard.press("h")
    expect(page.locator(".advised")).not_to_have_count(0)
    wait_until(page, lambda: held)
    page.keyboard.press("Escape")
    expect(page.locator(".advised")).to_have_count(0)
    found = held[0].fetch()
    with page.expect_response("**/help/hint"):
        held[0].fulfill(response=found)
    page.wait_for_timeout(300)
    expect(page.locator(".advised")).to_have_count(0)
    expect(page.locator("#notice")).to_have_text("")


def test_enter_plays_a_hint_whose_reason_was_opened_by_mouse(page, open_game):
    game_page = open_game(page, "klondike", WITH_A_CHOICE)
    page.keyboard.press("h")
    expect_refined(page, 1)
    why = game_page.notice.get_by_text("Why?")
    reason = game_page.notice.get_by_role("paragraph")
    why.click()
    expect(reason).to_be_visible()
    expect(page.locator("#table button.advised, #stock.advised > button")).to_be_focused()
    # Who goes there by key opens and closes it by key.
    why.focus()
    page.keyboard.press("Enter")
    expect(reason).to_be_hidden()
    page.keyboard.press("Space")
    expect(reason).to_be_visible()
    page.keyboard.press("h")
    expect(page.locator("#table button.advised, #stock.advised > button")).to_be_focused()
    expect(page.locator("#state [name=rough]")).to_have_value("0")
    if why.count():
        why.click()
    page.keyboard.press("Enter")
    game_page.expect_version(1)


def test_quick_presses_walk_on_from_hint_to_hint(page, open_game):
    game_page = open_game(page, "bristol", WITH_A_CHOICE)
    for _ in range(3):
        page.keyboard.press("h")
    expect(page.locator("#state [name=hint]")).to_have_value("3")
    assert game_page.page_errors == []


def test_a_rough_hint_is_refined_while_one_looks(page, open_game):
    game_page = open_game(page, "klondike", WITH_A_CHOICE)
    rough, given = (page.locator(f"#state [name={name}]") for name in ("rough", "hint"))
    closer = "After a closer look."

    def answer(route: Route) -> None:
        if is_closer_look(route.request):
            held.append(route)
        else:
            route.continue_()

    held: list[Route] = []
    intercept(page, "**/help/hint", answer)
    with page.expect_request(is_closer_look):
        page.keyboard.press("h")
    # Until it comes, the quick answer is there, and can be read.
    expect(game_page.notice).to_contain_text(re.compile("(Play|Deal) "))
    game_page.notice.get_by_text("Why?").click()
    expect(game_page.notice.get_by_role("paragraph")).to_be_visible()
    wait_until(page, lambda: held)
    found = held[0].fetch()
    held[0].fulfill(response=found, body=SENTENCE.sub(rf"\g<1>{closer}", found.text(), count=1))
    expect(game_page.notice).to_contain_text(closer)
    expect(rough).to_have_value("0")
    expect(given).to_have_value("1")  # the same hint
    expect(page.locator(".pile.advised")).to_have_count(1)
    assert len(held) == 1  # it is refined once
    assert game_page.page_errors == []


@pytest.mark.parametrize("keys", ["h", "hhh"])
def test_whatever_is_played_overtakes_a_hint_that_takes_its_time(page, open_game, keys):
    game_page = open_game(page, "bristol", WITH_A_CHOICE)
    intercept(page, "**/help/hint", lambda _: None)  # it never comes
    for key in keys:
        page.keyboard.press(key)
    bulb = page.locator(".rail .hint")
    expect(bulb).to_have_attribute("aria-busy", "true")
    for number, key in enumerate("dur", start=1):
        page.keyboard.press(key)
        game_page.expect_version(number)
    expect(bulb).to_have_attribute("aria-busy", "false")
    page.keyboard.press("h")
    expect(bulb).to_have_attribute("aria-busy", "true")
    game_page.click("t3")
    expect(page.locator("[aria-pressed=true]").first).to_be_attached()
    expect(bulb).to_have_attribute("aria-busy", "false")
    assert game_page.page_errors == []


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_hint_rings_its_card_and_shows_once_where_that_goes(page, open_game, motion):
    page.emulate_media(reduced_motion=motion)
    open_game(page, "bristol", WITH_A_CHOICE)
    # On a busy machine the closer look may find another move, which is shown, too.
    page.evaluate("""() => { window.glides = 0; window.hints = new Set();
      const table = document.getElementById("table");
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes)
          window.glides += [...addedNodes].filter((node) => node.matches?.(".ghost")).length;
        const [card, pile] = [".pile button.advised", ".pile.advised"].map((each) => table.querySelector(each));
        if (card && pile) window.hints.add(`${card.value} ${pile.id}`);
      }).observe(table, { childList: true, subtree: true, attributeFilter: ["class"] }); }""")
    page.keyboard.press("h")
    expect_refined(page, 1)
    expect(page.locator(".advised")).to_have_count(2)
    style = """card => {
      const { outlineStyle, outlineWidth } = getComputedStyle(card);
      return [outlineStyle, outlineWidth];
    }"""
    assert page.locator("button.advised svg").evaluate(style) == ["solid", "3px"]
    target = page.locator(".pile.advised > button:last-of-type")
    drawing = target if "empty" in (target.get_attribute("class") or "") else target.locator("svg")
    assert drawing.evaluate(style) == ["dotted", "3px"]
    expect(page.locator(".ghost")).to_have_count(0)
    hints = page.evaluate("window.hints.size")
    assert 1 <= hints <= 2
    assert page.evaluate("window.glides") == (hints if motion == "no-preference" else 0)


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390), (1440, 900)])
def test_a_hint_and_its_reason_are_one_box(page, open_game, width, height):
    page.set_viewport_size({"width": width, "height": height})
    game_page = open_game(page, "klondike", WITH_A_CHOICE)
    page.get_by_role("button", name="Hint").click()
    expect_refined(page, 1)
    said = game_page.notice.locator("span").first
    expect(said).to_have_text(re.compile(r"^(Play|Deal) "))
    before = page.locator("#table").bounding_box()
    game_page.notice.get_by_text("Why?").click()
    reason = game_page.notice.get_by_role("paragraph")
    expect(reason).to_contain_text("turns a card face up")
    line, below, box = (each.bounding_box() for each in (said, reason, game_page.notice))
    assert line
    assert below
    assert box
    assert box["y"] <= line["y"] <= below["y"]
    if height > 480:  # on a phone on its side the reason goes on in the same line
        assert line["y"] + line["height"] <= below["y"]
    assert below["y"] + below["height"] <= box["y"] + box["height"] <= height
    assert 0 <= box["x"] <= box["x"] + box["width"] <= width
    widths = reason.evaluate(
        """(text) => {
          const range = document.createRange();
          range.selectNodeContents(text);
          return [...range.getClientRects()].map((line) => line.width);
        }"""
    )
    assert len(widths) < 3 or max(widths) > 0.8 * (box["width"] - 34), "all of its width is used"
    assert page.locator("#table").bounding_box() == before, "the layout has shifted"


TIME_THE_FILM = """() => {
  window.film = { cards: 0, took: 0, began: 0 };
  new MutationObserver(() => {
    const isOn = document.querySelector("#table.in-sequence");
    if (isOn && !film.began) {
      film.began = performance.now();
      film.cards = document.querySelector("#state").dataset.sequence.split(" ").length;
    }
    if (!isOn && film.began && !film.took) film.took = performance.now() - film.began;
  }).observe(document.body, { subtree: true, attributes: true });
}"""
"""Notes how many cards a film moves, and how long it takes."""


@pytest.mark.parametrize("ruleset", ["klondike", "bristol"])
def test_words_lie_on_a_plate_of_their_height(page, open_game, ruleset):
    """Not on half of one, which would end behind a line."""
    open_game(page, ruleset, WITH_A_CHOICE)
    with all_faults() as at:
        for width, height in ((390, 844), (844, 390), (1440, 900)):
            for text in ("A card moves.", "So " * 160):
                with at(f"{ruleset} {width}x{height} {text[:7]}"):
                    resize(page, width, height)
                    plate = page.evaluate(PLATE_OF_WORDS, text)
                    assert plate["isPainted"]
                    assert plate["top"] <= plate["first"]
                    assert plate["bottom"] >= plate["last"]


PLATE_OF_WORDS = """text => {
  const plate = Object.assign(document.createElement("span"), { textContent: text });
  document.querySelector("#notice").replaceChildren(plate);
  const lines = document.createRange();
  lines.selectNodeContents(plate);
  const [{ top, bottom }, words] = [plate.getBoundingClientRect(), lines.getBoundingClientRect()];
  const isPainted = getComputedStyle(plate).backgroundColor !== "rgba(0, 0, 0, 0)";
  return { isPainted, top, bottom, first: words.top, last: words.bottom };
}"""


def test_a_hint_keeps_off_the_edge_of_a_window(page, open_game):
    game_page = open_game(page, "klondike", WITH_A_CHOICE)
    page.get_by_role("button", name="Hint").click()
    expect_refined(page, 1)
    with all_faults() as at:
        for width, height in ((1024, 768), (1440, 900), (2560, 1440)):
            with at(f"{width}x{height}"):
                resize(page, width, height)
                why = game_page.notice.get_by_text("Why?")
                expect(why).to_be_visible()
                lines = [game_page.notice.locator("span").first, why]
                boxes = [box for line in lines if (box := line.bounding_box())]
                assert len(boxes) == 2
                assert all(box["y"] + box["height"] <= height - 18 for box in boxes)
                assert (
                    lines[0].evaluate("line => parseFloat(getComputedStyle(line).fontSize)") >= 17
                )


def test_why_stands_beside_play_and_goes_once_it_is_answered(page, open_game):
    page.set_viewport_size({"width": 1440, "height": 900})
    game_page = open_game(page, "klondike", WITH_A_CHOICE)
    page.get_by_role("button", name="Hint").click()
    expect_refined(page, 1)
    expect(page.locator(".odds")).to_contain_text(re.compile("^Hint 1 of"))
    why = game_page.notice.locator("summary")
    play = game_page.notice.get_by_role("button", name="Play", exact=True)
    beside, own = why.bounding_box(), play.bounding_box()
    assert beside
    assert own
    assert beside["y"] == pytest.approx(own["y"], abs=2)
    assert 0 < beside["x"] - own["x"] - own["width"] < 24
    expect(why).not_to_have_css("clip-path", "inset(50%)")
    why.click()
    expect(why).to_have_css("clip-path", "inset(50%)")
    expect(game_page.notice.get_by_role("paragraph")).to_be_visible()


def test_whatever_is_played_puts_the_light_out(page, open_game):
    game_page = open_game(page, "bristol", WITH_A_CHOICE)
    page.keyboard.press("h")
    expect(page.locator(".advised")).to_have_count(2)
    page.keyboard.press("d")
    game_page.expect_version(1)
    expect(page.locator(".advised")).to_have_count(0)
    expect(page.locator("#state [name=hint]")).to_have_value("0")


def test_hints_come_without_a_script(page_with, open_game, site_address):
    page = page_with(java_script_enabled=False, base_url=site_address)
    open_game(page, "bristol", WITH_A_CHOICE)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("button.advised")).to_have_count(1)
    first = page.locator("#notice").inner_text()
    page.get_by_role("button", name="Hint").click()  # a closer look, which may say the same
    expect(page.locator("#state [name=rough]")).to_have_value("0")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#notice")).not_to_have_text(first)
    expect(page.locator("#table button.advised")).to_have_count(1)
    page.get_by_role("button", name="Deal", exact=True).click()
    expect(page.locator("#state")).to_have_attribute("data-version", "1")


@pytest.mark.parametrize("by", ["button", "key"])
def test_finish_is_offered_when_no_decision_is_left_and_shows_each_card(page, open_game, by):
    game_page = at_the_end(page, open_game)
    finish = page.get_by_role("button", name="Finish")
    expect(finish).to_be_visible()
    expect(page.get_by_role("button", name="Deal", exact=True)).to_be_hidden()
    page.evaluate(WATCH_THE_FILM)
    if by == "button":
        finish.click()
    else:
        page.keyboard.press("f")
    page.wait_for_function("() => window.yetToTravel > 4")
    game_page.expect_version(len(WON.moves))
    expect(page.get_by_role("heading", name=HOME)).to_be_visible()
    expect(page.locator("#table.in-sequence")).to_have_count(0)
    expect(page.locator(".ghost")).to_have_count(0)
    faces = page.locator(".foundations .pile button use")
    for n in range(4):
        expect(faces.nth(n)).to_have_attribute("href", re.compile("#K[CDHS]$"))
        expect(page.locator(".foundations svg").nth(n)).to_be_visible()
    assert game_page.page_errors == []


@pytest.mark.parametrize("size", [(390, 844), (768, 1024), (844, 390), (1440, 900)], ids=str)
@pytest.mark.parametrize("hand", ["left", "right"])
def test_finish_comes_where_nothing_could_be_pressed(page, open_game, size, hand):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    at_the_end(page, open_game)
    page.evaluate(
        "(hand) => Object.assign(document.documentElement.dataset,"
        " { hand, side: hand === 'right' ? 'end' : 'start' })",
        hand,
    )
    assert page.evaluate(FINISH_LIES_OVER, False) == []
    assert page.evaluate(FINISH_LIES_OVER, True) == []


def test_for_a_moment_finish_takes_no_tap_that_was_meant_for_the_deal(page, open_game):
    at_the_end(page, open_game)
    touch = "(it) => getComputedStyle(it).pointerEvents"
    finish = page.locator(".rail .finish")
    # As when it comes: it replaces the button that was there.
    finish.evaluate("(it) => it.getAnimations().forEach((each) => each.cancel())")
    assert finish.evaluate(touch) == "auto"
    page.evaluate("document.getElementById('rail').classList.remove('can-finish')")
    expect(page.get_by_role("button", name="Deal", exact=True)).to_be_visible()
    # At once: a busy machine may ask again only when the moment is over.
    in_a_moment = (
        f"(it) => {{ it.parentElement.classList.add('can-finish'); return ({touch})(it); }}"
    )
    assert finish.evaluate(in_a_moment) == "none"
    expect(finish).to_have_css("pointer-events", "auto")


def test_any_key_skips_the_film(page, open_game):
    at_the_end(page, open_game)
    page.evaluate(SLOW_MOTION)
    page.keyboard.press("f")
    expect(page.locator("#table.in-sequence")).to_have_count(1)
    expect(page.locator(".how-to-skip")).to_have_text("Press any key to skip")
    page.keyboard.press("Shift")
    expect(page.locator("#table.in-sequence")).to_have_count(0, timeout=10_000)  # half of the film
    page.evaluate("window.goOnAtFullSpeed()")
    expect(page.locator(".curtain")).to_have_count(1)
    # The moment after it began in slow motion, too: it would last for half a minute.
    page.keyboard.press("Shift")
    expect(page.get_by_role("heading", name=HOME)).to_be_visible()


COUNT_MOVES = """() => {
  window.counts = [];
  requestAnimationFrame(function look() {
    window.said ??= document.querySelector(".how-to-skip")?.textContent;
    const count = Number(document.querySelector("#status span").firstChild.data);
    if (window.counts.at(-1) !== count) window.counts.push(count);
    requestAnimationFrame(look);
  });
}"""
"""Notes the counts that are seen, and what is said of skipping."""


def test_the_count_of_moves_grows_with_the_cards_of_the_film(page_with, open_game):
    page = page_with(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    at_the_end(page, open_game)
    before = int(page.locator("#state").get_attribute("data-counted"))
    page.evaluate(COUNT_MOVES)
    page.locator(".rail .finish").tap()
    expect(page.locator(".curtain")).to_have_count(1, timeout=10_000)
    counts = page.evaluate("window.counts")
    after = int(page.locator("#state").get_attribute("data-counted"))
    assert page.evaluate("window.said") == "Tap to skip"
    fact = page.locator(".curtain-words").get_attribute("data-fact") or ""
    assert f"({after - before}\N{NO-BREAK SPACE}automatic)" in fact, "no line ends in there"
    assert counts == sorted(counts)
    assert (counts[0], counts[-1]) == (before, after)
    assert len(counts) > 5, counts  # a slow browser does not draw each


def test_the_film_is_short_on_a_slow_machine_too(page, open_game):
    at_the_end(page, open_game)
    page.evaluate(SLOW_MOTION)
    page.evaluate("() => { delete performance.now; }")  # by the clock, all of that is late
    page.evaluate(TIME_THE_FILM)
    page.keyboard.press("f")
    page.wait_for_function("() => window.film.took", timeout=60_000)
    film = page.evaluate("window.film")
    assert film["cards"] > 10
    assert film["took"] < film["cards"] * 450, "each card waited for the one before it"
    expect(page.locator(".how-to-skip")).to_have_count(0)


def test_there_is_no_finish_before_the_rest_is_plain(page, open_game):
    open_game(page, "bristol", WITH_A_CHOICE)
    expect(page.get_by_role("button", name="Finish")).to_be_hidden()
    expect(page.get_by_role("button", name="Deal", exact=True)).to_be_visible()


def _overlap(one, other):
    return all(
        one[start] < other[start] + other[size] and other[start] < one[start] + one[size]
        for start, size in (("x", "width"), ("y", "height"))
    )


@pytest.mark.parametrize("name", ["signora-lost", "rouge-et-noir-lost", "bristol-lost"])
def test_the_end_of_a_game_covers_no_card(page, open_game, name):
    record = next(record for record in RECORDS if record.name == name)
    open_game(page, record.ruleset, record.code).play_unseen(record.moves)
    for width, height in ((1440, 900), (768, 1024), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        panel = page.locator(".ending").bounding_box()
        cards = page.locator("#table .pile svg").evaluate_all(
            "cards => cards.map((card) => card.getBoundingClientRect().toJSON())"
        )
        assert len(cards) > 20
        covered = [card for card in cards if _overlap(card, panel)]
        assert covered == [], f"at {width}x{height}"
        rail = page.locator(".rail").bounding_box()
        assert panel["y"] + panel["height"] <= rail["y"] or width == 1440


def test_safe_cards_go_home_by_themselves_once_that_is_chosen(page, open_game):
    game_page = open_game(page, "bristol", WON.code)
    page.get_by_text("Menu", exact=True).click()
    page.get_by_role("link", name="Settings").click()
    page.get_by_text("Clock and automatic moves").click()
    page.locator(".of-safe_home .is-on").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.get_by_role("link", name="Done").click()
    expect(page.locator(".settings-sheet")).to_be_hidden()
    game_page.drag("t5", "t3")  # which frees an ace
    game_page.expect_version(2)
    expect(page.locator("#f1 use")).to_have_attribute("href", re.compile("#A[CDHS]$"))
    expect(game_page.notice).to_contain_text("A safe card moved home.")
    page.keyboard.press("u")
    game_page.expect_version(3)
    page.wait_for_timeout(300)
    game_page.expect_version(3)
    assert "t5-f1" in game_page.moves


def test_beside_a_question_on_an_upright_phone_the_waste_is_in_line_with_a_column(
    page_with, open_game
):
    page = page_with(viewport={"width": 390, "height": 844})
    open_game(page, "klondike", "00000-00000").expect_version(0)
    page.keyboard.press("d")
    page.wait_for_selector("#state[data-version='1']", state="attached")
    page.goto(f"{page.url}/help/winnable")
    waste = page.locator(".preview #waste > b").last.bounding_box()
    column = page.locator(".preview #t6").bounding_box()
    assert waste["x"] == pytest.approx(column["x"], abs=1)
