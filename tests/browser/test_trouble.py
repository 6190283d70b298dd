"""Two tabs, quick fingers, late answers, lost lines: all end at the right table, and say so."""

import re

import pytest
from playwright.sync_api import CDPSession, FloatRect, Route, expect

from tests.browser.event_clock import EventClock
from tests.browser.game_page import INTO_A_CARD, SEARCHED, wait_until
from tests.browser.interception import intercept
from tests.golden.records import RECORDS

pytestmark = pytest.mark.kept_page

BRISTOL = "7KQ4M-2XWTP"
MOUSE = "Input.dispatchMouseEvent"
AGAIN = 150  # milliseconds: a second press on a card within them is none
NOTE_TIMES = """() => {
  const note = (name, time) => (event) => (window[name] = time(event));
  const once = { capture: true, once: true };
  document.addEventListener("pointerdown", note("pressedAt", (event) => event.timeStamp), once);
  document.addEventListener("htmx:before:swap", note("swappedAt", () => performance.now()), once);
  window.noted = [];
  const keep = (event) => noted.push([event.type, event.timeStamp, performance.now()]);
  for (const type of ["pointerdown", "pointerup", "click", "htmx:before:swap"])
    document.addEventListener(type, keep, { capture: true });
}"""
LIES_UNDER = """([card, { x, y }]) => {
  const { left, right, top, bottom } = card.getBoundingClientRect();
  return left < x && x < right && top < y && y < bottom;
}"""


def test_a_move_in_one_tab_appears_in_the_other(page, context, open_game):
    game_page = open_game(page, "bristol", BRISTOL)
    other = context.new_page()
    other.goto(page.url)
    page.keyboard.press("d")
    game_page.expect_version(1)
    expect(other.locator("#state")).to_have_attribute("data-version", "1")
    other.keyboard.press("u")
    game_page.expect_version(2)
    assert game_page.page_errors == []


def test_a_tab_that_missed_everything_catches_up_and_says_so(page, context, open_game):
    game_page = open_game(page, "bristol", BRISTOL)
    other = context.new_page()
    other.route("**/stream", lambda route: route.abort())
    other.route("**/board?*", lambda route: route.abort())  # nor does it look by itself
    other.goto(page.url)
    page.keyboard.press("d")
    game_page.expect_version(1)
    other.locator("#stock button").click()
    expect(other.locator("#notice")).to_contain_text("The game has changed")
    expect(other.locator("#state")).to_have_attribute("data-version", "1")


def test_a_tab_without_a_stream_polls(page, context, open_game):
    game_page = open_game(page, "bristol", BRISTOL)
    other = context.new_page()
    other.route("**/stream", lambda route: route.fulfill(status=429, body="too many"))
    other.goto(page.url)
    page.keyboard.press("d")
    game_page.expect_version(1)
    expect(other.locator("#state")).to_have_attribute("data-version", "1")


def test_quick_keys_are_all_taken_in_their_order(page, open_game):
    game_page = open_game(page, "bristol", BRISTOL)
    for key in "ddduur":
        page.keyboard.press(key)
    game_page.expect_version(6)
    assert page.locator("#stock small").inner_text() == "7 deals"


def test_a_double_click_on_a_card_is_one_click(page, open_game):
    """Within 40 ms by the clock of the mouse: the answer may come in between.

    Where the answer takes more than a second, the browser gives the second press the time at which it comes, in place
    of the one that it was told. Then it is no double click, and another one is tried.
    """
    for _ in range(8):
        version, posted, noted = double_click(page, open_game)
        first, second = [at for kind, at, _ in noted if kind == "pointerdown"]
        if second - first < AGAIN:
            break
    assert second - first < AGAIN, noted
    assert (version, posted) == ("1", ["POST"]), noted
    expect(page.locator("#table [aria-pressed]")).to_have_count(0)


