"""The games page: what is typed filters the list, filters are near, and the choice of new deals is one field."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from app.games.new_game import OPTIONS, DealChoice
from app.http.templates import render
from tests.browser.faults import all_faults, resize

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.kept_page

PHONE: Any = {"width": 390, "height": 844}


def test_what_is_typed_filters_the_games(page: Page, site_address: str):
    page.goto(f"{site_address}/games?decks=two")
    expect(page.get_by_role("button", name="Search")).to_be_hidden()
    page.get_by_role("searchbox").press_sequentially("spid")
    expect(page.locator(".families .tile")).to_have_count(3)
    expect(page.locator("#said")).to_have_text("3 games")
    expect(page).to_have_url(f"{site_address}/games?q=spid&decks=two")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.get_by_role("searchbox").fill("")
    expect(page.locator(".families .tile")).to_have_count(17)


def test_a_filter_is_chosen_in_its_place(page: Page, site_address: str):
    page.goto(f"{site_address}/games")
    page.evaluate("window.here = true")
    two = page.locator("#filter-decks-two")
    before = two.bounding_box()
    two.click()
    expect(page.locator(".families .tile")).to_have_count(17)
    expect(page).to_have_url(f"{site_address}/games?decks=two")
    expect(two).to_have_attribute("aria-current", "true")
    expect(two).to_be_focused()
    expect(page.locator("#said")).to_have_text("17 games")
    after = two.bounding_box()
    assert before
    assert after
    assert before["y"] == after["y"]
    assert abs(before["x"] - after["x"]) < 1  # figures are not all equally wide
    page.get_by_role("searchbox").press_sequentially("spid")
    expect(page).to_have_url(f"{site_address}/games?q=spid&decks=two")
    page.go_back()
    expect(page.locator(".families .tile")).to_have_count(34)
    expect(page.get_by_role("searchbox")).to_have_value("")
    assert page.evaluate("window.here"), "no page was loaded"


def test_a_filter_that_is_clicked_while_one_types_is_kept(page: Page, site_address: str):
    page.goto(f"{site_address}/games")
    page.locator("#filter-decks-two").evaluate(
        """(two) => {
          const field = document.querySelector("form.search [name=q]");
          field.value = "spid";
          field.dispatchEvent(new Event("input", { bubbles: true }));
          two.click();
        }"""
    )
    expect(page).to_have_url(f"{site_address}/games?decks=two")
    page.wait_for_timeout(500)  # the search would have begun, and have been answered
    expect(page).to_have_url(f"{site_address}/games?decks=two")
    expect(page.locator(".families .tile")).to_have_count(17)


def test_a_game_that_is_not_here_is_said_while_one_types(page: Page, site_address: str):
    page.goto(f"{site_address}/games")
    page.get_by_role("searchbox").press_sequentially("pyramid")
    expect(page.locator("#said")).to_have_text(
        "There is no game called “pyramid” here yet."
        " In that game you clear cards away. In the games here, you build on foundations."
    )
    expect(page.get_by_role("region", name="Short games to try instead")).to_be_visible()
    expect(page.locator(".families .tile")).to_have_count(2)
    assert (
        page.locator(".result").evaluate("line => getComputedStyle(line).alignItems") == "baseline"
    )
    page.get_by_role("link", name="Clear the search").click()
    expect(page.get_by_role("searchbox")).to_have_value("")
    expect(page.locator("#game-klondike")).to_be_visible()


def test_without_a_script_the_search_has_its_button(page_with, site_address: str):
    page = page_with(java_script_enabled=False)
    page.goto(f"{site_address}/games")
    page.get_by_role("searchbox").fill("spider")
    page.get_by_role("button", name="Search").click()
    expect(page).to_have_url(f"{site_address}/games?q=spider")


def test_on_a_phone_the_first_game_is_near_with_and_without_filters(page_with, site_address: str):
    page = page_with(viewport=PHONE)
    for query, highest in (("", 200), ("?length=short&decks=one", 260)):
        page.goto(f"{site_address}/games{query}")
        first = page.locator(".tile").first.bounding_box()
        assert first
        assert first["y"] < highest


def test_on_a_phone_filters_are_folded_and_the_chosen_ones_are_beside_them(
    page_with, site_address: str
):
    page = page_with(viewport=PHONE)
    page.goto(f"{site_address}/games")
    two = page.locator("#filter-decks-two")
    expect(two).to_be_hidden()
    folded = page.get_by_text("Filters", exact=True)
    folded.click()
    two.click()
    expect(page.locator("#said")).to_have_text("17 games")
    expect(two).to_be_visible()  # it stays open for the next one
    expect(page.locator("summary", has=folded)).to_have_text("Filters (1)")
    chips = page.locator("#filters :is(a, .none)")
    places = chips.evaluate_all("""all => all.map(one => one.getBoundingClientRect())
      .map(({ left, right }) => [left, right])""")
    assert len(places) == 6
    assert all(left >= 16 and right <= PHONE["width"] - 16 for left, right in places)
    folded.click()
    page.locator("#chosen").get_by_role("link", name="Two decks").click()
    expect(page.locator("#chosen a")).to_have_count(0)
    expect(page).to_have_url(f"{site_address}/games")


def test_on_a_phone_a_game_is_a_row(page_with, site_address: str):
    page = page_with(viewport=PHONE)
    page.goto(f"{site_address}/games")
    tile = page.locator("#game-klondike")
    box = tile.bounding_box()
    assert box
    assert box["height"] <= 90  # a button to play, and below it the rules, each for a finger
    assert page.evaluate("document.documentElement.scrollHeight") < 2100
    page.mouse.click(box["x"] + 160, box["y"] + box["height"] - 16)  # on its facts
    page.wait_for_url("**/games/*")


def unfold_all(page: Page) -> None:
    for family in page.locator(".relatives > summary").all():
        family.click()


@pytest.mark.parametrize("with_script", [True, False])
def test_on_a_phone_a_family_shows_its_first_game_and_folds_the_others(
    page_with, site_address: str, with_script: bool
):
    page = page_with(viewport=PHONE, java_script_enabled=with_script)
    page.goto(f"{site_address}/games")
    other = page.locator("#game-klondike-draw-three")
    expect(page.locator("#game-klondike")).to_be_visible()
    expect(other).to_be_hidden()
    fold = page.locator("#more-klondike > summary")
    expect(fold).to_contain_text("3 more Klondike games")
    box = fold.bounding_box()
    assert box
    assert box["height"] >= 44
    fold.click()
    expect(other).to_be_visible()
    page.goto(f"{site_address}/games?q=klondike")
    expect(other).to_be_visible()


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390)])
def test_on_a_phone_games_and_folds_lie_in_the_order_of_the_keyboard(
    page_with, site_address: str, width: int, height: int
):
    page = page_with(viewport={"width": width, "height": height})
    page.goto(f"{site_address}/games")

    def places() -> list[tuple[float, float]]:
        """Where each thing to press begins, without what lies within a tile, row by row."""
        boxes = page.locator("#rules :is(.tile, summary):visible").evaluate_all(
            "all => all.map(one => one.getBoundingClientRect()).map(({ x, y }) => [x, y])"
        )
        return [(round(x), round(y)) for x, y in boxes]

    if width < 600:
        assert places() == sorted(places(), key=lambda place: place[1])
    fold, first = page.locator("#more-klondike > summary"), page.locator("#game-klondike")
    above, line = first.bounding_box(), fold.bounding_box()
    assert above
    assert line
    assert line["y"] >= above["y"] + above["height"] - 1
    assert line["x"] == pytest.approx(above["x"], abs=1)
    assert line["width"] == pytest.approx(above["width"], abs=1)
    canfield, freecell = (
        page.locator(f"section[aria-labelledby='{family}']").bounding_box()
        for family in ("canfield", "freecell")
    )
    tile = page.locator("#game-canfield").bounding_box()
    assert tile["height"] == pytest.approx(canfield["height"], abs=1), "no empty place"
    assert width < 600 or canfield["height"] == pytest.approx(freecell["height"], abs=1)
    fold.click()
    family = page.locator("section[aria-labelledby='klondike'] :is(.tile, summary)")
    order = [one.bounding_box() for one in family.all()]
    assert len(order) == 5
    places_read = [(round(box["y"] / 20), box["x"]) for box in order if box]
    assert places_read == sorted(places_read), "by rows"


@pytest.mark.parametrize("family", ["klondike", "spider", "freecell"])
def test_on_its_side_a_phone_has_no_empty_place_beside_an_unfolded_family(
    page_with, site_address: str, family: str
):
    page = page_with(viewport={"width": 844, "height": 390})
    page.goto(f"{site_address}/games")
    page.locator(f"#more-{family} > summary").click()
    # How wide the games are that begin on each line: two beside each other, or one of all the width.
    rows = page.evaluate("""() => {
      const wide = new Map();
      for (const one of document.querySelectorAll("#rules :is(.tile, .relatives[open] > summary)")) {
        if (!one.checkVisibility()) continue;
        const { top, width } = one.getBoundingClientRect();
        wide.set(Math.round(top), (wide.get(Math.round(top)) ?? 0) + width);
      }
      return [...wide].sort(([one], [other]) => one - other).map(([, width]) => width);
    }""")
    assert len(rows) > 5
    assert all(width > 780 for width in rows[:-1]), "only the last family may be alone"


def test_on_a_phone_what_is_unfolded_stays_so_while_the_list_is_renewed(
    page_with, site_address: str
):
    page = page_with(viewport=PHONE)
    open_with_choice(page, site_address)
    page.locator("#more-yukon > summary").click()
    page.get_by_text("Filters", exact=True).click()
    with page.expect_response("**/games"):
        page.get_by_label("Difficulty of new deals").select_option("random")
    expect(page.locator("#found")).not_to_have_attribute("aria-busy", "true")
    expect(page.locator("#game-scorpion")).to_be_visible()
    expect(page.locator("#game-eight-off")).to_be_hidden()


@pytest.mark.parametrize(("width", "height"), [(700, 900), (1440, 900)])
def test_a_larger_screen_shows_all_games_of_a_family_in_one_grid(
    page_with, site_address: str, width: int, height: int
):
    page = page_with(viewport={"width": width, "height": height})
    page.goto(f"{site_address}/games")
    expect(page.locator(".relatives > summary").first).to_be_hidden()
    first, second = (
        page.locator(f"#game-{game}").bounding_box() for game in ("klondike", "klondike-draw-three")
    )
    assert first
    assert second
    assert first["y"] == second["y"]
    assert first["width"] == second["width"]


def test_on_a_phone_a_row_tells_all_of_what_is_special(page_with, site_address: str):
    page = page_with(viewport=PHONE)
    page.goto(f"{site_address}/games")
    unfold_all(page)
    cut = page.locator(".list .tagline").evaluate_all(
        "lines => lines.filter((line) => line.scrollHeight > line.clientHeight).map((line) => line.innerText)"
    )
    assert not cut


def test_on_a_phone_the_search_and_what_unfolds_the_rest_share_one_row(
    page_with, site_address: str
):
    page = page_with(viewport=PHONE)
    open_with_choice(page, site_address)
    search, fold = page.get_by_role("searchbox"), page.locator(".folded > summary")
    for _ in range(2):
        left, right = search.bounding_box(), fold.bounding_box()
        assert left
        assert right
        assert left["x"] + left["width"] < right["x"]
        assert abs(left["y"] - right["y"]) < 4
        fold.click()  # it stays where it is
    expect(page.get_by_label("Difficulty of new deals")).to_be_hidden()  # it is with the filters
    first = page.locator(".tile").first.bounding_box()
    assert first
    assert first["y"] < 200


def test_all_filters_fit_one_row_on_a_wide_screen(page_with, site_address: str):
    page = page_with(viewport={"width": 1440, "height": 900})
    headers = {"Origin": site_address}
    dealt = page.request.post(f"{site_address}/play", form={"ruleset": "klondike"}, headers=headers)
    page.request.post(f"{dealt.url}/deal", form={"version": 0}, headers=headers)
    page.request.post(f"{dealt.url}/resign", form={"version": 1}, headers=headers)
    page.goto(f"{site_address}/games")
    expect(page.locator(".filters a")).to_have_count(
        7
    )  # who has played is offered what they have not
    tops = page.locator(".filters a").evaluate_all("all => all.map(one => one.offsetTop)")
    assert len(set(tops)) == 1


def test_on_a_phone_the_families_are_a_row_in_sight(page_with, site_address: str):
    page = page_with(viewport=PHONE, has_touch=True, is_mobile=True)
    page.goto(f"{site_address}/games")
    families = page.locator(".jump")
    links = families.locator("a")
    expect(links).to_have_count(10)
    tops = links.evaluate_all("all => all.map(one => one.getBoundingClientRect().top)")
    assert len(set(tops)) == 1
    sides = links.evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).map(({ left, right }) => [left, right])"
    )
    assert all(right < left for (_, right), (left, _) in pairwise(sides)), "none on another"
    assert families.bounding_box()["y"] < page.locator(".tile").first.bounding_box()["y"]
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    row = families.locator("div")
    faded = families.evaluate("row => parseFloat(getComputedStyle(row, '::after').width)")
    assert 40 < faded < 80, "where it goes on"
    row.evaluate("row => row.scrollTo(row.scrollWidth, 0)")
    last = links.last.bounding_box()
    assert last["x"] + last["width"] <= PHONE["width"] - faded, "its end does not fade"
    links.last.click()
    heading = page.locator("h2#terrace").bounding_box()
    below, search = (page.locator(part).bounding_box() for part in (".jump", ".search input"))
    assert 0 <= search["y"] < search["y"] + search["height"] <= below["y"] < 60, (
        "both stay in sight"
    )
    assert heading["y"] >= below["y"] + below["height"]


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (1440, 900)])
def test_on_a_desktop_the_first_game_is_near(page_with, site_address: str, width, height):
    page = page_with(viewport={"width": width, "height": height})
    open_with_choice(page, site_address)
    heading, search = (page.locator(part).bounding_box() for part in ("h1", ".search"))
    assert search["y"] < heading["y"] + heading["height"], "in one line"
    first = page.locator(".tile").first.bounding_box()
    assert first["y"] - heading["y"] < 210
    families, of_first = (
        page.locator(part).bounding_box() for part in (".jump", ".families h2 >> nth=0")
    )
    assert families["y"] + families["height"] <= of_first["y"], "they belong to all families"
    page.locator(".measure > summary").click()
    expect(page.locator(".measure p")).to_be_visible()
    assert page.locator(".tile").first.bounding_box() == first, "it lies over the games"
    page.locator("h1").click()
    expect(page.locator(".measure p")).to_be_hidden()
    page.locator(".measure > summary").click()
    page.keyboard.press("Escape")
    expect(page.locator(".measure p")).to_be_hidden()


def test_a_very_wide_screen_has_large_pictures_and_rows_without_holes(page_with, site_address: str):
    page = page_with(viewport={"width": 2560, "height": 1440})
    page.goto(f"{site_address}/games")
    tops = page.locator(".list .tile").evaluate_all(
        "all => all.map(tile => Math.round(tile.getBoundingClientRect().top))"
    )
    rows = [tops.count(top) for top in set(tops)]
    assert max(rows) == 4
    assert rows.count(4) >= len(rows) - 2, "small families share rows"
    main = page.locator("main").bounding_box()
    assert main["width"] / 2560 >= 0.74
    links = page.locator(".jump div").bounding_box()
    first = page.locator(".families h2").first.bounding_box()
    assert links["y"] + links["height"] <= first["y"]


@pytest.mark.parametrize("has_script", [True, False], ids=["script", "no script"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_games_page_fits_a_small_phone(
    page_with, site_address: str, language: str, *, has_script: bool
):
    """Without a script the search has a button, too; its word is the longest in French."""
    page = page_with(
        viewport={"width": 320, "height": 640}, locale=language, java_script_enabled=has_script
    )
    for path in ("/games", "/games?q=no-such-game", "/no-such-page"):
        page.goto(site_address + path)
        assert page.evaluate("document.documentElement.scrollWidth") == 320, path


def open_with_choice(page: Page, site_address: str) -> None:
    """The games page with the choice of new deals: this site proves no deals and offers none."""
    section = str(render("games/_difficulty.html", view=DealChoice(OPTIONS, OPTIONS[0], "/games")))

    def with_choice(route):
        answer = route.fetch()
        end = re.compile(r"(?=</details>\s*<p class=\"filters\" id=\"chosen)")
        body, found = end.subn(lambda _: section, answer.text(), count=1)
        assert found
        route.fulfill(response=answer, body=body)

    page.route("**/games", with_choice)
    page.goto(f"{site_address}/games")


def test_on_a_phone_a_choice_of_new_deals_is_explained_when_it_is_made(
    page_with, site_address: str
):
    page = page_with(viewport={"width": 390, "height": 844})
    open_with_choice(page, site_address)
    first = page.locator(".list .tile").first.bounding_box()
    assert first["y"] < 400
    page.set_viewport_size({"width": 844, "height": 390})
    assert page.locator(".list .tile .name").first.bounding_box()["y"] < 350
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_text("Filters", exact=True).click()
    note = page.locator(".choice [role=status]")
    with page.expect_response("**/games"):
        page.get_by_label("Difficulty of new deals").select_option("Medium")
    expect(page.locator(".choice.changed")).to_be_visible()
    select = page.get_by_label("Difficulty of new deals").bounding_box()
    filters = page.locator(".filters a").first.bounding_box()
    below = note.bounding_box()
    assert filters["y"] + filters["height"] <= select["y"]
    assert select["y"] + select["height"] <= below["y"]
    assert below["width"] > 300


def test_the_choice_of_new_deals_stands_apart_from_what_finds_games(page_with, site_address: str):
    page = page_with()
    open_with_choice(page, site_address)
    with all_faults() as at:
        for width, height in ((1024, 768), (1440, 900), (2560, 1440)):
            with at(f"{width} x {height}"):
                resize(page, width, height)
                choice, heading, search = (
                    page.locator(part).bounding_box() for part in (".choice", "h1", ".search")
                )
                assert choice["x"] > search["x"] + search["width"], "beside the search"
                assert choice["y"] < heading["y"] + heading["height"]
                end = page.locator(".choosing").bounding_box()
                assert choice["x"] + choice["width"] > end["x"] + end["width"] - 1


def test_the_choice_of_new_deals_is_saved_at_once(page: Page, site_address: str):
    open_with_choice(page, site_address)
    expect(page.locator(".choice button")).to_be_hidden()
    renewed = page.expect_response("**/games")  # the games say which of them have such deals
    with page.expect_request("**/new-deals") as sent, renewed:
        page.get_by_label("Difficulty of new deals").select_option("Medium")
    assert "kind=medium" in (sent.value.post_data or "")
    expect(page.locator(".choice [role=status]")).to_have_text(
        "Winnable. The computer sees only what you see, and wins some of the time."
    )
    assert page.context.cookies()


def test_families_stand_in_the_order_of_the_links_to_them(page_with, site_address: str):
    page = page_with()
    page.goto(f"{site_address}/games")
    with all_faults() as at:
        for width, height in ((390, 900), (1024, 900), (1440, 900), (2560, 1440)):
            with at(f"{width} pixels"):
                resize(page, width, height)
                order = page.evaluate("""() => [...document.querySelectorAll(".jump a")].map(({ hash }) => {
                  const { left, top } = document.getElementById(hash.slice(1)).getBoundingClientRect();
                  return [Math.round(top), Math.round(left)];
                })""")
                assert len(order) == 10
                assert order == sorted(order)


BORDER = "button => getComputedStyle(button).borderColor"


@pytest.mark.parametrize("path", ["/", "/games"])
def test_a_tile_says_what_it_does(page: Page, browser: Browser, site_address: str, path: str):
    page.goto(f"{site_address}{path}")
    tile = page.locator(".tile").first
    button = tile.locator(".go")
    expect(button).to_have_text("Play")
    quiet = button.evaluate(BORDER)
    tile.locator("> button").hover()
    assert button.evaluate(BORDER) != quiet, "it lights up under the hand"
    phone = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True).new_page()
    phone.goto(f"{site_address}{path}")
    tile = phone.locator(".tile").first
    expect(tile.locator(".go")).to_be_visible()
    assert tile.locator(".go").evaluate(BORDER) == quiet, "the same button on every device"
    expect(tile.get_by_role("link", name="Rules of")).to_be_visible()
    phone.context.close()


@pytest.mark.parametrize("path", ["/", "/games"])
def test_the_last_lines_of_a_row_of_tiles_are_one_line(page: Page, site_address: str, path: str):
    """Star, rules and button lie 12 pixels from the edges, however long the texts above them are."""
    for width in (1024, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(f"{site_address}{path}")
        tiles = page.locator(".tile").evaluate_all(
            """tiles => tiles.slice(0, 4).map(tile => {
              const outer = tile.getBoundingClientRect();
              const [star, rules, go, facts] = [".star", ".facts a", ".go", ".facts > span"]
                .map(part => tile.querySelector(part).getBoundingClientRect());
              const middle = ({ top, bottom }) => (top + bottom) / 2;
              return { top: outer.top, bottom: outer.bottom,
                       insets: [outer.right - go.right, outer.bottom - go.bottom],
                       line: [star, rules, go].map(middle),
                       isInOrder: star.left < rules.left && rules.right < go.left,
                       gap: go.top - facts.bottom };
            })"""
        )
        assert len({(tile["top"], tile["bottom"]) for tile in tiles}) == 1
        for tile in tiles:
            assert tile["isInOrder"]
            assert tile["insets"] == pytest.approx([12, 12], abs=1)
            assert tile["line"] == pytest.approx([tiles[0]["line"][0]] * 3, abs=1)
            assert 0 <= tile["gap"] <= 16, "the facts stand directly above"


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (320, 640)])
@pytest.mark.parametrize("query", ["", "?q=klondike"])
def test_on_a_phone_play_rules_and_star_each_have_their_place(
    page_with, site_address: str, size: tuple[int, int], query: str
):
    page = page_with(viewport={"width": size[0], "height": size[1]}, has_touch=True, is_mobile=True)
    page.goto(f"{site_address}/games{query}")
    tiles = page.locator(".list .tile:visible").evaluate_all(
        """tiles => tiles.map(tile => {
          const outer = tile.getBoundingClientRect();
          const parts = [".facts span > span", ".chance", ".star", ".facts a", ".go"]
            .map(part => tile.querySelector(part).getBoundingClientRect());
          const middles = parts.map(({ top, bottom }) => (top + bottom) / 2);
          const buttons = parts.slice(2);
          return { facts: middles.slice(0, 2), middles: middles.slice(2),
                   heights: buttons.slice(0, 2).map(one => one.height), button: buttons[2].height,
                   gaps: buttons.slice(1).map((one, at) => one.left - buttons[at].right),
                   over: outer.bottom - buttons[2].bottom };
        })"""
    )
    assert tiles
    for tile in tiles:
        assert size[0] < 390 or tile["facts"] == pytest.approx([tile["facts"][0]] * 2, abs=1)
        assert tile["middles"] == pytest.approx([tile["middles"][0]] * 3, abs=1), "one line"
        assert min(tile["heights"]) >= 44, "for a finger"
        assert tile["button"] >= 36
        assert min(tile["gaps"]) >= 0
        assert tile["over"] >= 4, "within the tile"


def test_on_a_phone_a_record_is_a_line_of_its_own(page_with, site_address: str):
    page = page_with(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.goto(f"{site_address}/games")
    tile = page.locator("#game-klondike")
    before = tile.bounding_box()
    tile.locator(".facts > span").first.evaluate("""(facts) => {
      const record = document.createElement("b");
      record.textContent = "You won 12 of 34";
      facts.after(record);
    }""")
    after = tile.bounding_box()
    record, star = tile.locator(".facts b").bounding_box(), tile.locator(".star").bounding_box()
    assert before
    assert after
    assert record
    assert star
    assert record["height"] < 24
    assert record["y"] + record["height"] <= star["y"] + 6  # the star is taller than its sign
    assert after["height"] - before["height"] <= record["height"] + 1


def test_all_of_a_tile_deals(page: Page, site_address: str):
    for part in (".facts > span", ".go"):
        page.goto(f"{site_address}/games")
        box = page.locator("#game-klondike").locator(part).first.bounding_box()
        assert box
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_url("**/games/*")
