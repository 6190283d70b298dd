"""A race in two browsers, one of them a phone, from the shared link to the rematch."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect
from sqlalchemy import delete

from app.db.engine import Database
from app.db.schema import pool_deals
from app.deals import repository
from app.engine.history import History
from app.engine.shuffle import deck_of_seed
from app.rulesets.bristol import BRISTOL
from app.settings import Settings
from tests.browser.accessibility import violations
from tests.browser.faults import all_faults, resize
from tests.browser.game_page import GamePage, overlapping_in_the_line, wait_until
from tests.browser.interception import intercept
from tests.support.races import WINNABLE_SEED, winning_moves
from tests.support.stocks import sealed_deal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import BrowserContext, Page, Request

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SCREENS = ((1440, 900), (768, 1024), (390, 844))
AWAY_MS = 16_000
BY_HAND = 12  # moves that are made by clicks, before those that lead to the last one
AROUND_STEPS = """podium => {
  const { left, right } = podium.getBoundingClientRect();
  const steps = [...podium.children].map(step => step.getBoundingClientRect());
  const [first, last] = [Math.min(...steps.map(step => step.left)), Math.max(...steps.map(step => step.right))];
  return first - left - (right - last);
}"""
PLACES = """() => [...document.querySelectorAll(".cloth, #table .pile, .rail, .game-bar")]
  .map((part) => JSON.stringify(part.getBoundingClientRect()))"""
WITH_A_LONG_NAME = """name => {
  name.textContent = "Crafty Cormorant";
  return name.scrollWidth <= name.clientWidth;
}"""
OVER_CARDS = """() => [...document.querySelectorAll(".news > *")].flatMap((said) => {
  const own = said.getBoundingClientRect();
  return [...document.querySelectorAll("#table .pile svg")].map((card) => card.getBoundingClientRect())
    .filter((card) => Math.min(own.right, card.right) > Math.max(own.left, card.left)
      && Math.min(own.bottom, card.bottom) > Math.max(own.top, card.top))
    .map((card) => `${said.textContent} over a card at ${card.left}, ${card.top}`);
})"""
DUPLICATING_STREAM = """
const Plain = EventSource;
window.EventSource = class extends Plain {
  set onmessage(hear) {
    const old = new MessageEvent("message", { data: JSON.stringify({ version: 0 }) });
    super.onmessage = (event) => [event, old, event].forEach(hear);
  }
};
"""

# What the countdown has shown, which may be over when a busy machine gets round to looking at the second page.
NOTE_THE_COUNT = """
new MutationObserver(() => {
  const shown = document.querySelector("#room .count")?.textContent;
  if (shown) sessionStorage.counted = `${sessionStorage.counted ?? ""} ${shown}`;
}).observe(document, { childList: true, subtree: true, characterData: true });
"""

POOL_SIZE = Settings.model_fields["pool_size"].default


@pytest.fixture
def in_stock(site_address: str, site_folder: Path) -> None:
    """Deals for some races: the first is the one that ``winning_moves`` wins. They are drawn by fingerprint.

    The last ones are kept for the daily deals.
    """
    first = sealed_deal(BRISTOL, WINNABLE_SEED)
    others = [sealed_deal(BRISTOL, f"{number}") for number in range(40)]
    later = [deal for deal in others if deal.grade.fingerprint > first.grade.fingerprint]
    assert len(later) > POOL_SIZE // 2
    database = Database(f"sqlite:///{site_folder / 'site.db'}")
    with database.engine.begin() as connection:
        connection.execute(delete(pool_deals))
        for deal in (first, *later):
            assert repository.add(connection, deal, 0)
    database.engine.dispose()


@pytest.fixture
def errors() -> Iterator[list[str]]:
    """Errors of the pages that a test opens, which fail it."""
    errors: list[str] = []
    yield errors
    assert errors == []


@pytest.fixture
def visitor(page_with: Callable[..., Page], errors: list[str]) -> Iterator[Callable[..., Page]]:
    """Opens pages with cookies of their own; page errors fail the test."""
    pages: list[Page] = []

    def hear(error: object) -> None:
        errors.append(str(error))

    def visit(**options: object) -> Page:
        page = page_with(**options)
        pages.append(page)
        page.on("pageerror", hear)
        return page

    yield visit
    for page in pages:
        page.remove_listener("pageerror", hear)


@pytest.fixture
def changed_visitor(
    new_context: Callable[..., BrowserContext], errors: list[str]
) -> Callable[..., Page]:
    """The same for pages that keep what a test does to them, such as a clock."""

    def visit(**options: object) -> Page:
        context = new_context(**options)
        context.clear_cookies()
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        return page

    return visit


def gather(host: Page, guest: Page, address: str) -> str:
    """Open a room and bring a guest by its link; the room's address."""
    host.goto(f"{address}/race")
    host.get_by_label("Game").select_option("bristol")
    host.get_by_label("Your name in this race").fill("Robin")
    host.get_by_role("button", name="Create the race").click()
    expect(host.get_by_text("Waiting for others.")).to_be_visible()
    expect(host.get_by_role("button", name="Change", exact=True)).to_be_visible()
    link = host.get_by_label("Anyone with this link can join").input_value()
    guest.goto(link)
    guest.get_by_label("Your name in this race").fill("Marian")
    guest.get_by_role("button", name="Join the race").click()
    # The host sees the guest come without touching anything.
    expect(host.get_by_text("Marian")).to_be_visible()
    expect(host.get_by_role("button", name="Change", exact=True)).to_be_hidden()
    expect(host.get_by_role("button", name="Start the race")).to_be_enabled()
    return link