def double_click(page, open_game) -> tuple[str | None, list[str], list[tuple[str, float, float]]]:
    """The version after a double click on a card, the clicks sent, and what the page saw: events, and their times."""
    game_page = open_game(page, "bristol", BRISTOL)
    home = next(move for move in game_page.moves if "-f" in move)
    box = game_page.box(home.split("-")[0])
    wire = page.context.new_cdp_session(page)
    began = EventClock(page, wire).now()
    page.evaluate(NOTE_TIMES)
    posted: list[str] = []

    def note(request):
        if "/click" in request.url:
            posted.append(request.method)

    page.on("request", note)

    def press_and_release(after: float, count: int) -> None:
        place = {"x": box["x"] + INTO_A_CARD, "y": box["y"] + INTO_A_CARD}
        for kind, at in (("mousePressed", after), ("mouseReleased", after + 0.02)):
            event = {"type": kind, "button": "left", "clickCount": count, "timestamp": began + at}
            wire.send("Input.dispatchMouseEvent", event | place)

    press_and_release(0.0, 1)
    game_page.expect_version(1)
    pressed, swapped = page.evaluate("[window.pressedAt, window.swappedAt]")
    # Sooner than anybody can have seen the card that the answer uncovered.
    press_and_release(min(40, swapped + 20 - pressed) / 1000, 2)
    page.wait_for_timeout(300)
    page.remove_listener("request", note)
    version = page.locator("#state").get_attribute("data-version")
    return version, posted, page.evaluate("window.noted")


def test_a_click_on_a_card_that_has_just_changed_is_dropped(page, context, open_game):
    game_page = open_game(page, "falling-star", BRISTOL)
    for number in range(2):
        page.keyboard.press("d")
        game_page.expect_version(number + 1)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    box = game_page.box("waste")
    page.mouse.move(box["x"] + INTO_A_CARD, box["y"] + INTO_A_CARD)
    page.mouse.down()
    other = context.new_page()
    other.goto(page.url)
    other.keyboard.press("d")
    game_page.expect_version(3)
    page.mouse.up()
    page.wait_for_timeout(200)
    assert not any(address.endswith("/click") for address in asked)
    with page.expect_request("**/click"):  # down and up at once, lest it becomes a long press
        page.mouse.click(box["x"] + INTO_A_CARD, box["y"] + INTO_A_CARD)


def after_a_column_has_closed_up(page, open_game, wire):
    """A table just after an answer, where a card of the second column lay until then, and when that was."""
    record = next(one for one in RECORDS if one.ruleset == "rouge-et-noir" and one.end == "won")
    assert record.moves[69:71] == ["t7-t2:5", "t2-t8:6"]
    game_page = open_game(page, record.ruleset, record.code)
    game_page.play_unseen(record.moves[:69])
    game_page.expect_version(69)
    six, at = game_page.box("t2"), EventClock(page, wire).now()
    game_page.click("t7:5")
    game_page.expect_version(70)
    assert game_page.box("t2:6")["y"] < six["y"] - INTO_A_CARD
    return game_page, six, at


def test_a_click_is_meant_for_the_card_that_was_seen_there(page, context, open_game):
    """The cards of a column move closer together just before a click on one of them."""
    wire = context.new_cdp_session(page)
    game_page, six, at = after_a_column_has_closed_up(page, open_game, wire)
    press_at(wire, six, at)
    game_page.expect_version(71)
    expect(game_page.card("t8:13")).to_be_visible()


