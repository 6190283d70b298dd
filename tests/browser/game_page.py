"""The page of a game in a browser, played the way a player would and checked after each move."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import dataclass, field
from http import HTTPStatus
from http.client import HTTPConnection
from typing import TYPE_CHECKING, Self
from urllib.parse import urlencode, urlsplit

from playwright.sync_api import expect

from app.engine.actions import Deal, Move, parse_action
from app.engine.history import History
from app.engine.shuffle import deck_of_code, parse_code
from app.games.clicks import Grip, Select, read_click
from app.http.preferences import PLAY_COOKIE, PlayPreferences
from app.rulesets import find_ruleset
from tests.support.patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from playwright.sync_api import APIRequestContext, FloatRect, Locator, Page

INTO_A_CARD = 8  # pixels from a card's corner


SEEING = 60
"""Milliseconds: a card that came under the hand later than that cannot be meant by a click."""

SEARCHED = 240_000
"""Milliseconds that a question to the solver may take on a busy machine."""

SWAP_IN = """async (text) => {
    const beside = document.querySelector('script[src$="/js/shell.js"]').src;
    await (await import(new URL("swap.js", beside))).swapIn(text);
}"""
"""Puts a newer table into the page, as a page that catches up does."""

SLOW_MOTION = """() => {
    const { animate } = Element.prototype;
    const wait = window.setTimeout;
    const now = performance.now.bind(performance);
    performance.now = () => now() / 10;
    const slow = (how) => (typeof how === "number" ? how * 10 : { ...how, duration: how.duration * 10 });
    Element.prototype.animate = function (frames, how) {
        return animate.call(this, frames, slow(how));
    };
    window.setTimeout = (call, pause, ...more) => wait(call, pause * 10, ...more);
    window.goOnAtFullSpeed = () => {
        Element.prototype.animate = animate;
        window.setTimeout = wait;
        performance.now = now;
    };
}"""
"""What takes ten times as long cannot end by itself while a busy machine gets round to skipping it."""

# To wait for a version in the page itself: from outside one looks again only after 100 ms, then after 250.
_SHOWN = """async (version) => {
  const until = performance.now() + 45_000;
  while (document.querySelector("#state")?.dataset.version !== version && performance.now() < until) {
    await new Promise((done) => setTimeout(done, 10));
  }
}"""


@dataclass
class GamePage:
    """A page that shows a game, and the history that it should show."""

    page: Page
    history: History
    page_errors: list[str] = field(default_factory=list)

    @classmethod
    def start(cls, page: Page, address: str, ruleset: str, code: str) -> Self:
        """Start a game by its code: the form of the games page, sent past that page, which takes long to draw."""
        game_page = cls._of(page, ruleset, code)
        form: dict[str, str | float | bool] = {"ruleset": ruleset, "code": code}
        answer = page.request.post(f"{address}/play", form=form, max_redirects=0)
        assert answer.status == HTTPStatus.SEE_OTHER
        page.goto(f"{address}{answer.headers['location']}")  # it waits until the scripts have run
        expect(page.locator("#table")).to_be_visible()
        return game_page

    @classmethod
    def start_on_the_games_page(cls, page: Page, address: str, ruleset: str, code: str) -> Self:
        """Start a game by its code as a player does."""
        game_page = cls._of(page, ruleset, code)
        page.goto(f"{address}/games")
        by_code = page.get_by_role("region", name="Play a deal by its code")
        by_code.get_by_label("Game", exact=True).select_option(ruleset)
        by_code.get_by_label("Code", exact=True).fill(code)
        by_code.get_by_role("button", name="Deal", exact=True).click()
        expect(page.locator("#table")).to_be_visible()
        page.wait_for_load_state()  # the scripts have run
        return game_page

    @classmethod
    def _of(cls, page: Page, ruleset: str, code: str) -> Self:
        rules = find_ruleset(ruleset)
        assert rules
        game_page = cls(page, History.start(rules, deck_of_code(parse_code(code), rules.decks)))
        page.on("pageerror", lambda error: game_page.page_errors.append(str(error)))
        return game_page

    @property
    def notice(self) -> Locator:
        """The line below the cards."""
        return self.page.locator("#notice")

    @property
    def moves(self) -> list[str]:
        """The legal moves, as the page knows them."""
        return (self.page.locator("#state").get_attribute("data-moves") or "").split()

    def card(self, grip: str) -> Locator:
        """The button of a card: ``t3``, or ``t3:2`` for the second card from the top."""
        return self.page.locator(f'#table button[value="{grip}"]')

    def box(self, grip: str) -> FloatRect:
        """The box in which a card takes clicks."""
        found = self.card(grip).bounding_box()
        assert found
        return found

    def play_unseen(self, moves: Sequence[str]) -> None:
        """Play moves from the opening on and show the table then; ``history`` stays as it is.

        The page is left meanwhile: an open one would draw each move.
        """
        address = self.page.url
        leave(self.page)
        post_all(self.page.request, address, moves)
        self.page.goto(address)

    def play_elsewhere(self, moves: Sequence[str]) -> None:
        """Play the next moves past the page, which follows."""
        post_all(self.page.request, self.page.url, moves, self.history.depth)
        for move in moves:
            self.history = self.history.apply(parse_action(self.history.rules.layout, move))
        self.expect_version(self.history.depth)

    def expect_version(self, version: int) -> None:
        """Wait until the page shows a version."""
        expect(self.page.locator("#state")).to_have_attribute("data-version", str(version))

    def play(self, text: str) -> None:
        """Play a move by clicks where clicks mean it, else by dragging; wait until it is done."""
        action = parse_action(self.history.rules.layout, text)
        match action:
            case Deal():
                self.page.keyboard.press("d")
            case Move(source, target, count):
                grip = Grip(source, count)
                meaning = read_click(self.history.rules, self.history.position, grip, None)
                if meaning == action:
                    self.click(str(grip))
                elif isinstance(meaning, Select) and meaning.grip == grip:
                    self.click(str(grip))
                    expect(self.card(str(grip))).to_have_attribute("aria-pressed", "true")
                    self.click(target)
                else:
                    self.drag(str(grip), target)
        self.history = self.history.apply(action)
        self.page.evaluate(_SHOWN, str(self.history.depth))
        self.expect_version(self.history.depth)

    def click(self, grip: str) -> None:
        """Click on a card that has been seen, near its corner, where it is never covered."""
        self.page.wait_for_timeout(SEEING)
        self.card(grip).click(position={"x": INTO_A_CARD, "y": INTO_A_CARD})

    def drag(self, grip: str, target: str) -> None:
        """Drag a card that has been seen; sooner, the press would mean what lay there before."""
        self.page.wait_for_timeout(SEEING)
        start, end = self.box(grip), self.box(target)
        self.page.mouse.move(start["x"] + INTO_A_CARD, start["y"] + INTO_A_CARD)
        self.page.mouse.down()
        x, y = end["x"] + end["width"] / 2, end["y"] + end["height"] / 2
        self.page.mouse.move(x, y, steps=5)
        self.page.mouse.up()


def keep_runs(page: Page, site_address: str) -> None:
    """As in the settings: complete runs stay until they are taken home, as the recorded games do."""
    wishes = str(PlayPreferences(runs_home=False))
    page.context.add_cookies([{"name": PLAY_COOKIE, "value": wishes, "url": site_address}])


def post_all(
    request: APIRequestContext, address: str, moves: Sequence[str], start: int = 0
) -> None:
    """Play moves at once, from the version ``start`` on.

    Past the page, and past the browser, which takes longer for a request than the site.
    """
    cookies = request.storage_state()["cookies"]
    headers = {
        "Cookie": "; ".join(f"{cookie.get('name')}={cookie.get('value')}" for cookie in cookies),
        "Content-Type": "application/x-www-form-urlencoded",
    }
    parts = urlsplit(address)
    with closing(HTTPConnection(parts.netloc, timeout=PATIENCE)) as wire:
        for version, move in enumerate(moves, start):
            word = "deal" if move == "deal" else "move"
            form = urlencode({"version": version, "move": move})
            wire.request("POST", f"{parts.path}/{word}", form, headers)
            answer = wire.getresponse()
            answer.read()
            assert answer.status == HTTPStatus.SEE_OTHER


def leave(page: Page) -> None:
    """Leave a page for one of the site that runs nothing.

    An empty one would cost as much as a new context: the browser changes into a process that has read no script.
    """
    parts = urlsplit(page.url)
    page.goto(f"{parts.scheme}://{parts.netloc}/robots.txt")


def wait_until(page: Page, holds: Callable[[], object]) -> None:
    """Wait for something outside the page, such as a request that a test holds back."""
    until = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < until
        page.wait_for_timeout(20)


def overlapping_in_the_line(page: Page) -> list[str]:
    """What lies above one another, or outside the screen, in the line above the board: pairs of their texts.

    What has no room beside the name is cut off below it, and is not seen.
    """
    found: list[str] = page.evaluate(
        """() => {
          const name = document.querySelector(".game-bar .name").getBoundingClientRect();
          const isBelow = (part) => part.getBoundingClientRect().top >= name.bottom - 2;
          const isCut = (part) => part.parentElement.matches(".name") && isBelow(part);
          const said = ".game-bar > *, .game-bar .name > *, #notice > :not(.sr-only)";
          const parts = [...document.querySelectorAll(said)]
            .filter((part) => !part.matches(".name") && part.checkVisibility() && !isCut(part))
            .filter((part) => !part.closest("#notice") || innerHeight < 481);
          const boxes = parts.map((part) => [part.innerText, part.getBoundingClientRect()]);
          const cloth = document.querySelector(".cloth").getBoundingClientRect().top;
          const out = boxes.filter(([, box]) => box.left < 0 || box.right > innerWidth || box.bottom > cloth + 1);
          const pairs = boxes.flatMap(([a, one], n) => boxes.slice(n + 1)
            .filter(([, two]) => Math.min(one.right, two.right) - Math.max(one.left, two.left) > 1
              && Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top) > 1)
            .map(([b]) => `${a} | ${b}`));
          return [...out.map(([text]) => text), ...pairs];
        }"""
    )
    return found
