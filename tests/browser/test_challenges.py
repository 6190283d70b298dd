"""A challenge from one browser to another: with scripts on a wide screen, and on a phone without any."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import violations
from tests.support.known import CODE

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import APIRequestContext, Browser, Page, ViewportSize

pytestmark = pytest.mark.kept_page

PHONE: ViewportSize = {"width": 390, "height": 844}
LINES_OF_WORDS = """one => {
  const words = document.createRange();
  words.selectNodeContents(one);
  return [...new Set([...words.getClientRects()].map((box) => Math.round(box.top)))];
}"""
TOPS_OF_WORDS = f"all => all.map((one) => ({LINES_OF_WORDS})(one)[0])"


def faults(page: Page) -> list[str]:
    """What makes a page hard to use: by axe, and by its width."""
    found = violations(page)
    is_wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return [*found, "wider than the screen"] if is_wide else found


def a_finished_run(
    request: APIRequestContext, site: str, deals: int, ruleset: str = "bristol"
) -> str:
    game = request.post(f"{site}/api/v1/games", data={"ruleset": ruleset, "code": CODE}).json()
    path = f"/games/{game['id']}"
    for version in range(deals):
        move = {"version": version, "move": "deal"}
        assert request.post(f"{site}/api/v1{path}/moves", data=move).ok
    assert request.post(f"{site}/api/v1{path}/resign", data={"version": deals}).ok
    return path


@pytest.fixture
def challenge(page_with: Callable[..., Page], site_address: str) -> str:
    """The link of a challenge that a player made of a run in the browser."""
    page = page_with()
    page.goto(site_address + a_finished_run(page.request, site_address, 3))
    page.locator(".ending summary", has_text="More").click()
    page.get_by_role("button", name="Challenge a friend", exact=True).click()
    expect(page.get_by_role("heading", name="Who can beat your result at Bristol?")).to_be_visible()
    assert faults(page) == []
    link = page.get_by_label("Link").input_value()
    assert link.startswith(f"{site_address}/challenge/")
    return link


def test_pages_with_pictures_log_no_error(
    browser: Browser, page: Page, site_address: str, page_errors: list[str]
) -> None:
    host = browser.new_context()
    run = a_finished_run(host.request, site_address, 3, "klondike-three-passes")
    challenge = host.request.post(f"{site_address}{run}/ghost/make").url
    host.close()
    for path in ("/", "/games", "/daily"):
        page.goto(site_address + path)
    page.goto(challenge)
    expect(page.locator(".stake .mini-table use").first).to_have_attribute(
        "href", re.compile("#back$")
    )
    assert page_errors == []


def test_the_code_is_folded_on_a_phone_and_the_chart_has_a_heading(
    page_with: Callable[..., Page], site_address: str
) -> None:
    page = page_with(viewport=PHONE)
    run = a_finished_run(page.request, site_address, 3)
    page.goto(page.request.post(f"{site_address}{run}/ghost/make").url)
    code = page.get_by_alt_text("QR code of the link to this challenge")
    expect(code).to_be_hidden()
    page.get_by_text("QR code, for another device").click()
    expect(code).to_be_visible()
    page.set_viewport_size({"width": 1440, "height": 900})
    page.reload()
    expect(code).to_be_visible()
    expect(page.get_by_text("QR code, for another device")).to_be_hidden()
    heading = page.get_by_role("heading", name="Cards home over time").bounding_box()
    chart = page.locator("svg.plot").bounding_box()
    assert heading
    assert chart
    assert heading["y"] + heading["height"] <= chart["y"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_friend_plays_against_the_line(
    page_with: Callable[..., Page], challenge: str, scheme: Literal["light", "dark"]
) -> None:
    page = page_with(color_scheme=scheme)
    page_errors: list[str] = []
    page.on("pageerror", lambda error: page_errors.append(str(error)))
    page.goto(challenge)
    assert faults(page) == []
    colors = "card => getComputedStyle(card).colorScheme"
    assert scheme in page.locator(".stake .mini-table use").first.evaluate(colors), "as elsewhere"
    page.get_by_role("button", name="Play these cards").click()
    strip = page.get_by_role("region", name="The result to beat")
    expect(strip).to_contain_text("To beat:")
    expect(strip.locator("svg")).to_have_count(0)
    page.get_by_role("button", name="Deal", exact=True).click()
    expect(strip.locator("svg path.them")).to_have_count(1)  # without a reload
    assert faults(page) == []
    box, cloth = strip.bounding_box(), page.locator(".cloth").bounding_box()
    assert box
    assert cloth
    assert box["y"] >= cloth["y"] + cloth["height"] - 1, "the strip lies below the cards"
    assert len(set(strip.locator("p > *").evaluate_all(TOPS_OF_WORDS))) == 1, "one line"
    page.locator(".menu > summary").click()
    page.locator(".end summary").click()
    page.get_by_role("button", name="Yes, resign").click()
    expect(strip).to_contain_text("It's a draw")
    expect(strip.locator("svg")).to_have_count(0)  # the page that compares has it large
    assert len(set(strip.locator("p > *").evaluate_all(TOPS_OF_WORDS))) == 1, "one line"
    page.get_by_role("link", name="Compare").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("It's a draw")
    expect(page.locator(".plot path.me")).to_have_count(1)
    results = page.locator(".standings td.result")
    expect(results).to_have_count(2)
    for result in results.all():
        assert len(result.evaluate(LINES_OF_WORDS)) == 1, "beside a name with room"
    assert faults(page) == []
    assert page_errors == []


def test_it_all_works_on_a_phone_without_scripts(
    page_with: Callable[..., Page], challenge: str
) -> None:
    page = page_with(java_script_enabled=False, viewport=PHONE)
    page.goto(challenge)
    page.get_by_role("button", name="Play these cards").click()
    for version in (1, 2):
        page.get_by_role("button", name="Deal", exact=True).click()
        expect(page.locator("#state")).to_have_attribute("data-version", str(version))
    expect(page.locator(".rival path.them")).to_have_count(1)
    expect(page.locator(".rival svg")).to_be_hidden()  # beside it the lines would be cut off
    wide = (
        "all => all.filter((one) => one.scrollWidth > Math.max(one.clientWidth, one.offsetWidth))"
    )
    assert page.locator(".rival p > *").evaluate_all(f"{wide}.length") == 0
    lines = page.locator(".rival p > *").all_inner_texts()
    assert [line.partition(" ")[0] for line in lines] == ["Against", "You", "To"]
    page.locator(".menu > summary").click()
    page.locator(".end summary").click()
    page.get_by_role("button", name="Yes, resign").click()
    page.get_by_role("link", name="Compare").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("It's a draw")
    expect(page.locator(".standings tbody tr")).to_have_count(2)
    page.get_by_role("button", name="Play these cards again").click()
    expect(page.get_by_role("region", name="The result to beat")).to_contain_text(
        "Practice against"
    )