def at_the_table(page: Page) -> GamePage:
    page.wait_for_url(re.compile("/games/"), timeout=60_000)
    expect(page.locator("#table")).to_be_visible()
    page.wait_for_load_state()
    return GamePage(page, History.start(BRISTOL, deck_of_seed(WINNABLE_SEED, 1)))


def expect_to_be_told(page: Page, sentence: str, room: str, before: list[str]) -> None:
    """At once, in a banner over no card and not over the name, the time, the moves, the bars or the tools.

    Nothing has moved since ``before``, and it can be put away. The time leads to the race.
    """
    news = page.locator(".news")
    expect(news).to_contain_text(sentence)
    expect(page.locator("#race .left a")).to_have_attribute("href", urlsplit(room).path)
    assert news.get_attribute("role") == "status"
    banner = news.locator(".banner")
    banner.evaluate("one => Promise.all(one.getAnimations().map((motion) => motion.finished))")
    box = banner.bounding_box()
    assert box
    bottoms = page.locator(".game-bar h1, #race .left, #race ul, #status").evaluate_all(
        "parts => parts.map((part) => part.getBoundingClientRect().bottom)"
    )  # at once: the time is replaced each second
    assert len(bottoms) == 4
    assert max(bottoms) <= box["y"]
    for tool in page.locator(".rail button:visible").all():
        part = tool.bounding_box()
        if part:
            is_below = part["y"] >= box["y"] + box["height"]
            assert is_below or part["x"] >= box["x"] + box["width"]
    assert box["height"] >= 36
    assert box["y"] >= 0
    assert banner.locator("b").evaluate(
        "b => b.scrollWidth <= b.clientWidth && b.scrollHeight <= b.clientHeight"
    ), "who won, and when, is cut off"
    assert page.evaluate(OVER_CARDS) == []
    assert page.evaluate(PLACES) == before
    assert violations(page, ".news") == []
    expect_the_line_in_sight_on_its_side(page)
    news.get_by_role("button", name="Close").click()
    expect(news).to_be_empty()
    expect(page.locator("#race a")).to_be_focused()