def test_a_drag_takes_the_card_that_was_seen_there(page, context, open_game):
    """The same with a drag: the run comes along from where the hand took it, not the cards that lie there now."""
    wire = context.new_cdp_session(page)
    game_page, six, at = after_a_column_has_closed_up(page, open_game, wire)
    target = game_page.box("t8")
    start = {"x": six["x"] + six["width"] / 2, "y": six["y"] + six["height"] * 0.8}
    end = {"x": target["x"] + target["width"] / 2, "y": start["y"]}
    hold = {"button": "left", "buttons": 1, "clickCount": 1}
    wire.send(MOUSE, {"type": "mousePressed", "timestamp": at, **hold, **start})
    wire.send(MOUSE, {"type": "mouseMoved", "timestamp": at, **hold, **end})
    copies = page.locator(".ghost.flying")
    expect(copies).to_have_count(6)
    # Cards lie on it now, and one of those is where its lower part was.
    page.wait_for_function(LIES_UNDER, arg=[copies.nth(2).element_handle(), end])
    wire.send(MOUSE, {"type": "mouseReleased", **hold, **end})
    game_page.expect_version(71)
    expect(game_page.card("t8:13")).to_be_visible()


def test_a_click_on_a_card_that_has_just_been_covered_says_so(page, context, open_game):
    game_page = open_game(page, "bristol", BRISTOL)
    move = next(move for move in game_page.moves if re.fullmatch(r"t\d-t\d", move))
    wire = context.new_cdp_session(page)
    box, at = game_page.box(move.split("-")[1]), EventClock(page, wire).now()
    game_page.play(move)
    press_at(wire, box, at)
    expect(page.locator(".toast")).to_have_text("That pile has changed in the meantime.")
    game_page.expect_version(1)


def press_at(wire: CDPSession, box: FloatRect, at: float) -> None:
    """Click into a card's lower part, as a hand did at ``at`` (a time) of which the page learns only now."""
    place = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] * 0.8}
    for word in ("mousePressed", "mouseReleased"):
        event = {"type": word, "button": "left", "clickCount": 1, "timestamp": at}
        wire.send(MOUSE, {**event, **place})


def test_a_click_that_waited_and_means_something_else_now_is_dropped(page, open_game):
    game_page = open_game(page, "bristol", BRISTOL)
    home = next(move for move in game_page.moves if "-f" in move)
    button = game_page.card(home.split("-")[0])
    button.evaluate("button => { button.click(); button.click(); button.click(); }")
    game_page.expect_version(1)
    page.wait_for_timeout(300)
    game_page.expect_version(1)


def test_an_answer_that_was_overtaken_never_puts_the_page_back(page, open_game):
    game_page = open_game(page, "bristol", BRISTOL)
    answers = []
    page.on("response", lambda answer: answers.append(answer) if "/deal" in answer.url else None)
    page.keyboard.press("d")
    game_page.expect_version(1)
    late = answers[0].text()
    page.keyboard.press("d")
    game_page.expect_version(2)
    swap = """async (text) => {
        const form = document.getElementById("table");
        await htmx.swap({ text, sourceElement: form, target: form, swap: "none" });
    }"""
    page.evaluate(swap, late)
    game_page.expect_version(2)
    assert page.locator("#stock small").inner_text() == "7 deals"


NOT_SAVED = (
    '<hx-partial id="notice" hx-swap="innerHTML"><span>This could not be saved.</span></hx-partial>'
)


def refuse_to_save(route: Route) -> None:
    route.fulfill(status=503, content_type="text/html", body=NOT_SAVED)


def test_a_move_that_could_not_be_saved_says_so_and_can_be_tried_again(page, open_game):
    game_page = open_game(page, "bristol", BRISTOL)
    intercept(page, "**/deal", refuse_to_save)
    page.keyboard.press("d")
    expect(game_page.notice).to_contain_text("could not be saved")
    game_page.expect_version(0)
    page.unroute("**/deal")
    page.keyboard.press("d")
    game_page.expect_version(1)
    assert game_page.page_errors == []


def test_an_answer_that_comes_while_the_page_looks_for_the_server_stays(page, open_game):
    """A page that waits for seconds looks whether the server is there: on a busy machine, while the answer comes."""
    game_page = open_game(page, "bristol", BRISTOL)
    held: dict[str, Route] = {}

    def hold(route: Route) -> None:
        held[route.request.url.rpartition("/")[2].partition("?")[0]] = route

    intercept(page, "**/deal", hold)
    intercept(page, "**/board?*", hold)
    page.keyboard.press("d")
    wait_until(page, lambda: "board" in held)
    expect(game_page.notice).to_contain_text("Checking")
    refuse_to_save(held["deal"])
    expect(game_page.notice).to_contain_text("could not be saved")
    with page.expect_response("**/board?*"):
        held["board"].continue_()
    page.wait_for_timeout(200)
    expect(game_page.notice).to_contain_text("could not be saved")


