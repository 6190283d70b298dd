"""A desktop and a phone at one shared table: concurrent moves, signals and proposals."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.faults import all_faults, resize
from tests.browser.game_page import INTO_A_CARD, overlapping_in_the_line
from tests.browser.interception import intercept
from tests.support.known import CODE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


pytestmark = pytest.mark.kept_page

LOW = 480
"""Pixels: up to this height there is no room for a second line in the header."""

NARROW = 560
"""Pixels: up to this width an invitation lies in the header."""

WITH_AND_WITHOUT_INVITATION = """() => {
  const invitation = document.querySelector("#invite");
  const place = (pile) => JSON.stringify(pile.getBoundingClientRect());
  const places = () => [...document.querySelectorAll("#table .pile")].map(place);
  const before = places();
  invitation.open = false;
  const after = places();
  invitation.open = true;
  return [before, after];
}"""


MOST_TO_THE_EDGE = 12
"""Pixels between an invitation and the lower edge of a window."""

PLAYERS_IN_A_LINE = """() => {
  const [you, invite, say] = [".people .me", "#invite > summary", ".gestures > summary"]
    .map((part) => document.querySelector(part)).map((part) => part.getBoundingClientRect());
  const faults = {
    "the way back": invite.width > 40,
    "one beside the other": you.right <= invite.left && invite.right <= say.left,
    "without a hole": invite.left - you.right <= 30 && say.left - invite.right <= 30,
  };
  return Object.keys(faults).filter((fault) => !faults[fault]);
}"""


def legal(page: Page) -> list[list[str]]:
    moves = page.locator("#state").get_attribute("data-moves") or ""
    return [move.split("-") for move in moves.split()]


def at_version(page: Page, version: int) -> None:
    expect(page.locator("#state")).to_have_attribute("data-version", str(version))


def drag(page: Page, source: str, target: str) -> None:
    start = page.locator(f'#table button[value="{source}"]').bounding_box()
    end = page.locator(f"#{target}").bounding_box()
    assert start
    assert end
    page.mouse.move(start["x"] + INTO_A_CARD, start["y"] + INTO_A_CARD)
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=6)
    page.mouse.up()


@pytest.fixture
def pair(page_with: Callable[..., Page], site_address: str) -> Iterator[tuple[Page, Page]]:
    """A desktop and a phone at one table, as guests; page errors fail the test."""
    page_errors: list[str] = []
    desktop = page_with(viewport={"width": 1280, "height": 860})
    phone = page_with(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)

    def hear(error: object) -> None:
        page_errors.append(str(error))

    for page in (desktop, phone):
        page.on("pageerror", hear)

    dealt = desktop.request.post(
        f"{site_address}/play",
        form={"ruleset": "bristol", "code": CODE},
        headers={"Origin": site_address},
    )
    desktop.goto(dealt.url)
    desktop.locator(".menu > summary").click()
    desktop.locator(".sheet summary", has_text="Play together").click()
    desktop.get_by_role("button", name="Invite players").click()
    # The invitation is there at once, and goes by itself when somebody has joined.
    expect(desktop.get_by_role("heading", name="Invite players")).to_be_visible()
    desktop.locator("#invite .code > summary").click()
    code = desktop.get_by_role("img", name="QR code")
    expect(code).to_have_js_property("complete", value=True)
    assert code.evaluate("image => image.naturalWidth") > 0
    invitation = desktop.get_by_label("Anyone with the invitation link can join").input_value()
    phone.goto(invitation)
    phone.get_by_role("button", name="Join").click()
    expect(desktop.get_by_role("heading", name="Invite players")).to_be_hidden()
    expect(desktop.locator("#notice")).to_contain_text("has joined.")
    expect(phone.locator("#people li")).to_have_count(2)
    expect(desktop.locator("#people li:not(.away)")).to_have_count(2)
    expect(phone.locator("#people li:not(.away)")).to_have_count(2)
    expect(phone.locator(".gestures p[hidden]")).to_have_count(0)  # its script has begun
    desktop.keyboard.press("Escape")
    yield desktop, phone
    for page in (desktop, phone):
        page.remove_listener("pageerror", hear)
    assert not page_errors


def test_on_its_side_a_phone_tells_a_move_beside_the_cards(pair: tuple[Page, Page]) -> None:
    desktop, phone = pair
    phone.set_viewport_size({"width": 844, "height": 390})
    desktop.keyboard.press("d")
    at_version(phone, 1)
    phone.locator("#notice > span").first.evaluate(
        "line => { line.textContent = 'Graceful Bumblebee: Queen of diamonds on the king of diamonds.'; }"
    )
    notice, cloth = phone.locator("#notice").bounding_box(), phone.locator(".cloth").bounding_box()
    assert notice
    assert cloth
    assert notice["y"] + notice["height"] <= cloth["y"] + 1
    assert overlapping_in_the_line(phone) == []


def test_on_a_phone_the_names_of_four_players_are_not_cut(pair: tuple[Page, Page]) -> None:
    _, phone = pair
    cut = phone.evaluate(
        """() => {
          const people = document.querySelector(".people");
          const other = people.querySelector("li:not(.me)");
          // The widest names that a guest is given.
          other.querySelector("bdi").textContent = "Graceful Bumblebee";
          for (const name of ["Bold Dormouse", "Fearless Kingfisher"]) {
            const one = other.cloneNode(true);
            one.querySelector("bdi").textContent = name;
            people.append(one);
          }
          document.getElementById("invite").hidden = true;
          return [...people.querySelectorAll("bdi")]
            .filter((name) => name.scrollHeight > name.clientHeight + 1 || name.scrollWidth > name.clientWidth + 1)
            .map((name) => name.textContent);
        }"""
    )
    assert cut == []
    heights, right, left = phone.evaluate(
        """() => {
          const boxes = [...document.querySelectorAll(".people li")].map((chip) => chip.getBoundingClientRect());
          const beside = document.querySelector(".gestures").getBoundingClientRect();
          return [boxes.map(({ height }) => height), Math.max(...boxes.map(({ right }) => right)), beside.left];
        }"""
    )
    assert len(heights) == 4
    assert max(heights) <= 34, "the line is no higher"
    assert right <= left


WITH_OTHERS = """(others) => {
  const people = document.querySelector(".people");
  window.asTheyCame ??= people.innerHTML;
  people.innerHTML = window.asTheyCame;
  const other = people.querySelector("li:not(.me)");
  other.querySelector("bdi").textContent = "Graceful Bumblebee"; // the widest names that a guest is given
  for (const name of ["Bold Dormouse", "Fearless Kingfisher"].slice(0, others - 1)) {
    const one = other.cloneNode(true);
    one.querySelector("bdi").textContent = name;
    people.append(one);
  }
  document.querySelector(".game-bar h1").textContent = "Blondes and Brunettes";
  const viewers = document.getElementById("viewers");
  viewers.hidden = false;
  viewers.querySelector("span").textContent = "12";
  document.getElementById("invite").hidden = others === 3;
  return [...people.querySelectorAll("bdi")]
    .filter((name) => name.scrollHeight > name.clientHeight + 2 || name.scrollWidth > name.clientWidth + 1)
    .map((name) => name.textContent);
}"""
LIE_APART = """() => {
  const seen = [".people li", ".shared-table summary", "#viewers"]
    .flatMap((parts) => [...document.querySelectorAll(parts)])
    .filter((part) => part.checkVisibility())
    .map((part) => part.getBoundingClientRect())
    .sort((one, two) => one.left - two.left);
  return seen.every((box, n) => n === 0 || box.left >= seen[n - 1].right);
}"""


def test_on_a_phone_on_its_side_the_line_of_a_shared_table_holds_all(
    pair: tuple[Page, Page],
) -> None:
    """The players, what can be said and who watches lie apart."""
    _, phone = pair
    resize(phone, 844, 390)
    with all_faults() as at:
        for others in (1, 2, 3):
            with at(f"with {others} others"):
                assert phone.evaluate(WITH_OTHERS, others) == []
                assert overlapping_in_the_line(phone) == []
                assert phone.evaluate(LIE_APART)


IN_TWO_LINES = """() => {
  const box = (part) => document.querySelector(part).getBoundingClientRect();
  const [title, rules, chip, said, moves, self] =
    [".game-bar h1", ".game-bar nav", ".people li:last-child", ".gestures", "#status", ".self"].map(box);
  const middle = ({ top, bottom }) => (top + bottom) / 2;
  const faults = {
    "title below the edge": title.top >= 6,
    "title apart": title.width > 40 && title.right <= rules.left,
    "rules in line with the places": rules.height > 0 && Math.abs(middle(rules) - middle(self)) <= 1,
    "title in line with the rules": Math.abs(middle(rules) - middle(title)) <= 2,
    "players below it": chip.top >= title.bottom,
    "moves beside the players": moves.top < chip.bottom && moves.bottom > chip.top,
    "apart": chip.right <= said.left && said.right <= moves.left,
    "low": box(".top").height <= 76,
    "an eye": box(".watchable").width < 30 && document.querySelector(".watchable").title === "Everyone can watch",
  };
  return Object.keys(faults).filter((fault) => !faults[fault]);
}"""


LEAST_FOR_ONE_LINE = 1400
IN_ONE_LINE = """() => {
  const boxes = [".game-bar h1", ".people li:last-child", ".gestures", "#status", ".places a:not(.home)"]
    .map((part) => document.querySelector(part).getBoundingClientRect());
  const middles = boxes.map(({ top, bottom }) => (top + bottom) / 2);
  const faults = {
    "at one height": Math.max(...middles) - Math.min(...middles) <= 2,
    "one after the other": boxes.every((box, n) => n === 0 || box.left >= boxes[n - 1].right),
    "low": document.querySelector(".top").getBoundingClientRect().height <= 50,
  };
  return Object.keys(faults).filter((fault) => !faults[fault]);
}"""


def test_the_line_of_a_shared_table_is_two_unless_it_is_long(
    pair: tuple[Page, Page], site_address: str
) -> None:
    """The game in the first, the players and the moves in the second; no name is cut, nor where one line holds all."""
    desktop, _ = pair
    desktop.request.post(
        f"{desktop.url.split('?')[0]}/watch/audience",
        form={"audience": "public"},
        headers={"Origin": site_address},
    )
    desktop.reload()
    expect(desktop.locator("#people li:not(.away)")).to_have_count(2)
    with all_faults() as at:
        for width, height in ((768, 1024), (1024, 768), (1199, 800), (1280, 800), (1440, 900)):
            resize(desktop, width, height)
            for others in (1, 2, 3):
                with at(f"{width} x {height} with {others} others"):
                    assert desktop.evaluate(WITH_OTHERS, others) == []
                    lines = IN_ONE_LINE if width >= LEAST_FOR_ONE_LINE else IN_TWO_LINES
                    assert desktop.evaluate(lines) == []


def test_the_invitation_is_put_aside_and_comes_back_from_the_menu(
    page: Page, site_address: str
) -> None:
    opened = page.request.post(
        f"{site_address}/together",
        form={"ruleset": "bristol"},
        headers={"Origin": site_address},
    )
    page.goto(opened.url)
    box = page.get_by_role("heading", name="Invite players")
    expect(box).to_be_visible()
    for width, height in ((1440, 900), (1024, 768), (390, 844), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator("#invite .copy")).to_be_in_viewport(ratio=1)
        covered = page.evaluate(
            """() => {
              const panel = document.querySelector("#invite .invite").getBoundingClientRect();
              const header = ".back, .game-bar :is(h1, .chip, .occasion, summary), #status, .places a";
              return [...document.querySelectorAll(`#table .pile button, .rail :is(button, summary), ${header}`)]
                .filter((each) => each.checkVisibility() && !each.closest(".invite"))
                .filter((each) => {
                  const it = each.getBoundingClientRect();
                  return it.left < panel.right && it.right > panel.left
                    && it.top < panel.bottom && it.bottom > panel.top;
                })
                .map((each) => each.textContent.trim());
            }""",
        )
        assert covered == [], f"under the invitation at {width}x{height}"
        cloth = page.locator(".cloth").bounding_box()
        strip = page.locator("#invite .invite").bounding_box()
        assert cloth
        assert strip
        top = page.locator("#table .pile").first.bounding_box()
        assert top
        is_above = strip["y"] + strip["height"] <= top["y"]
        is_below = strip["y"] >= cloth["y"] + cloth["height"] - 2
        assert is_above or is_below, f"over the cards at {width}x{height}"
        is_phone = height <= LOW or width <= NARROW
        address = page.get_by_label("Anyone with the invitation link can join")
        expect(address).to_be_visible(visible=not is_phone)
        with_it, without = page.evaluate(WITH_AND_WITHOUT_INVITATION)
        assert with_it == without, "a card has moved"
        assert box.evaluate("one => one.scrollWidth <= one.clientWidth"), "it says what it is"
        if not is_phone:
            assert 8 <= height - strip["y"] - strip["height"] <= MOST_TO_THE_EDGE
    page.set_viewport_size({"width": 1280, "height": 860})
    page.get_by_role("button", name="Hide").click()
    expect(box).to_be_hidden()
    page.locator(".menu > summary").click()
    page.get_by_role("link", name="Invite players").click()
    expect(box).to_be_visible()
    expect(page.get_by_label("Anyone with the invitation link can join")).to_be_focused()
    page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    for width, height in ((1280, 860), (390, 844), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        page.locator("#invite > summary").click()
        expect(box).to_be_visible()
        page.get_by_role("button", name="Hide").click()
        expect(box).to_be_hidden()
        assert page.evaluate(PLAYERS_IN_A_LINE) == []


def test_who_may_watch_is_chosen_in_the_menu_and_shown_on_the_table(
    page: Page, site_address: str
) -> None:
    dealt = page.request.post(
        f"{site_address}/play", form={"ruleset": "bristol"}, headers={"Origin": site_address}
    )
    page.goto(dealt.url)
    badge, link = page.locator("#watchable"), page.get_by_label("Link for spectators")
    expect(badge).to_be_hidden()
    page.locator(".menu > summary").click()
    page.locator(".sharing > summary").click()
    row = page.locator(".audience > summary")
    expect(row).to_have_text("Who can watch Anyone with the link")
    row.click()
    for width, height in ((1440, 900), (1024, 768), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        assert (
            page.locator(".sheet").evaluate("sheet => sheet.scrollHeight - sheet.clientHeight") <= 0
        )
    for choice, said, shown in (
        ("Everyone", "Everyone can watch now.", "Everyone can watch"),
        ("Anyone with the link", "Anyone with the link can", "Anyone with the link can watch"),
        ("No one", "No one else can watch now.", ""),
    ):
        page.get_by_role("button", name=choice, exact=True).click()
        pressed = page.get_by_role("button", name=choice, exact=True, pressed=True)
        expect(pressed).to_be_focused()
        expect(row).to_have_text(f"Who can watch {choice}")
        expect(page.locator(".audience .meaning")).to_contain_text(said)
        expect(page.locator("#notice")).to_contain_text(said)  # which is read out
        if shown:
            expect(badge).to_have_text(shown)
            expect(link).to_have_value(dealt.url)
            expect(page.locator(".audience .copy")).to_be_visible()
        else:
            expect(badge).to_be_hidden()
            expect(link).to_have_count(0)


def test_concurrent_moves_and_conflicts(pair: tuple[Page, Page]) -> None:
    desktop, phone = pair
    # Each sees the other's move, and whose it is.
    desktop.keyboard.press("d")
    at_version(desktop, 1)
    at_version(phone, 1)
    expect(phone.locator("#notice")).to_contain_text(": Dealt three cards: the ")

    # Both move at once, apart: both moves count, though neither page has seen the other's.
    moves = legal(desktop)
    one, other = next((a, b) for a in moves for b in moves if not set(a) & set(b))
    for page in (desktop, phone):
        intercept(page, "**/board?*", lambda route: route.abort())
    drag(desktop, one[0], one[1])
    at_version(desktop, 2)
    stale = phone.request.post(
        f"{phone.url}/move", form={"version": "1", "move": "-".join(other)}, max_redirects=0
    )
    assert stale.status == 303
    collided = phone.request.post(
        f"{phone.url}/move",
        form={"version": "1", "move": "-".join(one)},
        headers={"HX-Request": "true"},
    )
    assert collided.status == 409
    assert "moved it first" in collided.text()
    for page in (desktop, phone):
        page.unroute("**/board?*")
        page.reload()
        at_version(page, 3)


def test_a_saying_without_an_answer_does_not_concern_the_table(pair: tuple[Page, Page]) -> None:
    """Nor does it stop the hint that was asked for."""
    desktop, _ = pair
    held: dict[str, list[Route]] = {"say": [], "hint": []}
    intercept(desktop, "**/together/say", held["say"].append)
    intercept(desktop, "**/help/hint", held["hint"].append)
    news = desktop.evaluate_handle(
        """() => {
          const said = [];
          const look = () => said.push(document.getElementById("notice").textContent);
          new MutationObserver(look).observe(document.getElementById("notice"), { childList: true });
          return said;
        }"""
    )
    with desktop.expect_request("**/help/hint"):
        desktop.keyboard.press("h")
    with desktop.expect_request("**/together/say"):
        desktop.locator(".gestures > summary").click()
        desktop.locator("button[name=saying]").first.click()
    desktop.wait_for_timeout(3500)  # after 3 seconds the table would be asked for
    assert not [said for said in news.json_value() if "Checking" in said or "No answer" in said]
    held["hint"][0].continue_()
    expect(desktop.locator("#table .advised").first).to_be_visible()
    held["say"][0].continue_()


def test_what_somebody_says_covers_no_card(pair: tuple[Page, Page]) -> None:
    desktop, phone = pair
    desktop.locator(".gestures > summary").click()
    desktop.locator("button[name=saying]").first.click()
    said = phone.locator("#people em").first
    expect(said).to_be_visible()
    for size in ((390, 844), (360, 640), (844, 390), (768, 1024), (1440, 900)):
        resize(phone, *size)
        box = said.bounding_box()
        assert box
        assert box["y"] >= 0
        piles = [pile.bounding_box() for pile in phone.locator("#table .pile").all()]
        tops = [pile["y"] for pile in piles if pile and pile["height"]]
        assert box["y"] + box["height"] <= min(tops), size


def test_after_point_a_tap_points_once(pair: tuple[Page, Page]) -> None:
    """Escape, and another press, put it off."""
    desktop, phone = pair
    say = phone.locator(".gestures > summary")
    for end in (lambda: phone.keyboard.press("Escape"), say.tap):
        say.tap()
        phone.get_by_role("button", name="Point").tap()
        expect(say).to_have_text("Point ✕", use_inner_text=True)
        end()
        expect(say).to_have_text("Say", use_inner_text=True)
    expect(phone.locator(".sayings")).to_be_hidden()
    say.tap()
    phone.get_by_role("button", name="Point").tap()
    phone.locator("#table button[name=clicked]").last.tap()
    expect(desktop.locator(".pointed bdi")).to_be_visible()
    expect(say).to_have_text("Say", use_inner_text=True)
    at_version(phone, 0)


def test_signals_and_proposals(pair: tuple[Page, Page]) -> None:
    desktop, phone = pair
    for width, height in ((1440, 900), (1024, 768), (844, 390), (390, 844)):
        desktop.set_viewport_size({"width": width, "height": height})
        expect(desktop.locator(".top #people li")).to_have_count(2)
        assert overlapping_in_the_line(desktop) == []
    desktop.set_viewport_size({"width": 1280, "height": 860})
    # Pointing with a long press on the phone outlines the card on the desktop, and plays nothing.
    card = phone.locator(".tableau .pile button[name=clicked]").last
    box = card.bounding_box()
    assert box
    phone.mouse.move(box["x"] + INTO_A_CARD, box["y"] + INTO_A_CARD)
    phone.mouse.down()
    expect(desktop.locator(".pointed bdi")).to_be_visible()
    expect(desktop.locator("#people em")).to_have_text(re.compile("points at column"))
    phone.mouse.up()
    at_version(phone, 0)

    # On a phone the words are a low sheet.
    phone.locator(".gestures summary").click()
    sayings = phone.locator(".sayings").bounding_box()
    assert sayings
    assert sayings["y"] > 844 / 2
    phone.keyboard.press("Escape")
    expect(phone.locator(".sayings")).to_be_hidden()

    # A word, by keyboard alone.
    desktop.locator(".gestures summary").focus()
    desktop.keyboard.press("Enter")
    desktop.keyboard.press("Escape")
    expect(desktop.get_by_role("button", name="Thank you")).to_be_hidden()
    expect(desktop.locator(".gestures summary")).to_be_focused()
    desktop.keyboard.press("Enter")
    desktop.get_by_role("button", name="Thank you").focus()
    desktop.keyboard.press("Enter")
    said = phone.locator("#people em").filter(has_text="Thank you")
    expect(said).to_be_visible()
    expect(phone.locator("#notice > .sr-only")).to_contain_text("Thank you")
    line = phone.evaluate(
        """() => {
          const places = () => [...document.querySelectorAll(".people li, .gestures")]
            .map((each) => JSON.stringify(each.getBoundingClientRect()));
          const there = places();
          document.querySelectorAll(".people em").forEach((each) => each.remove());
          return [there, places()];
        }"""
    )
    assert line[0] == line[1], "what is said moves no chip and no button"

    # Starting over is asked for, and happens when the other agrees.
    desktop.keyboard.press("d")
    at_version(phone, 1)
    desktop.locator(".menu > summary").click()
    desktop.get_by_role("button", name="Start over").click()
    expect(phone.locator(".proposal")).to_contain_text("restart this deal")
    at_version(phone, 1)
    phone.get_by_role("button", name="Agree").click()
    at_version(phone, 2)
    at_version(desktop, 2)


def test_pointing_that_the_site_does_not_hear_of_is_said_to_have_failed(
    pair: tuple[Page, Page],
) -> None:
    desktop, _ = pair
    intercept(desktop, "**/together/point", lambda route: route.abort())
    desktop.locator(".tableau .pile button[name=clicked]").last.click(modifiers=["Alt"])
    expect(desktop.locator(".toast")).to_have_text("The site can't be reached. Try again.")
    at_version(desktop, 0)


def test_what_the_others_ask_lies_over_an_open_menu(pair: tuple[Page, Page]) -> None:
    desktop, phone = pair
    phone.locator("#stock").tap()
    at_version(desktop, 1)
    phone.locator(".rail .undo").tap()  # what a deal has turned up takes a vote
    agree = desktop.get_by_role("button", name="Agree")
    expect(agree).to_be_visible()
    desktop.locator(".menu > summary").click()
    with all_faults() as at:
        for width, height in ((1440, 900), (844, 390), (390, 844)):
            with at(f"{width} x {height}"):
                resize(desktop, width, height)
                expect(desktop.locator(".sheet")).to_be_visible()
                is_on_top = agree.evaluate(
                    """button => {
                      const { x, y, width, height } = button.getBoundingClientRect();
                      return button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
                    }"""
                )
                assert is_on_top


def test_a_question_and_news_of_the_connection_do_not_cover_each_other(
    pair: tuple[Page, Page],
) -> None:
    desktop, phone = pair
    phone.locator("#stock").tap()
    at_version(phone, 1)
    at_version(desktop, 1)
    phone.locator(".rail .undo").tap()
    own = phone.locator(".proposal")
    expect(own).to_contain_text("You asked to undo the last move.")
    phone.context.set_offline(True)
    phone.locator(".rail .undo").tap()
    news = phone.locator("#notice > .lost")
    expect(news).to_be_visible()
    with all_faults() as at:
        for width, height in ((390, 844), (360, 640), (844, 390), (1280, 860)):
            with at(f"{width} x {height}"):
                resize(phone, width, height)
                above, below = own.bounding_box(), news.bounding_box()
                assert above
                assert below
                is_above = above["y"] + above["height"] <= below["y"]
                assert is_above or below["y"] + below["height"] <= above["y"]
    resize(phone, 390, 844)
    phone.context.set_offline(False)
    expect(phone.locator("#notice > .found")).to_be_visible()
    phone.get_by_role("button", name="Withdraw").tap()
    expect(own).to_have_count(0)
    expect(desktop.locator(".proposal")).to_have_count(0)
    at_version(phone, 1)


def test_what_the_others_ask_comes_into_an_open_sheet(pair: tuple[Page, Page]) -> None:
    """Under a sheet, it could neither be seen nor answered."""
    desktop, phone = pair
    phone.locator("#stock").tap()
    at_version(desktop, 1)
    desktop.locator(".menu > summary").click()
    desktop.get_by_role("link", name="Settings").click()
    sheet = desktop.locator("dialog[open]")
    expect(sheet).to_be_visible()
    phone.locator(".rail .undo").tap()
    expect(sheet.get_by_role("button", name="Agree")).to_be_visible()
    sheet.get_by_role("link", name="Done").click()
    expect(desktop.locator("#people .proposal")).to_be_visible()
    desktop.keyboard.press("?")
    sheet.get_by_role("button", name="Agree").click()
    at_version(desktop, 2)
    at_version(phone, 2)
    expect(sheet).to_be_visible()


def test_the_address_alone_lets_a_friend_ask(
    pair: tuple[Page, Page], page_with: Callable[..., Page]
) -> None:
    """A friend who came by the copied address asks, and is at the table as soon as the owner lets them in."""
    desktop, _ = pair
    desktop.locator("#invite").evaluate("(invitation) => (invitation.open = true)")
    friend = page_with(viewport={"width": 390, "height": 844})
    sent: list[str] = []
    friend.on("request", lambda request: sent.append(request.method))
    friend.goto(desktop.url)
    friend.locator("#table button").first.click()
    expect(friend.locator(".toast")).to_contain_text("You are watching. Ask to join")
    assert "POST" not in sent  # refused in the page
    ask = friend.get_by_role("button", name="Ask to join")
    box = ask.bounding_box()
    assert box
    assert box["height"] >= 44
    ask.click()
    expect(friend.locator("#notice")).to_contain_text("You have asked to join.")
    expect(desktop.get_by_text("asks to join.")).to_be_visible()
    expect(desktop.locator("#invite .invite")).to_be_hidden()  # it would lie under the question
    for width, height in ((1440, 900), (390, 844), (1280, 860)):
        desktop.set_viewport_size({"width": width, "height": height})
        asked = desktop.locator(".proposal").bounding_box()
        assert asked
        piles = desktop.locator("#table .pile svg").evaluate_all(
            "cards => cards.map((card) => card.getBoundingClientRect().bottom)"
        )
        assert asked["y"] >= max(piles) - 8, "below the cards"
    desktop.get_by_role("button", name="Let in").click()
    expect(desktop.locator("#people li")).to_have_count(3)
    expect(friend.locator("#people .me")).to_be_visible()
    expect(friend.locator(".rail > .undo")).to_be_visible()