def expect_the_line_in_sight_on_its_side(page: Page) -> None:
    """A phone that is turned shows the name, the time and the moves beside the banner, too."""
    upright = page.viewport_size
    assert upright
    for width, height in ((844, 390), (667, 375)):
        resize(page, width, height)
        box = page.locator(".news .banner").bounding_box()
        assert box
        seen = page.locator(
            ".game-bar h1, #race .left, #status, #race li :is(bdi, .bar)"
        ).evaluate_all("parts => parts.map((part) => part.getBoundingClientRect().toJSON())")
        assert len(seen) == 7  # of two players
        for part in seen:
            assert part["right"] <= box["x"] + 1 or part["left"] >= box["x"] + box["width"] - 1
        assert box["x"] + box["width"] <= width
        assert page.locator(".news b").evaluate("b => b.scrollHeight <= b.clientHeight + 1")
    page.set_viewport_size(upright)


def expect_the_name_and_the_time_beside_what_is_told(page: Page) -> None:
    """Who has resigned is read in full, too, and no card is covered."""
    said = page.locator(".news b")
    said.evaluate("b => { b.textContent = 'Marian the Magnificent resigned.'; }")
    assert said.evaluate(
        "b => b.scrollWidth <= b.clientWidth && b.scrollHeight <= b.clientHeight + 1"
    )
    covered = page.evaluate(
        """() => {
          const own = document.querySelector(".news .banner").getBoundingClientRect();
          return [...document.querySelectorAll(".game-bar h1, #race .left a")].filter((part) => {
            const box = part.getBoundingClientRect();
            return box.right > own.left + 1 && box.left < own.right - 1 && box.bottom > own.top + 4;
          }).map((part) => part.textContent);
        }"""
    )
    assert covered == []
    assert page.evaluate(OVER_CARDS) == []


def expect_to_read_who_has_won(watcher: Page, room: str) -> None:
    """Before the others have finished: in the one heading; no board of a race that goes on is shown."""
    watcher.goto(room)
    expect(watcher.get_by_role("heading", level=1)).to_have_text(re.compile("Robin won in"))
    expect(watcher.locator(".lanes li").first).to_contain_text("Robin")
    expect(watcher.locator(".podium .open")).to_have_text("2")  # for those who still play
    expect(watcher.locator("#room .mini-table")).to_have_count(0)
    assert violations(watcher) == []


def expect_the_games_side_by_side(page: Page, room: str) -> None:
    page.goto(room)
    expect(page.get_by_role("heading", name="How it went")).to_be_visible()
    first = page.locator(".standings tbody tr").first
    expect(first).to_contain_text("Robin")
    expect(first).to_contain_text("won")
    expect(page.locator(".boards .mini-table")).to_have_count(2)
    assert page.locator(".podium").evaluate(AROUND_STEPS) == pytest.approx(0, abs=1)
    assert violations(page) == []


def expect_the_end_to_lead_to_the_next_race(page: Page, ranked: list[str]) -> None:
    """After the result, who came in when: first of all to another race, then to what this one was."""
    ending = page.locator(".ending")
    expect(ending.locator(".finishers li")).to_have_text([re.compile(each) for each in ranked])
    choices = ending.locator(".choices > :not(details):visible")
    expect(choices).to_have_text(
        ["Race again", "See the race", "Replay"]
    )  # a ranked game has no review
    expect(choices.first).to_have_class("primary")
    ending.evaluate(  # it comes in with a flourish
        "one => Promise.all(one.getAnimations({subtree: true}).map((each) => each.finished))"
    )
    for choice in choices.all():
        box = choice.bounding_box()
        assert box
        assert box["height"] >= 44


def expect_bars_beside_each_other(phone: Page) -> None:
    bars = phone.locator("#race .bar").evaluate_all(  # at once: they are replaced each second
        "bars => bars.map((bar) => bar.getBoundingClientRect().toJSON())"
    )
    assert all(bar["x"] > 0 and bar["x"] + bar["width"] <= 390 for bar in bars)
    assert len({bar["y"] for bar in bars}) == 1


