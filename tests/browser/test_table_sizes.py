"""How large the cards are that can be touched, and how much of a phone the columns take."""

from __future__ import annotations

import re
from itertools import pairwise, product
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import GUIDED
from tests.browser.faults import all_faults, resize
from tests.browser.game_page import GamePage, leave, post_all
from tests.golden.records import RECORDS
from tests.support.games import UNLIKE
from tools.cards.faces import compact, low
from tools.cards.glyphs import RANK_LINES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext, Page

BY_NAME = {record.name: record for record in RECORDS}
IDS = [rules.id for rules in UNLIKE]
PHONES = {"upright": (390, 844), "on its side": (844, 390)}
DESKTOPS = {"tablet": (1024, 768), "desktop": (1440, 900), "large": (2560, 1440)}
LONG_FANS = {  # a record of each game, the number of its moves, and the cards in the longest fan then
    "bristol": ("bristol-lost", 32, 7),
    "signora": ("signora-lost", 117, 7),
    "blondes-and-brunettes": ("blondes-and-brunettes-won", 120, 10),
    "blondes-and-brunettes-till-dawn": ("blondes-and-brunettes-till-dawn-won", 110, 6),
    "rouge-et-noir": ("rouge-et-noir-lost", 18, 15),
    "terrace": ("terrace-won", 125, 9),
    "falling-star": ("falling-star-won", 145, 10),
    "rouge-et-noir-classic": ("rouge-et-noir-classic-won", 30, 15),
    "klondike-draw-three": ("klondike-draw-three-won", 56, 11),
    "freecell": ("freecell-won", 44, 12),
    "spider": ("spider-won", 160, 17),
    "scorpion": ("scorpion-won", 15, 15),
    "canfield": ("canfield-won", 80, 9),
}
FEW = 6  # cards in a fan that is not crowded
STRIP, CROWDED_STRIP, WHOLE_CARD = 40, 24, 44  # pixels along the fan
SHARE = 0.45  # of the height, for the columns

MEASURE = """() => {
  const box = (element) => element.getBoundingClientRect();
  const cards = (pile) => [...pile.children].filter((card) => card.matches("b, i, button:not(.empty)"));
  const columns = [...document.querySelectorAll(".tableau .pile")];
  return {
    fans: columns.map((pile) => cards(pile).map((card) => ({
      touched: card.matches("button"),
      top: box(card).top,
      strip: box(card).height,
      bottom: Math.max(box(card).bottom, box(card.querySelector("svg") ?? card).bottom),
    }))),
    height: innerHeight,
    floors: columns.map((pile) => box(pile).bottom),
    tableau: box(document.querySelector(".tableau")).height,
    stock: document.querySelector("#stock") ? box(document.querySelector("#stock > :not(small)")).bottom : 0,
    scrolls: document.documentElement.scrollHeight > innerHeight || document.documentElement.scrollWidth > innerWidth,
  };
}"""


class CardBox(NamedTuple):
    """Where a card of a fan lies: its top, the height of what is seen of it, and its bottom."""

    can_be_touched: bool
    top: float
    strip: float
    bottom: float


class Measured(NamedTuple):
    """A table as it is drawn, in pixels; ``floors`` are the bottoms of the places of the fans."""

    fans: list[list[CardBox]]
    height: int
    floors: list[float]
    tableau: float
    stock: float
    scrolls: bool


def measure(page: Page) -> Measured:
    """Measure the columns of the table that a page shows."""
    found = page.evaluate(MEASURE)
    fans = [[CardBox(*card.values()) for card in fan] for fan in found.pop("fans")]
    return Measured(fans=fans, **found)


class Tables:
    """Tables in a browser whose cookie may play at them, each dealt when it is first wanted.

    One opening and one later position stay open until another is wanted: for the next screen they only take its
    size. So a test leaves them as it found them. As the games are parameters of the module, pytest runs what is
    tested of one game together.
    """

    def __init__(self, context: BrowserContext, site_address: str) -> None:
        self._opening, self._later = context.new_page(), context.new_page()
        self._site = site_address
        self._addresses: dict[tuple[str, int], str] = {}

    def show(self, ruleset: str, position: str, size: tuple[int, int], hand: str = "right") -> Page:
        """A page that shows a game at its ``opening`` or with ``long fans``."""
        name, length, _ = LONG_FANS[ruleset]
        return self.show_after(0 if position == "opening" else length, name, size, hand)

    def show_after(self, moves: int, name: str, size: tuple[int, int], hand: str = "right") -> Page:
        """A page that shows a recorded game after its first moves."""
        page = self._later if moves else self._opening
        width, height = size
        if page.viewport_size != {"width": width, "height": height}:
            page.set_viewport_size({"width": width, "height": height})
        address = self._address(name, moves)
        if page.url != address:
            page.goto(address)
        page.evaluate("hand => { document.documentElement.dataset.hand = hand; }", hand)
        return page

    def _address(self, name: str, moves: int) -> str:
        if (name, moves) not in self._addresses:
            record = BY_NAME[name]
            form: dict[str, str | float | bool] = {
                "ruleset": record.ruleset,
                "code": record.code or "",
            }
            request = self._later.request
            dealt = request.post(f"{self._site}/play", form=form, max_redirects=0)
            address = self._site + dealt.headers["location"]
            post_all(request, address, record.moves[:moves])
            self._addresses[name, moves] = address
        return self._addresses[name, moves]


@pytest.fixture(scope="module")
def tables(browser: Browser, site_address: str) -> Iterator[Tables]:
    """Tables for all tests of this file."""
    context = browser.new_context()
    yield Tables(context, site_address)
    context.close()


@pytest.mark.parametrize("phone", PHONES)
@pytest.mark.parametrize("position", ["opening", "long fans"])
@pytest.mark.parametrize("ruleset", IDS, scope="module")
def test_a_finger_hits_every_card_that_it_may_pick_up(tables, ruleset, position, phone):
    page = tables.show(ruleset, position, PHONES[phone])
    table = measure(page)
    assert not table.scrolls
    for fan, floor in zip(table.fans, table.floors, strict=True):
        if not fan:
            continue
        assert fan[-1].strip >= WHOLE_CARD
        assert fan[-1].bottom <= floor + 1
        strip = STRIP if len(fan) <= FEW else CROWDED_STRIP
        assert [card for card in fan if card.can_be_touched and card.strip < strip] == []


@pytest.mark.parametrize("phone", PHONES)
@pytest.mark.parametrize("ruleset", IDS, scope="module")
def test_long_fans_get_the_height_of_a_phone(tables, ruleset, phone):
    page = tables.show(ruleset, "long fans", PHONES[phone])
    table = measure(page)
    longest, floor = max(zip(table.fans, table.floors, strict=True), key=lambda fan: len(fan[0]))
    assert len(longest) == LONG_FANS[ruleset][2]
    assert table.tableau >= SHARE * table.height or longest[-2].strip >= STRIP
    if longest[-2].strip < STRIP:  # nothing of the height is left unused
        assert longest[-1].bottom >= floor - WHOLE_CARD


@pytest.mark.parametrize(("name", "number"), [("rouge-et-noir-lost", 3), ("klondike-won", 7)])
def test_every_card_of_the_longest_run_can_be_hit_on_a_phone_on_its_side(tables, name, number):
    page = tables.show_after(0, name, PHONES["on its side"])
    page.evaluate(
        """number => {
      const pile = document.querySelector(`#t${number}`);  // with six backs: as many as a run that can be moved lies on
      const last = pile.querySelector("button");
      while (pile.querySelectorAll("button").length < 13) pile.insertBefore(last.cloneNode(true), last);
      pile.classList.add("long-run", "tall");  // as the server says
    }""",
        number,
    )
    table = measure(page)
    fan = table.fans[number - 1]
    indices = page.locator(f"#t{number} > button").evaluate_all(INDICES)
    leave(page)  # it is no longer what the server sent
    run = [card.strip for card in fan if card.can_be_touched]
    assert (len(fan), len(run)) == (19, 13)
    assert min(run) >= CROWDED_STRIP - 0.5
    assert run[-1] >= WHOLE_CARD
    assert fan[-1].bottom <= table.height - 4
    assert [card for card in indices if card["strip"] < card["index"]] == []