def test_a_page_that_the_server_cannot_bring_up_to_date_tries_again(page, context, open_game):
    game_page = open_game(page, "bristol", BRISTOL)
    other = context.new_page()
    other.route("**/stream", lambda route: route.abort())
    asked: list[Route] = []

    def refuse_the_first(route: Route) -> None:
        asked.append(route)
        if len(asked) == 1:
            route.fulfill(status=503, body="full")
        elif len(asked) > 2:
            route.continue_()

    other.route("**/board?*", refuse_the_first)
    other.goto(page.url)
    page.keyboard.press("d")
    game_page.expect_version(1)
    expect(other.locator("#notice")).to_contain_text("Connection lost")
    wait_until(other, lambda: len(asked) > 1)  # the next one waits until the notice has been seen
    asked[1].continue_()
    expect(other.locator("#notice")).to_contain_text("Reconnected")
    expect(other.locator("#state")).to_have_attribute("data-version", "1")


def test_an_answer_that_cannot_be_placed_loads_the_table_again(page, open_game):
    game = open_game(page, "bristol", BRISTOL)
    stock = page.locator("#stock")
    page.evaluate("document.getElementById('stock').getAttributeNames = null")
    page.keyboard.press("d")
    expect(game.notice).to_contain_text("Something went wrong. Loading the table again")
    game.expect_version(1)
    expect(stock.locator("small")).to_have_text("8 deals")
    page.keyboard.press("d")
    game.expect_version(2)
    assert not game.page_errors


def test_a_lost_connection_is_shown_and_restored(page, context, open_game):
    game_page = open_game(page, "bristol", BRISTOL)
    context.set_offline(True)
    page.keyboard.press("d")
    expect(game_page.notice).to_contain_text("Connection lost")
    context.set_offline(False)
    expect(game_page.notice).to_contain_text("Reconnected")
    page.keyboard.press("d")
    game_page.expect_version(1)


COVERED = """() => {
  const boxOf = (part) => part.getBoundingClientRect();
  const news = boxOf(document.querySelector("#notice > .lost"));
  const cards = [...document.querySelectorAll(".pile svg, .pile > i")].map(boxOf);
  const isCovered = ({ left, right, top, bottom }) =>
    left < news.right && news.left < right && top < news.bottom && news.top < bottom;
  return [cards.length > 52 / 2, cards.some(isCovered)];
}"""


@pytest.mark.parametrize("size", [(390, 844), (360, 640), (844, 390), (1440, 900)], ids=str)
def test_a_lost_connection_is_a_banner_that_moves_and_covers_nothing(
    page, context, open_game, size
):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    game_page = open_game(page, "klondike", BRISTOL)
    before = page.locator("#table").bounding_box(), game_page.box("t7")
    context.set_offline(True)
    banner = page.locator("#notice > .lost")
    expect(banner).to_have_text("Connection lost. Your game is saved. Reconnecting…")
    box = banner.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= size[0]
    assert box["y"] >= 0
    assert page.evaluate(COVERED) == [True, False]
    assert (page.locator("#table").bounding_box(), game_page.box("t7")) == before
    page.keyboard.press("d")
    expect(banner).to_have_text("You're offline, so nothing was changed.")
    assert page.evaluate(COVERED) == [True, False]
    expect(banner).to_contain_text("Connection lost")  # it is what lasts
    context.set_offline(False)
    expect(page.locator("#notice > .found")).to_have_text("Reconnected.")
    assert (page.locator("#table").bounding_box(), game_page.box("t7")) == before
    expect(page.locator("#notice > .found")).to_have_count(0)
    game_page.expect_version(0)


