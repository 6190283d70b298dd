"""The daily deal in a browser: from the start of an attempt to its results."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import expect

from app.engine.shuffle import deck_of_seed
from app.rulesets.freecell import FREECELL
from app.solver.solve import Budget, solve
from tests.browser.accessibility import violations
from tests.browser.faults import all_faults, resize
from tests.browser.game_page import leave, post_all

pytestmark = pytest.mark.kept_page

SIZES = [(1440, 900), (768, 1024), (390, 844)]
TOPS_OF_FACTS = """facts => [...facts.children].map((fact) => {
  const words = document.createRange();
  words.selectNodeContents(fact);
  return Math.round(words.getBoundingClientRect().top);
})"""


def unfold(page) -> None:
    """Show all deals of today: each day puts other ones first."""
    more = page.locator(".more-deals")
    if more.count() and more.get_attribute("open") is None:
        more.locator("summary").click()


def choose(page, title: str) -> None:
    """Go to a deal of today."""
    unfold(page)
    page.get_by_role("link", name=f"Play today's {title}", exact=True).click()


def give_up(page) -> None:
    page.locator(".menu > summary").click()
    page.locator(".end summary").click()
    page.get_by_role("button", name="Yes, resign").click()
    expect(page.locator(".ending")).to_be_visible()


def bring_a_card_home(page) -> None:
    """Deal from the stock until a card can go to a foundation, and bring it there."""
    api = page.url.replace("/games/", "/api/v1/games/")
    state = page.request.get(api).json()
    home = ""
    while not home:
        home = next((move for move in state["legal_moves"] if "-f" in move), "")
        body = {"version": state["version"], "move": home or "deal"}
        answer = page.request.post(f"{api}/moves", data=body)
        assert answer.ok, answer.text()
        state = answer.json()
    page.reload()


def start_first(page, title: str) -> None:
    """Start a deal as one who has played none: its page says first how it goes."""
    choose(page, title)
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("#state")).to_be_attached()


def test_on_a_phone_on_its_side_todays_deal_can_be_played_at_once(page, site_address):
    """Its name and the button are beside the picture, at its top."""
    page.set_viewport_size({"width": 844, "height": 390})
    page.goto(f"{site_address}/daily")
    deal = page.locator(".headline-deal")
    expect(deal.locator(".next > *")).to_be_in_viewport(ratio=1)
    picture, name = deal.locator(".picture").bounding_box(), deal.locator("li h2").bounding_box()
    assert picture
    assert name
    assert name["x"] >= picture["x"] + picture["width"]
    assert 0 <= name["y"] - picture["y"] <= name["height"]


@pytest.mark.parametrize("size", [(844, 390), (667, 375)])
def test_on_a_phone_on_its_side_the_picture_and_the_start_are_in_sight(page, site_address, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{site_address}/daily")
    choose(page, "FreeCell")
    for part in (".before .opening", ".before .primary"):
        box = page.locator(part).bounding_box()
        assert box
        assert box["y"] + box["height"] <= size[1]
    expect(page.get_by_role("button", name="Practice FreeCell first")).to_be_in_viewport(ratio=1)


def test_the_start_of_a_deal_begins_where_its_picture_does(page, site_address):
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{site_address}/daily")
    choose(page, "FreeCell")
    panel, picture, start, practice = (
        page.locator(part).bounding_box()
        for part in (".before", ".before .opening", ".before .primary", ".before .by-the-way")
    )
    assert panel
    assert picture
    assert picture["y"] - panel["y"] == pytest.approx(picture["x"] - panel["x"], abs=1)
    assert start["x"] == pytest.approx(picture["x"], abs=1)
    middles = [box["y"] + box["height"] / 2 for box in (start, practice)]
    assert middles[0] == pytest.approx(middles[1], abs=1), "the practice stands beside it"


def test_links_and_words_below_the_name_of_a_deal_are_on_one_line(page, site_address):
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{site_address}/daily")
    choose(page, "FreeCell")
    tops = page.locator("p.facts").evaluate(TOPS_OF_FACTS)
    assert len(tops) == 2  # the rules are beside the start
    assert len(set(tops)) == 1


def test_a_result_is_on_one_line_of_a_phone(page, site_address):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{site_address}/daily")
    start_first(page, "FreeCell")
    give_up(page)
    page.goto(f"{site_address}/daily")
    unfold(page)
    row = page.locator(".deals li", has=page.get_by_role("heading", name="FreeCell"))
    result = row.locator(".state")
    row.evaluate("(row) => row.classList.add('solved')")
    result.evaluate("(state) => { state.textContent = 'won: 125 moves, 0:50'; }")
    assert result.evaluate("(state) => state.getClientRects().length") == 1
    words, button = result.bounding_box(), row.locator(".next a").bounding_box()
    assert words
    assert button
    assert button["y"] >= words["y"] + words["height"]


def test_a_resigned_attempt_is_summed_up_beside_one_step_above_others(page_with, site_address):
    page = page_with(viewport={"width": 1440, "height": 900})
    page.goto(f"{site_address}/daily")
    start_first(page, "FreeCell")
    give_up(page)
    choices = page.locator(".ending :is(.choices > :not(.more), .more > summary)")
    expect(choices).to_have_count(4)
    next_step, *others = [choice.bounding_box() for choice in choices.all()]
    assert next_step["y"] + next_step["height"] <= min(other["y"] for other in others)
    for y in {other["y"] for other in others}:
        row = [other for other in others if other["y"] == y]
        across = max(other["x"] + other["width"] for other in row) - min(o["x"] for o in row)
        assert next_step["width"] == pytest.approx(across, abs=1), "as wide as each row"
    words, meant = (page.locator(f".ending {part}").bounding_box() for part in ("h2", ".meaning"))
    assert words["y"] + words["height"] <= meant["y"]
    assert meant["x"] + meant["width"] <= next_step["x"]
    expect(page.locator(".ending .tally")).to_have_count(0)  # no zeros: nothing was played
    expect(page.locator(".ending")).to_contain_text("You stopped before the first move.")
    meaning = page.locator(".ending .meaning")
    expect(meaning).to_contain_text(re.compile(r"Results at \d\d:\d\d.*when the last games have"))
    expect(meaning.locator(".of-today")).to_have_text("Today: not won")  # what its sign means
    for day in meaning.locator(".week small").all():
        expect(day).to_be_visible()  # each sign has its day
    expect(page.locator(".ending").get_by_role("link", name="Remind me tomorrow")).to_be_visible()
    with all_faults() as at:
        for size in ((844, 390), (390, 844), (1024, 768)):
            with at(size):
                resize(page, *size)
                panel = page.locator(".ending")
                assert panel.evaluate("one => one.scrollHeight - one.clientHeight") <= 1
                assert panel.evaluate(WITHIN) == []
    page.locator(".ending > details > summary").click()  # the cards are in sight again
    expect(page.locator(".ending .meaning")).to_be_hidden()
    expect(page.locator(".ending .meant")).to_be_visible()


OVERLAPS = """() => {
  const boxes = [...document.querySelectorAll(".own-calendar > .panel")].map((one) => one.getBoundingClientRect());
  return boxes.flatMap((one, at) => boxes.slice(at + 1).filter((other) => one.left < other.right
    && other.left < one.right && one.top < other.bottom && other.top < one.bottom)).length;
}"""


def test_after_one_lost_deal_the_cards_of_the_calendar_lie_apart(page_with, site_address):
    page = page_with(viewport={"width": 1440, "height": 900})
    page.goto(f"{site_address}/daily")
    start_first(page, "FreeCell")
    give_up(page)
    page.goto(f"{site_address}/me/calendar")
    expect(page.locator(".own-calendar > .panel")).to_have_count(3)
    with all_faults() as at:
        for size in ((1024, 768), (1440, 900), (2560, 1440), (390, 844)):
            with at(size):
                resize(page, *size)
                assert page.evaluate(OVERLAPS) == 0


def test_an_attempt_from_start_to_results(page_with, site_address):
    page = page_with(permissions=["clipboard-read", "clipboard-write"])
    page.goto(f"{site_address}/daily")
    start_first(page, "Bristol")
    expect(page.get_by_role("heading", name="Bristol")).to_be_visible()
    game = page.url
    page.goto(f"{site_address}/daily")
    page.get_by_role("link", name="Continue Bristol").click()
    expect(page).to_have_url(game)
    bring_a_card_home(page)
    give_up(page)
    page.locator(".ending").get_by_role("link", name="This deal's page").click()
    expect(page.get_by_role("img", name="1 of 52 cards home")).to_be_visible()
    expect(page.locator("#shared-text")).to_be_hidden()
    page.get_by_role("button", name="Share result", exact=True).click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    expect(page.locator("#shared-text")).to_be_hidden()
    expect(page.locator("#shared-text")).to_have_value(copied)
    deal, row, address = copied.split("\n")
    assert re.fullmatch(r"Fair Deal · Bristol · \d+ \w+ \d{4}", deal)
    assert row == "■□□□□□□□□□ 1 of 52 cards home"
    assert re.fullmatch(r"http\S+/bristol", address)


NO_CLIPBOARD = "() => { Object.defineProperty(navigator, 'clipboard', { value: undefined }); }"
WITHIN = """panel => {
  const own = panel.getBoundingClientRect();
  const parts = "h2, .tally, .meaning > p, .choices > :not(details), .more > summary, .claim";
  return [...panel.querySelectorAll(parts)].filter((part) => part.checkVisibility()).filter((part) => {
    const box = part.getBoundingClientRect();
    return box.top < own.top || box.bottom > own.bottom - 4 || box.bottom > innerHeight;
  }).map((part) => part.textContent);
}"""


def test_the_card_of_a_daily_win_shows_all_and_says_what_was_copied(
    page_with, site_address, site_folder
):
    page = page_with(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    page.goto(f"{site_address}/daily")
    start_first(page, "FreeCell")
    address = page.url
    with closing(sqlite3.connect(site_folder / "site.db")) as database:
        query = "SELECT seed FROM daily_deals WHERE ruleset = 'freecell' ORDER BY day LIMIT 1"
        seed = database.execute(query).fetchone()[0]
    moves = solve(FREECELL, deck_of_seed(seed, 1), Budget(seconds=30)).actions
    assert moves
    leave(page)
    post_all(page.request, address, list(map(str, moves)))
    page.goto(address)
    panel = page.locator(".ending")
    expect(panel.get_by_role("heading", name="You won!")).to_be_visible()
    with all_faults() as at:
        for size in ((844, 390), (390, 844)):
            with at(size):
                resize(page, *size)
                assert panel.evaluate("one => one.scrollHeight - one.clientHeight") <= 1
                assert panel.evaluate(WITHIN) == []
        for size in ((1024, 768), (1440, 900), (1920, 1080)):
            with at(size):
                resize(page, *size)
                outer = panel.bounding_box()
                kings = page.locator(".foundations .pile").all()
                ends = [box["y"] + box["height"] for pile in kings if (box := pile.bounding_box())]
                assert outer
                assert max(ends) <= outer["y"], "it lies over no foundation"
    resize(page, 390, 844)
    # What comes tomorrow can wait: a win is read at a glance.
    reminder = panel.get_by_role("link", name="Remind me tomorrow")
    expect(reminder).to_be_hidden()
    panel.locator(".more > summary").click()
    expect(reminder).to_be_in_viewport(ratio=1)
    expect(panel.locator(".later")).to_contain_text("left today")
    assert panel.evaluate("one => one.scrollHeight - one.clientHeight") <= 1
    expect(page.locator("#shared-text")).to_be_hidden()
    page.evaluate(NO_CLIPBOARD)
    panel.get_by_role("button", name="Share result", exact=True).click()
    expect(panel.get_by_role("button", name="Copied")).to_be_visible()
    expect(page.locator("#shared-text")).to_be_visible()
    page.evaluate("() => { document.execCommand = () => false; }")
    panel.get_by_role("button", name="Copied").click()
    expect(panel.get_by_role("button", name="Selected: copy it")).to_be_visible()
    expect(page.locator("#shared-text")).to_be_visible()
    page.locator("#shared-text").click(trial=True)  # nothing lies over it


def test_the_end_of_the_day_is_shown_in_local_time(new_context, site_address):
    page = new_context(timezone_id="Asia/Kolkata").new_page()  # UTC+5:30
    page.goto(f"{site_address}/daily")
    results = page.locator("time[data-local]").first
    published = datetime.fromisoformat(results.get_attribute("datetime"))
    day = f"{published.day} {published:%B}"
    for hours, told in ((12, f"{day} at 07:31 your time"), (1, "07:31 your time")):
        page.clock.set_fixed_time(published - timedelta(hours=hours))
        page.reload()
        expect(results).to_have_text(told)
        expect(results).to_have_attribute("title", f"{day} {published.year}, 02:01 UTC")
    terms = page.locator("p", has_text="Start before")
    expect(terms).to_contain_text("Start before 05:30 your time and finish by 07:30.")
    after = page.locator("p", has_text="After the day")
    expect(after).to_contain_text("Everyone can see the results from 07:31 your time.")
    for countdown in page.locator("[data-countdown]").all():
        expect(countdown).to_have_text(re.compile(r"^(\d+ h )?\d+ min$"))


def test_without_javascript_times_are_utc_and_deals_can_be_played(page_with, site_address):
    page = page_with(java_script_enabled=False)
    page.goto(f"{site_address}/daily")
    expect(page.locator("time[data-local]").first).to_have_text(
        re.compile(r"^\d+ \w+ \d{4}, 02:01 UTC$")
    )
    expect(page.locator(".until")).to_contain_text(re.compile(r"(\d+ h )?\d+ min left"))
    start_first(page, "Signora")
    expect(page.get_by_role("heading", name="Signora")).to_be_visible()


def test_on_a_phone_a_deal_begins_with_its_cards_and_a_wide_button(page_with, site_address):
    page = page_with(viewport={"width": 390, "height": 844})
    page.goto(f"{site_address}/daily")
    first = page.locator(".deals li").first.bounding_box()
    assert first
    assert first["y"] < 320, "the heading leaves room for the deals"
    choose(page, "Bristol")
    start = page.get_by_role("button", name="Start", exact=True).bounding_box()
    bar = page.locator("nav.places").bounding_box()
    assert start
    assert bar
    assert start["width"] > 300
    assert start["y"] + start["height"] < bar["y"] - 150


def test_ranked_play_has_no_button_for_a_hint_and_the_keys_of_help_say_why(page, site_address):
    page.goto(f"{site_address}/daily")
    start_first(page, "Bristol")
    rail = page.locator("#rail > button")
    expect(rail.filter(visible=True)).to_have_text(["Deal", "Undo", "Redo"])
    page.wait_for_load_state()  # the scripts have run
    reasons = (
        ("h", "Hints are off in daily deals."),
        ("f", "This game can't be finished automatically yet."),
    )
    for version, (key, why) in enumerate(reasons, start=1):
        page.keyboard.press(key)
        expect(page.locator(".toast")).to_have_text(why)
        page.keyboard.press("d")
        expect(page.locator("#state")).to_have_attribute("data-version", str(version))
        expect(page.locator(".toast")).to_have_count(0)


def test_in_ranked_play_an_undo_that_would_be_refused_is_off_and_says_why(page, site_address):
    page.goto(f"{site_address}/daily")
    start_first(page, "Bristol")
    undo = page.locator(".rail .undo")
    expect(undo).to_be_disabled()  # nothing was played
    page.wait_for_load_state()
    page.locator(".rail .deal").click()
    why = "In daily deals, you can't undo a move that turned up a card."
    expect(undo).to_have_accessible_description(why)
    expect(undo).to_have_attribute("aria-disabled", "true")
    undo.click(force=True)
    expect(page.locator(".toast")).to_have_text(why)
    page.reload()
    expect(undo).to_have_attribute("aria-disabled", "true")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_daily_pages_are_accessible_and_fit_every_screen(page_with, site_address, scheme):
    page = page_with(color_scheme=scheme)
    page.goto(f"{site_address}/daily")
    start_first(page, "Terrace")
    give_up(page)
    page.locator(".ending").get_by_role("link", name="This deal's page").click()
    expect(page).to_have_url(re.compile("/terrace$"))
    results = page.url.removeprefix(site_address)
    hidden = results.replace("terrace", "falling-star")
    for path in ("/daily", results, hidden, "/daily/archive", "/daily/check"):
        page.goto(site_address + path)
        assert violations(page) == [], path
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            spare = page.evaluate("innerWidth - document.documentElement.scrollWidth")
            assert spare >= 0, (path, width)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_your_own_row_can_be_read(page_with, site_address, scheme):
    page = page_with(color_scheme=scheme)
    page.goto(f"{site_address}/daily")
    page.evaluate(
        """document.querySelector("main").innerHTML = `<h1>Results</h1><table class="board"><tbody>
        <tr class="mine"><td class="number">1</td><td>Anna <span class="you">you</span>
        <span class="unconfirmed">unconfirmed</span></td></tr></tbody></table>`"""
    )
    assert violations(page) == []