@pytest.mark.parametrize(
    ("name", "width"),
    [("klondike-won", 70), ("klondike-draw-three-won", 61), ("canfield-won", 70)],
)
def test_four_foundations_in_two_pairs_leave_room_for_large_cards_on_a_phone_on_its_side(
    tables, name, width
):
    page = tables.show_after(40, name, PHONES["on its side"])
    box = page.locator(".tableau svg").first.bounding_box()
    assert box
    assert box["width"] >= width
    piles = page.locator("#table .pile").evaluate_all(OUTLINES)
    cloth = page.locator(".cloth").bounding_box()
    assert cloth
    assert max(pile["bottom"] for pile in piles) <= cloth["y"] + cloth["height"] + 0.5
    homes = [pile for pile in piles if pile["id"].startswith("f")]
    columns, rows = ({round(home[side], -1) for home in homes} for side in ("left", "top"))
    assert len(columns) == len(rows) == 2
    hand = [pile for pile in piles if pile["id"] in {"stock", "waste"}]
    assert min(pile["top"] for pile in hand) >= max(home["bottom"] for home in homes)


@pytest.mark.parametrize("ruleset", ["spider", "spider-one-suit"])
def test_whole_runs_overlap_in_one_column_on_a_phone_on_its_side(page, open_game, ruleset):
    """One sees how many are home, and the columns get the width."""
    page.set_viewport_size({"width": 844, "height": 390})
    open_game(page, ruleset, "7KQ4M-2XWTP")
    boxes = [page.locator(f"#f{n}").bounding_box() for n in range(1, 9)]
    stock = page.locator("#stock").bounding_box()
    assert len({round(box["x"]) for box in (*boxes, stock)}) == 1
    assert all(20 < box["height"] < 44 for box in boxes)
    assert all(one["y"] + one["height"] <= other["y"] for one, other in pairwise([*boxes, stock]))
    assert page.locator("#t1 > :last-child").bounding_box()["width"] > 58
    assert stock["height"] >= 44


@pytest.mark.parametrize("name", ["freecell", "spider", "rouge-et-noir", "scorpion", "klondike"])
def test_a_phone_on_its_side_shows_each_index_in_one_style(tables, name):
    record, length = CROWDED.get(name) or LONG_FANS.get(name, ("klondike-won", 40))[:2]
    shown = set()
    for moves in (0, length):
        page = tables.show_after(moves, record, PHONES["on its side"])
        card = ".pile > :is(b, button):not(.empty):has(svg)"
        cards = page.locator(f"#table {card}").evaluate_all(INDICES)
        assert [card for card in cards if card["strip"] < card["index"]] == []
        # Eight foundations are smaller cards with a larger index.
        alike = page.locator(f"#table > :not(.foundations) {card}").evaluate_all(INDICES)
        shown |= {card["face"] for card in alike}
    assert shown == {"inline"}


@pytest.mark.parametrize("ruleset", ["forty-thieves", "signora"])
def test_eight_foundations_of_a_phone_on_its_side_are_shaped_like_cards(page, open_game, ruleset):
    page.set_viewport_size({"width": 844, "height": 390})
    open_game(page, ruleset, "7KQ4M-2XWTP")
    places = page.locator(".foundations .empty").all()
    boxes = [box for place in places if (box := place.bounding_box())]
    assert len(boxes) >= 7
    assert all(1.3 < box["height"] / box["width"] < 1.5 for box in boxes)


BACK_OF_A_FACE = 0.18  # of a face's strip: what is seen of a back above it, as both close up alike


@pytest.mark.parametrize(
    ("name", "moves"), [("spider-won", 60), ("spider-two-suits-won", 60), ("klondike-won", 60)]
)
def test_backs_are_no_slivers_while_faces_have_room_on_a_phone_on_its_side(tables, name, moves):
    page = tables.show_after(moves, name, PHONES["on its side"])
    seen = page.locator(".tableau .pile:has(> i):not(.long-run)").evaluate_all(
        """piles => piles.map((pile) => {
          const heights = (kind) => [...pile.querySelectorAll(kind)].map((card) => card.getBoundingClientRect().height);
          return [Math.min(...heights(":scope > i")), Math.max(0, ...heights(":scope > :not(i):not(:last-child)"))];
        })"""
    )
    assert max(face for _, face in seen) > 30
    for back, face in seen:
        assert back >= max(4, BACK_OF_A_FACE * face)


# A record, and numbers of its moves: as dealt, and later, where one column is longer than the others.
BACKS_IN_ROWS = {
    "klondike-won": (0, 40, 60),
    "klondike-one-pass-won": (31,),
    "yukon-won": (0, 8),
    "russian-solitaire-won": (10,),
    "scorpion-won": (15,),
    "rouge-et-noir-won": (0, 40, 86),
    "spider-won": (60, 160),
    "spike-won": (40,),
}
BACK_OF_A_PHONE = 19  # pixels: it is no sliver, however long another column is
ALL_MOVED = "Promise.allSettled(document.getAnimations().map((each) => each.finished))"
BACKS = """() => [...document.querySelectorAll(".tableau .pile")].map(
  (pile) => [...pile.querySelectorAll("i")].map((back) => back.getBoundingClientRect().height))"""


@pytest.mark.parametrize("name", BACKS_IN_ROWS)
def test_the_backs_of_all_columns_of_an_upright_phone_lie_in_rows(tables, name):
    for moves, size in product(BACKS_IN_ROWS[name], (PHONES["upright"], (360, 640), (430, 932))):
        page = tables.show_after(moves, name, size)
        columns = [backs for backs in page.evaluate(BACKS) if backs]
        assert len(columns) > 1
        steps = [back for backs in columns for back in backs]
        assert max(steps) - min(steps) < 0.5, (moves, size)
        if size == PHONES["upright"]:
            assert min(steps) >= BACK_OF_A_PHONE
        for fan, floor in zip(measure(page).fans, measure(page).floors, strict=True):
            assert not fan or fan[-1].bottom <= floor + 1


@pytest.mark.kept_page
def test_columns_that_close_up_with_a_longer_one_travel_there(page, open_game):
    record = BY_NAME["yukon-won"]
    page.set_viewport_size({"width": 390, "height": 844})
    game_page = open_game(page, "yukon", record.code)
    page.evaluate("""() => {
        window.tops = () => ["#t3", "#t5"].map(
            (pile) => document.querySelector(`${pile} svg`).getBoundingClientRect().top);
        // On a busy machine the first frame is late, so each motion is looked at where it begins.
        window.painted = new Promise((done) => document.addEventListener("htmx:after:swap", () =>
            requestAnimationFrame(() => {
                for (const motion of document.getAnimations()) motion.currentTime = 0;
                done(tops());
            })));
    }""")
    before = page.evaluate("tops()")
    game_page.play(record.moves[0])
    painted = page.evaluate("painted")
    assert painted == pytest.approx(before, abs=3)
    page.evaluate(ALL_MOVED)
    third, fifth = (was - now for was, now in zip(before, page.evaluate("tops()"), strict=True))
    assert third > 10
    assert fifth == pytest.approx(2 * third, abs=1)
    steps = [back for backs in page.evaluate(BACKS) for back in backs]
    assert max(steps) - min(steps) < 0.5
    page.keyboard.press("u")
    game_page.expect_version(2)
    page.wait_for_function(
        "was => tops().every((top, n) => Math.abs(top - was[n]) <= 1)", arg=before
    )


PHONES_OF_ALL_SIZES = (
    (320, 568),
    (375, 667),
    (360, 800),
    (390, 844),
    (430, 932),
    (667, 375),
    (844, 390),
    (932, 430),
)
LOWEST_SUIT = 1.27  # of a card's width: from its upper edge to the lower end of the large suit on a small face
COVERED = """() => [...document.querySelectorAll(":is(.tableau, .reserve) > .pile > :is(b, button), .fanned > b")]
  .filter((card) => card.nextElementSibling?.matches("b, button"))
  .map((card) => {
    const { width, height } = card.getBoundingClientRect();
    const style = getComputedStyle(card.querySelector("svg"));
    const shown = (part, unless) => style.getPropertyValue(`--card-${part}`).trim() || unless;
    return {
      middle: shown("middle", "inline"), full: shown("full", "inline"), narrow: shown("narrow", "none"),
      strips: height / width,
    };
  })"""