@pytest.mark.long
def test_a_desktop_and_a_phone_race_to_the_end(in_stock, visitor, site_address):
    wide, phone = visitor(viewport={"width": 1440, "height": 900}), visitor(**PHONE)
    room = gather(wide, phone, site_address)
    wide.get_by_role("button", name="Start the race").click()
    for page in (wide, phone):
        expect(page.locator(".count")).to_be_visible()
    game_page, thumbs = at_the_table(wide), at_the_table(phone)
    assert wide.url != phone.url
    thumbs.play(winning_moves()[0])
    for word in winning_moves()[:BY_HAND]:
        game_page.play(word)
    game_page.play_elsewhere(winning_moves()[BY_HAND:-1])
    # The phone goes offline for a while, and loses nothing.
    phone.context.set_offline(True)
    expect(wide.locator("#race .status", has_text="away")).to_be_visible(timeout=AWAY_MS + 45_000)
    phone.context.set_offline(False)
    expect(wide.locator("#race .status", has_text="away")).to_be_hidden()
    phone.reload()
    thumbs.expect_version(1)
    strip = phone.locator("#race li:not(.mine)")
    least, most = map(
        int, strip.get_attribute("title").split(" of ")[0].split(": ")[1].split(" to ")
    )
    assert (least % 4, most - least) == (0, 3)
    before = phone.evaluate(PLACES)
    game_page.page.locator(f'#table button[value="{winning_moves()[-1].split("-")[0]}"]').click()
    expect_to_be_told(phone, "Robin won in", room, before)
    expect(wide.locator(".news")).to_be_empty()  # who won knows
    expect(wide.get_by_role("heading", name="You won the race!")).to_be_visible()
    expect(wide.locator(".ending")).to_contain_text(" is still playing.")
    choices = wide.locator(".ending .choices > :not(details):visible")
    expect(choices).to_have_text(
        ["See the race", "Replay"]
    )  # another one comes when this one is over
    assert game_page.history.depth == len(winning_moves()) - 1
    expect_to_read_who_has_won(visitor(**PHONE), room)
    expect(strip.locator(".status", has_text="won")).to_be_visible()
    expect_bars_beside_each_other(phone)
    cloth = phone.locator(".cloth").bounding_box()
    phone.locator(".menu > summary").click()
    phone.locator(".sure > summary").click()
    phone.get_by_role("button", name="Yes, resign").click()
    # The end card that is open says so as soon as the last one has finished.
    expect(wide.locator(".ending")).to_contain_text("No one else got all cards home.")
    expect(phone.locator(".ending")).to_contain_text("Rank 2 of 2.")
    expect(phone.locator("#race[data-over]")).to_be_attached()
    assert phone.locator(".cloth").bounding_box() == cloth, "the words at the end move the cards"
    for page, ranked in ((wide, ["1 You", "2 Marian"]), (phone, ["1 Robin", "2 You"])):
        expect_the_end_to_lead_to_the_next_race(page, ranked)
    loser_at, winner_at = phone.url, wide.url
    for page in (wide, phone):
        expect_the_games_side_by_side(page, room)
    wide.get_by_role("link", name="Start", exact=True).click()
    expect(wide.locator("#replays")).to_have_attribute("data-at", "0")
    wide.get_by_role("button", name="Play", exact=True).click()
    expect(wide.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    expect(wide.locator("#replays")).not_to_have_attribute("data-at", "0")
    expect_both_to_meet_in_the_rematch(wide, winner_at, phone, loser_at)
    expect(phone.get_by_text("Robin")).to_be_visible()


def expect_both_to_meet_in_the_rematch(
    wide: Page, winner_at: str, phone: Page, loser_at: str
) -> None:
    """The loser asks for it at the table, and the winner, on the page of the race, joins it."""
    # Both get the same room, from the end of the game and from the race.
    phone.goto(loser_at)
    table = wide.context.new_page()
    table.goto(winner_at)
    expect(table.locator(".ending")).to_be_visible()
    phone.locator(".ending").get_by_role("button", name="Race again").click()
    phone.wait_for_url(re.compile("/race/(?!of/)"))
    # The other one reads of it where they are: at the table, and on the page of the race.
    expect(table.locator(".news")).to_contain_text("Marian wants a rematch", timeout=4_000)
    expect(table.locator(".news").get_by_role("button", name="Join")).to_be_visible()
    expect(wide.locator(".wanted")).to_have_text("Marian wants a rematch")
    expect(wide).to_have_title(re.compile("^Marian wants a rematch"))
    wide.get_by_role("button", name="Join the rematch").click()
    wide.wait_for_url(phone.url)
    expect(table.locator(".news > *")).to_have_count(0, timeout=15_000)


IN_THE_LINE = """() => [2, 3].map((racers) => {
  const list = document.querySelector("#race ul");
  if (racers === 2) {
    window.asItCame ??= list.innerHTML;
    list.innerHTML = window.asItCame;
  }
  list.classList.toggle("three", racers === 3);
  const other = list.querySelector("li:not(.mine)");
  other.querySelector("bdi").textContent = "Graceful Bumblebee"; // the widest names that a guest is given
  if (racers === 3) {
    list.querySelectorAll(".full").forEach((count, n) => (count.textContent = n ? "about 50" : "52 home"));
    const one = other.cloneNode(true);
    one.querySelector("b")?.remove();
    one.querySelector("bdi").textContent = "Fearless Kingfisher";
    one.querySelector("bdi").insertAdjacentHTML("afterend", '<span class="status">resigned</span>');
    list.append(one);
  }
  return [...list.querySelectorAll("bdi, b, .status")].filter((part) => part.checkVisibility()).map((part) => ({
    text: part.textContent,
    size: parseFloat(getComputedStyle(part).fontSize),
    lines: part.getBoundingClientRect().height / parseFloat(getComputedStyle(part).lineHeight),
    isName: part.matches("bdi"),
    letters: part.clientWidth / parseFloat(getComputedStyle(part).fontSize) * 2,
    isCut: part.getBoundingClientRect().right > part.closest("li").getBoundingClientRect().right + 1,
  }));
})"""


NEWS = """() => {
  document.querySelector(".news").innerHTML = `<div class="banner"><p><b><bdi>Graceful Bumblebee</bdi> won in 12:03.</b>
    <span>Play on if you like.</span></p><a href="/">See the race</a>
    <button type="button" class="away"></button></div>`;
  return document.querySelector(".news a").getClientRects().length;
}"""


def test_what_another_has_gained_stands_beside_their_number_for_a_moment(
    in_stock, visitor, site_address
):
    host, guest = visitor(), visitor()
    gather(host, guest, site_address)
    host.get_by_role("button", name="Start the race").click()
    at_the_table(host)
    at_the_table(guest)

    def eight_home(route):
        answer = route.fetch()
        before, other = answer.text().rsplit('data-home="0"', 1)
        route.fulfill(response=answer, body=f'{before}data-home="8"{other}')

    other = host.locator("#race li:not(.mine) b")
    expect(other).to_be_visible()
    assert other.get_attribute("data-gain") is None
    intercept(host, "**/here", eight_home)
    expect(other).to_have_attribute("data-gain", "+8")
    expect(other).not_to_have_attribute("data-gain", "+8")


def test_the_line_above_the_cards_has_one_line_of_readable_words_for_each_player(
    in_stock, visitor, site_address
):
    host, guest = visitor(), visitor()
    gather(host, guest, site_address)
    host.get_by_role("button", name="Start the race").click()
    at_the_table(host)
    other = host.locator("#race li:not(.mine)")
    expect(other).to_have_attribute("title", re.compile("shown in steps of four cards"))
    expect(other.locator(".full")).to_have_text("0 of 52")
    expect(host.locator("#race .left a")).to_have_css("text-decoration-line", "none")
    with all_faults() as at:
        for size in ((390, 844), (844, 390), (1280, 800), (1440, 900)):
            with at(f"a name at {size}"):
                resize(host, *size)
                assert other.locator("bdi").evaluate(WITH_A_LONG_NAME)
        for size in ((390, 844), (844, 390), (1024, 768), (1280, 800), (1440, 900)):
            with at(size):
                resize(host, *size)
                expect_readable_words(host.evaluate(IN_THE_LINE))
                assert overlapping_in_the_line(host) == []
                expect(
                    host.locator("#race .bar").last
                ).to_be_visible()  # what comes by stream is drawn
                heights = host.locator("#race .bar").evaluate_all(
                    "bars => bars.map(bar => bar.getBoundingClientRect().height)"
                )
                assert min(heights) >= 10
        resize(host, 1440, 900)
        assert host.evaluate(NEWS) == 1


def expect_readable_words(found: list[list[dict[str, Any]]]) -> None:
    """In the line of two players, and in that of three."""
    for parts in found:
        assert len(parts) >= 4
        for part in parts:
            assert part["size"] >= 13, part
            assert part["lines"] < 1.5, part
            assert not part["isCut"], part
            if part["isName"] and part["text"] != "You":
                assert part["letters"] > 6, part  # a name that is long ends with dots


def test_the_newest_window_plays_and_the_older_is_read_only(
    in_stock, visitor, changed_visitor, site_address
):
    wide, phone = changed_visitor(), visitor(**PHONE)
    # One gets each event twice with an old one in between; the other gets none.
    wide.add_init_script(DUPLICATING_STREAM)
    phone.route("**/stream", lambda route: route.abort())
    gather(wide, phone, site_address)
    wide.get_by_role("button", name="Start the race").click()
    game_page = at_the_table(wide)
    at_the_table(phone)
    second = wide.context.new_page()
    second.goto(wide.url)
    expect(wide.get_by_role("link", name="Play here")).to_be_visible()
    expect(wide.locator(".cloth")).to_have_js_property("inert", value=True)
    wide.get_by_role("link", name="Play here").click()
    expect(second.get_by_role("link", name="Play here")).to_be_visible()
    wide.wait_for_load_state()  # the scripts have run
    game_page.play("deal")


def test_giving_up_can_be_confirmed_while_the_page_is_kept_up_to_date(
    in_stock, visitor, site_address
):
    wide, phone = visitor(), visitor(**PHONE)
    room = gather(wide, phone, site_address)
    wide.get_by_role("button", name="Start the race").click()
    for page in (wide, phone):
        at_the_table(page)
    phone.goto(room)
    give_up, confirm = phone.locator(".sure"), phone.get_by_role("button", name="Yes, resign")
    give_up.locator("summary").tap()
    confirm.focus()
    for _ in range(3):
        with phone.expect_response("**/room?since=racing"):
            pass
    expect(confirm).to_be_visible()
    expect(confirm).to_be_focused()
    give_up.locator("summary").tap()  # what is shut stays shut as well
    with phone.expect_response("**/room?since=racing"):
        pass
    expect(confirm).to_be_hidden()
    give_up.locator("summary").tap()
    confirm.tap()
    expect(phone.locator(".lanes .mine")).to_contain_text("resigned")
    expect(give_up).to_have_count(0)
    # A player who is left alone hears of it, and what wins now.
    expect(wide.locator(".news")).to_contain_text("resigned.")
    expect(wide.locator(".news")).to_contain_text(
        "enough to win the race: no one else has that many."
    )
    for width, height in ((1440, 900), (1024, 768), (844, 390), (390, 844)):
        resize(wide, width, height)
        assert overlapping_in_the_line(wide) == [], (width, height)
        expect_the_name_and_the_time_beside_what_is_told(wide)


def test_a_wrong_device_clock_changes_nothing(in_stock, changed_visitor, site_address):
    wide, phone = changed_visitor(), changed_visitor(**PHONE)
    # Three hours ahead, and a year behind: the countdown is the server's.
    for page, away in ((wide, 3 * 3600_000), (phone, -365 * 86_400_000)):
        page.add_init_script(f"const real = Date.now; Date.now = () => real() + {away};")
        page.add_init_script(NOTE_THE_COUNT)
    gather(wide, phone, site_address)
    wide.get_by_role("button", name="Start the race").click()
    for page in (wide, phone):
        at_the_table(page)
        counted = [int(shown) for shown in page.evaluate("sessionStorage.counted").split()]
        assert 1 <= max(counted) <= 5
    left = wide.locator("#race .left").inner_text()
    assert re.fullmatch(r"(10:00|9:\d\d) left", left)


def everywhere(page: Page) -> list[str]:
    """Accessibility violations on three screen sizes, in light and dark."""
    found = []
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        if not page.evaluate("document.documentElement.scrollWidth <= innerWidth"):
            found.append(f"{width}: wider than the screen")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            # Colors change in a short transition.
            found += [f"{width} {scheme} {wrong}" for wrong in violations(page)]
    return found


HIDE = """is => {
  Object.defineProperty(document, "hidden", { configurable: true, value: is });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_hidden_pages_rest_and_ask_at_once_when_they_are_seen(changed_visitor, site_address):
    page: Page = changed_visitor()
    page.clock.install()
    asked: list[str] = []
    under_way: set[Request] = set()

    def note(request: Request) -> None:
        asked.append(urlsplit(request.url).path)
        if not request.url.endswith("/stream"):  # those never end
            under_way.add(request)

    def note_the_end(request: Request) -> None:
        under_way.discard(request)

    page.on("request", note)
    page.on("requestfinished", note_the_end)
    page.on("requestfailed", note_the_end)

    def asked_in(seconds: int, part: str) -> int:
        asked.clear()
        for _ in range(seconds):
            page.clock.run_for(1000)
            page.wait_for_timeout(20)
            wait_until(page, lambda: not under_way)  # the next question follows an answer
        return asked.count(part)

    page.goto(f"{site_address}/together")
    assert asked_in(21, "/race/open") >= 3
    page.evaluate(HIDE, True)
    assert asked_in(60, "/race/open") == 0
    with page.expect_request("**/race/open"):
        page.evaluate(HIDE, False)

    # A player who waits in a race is there for the others all the same, and need not ask for more.
    page.goto(f"{site_address}/race")
    page.get_by_role("button", name="Create the race").click()
    expect(page.get_by_text("Waiting for others.")).to_be_visible()
    part = f"{urlsplit(page.url).path}/room"
    assert asked_in(21, part) >= 6
    page.evaluate(HIDE, True)
    assert 4 <= asked_in(61, part) <= 10  # a stream that is opened again asks, too
    with page.expect_request(f"**{part}*"):
        page.evaluate(HIDE, False)


# By their words: the room is replaced each second.
IS_BELOW = """(words) => {
  const all = [...document.querySelectorAll("button, h2")];
  const [one, other] = words.map((word) => all.find((part) => part.textContent.trim() === word))
    .map((part) => part.getBoundingClientRect());
  return other.top >= one.bottom;
}"""


def test_on_a_phone_the_link_is_in_sight_and_then_the_start(in_stock, visitor, site_address):
    host: Page = visitor(**PHONE)
    host.goto(f"{site_address}/race")
    host.get_by_role("button", name="Create the race").click()
    copy, leave = (host.get_by_role("button", name=name, exact=True) for name in ("Copy", "Leave"))
    expect(leave).to_be_in_viewport(ratio=1)
    expect(copy).to_be_in_viewport(ratio=1)
    code = host.get_by_alt_text("QR code of the link to this race")
    expect(code).to_be_hidden()
    host.get_by_text("QR code, for another device").click()
    expect(code).to_be_visible()
    guest: Page = visitor(**PHONE)
    guest.goto(host.url)
    guest.get_by_role("button", name="Join the race").click()
    start = host.get_by_role("button", name="Start the race")
    expect(start).to_be_in_viewport(ratio=1)
    for name in ("Copy", "How it works"):  # all else is below
        assert host.evaluate(IS_BELOW, ["Start the race", name])
    expect(host.locator(".seats .free")).to_have_text(["", "+7"])  # ten in all


def test_on_a_wide_screen_the_link_stands_beside_the_players(in_stock, visitor, site_address):
    host: Page = visitor(viewport={"width": 1440, "height": 900})
    host.goto(f"{site_address}/race")
    host.get_by_role("button", name="Create the race").click()
    expect(host.get_by_role("button", name="Copy", exact=True)).to_be_in_viewport(ratio=1)
    assert host.evaluate(INVITATION_TO_ROOM) == {"starts": "beside", "lies": "beside"}
    expect(host.get_by_alt_text("QR code of the link to this race")).to_be_in_viewport(ratio=1)
    guest: Page = visitor()
    guest.goto(host.url)
    guest.get_by_role("button", name="Join the race").click()
    expect(host.get_by_role("button", name="Start the race")).to_be_in_viewport(ratio=1)
    assert host.evaluate(INVITATION_TO_ROOM) == {"starts": "beside", "lies": "beside"}


INVITATION_TO_ROOM = """() => {
  const [own, room] = [".invite", "#room"].map((part) => document.querySelector(part).getBoundingClientRect());
  return {
    starts: Math.abs(own.left - room.left) <= 1 ? "alike" : "beside",
    lies: own.bottom <= room.top ? "above" : "beside",
  };
}"""


def test_pages_are_accessible(in_stock, visitor, site_address):
    host, guest = visitor(), visitor()
    host.goto(f"{site_address}/race")
    assert everywhere(host) == []
    link = gather(host, guest, site_address)
    assert everywhere(host) == []
    guest.route("**/games/**", lambda _: None)  # the countdown stays until it has been looked at
    host.get_by_role("button", name="Start the race").click()
    expect(guest.locator(".count")).to_be_visible()
    assert violations(guest) == []
    at_the_table(host)
    expect(host.locator(".top #race li")).to_have_count(2)
    for width, height in (*SCREENS, (844, 390)):
        resize(host, width, height)
        assert overlapping_in_the_line(host) == []
        assert host.locator("#status").bounding_box()["height"] < 40
    assert everywhere(host) == []
    host.goto(link)
    expect(host.locator(".clock")).to_be_visible()
    assert everywhere(host) == []
    for page in (host, guest):
        page.request.post(f"{link}/give-up")
    # The page loads itself again, now with the replays.
    expect(host.locator(".finish")).to_contain_text("You both resigned.")
    expect(host.locator(".plot")).to_have_count(0)
    assert everywhere(host) == []


def test_strangers_find_each_other_on_the_list(in_stock, visitor, site_address):
    host, stranger = visitor(), visitor(**PHONE)
    stranger.goto(f"{site_address}/together")
    races = stranger.locator("#open-races")
    expect(races).to_contain_text("No open races now.")
    assert everywhere(stranger) == []
    host.goto(f"{site_address}/together")
    host.get_by_role("button", name="Start an open Klondike race").click()
    expect(host.get_by_text("Listed under open races for 30 min more.")).to_be_visible()
    assert everywhere(host) == []
    # Nobody touches the list.
    join = races.get_by_role("button", name="’s Klondike race")
    expect(join).to_be_visible()
    assert everywhere(stranger) == []
    join.click()
    expect(stranger.get_by_text("The host starts the race.")).to_be_visible()
    expect(host).to_have_title(re.compile(r"^\(2\) Klondike race"))
    host.get_by_role("button", name="Take it off the list").click()
    expect(host.get_by_role("button", name="List it for everyone")).to_be_visible()
    host.get_by_role("button", name="Start the race").click()
    for page in (host, stranger):
        page.wait_for_url(re.compile("/games/"), timeout=60_000)
