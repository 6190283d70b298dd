"""From the table to its review, its replay and the page of its deal, the piles keep their places to each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.faults import resize
from tests.browser.game_page import leave, post_all
from tests.golden.records import RECORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Page

    from tests.browser.game_page import GamePage

LOST = {record.ruleset: record for record in RECORDS if record.end == "lost"}
SIZES = {
    "phone": (390, 844),
    "upright tablet": (820, 1180),
    "tablet": (1024, 768),
    "desktop": (1440, 900),
}
LARGE = (2560, 1440)

# Of two piles of a zone, and of two zones as wholes, which lies where: left or right of the other, or else
# above or below. A pile is where its last card lies, in the columns where the first one does.
ORDER = """() => {
  const table = document.querySelector("#table");
  const cardsOf = (pile) => [...pile.children].filter((one) => one.matches("b, i, button"));
  const boxOf = (pile) => {
    const cards = cardsOf(pile);
    return (pile.closest(".tableau") ? cards[0] : cards.at(-1)).getBoundingClientRect();
  };
  const union = (boxes) => ({
    left: Math.min(...boxes.map((box) => box.left)), right: Math.max(...boxes.map((box) => box.right)),
    top: Math.min(...boxes.map((box) => box.top)), bottom: Math.max(...boxes.map((box) => box.bottom)),
  });
  const side = (a, b) => {
    if (a.right < b.left + 4) return "left";
    if (b.right < a.left + 4) return "right";
    return a.top < b.top - 4 ? "above" : b.top < a.top - 4 ? "below" : "on";
  };
  const zones = [...table.querySelectorAll(":scope > :is(.hand, .reserve, .foundations, .tableau)")]
    .sort((a, b) => (a.className < b.className ? -1 : 1));
  const found = {};
  const boxes = zones.map((zone) => [...zone.querySelectorAll(".pile")].map((pile) => [pile.id, boxOf(pile)]));
  boxes.forEach((piles) => piles.forEach(([id, box], n) => piles.slice(n + 1).forEach(([other, its]) => {
    found[`${id} ${other}`] = side(box, its);
  })));
  zones.forEach((zone, n) => zones.slice(n + 1).forEach((other, m) => {
    const of = (piles) => union(piles.map(([, box]) => box));
    found[`${zone.className} ${other.className}`] = side(of(boxes[n]), of(boxes[n + 1 + m]));
  }));
  return found;
}"""

# How far the lowest card reaches below the cloth, and the highest above it, and what of its height is used.
REACH = """() => {
  const cloth = document.querySelector(".cloth").getBoundingClientRect();
  const all = document.querySelectorAll("#table .pile > :is(b, i, button)");
  const cards = [...all].map((one) => one.getBoundingClientRect());
  const lowest = Math.max(...cards.map((box) => box.bottom));
  return {
    below: lowest - cloth.bottom,
    above: cloth.top - Math.min(...cards.map((box) => box.top)),
    share: (lowest - cloth.top) / cloth.height,
  };
}"""


@pytest.fixture
def seen(
    page: Page, open_game: Callable[..., GamePage], site_address: str
) -> Iterator[Callable[..., dict[str, str]]]:
    """The addresses of a lost game as it began and later: its table, review, replay and deal."""

    searched: list[str] = []

    def see(ruleset: str, moves: int = 0) -> dict[str, str]:
        record = LOST[ruleset]
        open_game(page, ruleset, record.code)
        table = page.url
        leave(page)
        post_all(page.request, table, record.moves[:moves])
        lost = page.request.post(
            f"{site_address}/play",
            form={"ruleset": ruleset, "code": record.code or ""},
            max_redirects=0,
        )
        played = site_address + lost.headers["location"]
        post_all(page.request, played, record.moves)
        page.request.post(f"{played}/help/review", max_redirects=0)
        searched.append(played)
        return {
            "table": table,
            "review": f"{played}/help/review?at={moves}",
            "replay": f"{played}/replay?at={moves}",
            "deal": f"{site_address}/deal/{ruleset}/{record.code}",
        }

    yield see
    leave(page)
    for played in searched:
        page.request.post(f"{played}/help/review/stop", max_redirects=0)


@pytest.mark.parametrize("ruleset", ["bristol", "dover", "vincent"])
def test_all_pages_of_a_game_lay_its_piles_alike(page, seen, ruleset):
    orders = {}
    for name, address in seen(ruleset).items():
        page.goto(address)
        if name == "review":
            expect(page.locator(".at-move")).to_be_visible()
        expect(page.locator("#table .tableau .pile").first).to_be_visible()
        for size, (width, height) in SIZES.items():
            resize(page, width, height)
            orders[size, name] = page.evaluate(ORDER)
    assert len({frozenset(each.items()) for each in orders.values()}) > 1  # sizes differ
    different = {
        (size, name): sorted(order.items() - orders[size, "table"].items())
        for (size, name), order in orders.items()
        if order != orders[size, "table"]
    }
    assert not different


@pytest.mark.parametrize("ruleset", ["bristol", "dover"])
def test_the_whole_board_of_a_review_lies_on_its_cloth(page, seen, ruleset):
    page.goto(seen(ruleset, 32)["review"])
    expect(page.locator(".at-move")).to_be_visible()
    for width, height in [*SIZES.values(), LARGE]:
        resize(page, width, height)
        reach = page.evaluate(REACH)
        assert max(reach["below"], reach["above"]) <= 1, (width, height, reach)


def test_bristol_uses_the_height_of_a_large_screen(page, open_game):
    open_game(page, "bristol", LOST["bristol"].code)
    for width, height in [SIZES["desktop"], LARGE]:
        resize(page, width, height)
        assert page.evaluate(REACH)["share"] > 0.72, (width, height)