@pytest.mark.parametrize("ruleset", IDS, scope="module")
def test_no_covered_card_shows_half_a_pip(tables, ruleset):
    name, length, _ = LONG_FANS[ruleset]
    seen = set()
    for moves in (0, length // 3, length):
        for size in (*PHONES_OF_ALL_SIZES, *DESKTOPS.values(), (768, 1024)):
            covered = tables.show_after(moves, name, size).evaluate(COVERED)
            for card in covered:
                seen.add(card["middle"])
                if card["middle"] == "inline" and card["narrow"] != "inline":
                    assert (card["full"], moves, size) == ("none", moves, size)
                    assert card["strips"] >= LOWEST_SUIT, (size, moves)
    assert "none" in seen


@pytest.mark.parametrize("name", ["rouge-et-noir-lost", "signora-lost", "spider-lost"])
def test_no_covered_card_shows_half_a_pip_when_a_game_is_over(tables, name):
    for size in (*PHONES_OF_ALL_SIZES, *DESKTOPS.values()):
        page = tables.show_after(len(BY_NAME[name].moves), name, size)
        assert page.locator(".ending").count()
        covered = page.evaluate(COVERED)
        assert covered
        assert {card["middle"] for card in covered if card["narrow"] != "inline"} == {"none"}


@pytest.mark.parametrize(
    ("name", "moves"), [("spider-won", 160), ("yukon-won", 8), ("rouge-et-noir-won", 86)]
)
def test_a_last_card_that_gives_way_has_only_its_index(tables, name, moves):
    page = tables.show_after(moves, name, PHONES["on its side"])
    last = page.locator(".tableau .pile > button:last-child:not(.empty)").evaluate_all(
        """cards => cards.map((card) => ({
          middle: getComputedStyle(card.querySelector("svg")).getPropertyValue("--card-middle").trim(),
          part: card.getBoundingClientRect().height / card.getBoundingClientRect().width,
        }))"""
    )
    cut = [card for card in last if card["part"] < LOWEST_SUIT]
    assert cut
    assert {card["middle"] for card in cut} == {"none"}


LONGEST = {  # a record of games whose columns grow longest, and the number of its moves
    "spider-two-suits": ("spider-two-suits-won", 60),
    "scorpion": ("scorpion-won", 27),
    "rouge-et-noir": ("rouge-et-noir-won", 86),
    "klondike": ("klondike-won", 92),
    "gotham": ("gotham-won", 293),
    "bristol": ("bristol-lost", 32),
}
HIT_BY_A_MOUSE = 22  # pixels of a card in a column of 23
PRINTED_INDEX = 0.262  # of a card's width: from its upper edge to the lower end of its rank


@pytest.mark.parametrize("ruleset", LONGEST)
def test_a_large_screen_shows_every_index_of_the_longest_column(tables, ruleset):
    name, length = LONGEST[ruleset]
    for size in ((1366, 768), *DESKTOPS.values()):
        page = tables.show_after(length, name, size)
        table = measure(page)
        for fan, floor in zip(table.fans, table.floors, strict=True):
            assert not fan or fan[-1].bottom <= floor + 1
        shown = page.locator(".tableau .pile > :is(b, button):not(:last-child)").evaluate_all(
            """cards => cards.map(card => card.getBoundingClientRect())
              .map(({ width, height }) => height / width)"""
        )
        assert min(shown) >= PRINTED_INDEX, size
        touched = [card.strip for fan in table.fans for card in fan if card.can_be_touched]
        assert min(touched) >= HIT_BY_A_MOUSE, size


def test_a_large_screen_shows_every_index_of_a_whole_run_on_six_backs(tables):
    page = tables.show_after(0, "klondike-won", (1366, 768))
    page.evaluate(
        """() => {
      const pile = document.querySelector("#t7");
      const last = pile.querySelector("button");
      while (pile.querySelectorAll("button").length < 13) pile.insertBefore(last.cloneNode(true), last);
      pile.classList.add("long-run", "tall");  // as the server says
      document.querySelector("#table").dataset.long = "3";
    }"""
    )
    fan = measure(page).fans[6]
    width = page.locator("#t7 svg").first.evaluate("card => card.getBoundingClientRect().width")
    leave(page)  # it is no longer what the server sent
    assert len(fan) == 19
    assert min(card.strip for card in fan if card.can_be_touched) >= PRINTED_INDEX * width
    assert fan[-1].bottom <= 768 - 40


INDICES = """cards => cards.map((card) => {
  const style = getComputedStyle(card.querySelector("svg"));
  const { width, height } = card.getBoundingClientRect();
  return {
    face: style.getPropertyValue("--card-low").trim(),
    shape: style.scale,
    index: 0.32 * (width - 2 * parseFloat(style.paddingLeft)), // from the upper edge to the middle of its lower line
    strip: height,
  };
})"""


@pytest.mark.parametrize(
    ("name", "later"),
    [("bristol-lost", 32), ("dover-lost", 105), ("dover-won", 80), ("new-york-won", 76)],
)
def test_short_fans_lie_in_two_rows_on_an_upright_phone(tables, name, later):
    page = tables.show_after(0, name, PHONES["upright"])
    columns = page.locator(".tableau .pile").evaluate_all(OUTLINES)
    homes = page.locator(".foundations .pile").evaluate_all(OUTLINES)
    rows = sorted({round(column["top"]) for column in columns})
    assert [sum(round(column["top"]) == row for column in columns) for row in rows] == [4, 4]
    assert rows[1] >= 0.45 * PHONES["upright"][1]
    assert min(column["right"] - column["left"] for column in columns) >= 65
    assert max(home["bottom"] for home in homes) < rows[0]
    for size, slack in ((PHONES["upright"], 0.5), ((360, 640), 1)):
        page = tables.show_after(later, name, size)
        covered = page.locator(".tableau .pile > b").evaluate_all(INDICES)
        assert [card for card in covered if card["strip"] < card["index"] - slack] == []
        piles = page.locator("#table .pile:visible").evaluate_all(OUTLINES)
        bottom = page.locator("#rail").bounding_box()["y"]
        assert max(pile["bottom"] for pile in piles) <= bottom
        stock = page.locator("#stock > :not(small) > :is(svg, i)").first.bounding_box()
        assert stock is None or stock["y"] + stock["height"] <= bottom


@pytest.mark.parametrize("name", ["dover-lost", "new-york-lost"])
def test_the_fullest_reserve_beside_two_rows_ends_above_what_a_lost_game_ends_with(tables, name):
    for size in (PHONES["upright"], (360, 640)):
        page = tables.show_after(len(BY_NAME[name].moves), name, size)
        ending = page.locator(".ending").bounding_box()
        lowest = page.locator(".reserve .pile > :not(small)").evaluate_all(
            "cards => Math.max(...cards.map(card => card.getBoundingClientRect().bottom))"
        )
        assert lowest <= ending["y"]


def test_two_rows_of_fans_have_large_indices_on_a_phone(tables):
    page = tables.show("bristol", "opening", PHONES["upright"])
    kind = "card => getComputedStyle(card).getPropertyValue('--card-full')"
    assert page.locator("#table .tableau svg").first.evaluate(kind) == "none"
    pile = page.locator("#table .reserve .pile").first
    assert pile.locator("svg").last.evaluate(kind) == "none"


@pytest.mark.kept_page
@pytest.mark.parametrize("deals", [3, 5, 6, 8])
def test_a_reserve_beside_two_rows_shows_each_index_on_a_phone(page, open_game, deals):
    open_game(page, "bristol", "00000-00001").play_unseen(["deal"] * deals)
    with all_faults() as at:
        for size in (*PHONES.values(), *([(360, 640)] if deals > 5 else [])):
            with at(size):
                resize(page, *size)
                covered = page.locator(".reserve .pile > b").evaluate_all(INDICES)
                assert len(covered) == min(3 * deals, 25)  # then the stock is used up
                assert {(card["face"], card["shape"]) for card in covered} == {("inline", "none")}
                assert [card for card in covered if card["strip"] < card["index"]] == []
                last = page.locator(".reserve .pile > button").first.bounding_box()
                assert last
                assert last["height"] >= WHOLE_CARD
        with at("the stock"):
            resize(page, *PHONES["upright"])
            stock = page.locator("#stock > :not(small)").first.bounding_box()
            assert stock
            assert stock["height"] == pytest.approx(1.4 * stock["width"], abs=1), "a whole card"


@pytest.mark.kept_page
def test_an_empty_stock_beside_two_rows_gives_its_room_to_the_reserve_on_a_phone(page, open_game):
    width, height = PHONES["upright"]
    page.set_viewport_size({"width": width, "height": height})
    open_game(page, "bristol", "00000-00001").play_unseen(["deal"] * 9)
    lowest = page.locator("#r3").bounding_box()
    assert lowest
    assert lowest["y"] + lowest["height"] >= page.locator("#rail").bounding_box()["y"] - 16
    assert page.locator("#stock").is_hidden()


@pytest.mark.parametrize("size", [PHONES["upright"], DESKTOPS["tablet"]])
def test_cells_lie_apart_from_the_foundations_and_below_the_line_above(tables, size):
    page = tables.show("freecell", "opening", size)
    cards = [page.locator(f"#{pile} > button").bounding_box() for pile in ("c3", "c4", "f1")]
    line = page.locator(".top").bounding_box()
    assert line
    third, last, home = (card for card in cards if card)
    within = last["x"] - third["x"] - third["width"]
    between = home["x"] - last["x"] - last["width"]
    assert between >= max(12, 3 * within)
    assert last["y"] - line["y"] - line["height"] >= 12


@pytest.mark.parametrize("screen", ["desktop", "large"])
def test_on_a_large_screen_cells_lie_in_a_hollow_that_ends_before_the_foundations(tables, screen):
    page = tables.show("freecell", "opening", DESKTOPS[screen])
    last, home, line = (page.locator(each).bounding_box() for each in ("#c4", "#f1", ".top"))
    hollow = page.locator(".cells").evaluate(
        "cells => parseFloat(getComputedStyle(cells).boxShadow.split(' ').at(-1))"
    )
    assert last
    assert home
    assert line
    assert 0 < hollow <= home["x"] - last["x"] - last["width"] - 6
    assert last["y"] - line["y"] - line["height"] >= 12


OFF_STEP = """parts => {
  const lefts = (selector) => [...document.querySelectorAll(selector)].map(
    (pile) => pile.getBoundingClientRect().left);
  const columns = lefts(".tableau .pile");
  const step = columns[1] - columns[0];
  return lefts(parts).map((left) => (left - columns[0]) / step).map((at) => Math.abs(at - Math.round(at)) * step);
}"""


def _expect_piles_above_columns(page: Page, parts: str) -> None:
    with all_faults() as at:
        for size in ((1280, 800), DESKTOPS["desktop"], (1920, 1080), DESKTOPS["large"]):
            with at(size):
                resize(page, *size)
                off = page.evaluate(OFF_STEP, parts)
                assert len(off) >= 4
                assert max(off) <= 1


@pytest.mark.kept_page
@pytest.mark.parametrize("hand", ["right", "left"])
@pytest.mark.parametrize(
    "ruleset",
    ["freecell", "eight-off", "signora", "falling-star", "klondike", "spider", "spike", "canfield"],
)
def test_on_a_large_screen_every_pile_of_the_top_row_keeps_the_steps_of_the_columns(
    page, open_game, ruleset, hand
):
    open_game(page, ruleset, "00000-00001")
    page.evaluate("hand => { document.documentElement.dataset.hand = hand; }", hand)
    _expect_piles_above_columns(page, ":is(.hand, .cells, .foundations, .tableau) .pile")


@pytest.mark.kept_page
@pytest.mark.parametrize("ruleset", ["bristol", "dover", "gotham"])
def test_each_pile_of_a_reserve_beside_the_stock_begins_above_a_column(page, open_game, ruleset):
    game_page = open_game(page, ruleset, "00000-00001")
    _expect_piles_above_columns(page, ":is(.hand, .reserve) .pile")
    game_page.play_unseen(["stock-r1"] * 6 if ruleset == "gotham" else ["deal"] * 4)
    _expect_piles_above_columns(page, ":is(.hand, .reserve) .pile")


def test_the_cards_of_many_columns_are_tall_where_there_is_height(tables):
    ratios = {}
    for height in (667, 844):
        page = tables.show("rouge-et-noir", "long fans", (390, height))
        card = page.locator(".tableau .pile svg").last.bounding_box()
        lowest = page.locator(".tableau .pile > :last-child").evaluate_all(
            "cards => Math.max(...cards.map(card => card.getBoundingClientRect().bottom))"
        )
        ratios[height] = card["height"] / card["width"]
        assert lowest > 0.75 * height
    assert ratios[667] < 1.5 < ratios[844] < 1.8


@pytest.mark.parametrize("phone", PHONES)
@pytest.mark.parametrize(
    "ruleset", [rules.id for rules in UNLIKE if rules.has_stock], scope="module"
)
def test_what_deals_lies_where_the_thumb_is(tables, ruleset, phone):
    page = tables.show(ruleset, "opening", PHONES[phone])
    table = measure(page)
    button = page.locator(".rail .deal").bounding_box()
    stock = page.locator("#stock").bounding_box()["y"]
    if phone == "upright":
        assert button["y"] >= 0.75 * table.height
        rows = page.locator("#f1, .terrace .reserve").evaluate_all(
            "rows => rows.map(row => row.getBoundingClientRect().top)"
        )
        is_beside = min(abs(stock - row) for row in rows) < 1
        assert is_beside or table.stock >= 0.75 * table.height
    else:
        assert table.stock >= 0.75 * table.height


@pytest.mark.parametrize("phone", PHONES)
@pytest.mark.parametrize("hand", ["right", "left"])
@pytest.mark.parametrize(
    "ruleset",
    ["rouge-et-noir", "bristol", "terrace", "signora", "spider", "klondike-draw-three", "canfield"],
    scope="module",
)
def test_what_deals_and_its_label_lie_on_the_side_of_the_thumb(tables, ruleset, hand, phone):
    width, _ = PHONES[phone]
    page = tables.show(ruleset, "opening", PHONES[phone], hand)
    side = "end" if hand == "right" else "start"
    was = page.evaluate("document.documentElement.dataset.side")
    page.evaluate("side => { document.documentElement.dataset.side = side; }", side)
    label, stock, waste, button, menu = (
        page.locator(part).first.bounding_box()
        for part in ("#stock small", "#stock", "#table .hand > :last-child", ".rail .deal", ".menu")
    )
    page.evaluate("side => { document.documentElement.dataset.side = side; }", was)

    def aside(box):
        """How far it lies from the edge of the hand."""
        return width - box["x"] - box["width"] if hand == "right" else box["x"]

    assert aside(stock) < width / 4
    assert aside(stock) <= aside(waste) + 1
    assert aside(button) < width / 4
    assert aside(button) <= aside(menu) + 1
    assert label["x"] >= 0
    assert label["x"] + label["width"] <= width


@pytest.mark.parametrize("hand", ["right", "left"])
@pytest.mark.parametrize("size", [(390, 844), (360, 640)])
@pytest.mark.parametrize("ruleset", IDS, scope="module")
def test_an_upright_phone_shows_one_row_of_foundations_and_one_size_of_cards(
    tables, ruleset, size, hand
):
    """But for eight foundations above columns in two tiers: they are smaller, to lie in one row, too."""
    page = tables.show(ruleset, "long fans", size, hand)
    homes = page.locator(".foundations .pile").evaluate_all(
        "piles => piles.map(pile => pile.getBoundingClientRect().toJSON())"
    )
    same = ":is(#table:not(.in-tiers), .in-tiers > :not(.foundations)) .pile"
    widths = page.locator(f"{same} svg").evaluate_all(
        "cards => [...new Set(cards.map(card => Math.round(card.getBoundingClientRect().width)))]"
    )
    # A long fan may cut off its last card.
    last = f"{same}:not(:has(> :nth-child(7))) > :is(button, b):last-child > svg"
    heights = page.locator(last).evaluate_all(
        "cards => cards.map(card => card.getBoundingClientRect().height)"
    )
    homes.sort(key=lambda home: home["x"])
    assert len({round(home["y"]) for home in homes}) == 1
    gaps = [two["x"] - one["x"] - one["width"] for one, two in pairwise(homes)]
    assert min(gaps) >= 0
    assert max(gaps) <= 0.55 * widths[0]
    assert len(widths) == 1
    assert max(heights) - min(heights) < 1


CROWDED = {  # a record of games whose columns grow longest, and the number of its moves
    "klondike-one-pass": ("klondike-one-pass-won", 31),
    "scorpion": ("scorpion-won", 27),
    "yukon": ("yukon-won", 8),
    "vincent": ("vincent-won", 37),
    "rouge-et-noir": ("rouge-et-noir-won", 86),
    "new-york": ("new-york-won", 76),
}


@pytest.mark.parametrize("ruleset", CROWDED)
def test_nothing_of_the_longest_columns_is_cut_off_or_covered(tables, ruleset):
    name, length = CROWDED[ruleset]
    for size in (*PHONES.values(), (360, 640), (768, 1024)):
        page = tables.show_after(length, name, size)
        table = measure(page)
        assert not table.scrolls
        for fan, floor in zip(table.fans, table.floors, strict=True):
            if fan:
                assert fan[-1].bottom <= floor + 0.5
                assert fan[-1].strip >= WHOLE_CARD
                assert all(card.strip >= 12 for card in fan if card.can_be_touched)
        piles = page.locator("#table .pile").evaluate_all(OUTLINES)
        cloth = page.locator(".cloth").bounding_box()
        assert cloth
        for pile in piles:
            assert pile["bottom"] <= cloth["y"] + cloth["height"] + 0.5
        assert [
            (one["id"], two["id"])
            for number, one in enumerate(piles)
            for two in piles[number + 1 :]
            if min(one["right"], two["right"]) - max(one["left"], two["left"]) > 1
            and min(one["bottom"], two["bottom"]) - max(one["top"], two["top"]) > 1
        ] == []


OUTLINES = """piles => piles.map((pile) => {
  const cards = [...pile.children].filter((card) => card.matches("b, i, button"));
  const boxes = cards.flatMap((card) => [card, ...card.children]).map((card) => card.getBoundingClientRect());
  const all = (side) => boxes.map((box) => box[side]);
  return { id: pile.id, left: Math.min(...all("left")), right: Math.max(...all("right")),
    top: Math.min(...all("top")), bottom: Math.max(...all("bottom")) };
})"""


def test_in_a_crowded_column_the_last_card_gives_way_before_strips_get_low(tables):
    page = tables.show_after(20, "yukon-won", PHONES["on its side"])
    assert page.locator(".tableau .crowded").count()
    last = page.locator(".tableau .crowded > button:last-child").bounding_box()
    strips = page.locator(".tableau .crowded > button:not(:last-child)").evaluate_all(
        "cards => cards.map(card => card.getBoundingClientRect().height)"
    )
    assert last
    assert last["height"] == pytest.approx(WHOLE_CARD, abs=0.5)
    assert min(strips) >= 22


BESIDE_A_CARD_THAT_MOVES = """() => {
  const moves = document.querySelector("#state").dataset.moves.split(" ").filter((move) => move.startsWith("t"));
  const isMoving = (card) => moves.some((move) => {
    const [source, end] = move.split("-");
    const [, count] = end.split(":");
    return card?.value === (count ? `${source}:${count}` : source);
  });
  for (const card of document.querySelectorAll(".crowded > button:not(:last-child)")) {
    const above = card.previousElementSibling;
    const { left, top, height } = card.getBoundingClientRect();
    if (!isMoving(card) || !above?.matches("button") || isMoving(above) || height > 23) continue;
    return [left + 20, top - (24 - height) / 4];
  }
}"""


def test_a_low_card_that_can_move_takes_a_touch_on_the_edge_of_one_that_cannot(
    browser, site_address
):
    record = BY_NAME["yukon-won"]
    width, height = PHONES["on its side"]
    context = browser.new_context(
        viewport={"width": width, "height": height}, has_touch=True, storage_state=GUIDED
    )
    page = context.new_page()
    game_page = GamePage.start(page, site_address, record.ruleset, record.code or "")
    game_page.play_unseen(record.moves[:8])
    place = page.evaluate(BESIDE_A_CARD_THAT_MOVES)
    page.touchscreen.tap(*place)
    game_page.expect_version(9)
    context.close()


@pytest.mark.parametrize("screen", DESKTOPS)
@pytest.mark.parametrize("ruleset", IDS, scope="module")
def test_a_large_screen_is_used(tables, ruleset, screen):
    width, height = DESKTOPS[screen]
    page = tables.show(ruleset, "long fans", (width, height))
    table = measure(page)
    card = page.locator(".tableau .pile svg").last.bounding_box()
    label = page.locator(".rail .undo").evaluate(
        "button => parseFloat(getComputedStyle(button).fontSize)"
    )
    assert not table.scrolls
    assert table.tableau >= SHARE * height
    assert card["width"] >= 0.045 * width
    assert label >= 12 * max(1, width / 1800)


@pytest.mark.parametrize("size", [PHONES["on its side"], DESKTOPS["desktop"]])
def test_a_reserve_beside_columns_takes_no_more_than_a_card(tables, size):
    page = tables.show_after(42, "spike-won", size)
    cards = page.locator("#r1 > :not(small) svg")
    tops = cards.evaluate_all("cards => cards.map(card => card.getBoundingClientRect().top)")
    assert len(tops) == 5
    assert max(tops) - min(tops) < 1


@pytest.mark.parametrize("size", [*PHONES.values(), *DESKTOPS.values()])
@pytest.mark.parametrize(
    "ruleset", ["bristol", "terrace", "klondike-draw-three", "canfield"], scope="module"
)
def test_cards_keep_their_size_whatever_happens(tables, ruleset, size):
    sizes = []
    for position in ("opening", "long fans"):
        page = tables.show(ruleset, position, size)
        for text in (None, "So " * 90):
            drawn = page.evaluate(CARD_CLOTH_AND_NOTICE, text)
            sizes.append((drawn["card"], drawn["cloth"]))
        top, bottom = drawn["notice"]
        assert 0 <= top < bottom <= size[1]
    assert sizes == sizes[:1] * 4


BESIDE = """() => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  const [board, rail] = [box("#table"), box("#rail")];
  const [left, right] = [Math.min(board.left, rail.left), Math.max(board.right, rail.right)];
  return {
    gap: Math.max(rail.left - board.right, board.left - rail.right),
    aside: Math.abs(left + right - innerWidth) / 2,
    rail_is_left: rail.left < board.left,
  };
}"""


@pytest.mark.parametrize("side", ["end", "start"])
@pytest.mark.parametrize("size", [(2560, 1440), (1920, 1080)])
@pytest.mark.parametrize(
    "ruleset", ["klondike-draw-three", "freecell", "spider", "bristol", "terrace", "scorpion"]
)
def test_on_a_wide_screen_the_controls_lie_next_to_the_board_and_both_in_the_middle(
    tables, ruleset, size, side
):
    page = tables.show(ruleset, "opening", size, "right" if side == "end" else "left")
    was = page.evaluate("document.documentElement.dataset.side")
    page.evaluate("side => { document.documentElement.dataset.side = side; }", side)
    found = page.evaluate(BESIDE)
    page.evaluate("side => { document.documentElement.dataset.side = side; }", was)
    assert 0 <= found["gap"] <= 60
    assert found["aside"] <= 32
    assert found["rail_is_left"] == (side == "start")


CARD_CLOTH_AND_NOTICE = """text => {
  const notice = document.querySelector("#notice");
  const before = [...notice.childNodes];
  if (text) notice.textContent = text;
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  const size = ({ width, height }) => [width, height].map(Math.round);
  const { top, bottom } = box("#notice");
  const drawn = {
    card: size(box(".tableau .pile > :last-child > svg")),
    cloth: size(box(".cloth")),
    notice: [top, bottom],
  };
  notice.replaceChildren(...before);
  return drawn;
}"""


def test_the_index_of_a_small_card_keeps_off_its_edge_and_fits_its_strip(page):
    """In units of the drawing: a card is 100 wide, 58 show of a covered one, on low screens 38."""
    for rank, (face, strip) in product(RANK_LINES, [(compact, 58), (low, 38)]):
        page.set_content(f'<svg viewBox="0 0 100 140" width="100">{face(rank, "S")}</svg>')
        letter = page.locator("path[stroke]").first  # of two where another language has another
        top, bottom = letter.evaluate(
            """(rank) => { const { y, height } = rank.getBBox();
               const half = parseFloat(rank.getAttribute("stroke-width")) / 2;
               return [y - half, y + height + half]; }"""
        )
        assert top >= 3, rank
        assert bottom <= strip, rank


ROOMY = {  # a record of games with many columns, and how far down a phone cards reach after some moves
    "klondike": ("klondike-won", {0: 0.57, 40: 0.75}),
    "spider": ("spider-won", {0: 0.47, 40: 0.7}),
    "yukon": ("yukon-won", {0: 0.85}),
    "freecell": ("freecell-won", {0: 0.7, 40: 0.85}),
}
EASY_STRIP, EASY_BACK = 0.55, 32  # of a card's height; pixels
SHARED_BACK = 27  # where one column is as long as it can be


@pytest.mark.parametrize("ruleset", ROOMY)
def test_an_upright_phone_gives_short_fans_its_height(tables, ruleset):
    name, depths = ROOMY[ruleset]
    width, height = PHONES["upright"]
    for moves, depth in depths.items():
        table = measure(tables.show_after(moves, name, (width, height)))
        lowest = max(fan[-1].bottom for fan in table.fans if fan)
        assert lowest >= depth * height
        fans = [fan for fan in zip(table.fans, table.floors, strict=True) if fan[0]]
        closed = [fan for fan, floor in fans if fan[-1].bottom >= floor - 1]
        least = SHARED_BACK if closed else EASY_BACK  # the backs of all columns share a step
        for fan, _ in fans:
            if fan in closed:
                continue
            whole = fan[-1].strip
            down = [card.strip for card in fan if card.strip < whole * 0.53]
            assert min(down, default=least) >= least
            assert min(card.strip for card in fan if card.strip not in down) >= EASY_STRIP * whole


ON_ITS_SIDE = {  # how far down cards reach on a phone on its side, after some moves
    "bristol-lost": {0: 0.6, 20: 0.75},
    "spider-won": {0: 0.48, 14: 0.75},
    "klondike-won": {0: 0.62},
}


@pytest.mark.parametrize("name", ON_ITS_SIDE)
def test_a_phone_on_its_side_gives_short_columns_its_height(tables, name):
    for moves, depth in ON_ITS_SIDE[name].items():
        table = measure(tables.show_after(moves, name, PHONES["on its side"]))
        assert max(fan[-1].bottom for fan in table.fans if fan) >= depth * table.height, moves


def test_the_stock_below_a_reserve_leaves_room_for_larger_cards_on_a_phone_on_its_side(tables):
    page = tables.show_after(24, "bristol-lost", PHONES["on its side"])
    card, stock, line = (
        page.locator(part).first.bounding_box()
        for part in (".tableau svg", "#stock > button", ".reserve")
    )
    assert card
    assert stock
    assert line
    assert card["width"] >= 50
    assert line["x"] < stock["x"] < line["x"] + line["width"]
    for pile in page.locator(".reserve .pile > :is(b, button)").all():
        box = pile.bounding_box()
        assert box
        assert box["y"] + box["height"] <= stock["y"] - 12


DEEP = {"klondike": (0.73, 0.83), "yukon": (0.75, 0.85), "freecell": (0.66, 0.85)}
"""How far down a large screen cards reach, at the opening and after 40 moves."""


@pytest.mark.parametrize("ruleset", DEEP)
def test_short_columns_use_the_height_of_a_large_screen(tables, ruleset):
    for size in (DESKTOPS["desktop"], DESKTOPS["large"]):
        for moves, depth in zip((0, 40), DEEP[ruleset], strict=True):
            table = measure(tables.show_after(moves, f"{ruleset}-won", size))
            lowest = max(fan[-1].bottom for fan in table.fans if fan)
            assert lowest >= depth * table.height, (size, moves)


@pytest.mark.parametrize("hand", ["right", "left"])
@pytest.mark.parametrize("screen", DESKTOPS)
def test_few_columns_lie_below_the_foundations_and_a_reserve_below_the_stock(tables, screen, hand):
    page = tables.show_after(30, "canfield-won", DESKTOPS[screen], hand)
    below = {"t1": "f1", "t4": "f4", "r1": "stock"}
    lefts = page.locator("#table .pile").evaluate_all(
        "piles => Object.fromEntries(piles.map(pile => [pile.id, pile.getBoundingClientRect().left]))"
    )
    assert [lefts[pile] for pile in below] == pytest.approx(
        [lefts[pile] for pile in below.values()], abs=1
    )
    card = page.locator("#t1 svg").first.bounding_box()
    assert card
    assert card["width"] >= 0.09 * DESKTOPS[screen][0]


@pytest.mark.parametrize("hand", ["right", "left"])
@pytest.mark.parametrize("position", ["opening", "long fans"])
@pytest.mark.parametrize("ruleset", ["signora", "terrace", "falling-star"], scope="module")
def test_many_short_columns_lie_in_two_tiers_of_large_cards_on_a_phone(
    tables, ruleset, position, hand
):
    page = tables.show(ruleset, position, PHONES["upright"], hand)
    widths = page.locator(":is(.tableau, .reserve, .hand) svg").evaluate_all(
        "cards => cards.map(card => card.getBoundingClientRect().width)"
    )
    homes = page.locator(".foundations .pile").evaluate_all(
        "piles => piles.map(pile => pile.getBoundingClientRect().width)"
    )
    assert min(widths) >= 60
    assert min(homes) >= WHOLE_CARD - 0.5
    piles = page.locator("#table .pile").evaluate_all(OUTLINES)
    columns = [pile for pile in piles if pile["id"].startswith("t")]
    tops = [round(column["top"]) for column in columns]
    assert len(set(tops)) == 2
    stock, waste = (next(pile for pile in piles if pile["id"] == one) for one in ("stock", "waste"))
    assert waste["bottom"] < stock["top"]
    assert round(waste["top"]) >= max(tops)
    assert [
        (one["id"], two["id"])
        for number, one in enumerate(piles)
        for two in piles[number + 1 :]
        if min(one["right"], two["right"]) - max(one["left"], two["left"]) > 0.5
        and min(one["bottom"], two["bottom"]) - max(one["top"], two["top"]) > 0.5
    ] == []


LETTER = (
    0.36  # of the width of a face: from its upper edge to the lower end of its rank, on a low face
)


@pytest.mark.parametrize(
    ("name", "moves"), [("falling-star-won", 145), ("blondes-and-brunettes-won", 120)]
)
@pytest.mark.parametrize("size", [PHONES["upright"], (375, 667)])
def test_every_rank_of_a_column_of_ten_shows_in_two_tiers(tables, name, moves, size):
    page = tables.show_after(moves, name, size)
    seen = page.locator(".tableau .pile:has(> :nth-child(10)) > b:not(:last-child)").evaluate_all(
        """cards => cards.map((card) => {
          const drawing = card.querySelector("svg");
          const { paddingLeft, paddingRight, width, height } = getComputedStyle(drawing);
          const across = parseFloat(width) - parseFloat(paddingLeft) - parseFloat(paddingRight);
          return [card.getBoundingClientRect().height, Math.max(across / 100, parseFloat(height) / 140) * 100];
        })"""
    )
    assert len(seen) >= 9
    assert [(strip, face) for strip, face in seen if strip < LETTER * face - 0.5] == []


@pytest.mark.parametrize("ruleset", ["klondike", "spider", "freecell"])
def test_on_a_tall_phone_the_first_row_lies_near_the_line_above(tables, ruleset):
    page = tables.show_after(0, f"{ruleset}-won", PHONES["upright"])
    line, home = page.locator(".top").bounding_box(), page.locator("#f1").bounding_box()
    assert line
    assert home
    assert 8 <= home["y"] - line["y"] - line["height"] <= 32
    column = page.locator("#t1").bounding_box()
    assert column
    assert 12 <= column["y"] - home["y"] - home["height"] <= 30


def test_a_column_that_grows_closes_up_gently_on_a_phone(tables):
    """Cards at one place in a column come closer by a few pixels with each card that it gets; other columns stay."""
    page = tables.show("freecell", "opening", PHONES["upright"])
    before = measure(page)
    for _ in range(6):
        page.evaluate("""() => {
          const pile = document.querySelector("#t1");
          pile.append(pile.lastElementChild.cloneNode(true));
        }""")
        after = measure(page)
        assert after.fans[1:] == before.fans[1:]
        old, new = before.fans[0], after.fans[0]
        assert 0 <= old[0].strip - new[0].strip <= 14
        before = after
    leave(page)  # it is no longer what the server sent
    assert before.fans[0][0].strip >= CROWDED_STRIP


LEFT = itemgetter("left")
LOW_CARD = 0.75  # height of a card that shows its index and no more, in its widths


@pytest.mark.kept_page
@pytest.mark.parametrize("ruleset", ["dover", "new-york", "gotham"])
def test_eight_foundations_beside_fans_let_the_table_begin_at_the_top(page, open_game, ruleset):
    """In two columns of whole cards; where there is little width, in one of lower cards."""
    open_game(page, ruleset, "00000-00001")
    screens = {(1024, 768): (1, 92), (1180, 820): (1, 106), (1366, 768): (2, 108)}
    screens |= {(1440, 900): (2, 118), (1920, 1080): (2, 154), (2560, 1440): (2, 208)}
    with all_faults() as at:
        for (size, (columns, width)), hand in product(screens.items(), ("left", "right")):
            with at(f"{size} {hand}"):
                page.evaluate("hand => { document.documentElement.dataset.hand = hand; }", hand)
                resize(page, *size)
                line = page.locator(".top").bounding_box()
                assert line
                piles = page.locator("#table .pile").evaluate_all(OUTLINES)
                homes = [pile for pile in piles if pile["id"].startswith("f")]
                others = [pile for pile in piles if pile not in homes]
                row = [pile for pile in others if pile["id"][0] in "sr"] + homes[:columns]
                assert max(pile["top"] for pile in row) - min(pile["top"] for pile in row) < 1
                assert 0 <= row[0]["top"] - line["y"] - line["height"] <= 16
                assert len({round(home["left"], -1) for home in homes}) == columns
                if hand == "right":
                    assert min(map(LEFT, homes)) > max(pile["right"] for pile in others)
                else:
                    assert max(home["right"] for home in homes) < min(map(LEFT, others))
                for one, two in zip(homes, homes[columns:], strict=False):
                    assert two["top"] > one["bottom"]
                assert 0.78 * size[1] <= homes[-1]["bottom"] <= size[1]
                assert homes[0]["bottom"] - homes[0]["top"] >= LOW_CARD * width
                assert homes[0]["right"] - homes[0]["left"] >= width
                assert not measure(page).scrolls


@pytest.mark.kept_page
def test_eight_foundations_lie_in_two_rows_of_large_cards_where_there_is_more_height_than_width(
    page, open_game
):
    open_game(page, "dover", "00000-00001")
    resize(page, 768, 1024)
    piles = page.locator("#table .pile").evaluate_all(OUTLINES)
    homes = [pile for pile in piles if pile["id"].startswith("f")]
    columns = [pile for pile in piles if pile["id"].startswith("t")]
    assert len({round(home["top"], -1) for home in homes}) == 2
    lefts = [column["left"] for column in columns]
    assert all(min(abs(home["left"] - left) for left in lefts) < 2 for home in homes)
    assert max(home["bottom"] for home in homes) < columns[0]["top"]
    line = page.locator(".top").bounding_box()
    assert line
    assert min(home["top"] for home in homes) >= line["y"] + line["height"]
    assert min(home["right"] - home["left"] for home in homes) >= 85
    assert not measure(page).scrolls


@pytest.mark.kept_page
@pytest.mark.parametrize(("cards", "least"), [(12, 15), (16, 13), (20, 10)])
def test_one_long_pile_of_a_reserve_has_the_room_of_two_short_ones(page, open_game, cards, least):
    open_game(page, "gotham", "00000-00001").play_unseen(["stock-r1"] * cards)
    with all_faults() as at:
        for size in DESKTOPS.values():
            with at(size):
                resize(page, *size)
                first, second, third = (
                    page.locator(f"#r{number}").bounding_box() for number in (1, 2, 3)
                )
                assert first["x"] + first["width"] <= second["x"]
                assert first["width"] > 1.8 * second["width"]
                assert second["width"] == pytest.approx(third["width"], abs=0.5)
                strips = page.locator("#r1 > b").evaluate_all(STRIPS_AND_FACES)
                assert len(strips) == cards - 1
                assert all(strip >= SIDE_INDEX * face for strip, face in strips)
                assert min(strip for strip, _ in strips) >= least


@pytest.mark.kept_page
def test_words_about_the_base_cover_no_card_until_it_is_chosen(page, open_game):
    open_game(page, "signora", "00000-00001")
    words = page.locator(".state > .first")
    screens = (*DESKTOPS.values(), (768, 1024), (1366, 768), PHONES["upright"], (360, 640))
    with all_faults() as at:
        for size, hand in product(screens, ("left", "right")):
            with at(f"{size} {hand}"):
                page.evaluate("hand => { document.documentElement.dataset.hand = hand; }", hand)
                resize(page, *size)
                drawn = words.bounding_box()
                assert drawn
                assert drawn["x"] >= 0
                assert drawn["x"] + drawn["width"] <= size[0]
                assert drawn["y"] + drawn["height"] <= size[1]
                over = [
                    pile["id"]
                    for pile in page.locator("#table .pile").evaluate_all(OUTLINES)
                    if min(pile["right"], drawn["x"] + drawn["width"])
                    > max(pile["left"], drawn["x"])
                    and min(pile["bottom"], drawn["y"] + drawn["height"])
                    > max(pile["top"], drawn["y"])
                ]
                assert over == []
    page.evaluate("() => { document.documentElement.dataset.hand = 'right'; }")
    page.locator("#t1 > button").click()
    page.locator("#f1 > button").click()
    expect(page.locator("#f8 use")).not_to_have_attribute("href", re.compile("#mark-any$"))
    expect(words).to_have_count(0)


@pytest.mark.kept_page
def test_eight_cells_lie_in_two_rows_but_on_a_wide_screen(page, open_game):
    open_game(page, "eight-off", "00000-00001")
    screens = {(1024, 768): (2, 85), (768, 1024): (2, 85), (1366, 768): (1, 91)}
    screens |= {(1280, 800): (2, 96), (1440, 900): (2, 110), (2560, 1440): (1, 175)}
    with all_faults() as at:
        for size, (rows, least) in screens.items():
            with at(size):
                resize(page, *size)
                piles = page.locator("#table .pile").evaluate_all(OUTLINES)
                cells, homes, columns = (
                    [pile for pile in piles if pile["id"].startswith(kind)] for kind in "cft"
                )
                assert len({round(cell["top"], -1) for cell in cells}) == rows
                assert max(each["bottom"] for each in cells + homes) < columns[0]["top"]
                assert max(cell["right"] for cell in cells) < min(home["left"] for home in homes)
                assert min(column["right"] - column["left"] for column in columns) >= least
                assert not measure(page).scrolls


# Of a card covered from the side: an index as printed needs this part of the card's width, and so does a narrow one of
# the width that it is drawn for.
SIDE_INDEX = 0.415
READABLE_CARD = 33  # pixels: the width of one whose narrow index is easily read
# How much is seen of each card covered from the side, and how wide its face is drawn.
STRIPS_AND_FACES = """cards => cards.map((card) => {
  const x = (one) => one.getBoundingClientRect().x;
  const face = card.firstChild;
  const paper = parseFloat(getComputedStyle(face).paddingRight);
  return [x(card.nextElementSibling) - x(face), face.getBoundingClientRect().width - paper];
})"""


@pytest.mark.kept_page
@pytest.mark.parametrize("deals", [3, 4, 5, 6, 7, 8, 9])
def test_each_index_of_a_reserve_can_be_read(page, open_game, deals):
    game_page = open_game(page, "bristol", "00000-00001")
    first = page.locator("#r1")
    before = {}
    for screen, size in DESKTOPS.items():
        resize(page, *size)
        before[screen] = first.bounding_box()
    game_page.play_unseen(["deal"] * deals)
    with all_faults() as at:
        for (screen, size), hand in product(DESKTOPS.items(), ("left", "right")):
            with at(f"{screen} {hand}"):
                page.evaluate("hand => { document.documentElement.dataset.hand = hand; }", hand)
                resize(page, *size)
                was, now = before[screen], first.bounding_box()
                covered = page.locator(".reserve .pile > b").evaluate_all(STRIPS_AND_FACES)
                card = page.locator(".reserve svg").last.bounding_box()
                assert card
                assert was
                assert now
                assert len(covered) == min(3 * deals, 25)  # then the stock is used up
                assert all(strip >= SIDE_INDEX * width for strip, width in covered)
                assert all(width >= READABLE_CARD for _, width in covered)
                assert (now["y"], now["width"]) == (was["y"], was["width"])
                assert now["x"] == was["x"] or hand == "left"
                assert measure(page).fans[0][-1].strip == pytest.approx(card["height"])


@pytest.mark.kept_page
def test_the_fans_below_a_reserve_begin_in_the_upper_part_of_a_large_screen(page, open_game):
    open_game(page, "bristol", "00000-00001")
    for width, height in ((1440, 900), (2560, 1440)):
        resize(page, width, height)
        fan = page.locator("#t1").bounding_box()
        assert fan
        assert fan["y"] <= 0.35 * height


@pytest.mark.kept_page
@pytest.mark.parametrize("ruleset", ["bristol", "belvedere", "vincent"])
def test_beside_fans_four_foundations_lie_in_the_rows_of_the_reserve_and_the_fans(
    page, open_game, ruleset
):
    """Two and two, so that they don't reach down a wide window. The piles of the reserve have equal room."""
    open_game(page, ruleset, "00000-00001")
    least = {(1024, 768): 92, (1366, 768): 108, (1440, 900): 119, (1920, 1080): 158}
    least[2560, 1440] = 216
    with all_faults() as at:
        for (size, width), hand in product(least.items(), ("left", "right")):
            with at(f"{size} {hand}"):
                page.evaluate("hand => { document.documentElement.dataset.hand = hand; }", hand)
                resize(page, *size)
                line = page.locator(".top").bounding_box()
                assert line
                piles = page.locator("#table .pile").evaluate_all(OUTLINES)
                at_pile = {pile["id"]: pile for pile in piles}
                homes = [pile for pile in piles if pile["id"].startswith("f")]
                others = [pile for pile in piles if pile not in homes]
                columns = 1 if size == (1024, 768) else 2
                row = [at_pile[name] for name in ("stock", "r1", "r2", "r3")] + homes[:columns]
                assert max(pile["top"] for pile in row) - min(pile["top"] for pile in row) < 1
                assert 0 <= row[0]["top"] - line["y"] - line["height"] <= 16
                row = [at_pile["t1"], at_pile["t8"], *homes[columns : 2 * columns]]
                assert max(pile["top"] for pile in row) - min(pile["top"] for pile in row) < 1
                if hand == "right":
                    assert min(map(LEFT, homes)) > max(pile["right"] for pile in others)
                else:
                    assert max(home["right"] for home in homes) < min(map(LEFT, others))
                for one, two in pairwise(homes):
                    assert two["top"] > one["bottom"] or two["left"] != one["left"]
                wells = page.locator(".reserve .pile").evaluate_all(
                    "wells => wells.map(well => well.getBoundingClientRect().width)"
                )
                assert max(wells) - min(wells) < 1
                assert min(wells) > 2 * (homes[0]["right"] - homes[0]["left"])
                assert homes[0]["right"] - homes[0]["left"] >= width
                assert not measure(page).scrolls


@pytest.mark.kept_page
def test_no_column_below_a_reserve_moves_when_the_game_ends(page, open_game):
    record = BY_NAME["bristol-lost"]
    game_page = open_game(page, "bristol", record.code)
    address = page.url
    game_page.play_unseen(record.moves[:-1])

    def tops() -> list[float]:
        found = []
        for size in ((1366, 768), *DESKTOPS.values()):
            resize(page, *size)
            found.append(page.locator("#t1").evaluate("pile => pile.getBoundingClientRect().top"))
        return found

    before = tops()
    post_all(page.request, address, record.moves[-1:], len(record.moves) - 1)
    page.goto(address)
    expect(page.locator(".ending")).to_be_attached()
    assert tops() == before


STRIP_AT_AN_END = 0.172  # of a card's height: as low as it gets in a column of ordinary length


@pytest.mark.kept_page
@pytest.mark.parametrize("name", ["bristol-lost", "signora-lost"])
def test_beside_what_a_game_ends_with_columns_close_up_before_their_last_cards_are_cut(
    page, open_game, name
):
    record = BY_NAME[name]
    open_game(page, record.ruleset, record.code).play_unseen(record.moves)
    expect(page.locator(".ending")).to_be_attached()
    with all_faults() as at:
        for size in ((1280, 800), (1366, 768), *DESKTOPS.values()):
            with at(size):
                resize(page, *size)
                card = page.locator(".tableau svg").first.bounding_box()
                assert card
                height = 1.4 * card["width"]
                table = measure(page)
                for fan, floor in zip(table.fans, table.floors, strict=True):
                    assert not fan or fan[-1].bottom <= floor + 1
                    if fan and fan[-1].strip < height - 1:
                        assert (
                            max(covered.strip for covered in fan[:-1]) <= STRIP_AT_AN_END * height
                        )


@pytest.mark.kept_page
def test_no_column_below_a_reserve_moves_when_a_daily_deal_ends_in_a_long_language(
    page, site_address
):
    """What a daily deal ends with says the most."""
    daily = page.request.post(f"{site_address}/api/v1/daily/today/bristol/attempt").json()["id"]
    page.set_extra_http_headers({"Accept-Language": "pt-BR"})
    tops = []
    for has_ended in (False, True):
        if has_ended:
            resign = f"{site_address}/api/v1/games/{daily}/resign"
            assert page.request.post(resign, data={"version": 0}).ok
        page.goto(f"{site_address}/games/{daily}")
        for size in ((1366, 768), *DESKTOPS.values()):
            resize(page, *size)
            tops.append(page.locator("#t1").evaluate("pile => pile.getBoundingClientRect().top"))
    expect(page.locator(".ending h2")).to_have_text("Você desistiu")
    ending, line = page.locator(".ending").bounding_box(), page.locator(".top").bounding_box()
    assert ending
    assert line
    assert ending["y"] >= line["y"] + line["height"] - 1
    half = len(tops) // 2
    assert tops[half:] == tops[:half]


@pytest.mark.kept_page
def test_the_top_card_of_a_reserve_stays_next_to_the_fans(page, open_game):
    game_page = open_game(page, "bristol", "00000-00001")
    top, fan = page.locator("#r1 svg").last, page.locator("#t1 svg").first

    def seen() -> dict[str, tuple[int, float]]:
        found = {}
        for screen, size in DESKTOPS.items():
            resize(page, *size)
            card, below = top.bounding_box(), fan.bounding_box()
            assert card
            assert below
            found[screen] = (round(card["y"]), below["y"] - card["y"] - card["height"])
        return found

    before = seen()
    assert all(0 < gap <= 60 for _, gap in before.values())
    game_page.play_unseen(["deal"] * 3)
    assert {screen: y for screen, (y, _) in seen().items()} == {
        screen: y for screen, (y, _) in before.items()
    }


@pytest.mark.kept_page
def test_columns_stay_where_they_are_from_the_first_deal_to_the_end(page, open_game):
    """However full the reserve gets, and beside what the game ends with."""
    lost = BY_NAME["bristol-lost"]
    game_page = open_game(page, "bristol", lost.code)
    sizes = [*PHONES.values(), *DESKTOPS.values()]

    def places() -> list[float]:
        found = []
        for width, height in sizes:
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(50)
            found.append(round(page.locator(".tableau").evaluate("piles => piles.offsetTop"), 1))
        return found

    at_first = places()
    game_page.play_unseen(["deal"] * 3)
    assert places() == at_first
    post_all(page.request, page.url, ["deal"] * 6, 3)
    page.reload()
    assert places() == at_first
    page.locator(".menu > summary").click()
    page.locator(".end summary").click()
    page.get_by_role("button", name="Yes, resign").click()
    expect(page.locator(".ending")).to_be_visible()
    assert places() == at_first


@pytest.mark.kept_page
@pytest.mark.parametrize("ruleset", ["freecell", "spider", "vincent", "scorpion", "rouge-et-noir"])
def test_what_a_game_ends_with_covers_no_card_on_a_phone_on_its_side(page, open_game, ruleset):
    """A card shows its index there, however long its column is: see ``LONG_FANS`` and ``CROWDED``."""
    name, length = CROWDED.get(ruleset) or LONG_FANS[ruleset][:2]
    page.set_viewport_size({"width": 844, "height": 390})
    game_page = open_game(page, ruleset, BY_NAME[name].code)
    game_page.play_unseen(BY_NAME[name].moves[:length])
    page.locator(".menu > summary").click()
    page.locator(".end summary").click()
    page.get_by_role("button", name="Yes, resign").click()
    ending = page.locator(".ending").bounding_box()
    assert ending
    fans = [fan for fan in measure(page).fans if fan]
    assert max(fan[-1].bottom for fan in fans) <= ending["y"]
    assert min(fan[-1].strip for fan in fans) >= 29.5
    assert min(card.strip for fan in fans for card in fan if card.can_be_touched) >= 8


def test_foundations_on_a_phone_on_its_side_keep_off_its_edge(tables):
    width, height = PHONES["on its side"]
    page = tables.show_after(40, "klondike-won", (width, height))
    last = page.locator("#f4 > *").first.bounding_box()
    assert last
    assert last["y"] + last["height"] <= height - 12


@pytest.mark.parametrize("name", ["klondike-won", "bristol-lost"])
def test_counts_are_as_large_as_the_cards_allow(tables, name):
    for screen, least in {"tablet": 12, "desktop": 14.5, "large": 20}.items():
        page = tables.show_after(20, name, DESKTOPS[screen])
        counts = page.locator("#table .pile small").evaluate_all(
            """counts => counts.map((count) => {
              const { top, bottom } = count.getBoundingClientRect();
              const line = document.querySelector(".top").getBoundingClientRect().bottom;
              return [parseFloat(getComputedStyle(count).fontSize), top - line, innerHeight - bottom];
            })"""
        )
        assert counts
        for size, above, below in counts:
            assert size >= least
            assert above >= 0
            assert below >= 0


@pytest.mark.kept_page
def test_the_first_cards_of_a_reserve_have_the_large_index_of_the_last(page, open_game):
    page.set_viewport_size({"width": 390, "height": 844})
    game_page = open_game(page, "bristol", "FR35H-00000")
    game_page.play_unseen(["deal", "deal"])
    page.reload()
    covered = page.locator(".reserve .pile > b").first
    assert covered.bounding_box()["height"] > 30, "it shows all of the index"
    shown = "card => getComputedStyle(card).getPropertyValue('--card-compact').trim()"
    assert covered.evaluate(shown) == "inline"


@pytest.mark.kept_page
@pytest.mark.parametrize("size", [(390, 844), (360, 640)])
def test_the_count_of_a_waste_above_the_stock_lies_on_the_waste(page_with, open_game, size):
    viewport = {"width": size[0], "height": size[1]}
    page = page_with(viewport=viewport, reduced_motion="reduce")
    game_page = open_game(page, "signora", "7KQ4M-2XWTP")
    game_page.click("t1")
    game_page.expect_version(1)
    for version in (2, 3):  # a single card has no count
        page.keyboard.press("d")
        game_page.expect_version(version)
    boxes = [
        page.locator(each).bounding_box()
        for each in ("#waste > button svg", "#waste > small", "#stock > button")
    ]
    waste, count, stock = (box for box in boxes if box)
    assert waste["y"] < count["y"] < waste["y"] + waste["height"]
    assert stock["y"] - count["y"] - count["height"] >= 6
    assert count["x"] >= waste["x"]
    assert count["x"] + count["width"] <= waste["x"] + waste["width"]