def test_without_a_network_a_new_deal_leaves_the_table_as_it_is(page, context, open_game):
    game_page = open_game(page, "bristol", BRISTOL)
    address = page.url
    context.set_offline(True)
    page.locator(".menu > summary").click()
    page.get_by_role("button", name="New deal").click()
    banner = page.locator("#notice > .lost")
    expect(banner).to_have_text("You're offline, so nothing was changed.")
    expect(page.locator(".menu")).not_to_have_attribute("open", "")
    assert page.url == address
    context.set_offline(False)
    expect(page.locator("#notice > .found")).to_have_text("Reconnected.")
    page.keyboard.press("d")
    game_page.expect_version(1)


def test_a_lost_connection_is_shown_below_an_ending_on_a_phone(page, context, open_game):
    page.set_viewport_size({"width": 390, "height": 844})
    open_game(page, "klondike", BRISTOL)
    address = page.url.replace("/games/", "/api/v1/games/")
    assert page.request.post(f"{address}/resign", data={"version": 0}).ok
    page.reload()
    expect(page.locator(".ending")).to_be_visible()
    context.set_offline(True)
    banner = page.locator("#notice > .lost")
    expect(banner).to_be_visible()
    assert page.locator("#notice").evaluate("line => getComputedStyle(line).clipPath") == "none"
    ending, box = page.locator(".ending").bounding_box(), banner.bounding_box()
    assert ending["y"] + ending["height"] <= box["y"]


def test_a_lost_connection_is_not_said_at_the_cards_of_a_hint(page, context, open_game):
    game_page = open_game(page, "bristol", BRISTOL)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.keyboard.press("h")
    expect(page.locator("#table .advised").first).to_be_visible(timeout=SEARCHED)
    expect(game_page.notice).to_have_class(re.compile("at-cards"))
    context.set_offline(True)
    expect(game_page.notice).to_contain_text("Connection lost")
    expect(game_page.notice).not_to_have_class(re.compile("at-cards"))


def test_a_silent_server_is_asked_again(page, open_game):
    game_page = open_game(page, "bristol", BRISTOL)
    held: list[Route] = []
    intercept(page, re.compile("/deal$"), held.append)
    page.keyboard.press("d")
    expect(game_page.notice).to_contain_text("No answer yet")
    held[0].continue_()
    game_page.expect_version(1)


@pytest.mark.usefixtures("context")  # it keeps a clock
def test_a_hint_may_take_its_time(page, open_game):
    """The server thinks for seconds, and no one is told that it may be lost."""
    game_page = open_game(page, "bristol", BRISTOL)
    page.clock.install()
    held: list[Route] = []
    intercept(page, "**/help/hint", held.append)
    with page.expect_request("**/help/hint"):
        page.keyboard.press("h")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.clock.run_for(6000)
    assert not any("/board" in address for address in asked)
    expect(game_page.notice).not_to_contain_text("Checking")
    held[0].continue_()
    expect(game_page.notice).to_contain_text(re.compile("(Play|Deal) "))


def test_a_move_that_arrived_though_its_answer_did_not_is_shown(page, open_game):
    game_page = open_game(page, "bristol", BRISTOL)

    def swallow(route):
        route.fetch()  # the server plays it
        route.abort()

    intercept(page, re.compile("/deal$"), swallow)
    page.keyboard.press("d")
    game_page.expect_version(1)
    page.unroute(re.compile("/deal$"))


def test_a_reload_finds_the_same_table(page, open_game):
    game_page = open_game(page, "bristol", BRISTOL)
    page.keyboard.press("d")
    game_page.expect_version(1)
    before = page.locator("#table").inner_html()
    page.reload()
    expect(page.locator("#state")).to_have_attribute("data-version", "1")
    assert page.locator("#r1").get_attribute("aria-label") in before
