"""Nothing moves while a page arrives slowly: the layout shift (CLS) of fresh page loads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import APIRequestContext, BrowserContext, Page

MOST = 0.01
SLOW = {  # the page arrives in pieces
    "offline": False,
    "latency": 20,
    "downloadThroughput": 100_000,
    "uploadThroughput": 100_000,
}
OBSERVE = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries()) {
    window.shifts.push([value, sources.map(({ node }) => node?.id || node?.className || node?.nodeName).join(", ")]);
  }
}).observe({ type: "layout-shift", buffered: true });
"""
TABLES = ("bristol", "terrace", "rouge-et-noir")


def open_table(request: APIRequestContext, ruleset: str) -> str:
    """A table some moves after its opening, so that its columns have grown."""
    game = request.post("/api/v1/games", data={"ruleset": ruleset}).json()
    for version in range(6):
        move = {"version": version, "move": "deal"}
        if not request.post(f"/api/v1/games/{game['id']}/moves", data=move).ok:
            break
    return f"/games/{game['id']}"


def daily_result(request: APIRequestContext) -> str:
    """The page of a daily deal with a result to share."""
    game = request.post("/api/v1/daily/today/bristol/attempt").json()
    request.post(f"/api/v1/games/{game['id']}/resign", data={"version": 0})
    return str(request.get(f"/daily/of/{game['id']}").url)


def shift_of(page: Page, path: str) -> tuple[float, Any]:
    page.goto(path, wait_until="load")
    page.wait_for_timeout(150)  # for what scripts change late
    shifts = page.evaluate("window.shifts")
    return sum(value for value, _ in shifts), shifts


@pytest.mark.parametrize("size", [(390, 844), (1440, 900)], ids=["phone", "desktop"])
def test_nothing_moves_while_a_page_arrives(new_context: Any, site_address: str, size: Any) -> None:
    context: BrowserContext = new_context(
        viewport={"width": size[0], "height": size[1]}, base_url=site_address
    )
    tables = [open_table(context.request, ruleset) for ruleset in TABLES]
    pages = ["/", "/games", "/daily", "/settings", "/watch", "/together"]
    paths = [*pages, daily_result(context.request), *tables]
    page = context.new_page()
    page.add_init_script(OBSERVE)
    page.goto("/games")  # from now on, styles and scripts are in the browser's cache
    page.goto(tables[0])
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", SLOW)
    moved = {path: shift_of(page, path) for path in paths}
    assert {path: found for path, found in moved.items() if found[0] >= MOST} == {}


def test_the_font_before_the_font_is_as_wide(new_context: Any, site_address: str) -> None:
    """A browser may draw a page before it has read the font; lines must break in the same places then."""
    page = new_context(base_url=site_address).new_page()
    page.goto("/games")
    widths = page.evaluate("""async () => {
      await document.fonts.ready;
      const context = document.createElement("canvas").getContext("2d");
      const [first, ...others] = getComputedStyle(document.body).fontFamily.split(", ");
      return [[first], others].map((fonts) => {
        context.font = `100px ${fonts.join(", ")}`;
        return context.measureText("New deals at midnight. Results when the last games have ended.").width;
      });
    }""")
    assert widths[1] == pytest.approx(widths[0], rel=0.03)
