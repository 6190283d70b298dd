"""On a phone, no page is wider than the screen in pseudo-English, whose texts are 40 % longer, nor in Arabic."""

from __future__ import annotations

from secrets import token_hex
from typing import TYPE_CHECKING, Any, Final

import pytest

from app.main import create_app
from app.settings import Settings
from tests.browser.game_page import post_all
from tests.browser.running import running
from tests.golden.records import RECORDS
from tests.support.addresses import fixed_pages
from tests.support.games import UNLIKE
from tests.support.known import PASSWORD

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

LANGUAGES: Final = ("en-XA", "ar")
PHONE: Final[Any] = {"width": 390, "height": 844}

# What lies outside the screen and not in a box that scrolls or clips, and texts that stick out of their boxes.
OVERFLOW: Final = """() => {
  const width = document.documentElement.clientWidth;
  const found = [];
  const wide = document.scrollingElement.scrollWidth;
  if (wide > width) found.push(`the page is ${wide} wide`);
  const isVisible = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  const isClipped = (element) => {
    let box = element.parentElement;
    while (box && box !== document.body && getComputedStyle(box).overflowX === "visible") box = box.parentElement;
    return box !== null && box !== document.body;
  };
  const TEXTS = "button, a, th, td, label, h1, h2, h3, p, li, summary, select, input";
  for (const element of document.body.querySelectorAll("*")) {
    if (!isVisible(element)) continue;
    const { left, right } = element.getBoundingClientRect();
    const says = element.textContent.trim().slice(0, 40);
    const name = `${element.localName}.${element.getAttribute("class") ?? ""}: ${says}`;
    if ((left < -1 || right > width + 1) && !isClipped(element)) found.push(`${name} reaches to ${Math.round(right)}`);
    const style = getComputedStyle(element);
    const isBox = element.matches(TEXTS) && style.overflowX === "visible" && style.display !== "inline";
    if (isBox && element.scrollWidth > element.clientWidth + 1) found.push(`${name} sticks out of its box`);
  }
  return found;
}"""


@pytest.fixture(scope="module")
def pseudo_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running site that offers pseudo-English."""
    folder = tmp_path_factory.mktemp("width")
    with running(f"sqlite:///{folder / 'site.db'}", folder, pseudo_language="true") as address:
        yield address


@pytest.fixture(scope="module", params=LANGUAGES)
def page(request: pytest.FixtureRequest, browser: Browser, pseudo_address: str) -> Iterator[Page]:
    """A phone of a player with a name, in a language: one for all tests, each of which looks at other pages."""
    context = browser.new_context(
        base_url=pseudo_address,
        viewport=PHONE,
        extra_http_headers={"Accept-Language": request.param},
        service_workers="block",
    )
    form: dict[str, str | float | bool] = {
        "name": f"Anna {token_hex(4)}",
        "password": PASSWORD,
        "again": PASSWORD,
    }
    assert context.request.post("/join", form=form).ok
    yield context.new_page()
    context.close()


def overflow(page: Page, paths: list[str]) -> tuple[int, dict[str, list[str]]]:
    """How many of these are pages, and what overflows on each."""
    seen, found = 0, {}
    for path in paths:
        answer = page.goto(path)
        if answer is None or not answer.headers.get("content-type", "").startswith("text/html"):
            continue
        seen += 1
        if wide := page.evaluate(OVERFLOW):
            found[path] = wide
    return seen, found


def test_pages_without_parameters(page: Page, tmp_path: Path):
    site = create_app(Settings(data_dir=tmp_path))
    # Not what a browser stores as a file in place of showing it.
    paths = [path for path in fixed_pages(site) if "." not in path and not path.endswith("/export")]
    seen, found = overflow(page, paths)
    assert found == {}
    assert seen >= 30


def test_tables_with_a_guide_and_ended_ones(page: Page):
    paths = []
    for rules in UNLIKE:
        game = page.request.post("/api/v1/games", data={"ruleset": rules.id}).json()["id"]
        paths += [f"/rules/{rules.id}", f"/games/{game}"]
    resigned = page.request.post("/api/v1/games", data={"ruleset": "signora"}).json()["id"]
    assert page.request.post(f"/api/v1/games/{resigned}/resign", data={"version": 0}).ok
    paths += [f"/games/{resigned}", f"/games/{resigned}/replay?at=1"]
    seen, found = overflow(page, paths)
    assert found == {}
    assert seen == len(paths)


def test_won_tables(page: Page, pseudo_address: str):
    paths = []
    for ruleset in ("bristol", "freecell", "klondike-draw-three"):
        record = next(
            one for one in RECORDS if (one.ruleset, one.end) == (ruleset, "won") and one.code
        )
        new = {"ruleset": ruleset, "code": record.code}
        game = page.request.post("/api/v1/games", data=new).json()["id"]
        post_all(page.request, f"{pseudo_address}/games/{game}", record.moves)
        last = len(record.moves)
        paths += [f"/games/{game}", f"/games/{game}/replay?at={last}", f"/games/{game}/help/review"]
    seen, found = overflow(page, paths)
    assert found == {}
    assert seen == len(paths)


def test_what_people_do_together_and_errors(page: Page):
    def made(path: str, **body: object) -> dict[str, Any]:
        answer: dict[str, Any] = page.request.post(f"/api/v1{path}", data=body).json()
        return answer

    game = made("/games", ruleset="bristol")["id"]
    table = made(f"/games/{game}/together")["invitation"].rpartition("/")[2]
    room = made("/races", ruleset="bristol", minutes=3)["code"]
    league = made("/leagues", name="Herons", games=["bristol"])["link"]
    paths = [
        f"/games/{game}",
        f"/together/{table}",
        f"/race/{room}",
        f"/league/{league}",
        "/deal/bristol/7KQ4M-2XWTP",
        "/nothing",
    ]
    seen, found = overflow(page, paths)
    assert found == {}
    assert seen == len(paths)
