"""The home page: what fits on a phone, and rows of tiles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.faults import all_faults, resize

if TYPE_CHECKING:
    from playwright.sync_api import Page

PHONE: Any = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
TWO_SCREENS = 2 * 844  # pixels
OPEN_GAMES = ("rouge-et-noir", "terrace", "bristol")
MANY_GAMES = (*OPEN_GAMES, "klondike", "spider")
IS_FILLED = "one => getComputedStyle(one).backgroundColor !== 'rgba(0, 0, 0, 0)'"


def play(page: Page, site_address: str, path: str, **form: Any) -> None:
    answer = page.request.post(f"{site_address}{path}", form=form)
    assert answer.ok, answer.text()


def begin(page: Page, site_address: str, ruleset: str) -> None:
    """Deal a game and play a first move: before it, there is nothing to continue."""
    games = f"{site_address}/api/v1/games"
    dealt = page.request.post(games, data={"ruleset": ruleset}).json()
    first = {"version": 0, "move": dealt["legal_moves"][0]}
    assert page.request.post(f"{games}/{dealt['id']}/moves", data=first).ok


def home_with(page: Page, site_address: str, *games: str) -> None:
    """Show the home page of a player who has begun these games."""
    for game in games:
        begin(page, site_address, game)
    page.goto(site_address)


@pytest.mark.parametrize("games", [(), OPEN_GAMES], ids=["newcomer", "three open games"])
def test_the_home_page_of_a_phone_has_two_screens_at_most(
    page_with: Any, site_address: str, games: tuple[str, ...]
):
    page = page_with(**PHONE)
    home_with(page, site_address, *games)
    expect(page.locator(".continue li")).to_have_count(len(games))
    expect(page.locator(".strip > li")).to_have_count(8)
    height = page.evaluate("document.documentElement.scrollHeight")
    assert height <= TWO_SCREENS


@pytest.mark.parametrize("language", ["de", "fr", "pl", "pt-BR"])
def test_long_words_and_many_open_games_leave_it_at_two_screens(
    page_with: Any, site_address: str, language: str
):
    page = page_with(**PHONE, locale=language)
    home_with(page, site_address, "freecell", "spider", "rouge-et-noir", "klondike-draw-three")
    expect(page.locator(".continue li")).to_have_count(3)
    assert page.evaluate("document.documentElement.scrollHeight") <= TWO_SCREENS


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_newcomer_sees_the_first_cards_dealt_unless_they_want_less_motion(
    new_context: Any, site_address: str, motion: str
):
    context = new_context(reduced_motion=motion)
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    devtools.send("Animation.enable")
    devtools.send(
        "Animation.setPlaybackRate", {"playbackRate": 0.001}
    )  # still under way when asked
    page.goto(site_address)
    cards = page.locator(".first-game .down use").count()
    assert cards
    dealt = "document.getAnimations().filter(one => one.animationName === 'dealt').length"
    assert page.evaluate(dealt) == (cards if motion == "no-preference" else 0)


def test_the_picture_of_a_game_to_continue_is_as_high_as_its_tile(
    page_with: Any, site_address: str
):
    page = page_with()
    home_with(page, site_address, "blondes-and-brunettes-till-dawn", "bristol")
    with all_faults() as at:
        for width in (390, 1024, 1440):
            with at(f"{width} pixels"):
                resize(page, width, 900)
                heights = page.locator(".continue li:not(.large)").evaluate_all(
                    "all => all.map(li => [li, li.querySelector('.picture')].map(each => each.clientHeight))"
                )
                assert len(heights) == 1
                assert all(picture == tile for tile, picture in heights), heights


LONGEST_ROWS = """drawings => drawings.filter((one) => one.checkVisibility()).map((one) => {
  const tops = [...one.querySelectorAll("use")].map((card) => Math.round(card.getBoundingClientRect().top));
  return Math.max(...tops.map((top) => tops.filter((other) => other === top).length));
})"""


def test_a_wide_screen_shows_the_game_played_last_with_a_large_picture_and_a_button(
    page_with: Any, site_address: str
):
    page = page_with(viewport={"width": 1440, "height": 900})
    dealt = page.request.post(f"{site_address}/play", form={"ruleset": "bristol"})
    resign_after_a_move(page, dealt.url)
    page.goto(site_address)
    again = page.get_by_role("button", name="New deal of Bristol")
    picture, button = (again.locator(part).bounding_box() for part in (".picture", ".go"))
    assert picture["width"] >= again.bounding_box()["width"] - 2
    assert picture["height"] >= 200
    assert again.locator(".picture svg").evaluate_all(LONGEST_ROWS) == [8], "all columns, once"
    assert button["height"] >= 44
    expect(again.locator(".go")).to_have_text("Play")
    assert again.locator(".go").evaluate(IS_FILLED), "it is what comes next"
    resize(page, 390, 844)
    assert again.locator(".go").bounding_box()["width"] > 300


@pytest.mark.parametrize("games", [(), OPEN_GAMES[:1]], ids=["newcomer", "open game"])
def test_a_phone_shows_the_home_page_in_the_order_of_its_source(
    page_with: Any, site_address: str, games: tuple[str, ...]
):
    page = page_with(**PHONE)
    home_with(page, site_address, *games)
    names, tops = zip(
        *page.locator("main section").evaluate_all(
            "all => all.map(one => [one.className.split(' ')[0], one.getBoundingClientRect().top])"
        ),
        strict=True,
    )
    newcomers = ("first-game", "today", "choose", "company")
    assert names == (("continue", "today", "choose", "company") if games else newcomers)
    assert sorted(tops) == list(tops)


@pytest.mark.parametrize("games", [OPEN_GAMES[:1], OPEN_GAMES], ids=["one", "three"])
def test_a_phone_leads_with_all_of_the_table_that_was_left_last_and_has_the_day_second(
    page_with: Any, site_address: str, games: tuple[str, ...]
):
    page = page_with(**PHONE)
    home_with(page, site_address, *games)
    last = page.locator(".continue li").first
    expect(last).to_contain_text("1 move")
    ends = last.locator(".picture").evaluate(
        """picture => {
          const frame = picture.getBoundingClientRect();
          return [...picture.querySelectorAll("use, .place")].map((one) => {
            const box = one.getBoundingClientRect();
            return [box.left - frame.left, box.top - frame.top,
                    frame.right - box.right, frame.bottom - box.bottom];
          });
        }"""
    )
    assert len(ends) > 20
    assert min(map(min, ends)) >= 0, "a card or a place is cut off"
    go = last.locator(".go")
    expect(go).to_have_text("Continue")
    box = go.bounding_box()
    assert box
    assert box["width"] > 300
    assert box["height"] >= 44
    assert go.evaluate(IS_FILLED)
    day = page.locator("#today .start .primary")
    assert not day.evaluate(IS_FILLED)
    assert bottom(page, "#today .start .primary") < page.locator(".places").bounding_box()["y"]


def test_a_phone_shows_the_others_that_were_left_in_a_strip(page_with: Any, site_address: str):
    page = page_with(**PHONE)
    home_with(page, site_address, *OPEN_GAMES)
    boxes = [one.bounding_box() for one in page.locator(".continue li").all()]
    first, *others = boxes
    assert len(others) == 2
    assert all(first["y"] + first["height"] < other["y"] for other in others)
    assert len({other["y"] for other in others}) == 1
    assert max(other["height"] for other in others) <= 90
    assert max(other["x"] + other["width"] for other in others) <= 390
    expect(page.get_by_role("link", name="See all unfinished games")).to_have_count(0)


def test_who_left_more_games_finds_all_on_a_page_of_their_own(page_with: Any, site_address: str):
    page = page_with(**PHONE)
    home_with(page, site_address, *MANY_GAMES)
    page.get_by_role("link", name="See all unfinished games").click()
    expect(page.get_by_role("heading", name="Unfinished games")).to_be_visible()
    games = page.locator(".all-left > li")
    expect(games).to_have_count(len(MANY_GAMES))
    with all_faults() as at:
        for size in ((390, 844), (844, 390), (1440, 900)):
            with at(size):
                resize(page, *size)
                assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
                for box in [one.bounding_box() for one in games.locator(".go").all()]:
                    assert box["height"] >= 44
                names = games.locator(".name").evaluate_all(
                    "all => all.map(one => one.getBoundingClientRect().width)"
                )
                assert min(names) >= 130, "no column of single letters"
    games.first.get_by_role("link").click()
    page.wait_for_url("**/games/*")


def test_the_day_leads_while_its_clock_runs(page_with: Any, site_address: str):
    page = page_with(**PHONE)
    home_with(page, site_address, "bristol")
    path = page.locator("#today .start .primary").get_attribute("href")
    play(page, site_address, f"/daily/{path.rpartition('/')[2]}/play")
    page.goto(site_address)
    assert page.locator("#today .start .primary").evaluate(IS_FILLED)
    expect(page.locator(".continue .large")).to_have_count(0)
    assert bottom(page, "#today") < page.locator(".continue").bounding_box()["y"]


def test_tiles_of_todays_deals_in_a_row_are_equally_high(page_with: Any, site_address: str):
    page = page_with(viewport={"width": 1440, "height": 900})
    play(page, site_address, "/play", ruleset="bristol")  # a newcomer has no tiles
    page.goto(site_address)
    others = page.locator(".others li:not(.more) a").evaluate_all(
        "tiles => tiles.map(tile => tile.getAttribute('href'))"
    )
    # A featured one: the first may be there for being the last game played. What is open leads as a game that was left.
    path = f"{site_address}/daily/{others[-1].rpartition('/')[2]}/play"
    resign_after_a_move(page, page.request.post(path).url)
    page.reload()
    expect(page.locator(".others li:not(.fresh, .more)")).to_have_count(1)
    resize(page, 800, 900)  # on a wider screen each has a line
    boxes = page.locator(".others a").evaluate_all(
        "tiles => tiles.map(tile => tile.getBoundingClientRect()).map(({ y, height }) => [y, height])"
    )
    rows: dict[float, set[float]] = {}
    for top, height in boxes:
        rows.setdefault(top, set()).add(round(height))
    assert len(boxes) > len(rows)
    assert all(len(heights) == 1 for heights in rows.values()), rows


@pytest.mark.parametrize("games", [(), OPEN_GAMES], ids=["newcomer", "three open games"])
def test_rows_of_tiles_are_full(page_with: Any, site_address: str, games: tuple[str, ...]):
    page = page_with()
    home_with(page, site_address, *games)
    with all_faults() as at:
        for size in ((390, 844), (844, 390), (1024, 768), (1440, 900), (2560, 1440)):
            with at(f"{size}"):
                resize(page, *size)
                # On a phone the games are one row, which scrolls.
                for grid in (".others", ".together-links", *[".strip"] * (size[0] > 700)):
                    boxes = page.locator(f"{grid} > li:visible").evaluate_all(
                        "tiles => tiles.map(tile => tile.getBoundingClientRect()).map(({ y, width }) => [y, width])"
                    )
                    rows: dict[float, list[int]] = {}
                    for top, width in boxes:
                        rows.setdefault(top, []).append(round(width))
                    assert len({len(row) for row in rows.values()}) == 1, (grid, rows)
                    widths = [width for row in rows.values() for width in row]
                    assert max(widths) - min(widths) <= 1, (grid, rows)


def test_the_button_to_play_is_on_the_first_screen_of_a_phone_on_its_side(
    page_with: Any, site_address: str
):
    page = page_with()
    for size in ((740, 360), (844, 390), (932, 430)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.goto(site_address)
        assert bottom(page, ".first-game .primary") <= size[1], size
        assert bottom(page, "#today .featured") <= size[1], f"{size}: the day stands beside it"


def test_what_is_under_way_stands_beside_the_day_on_a_phone_on_its_side(
    page_with: Any, site_address: str
):
    page = page_with(viewport={"width": 844, "height": 390})
    home_with(page, site_address, *OPEN_GAMES)
    for part in (".continue li:last-child", "#today .featured"):
        assert bottom(page, part) <= 390, part


def test_tiles_in_a_strip_have_no_gap_below_their_names(page_with: Any, site_address: str):
    page = page_with(**PHONE)
    page.goto(site_address)
    name = page.locator(
        ".strip .name"
    ).first  # beside one of two lines the others have room to spare
    name.evaluate("name => name.append(' by another name, which takes two lines')")
    gaps = page.locator(".strip .tile").evaluate_all(
        """tiles => tiles.map(tile => tile.querySelector(".facts span").getBoundingClientRect().top
                                   - tile.querySelector(".name").getBoundingClientRect().bottom)"""
    )
    assert len(gaps) == 8
    assert max(gaps) <= 16


def test_the_last_line_of_a_tile_is_one_line_right_below_its_facts(
    page_with: Any, site_address: str
):
    page = page_with(**PHONE)
    measure = """tiles => tiles.map(tile => {
      const box = (part) => {
        const range = document.createRange();
        range.selectNodeContents(tile.querySelector(part));
        return range.getBoundingClientRect();
      };
      const star = tile.querySelector(".star").getBoundingClientRect();
      const rules = box(".facts a");
      return [rules.top - box(".facts > span").bottom,
              Math.abs((star.top + star.bottom) / 2 - (rules.top + rules.bottom) / 2)];
    })"""
    for path, tiles in (("/", ".strip .tile"), ("/games", ".list .tile")):
        page.goto(site_address + path)
        page.evaluate(
            "document.querySelectorAll('.relatives').forEach(one => { one.open = true; })"
        )
        found = page.locator(tiles).evaluate_all(measure)
        assert len(found) >= 8
        assert max(gap for gap, _ in found) < 20, path
        assert max(apart for _, apart in found) <= 2, path


def resign_after_a_move(page: Page, table: str) -> None:
    """So that the game counts."""
    state = page.request.get(table.replace("/games/", "/api/v1/games/")).json()
    move = {"version": 0, "move": state["legal_moves"][0]}
    page.request.post(f"{table}/move", form=move)
    page.request.post(f"{table}/resign", form={"version": 1})


def test_panels_of_the_statistics_leave_no_hole(page_with: Any, site_address: str):
    page = page_with()
    with all_faults() as at:
        for played, ruleset in enumerate(OPEN_GAMES, start=1):
            dealt = page.request.post(f"{site_address}/play", form={"ruleset": ruleset})
            resign_after_a_move(page, dealt.url)
            page.goto(f"{site_address}/me/statistics")
            for width in (390, 1024, 1440):
                with at(f"{played} games, {width} pixels"):
                    resize(page, width, 900)
                    grid = page.locator(".own-games-grid")
                    boxes = [panel.bounding_box() for panel in grid.locator("> .panel").all()]
                    whole = grid.bounding_box()
                    assert len(boxes) == played + 1
                    for top in {box["y"] for box in boxes}:
                        row = [box for box in boxes if box["y"] == top]
                        assert len({round(box["height"]) for box in row}) == 1
                        end = max(box["x"] + box["width"] for box in row)
                        assert abs(end - whole["x"] - whole["width"]) < 1, "the row is full"


def test_what_follows_tiles_and_panels_keeps_off_them(page_with: Any, site_address: str):
    page = page_with(viewport={"width": 1440, "height": 900})
    page.goto(f"{site_address}/games?search=spider")
    tiles, by_code = (page.locator(part).bounding_box() for part in ("#rules", ".by-code"))
    assert by_code["y"] - tiles["y"] - tiles["height"] >= 24
    dealt = page.request.post(f"{site_address}/play", form={"ruleset": "bristol"})
    resign_after_a_move(page, dealt.url)
    page.goto(f"{site_address}/me/statistics")
    panels = page.locator(".own-games-grid > .panel").evaluate_all(
        "all => all.map(panel => panel.getBoundingClientRect().bottom)"
    )
    line = page.locator(".own-games-grid + p").bounding_box()
    assert line["y"] - max(panels) >= 20


def test_a_phone_says_that_there_is_one_attempt_and_what_a_card_does(
    page_with: Any, site_address: str
):
    page = page_with(**PHONE)
    begin(page, site_address, "bristol")
    page.goto(site_address)
    expect(page.locator(".start").get_by_text("One attempt.")).to_be_visible()
    expect(page.locator(".continue li a .go")).to_have_text("Continue")


def test_a_star_is_pressed_in_place_and_works_without_scripts(page_with: Any, site_address: str):
    page = page_with(viewport={"width": 390, "height": 844})
    page.goto(f"{site_address}/games")
    page.locator("#more-yukon > summary").click()
    star = page.get_by_role("button", name="Favorite: Scorpion")
    expect(star).to_have_attribute("aria-pressed", "false")
    star.click()
    expect(star).to_have_attribute("aria-pressed", "true")
    told = page.get_by_role("status").filter(has_text="Scorpion is one of your favorites.")
    expect(told).to_be_in_viewport()
    expect(page).to_have_url(f"{site_address}/games")
    plain = page_with(java_script_enabled=False, storage_state=page.context.storage_state())
    plain.goto(f"{site_address}/games")
    favorites = plain.get_by_role("region", name="Your favorites")
    favorites.get_by_role("button", name="Favorite: Scorpion").click()
    expect(plain).to_have_url(f"{site_address}/games#game-scorpion")
    expect(favorites).to_have_count(0)
    expect(plain.locator("#game-scorpion")).to_be_visible()


def bottom(page: Page, selector: str) -> float:
    box = page.locator(selector).last.bounding_box()
    assert box is not None, selector
    return box["y"] + box["height"]


def test_a_newcomers_page_has_no_empty_corner(page_with: Any, site_address: str):
    page = page_with()
    page.goto(site_address)
    with all_faults() as at:
        for size in ((1024, 768), (1440, 900), (2560, 1440)):
            with at(f"{size}"):
                resize(page, *size)
                first, beside = bottom(page, ".first-game"), bottom(page, "#today")
                assert abs(first - beside) < 60, (
                    "what stands beside the first game is nearly as high"
                )
                promise = page.locator(".promise").bounding_box()
                assert promise is not None
                assert promise["y"] - max(first, beside) < 40
                picture, cloth = (
                    page.locator(f".first-game {part}").bounding_box() for part in ("svg", ".cloth")
                )
                assert picture is not None
                assert cloth is not None
                assert cloth["height"] - picture["height"] < 80, "no empty bands"


def test_the_cloth_of_a_first_game_grows_with_the_day_beside_it(page_with: Any, site_address: str):
    page = page_with(viewport={"width": 1440, "height": 900})
    page.goto(site_address)
    first = page.locator(".first-game .scene")
    before = page.evaluate("""() => {
      const height = document.querySelector(".first-game .scene").clientHeight;
      document.querySelector(".today .scene").style.minHeight = "700px";
      return height;
    }""")
    height = first.bounding_box()["height"]
    assert height > before
    assert first.locator(".cloth").bounding_box()["height"] == pytest.approx(height, abs=1)


@pytest.mark.parametrize("games", [OPEN_GAMES[:1], MANY_GAMES], ids=["one", "five"])
def test_what_was_left_of_late_leads_and_the_day_is_beside_or_below_it(
    page_with: Any, site_address: str, games: tuple[str, ...]
):
    page = page_with()
    home_with(page, site_address, *games)
    with all_faults() as at:
        for width in (1440, 390):
            with at(f"{width} pixels"):
                resize(page, width, 900)
                tables = page.get_by_role("region", name="Continue where you left off").locator(
                    "li:visible"
                )
                expect(tables).to_have_count(min(len(games), 3))
                expect(page.locator(".primary:visible")).to_have_count(1)
                boxes = [table.bounding_box() for table in tables.all()]
                first, *others = boxes
                assert len({box["y"] for box in others if box}) <= 1, "one strip"
                assert all(first["y"] + first["height"] < box["y"] for box in others if box)
                expect(tables.first.locator(".picture use").first).to_be_visible()
                expect(tables.first).to_contain_text("1 move just now")
                today, waiting = page.locator("#today").bounding_box(), tables.first.bounding_box()
                assert today
                assert waiting
                assert (
                    waiting["y"] < today["y"]
                    if width < 900
                    else waiting["x"] + waiting["width"] < today["x"]
                )
                assert page.evaluate("document.documentElement.scrollWidth") <= width
                if width > 1000:
                    assert abs(bottom(page, "#today") - bottom(page, ".continue")) < 4, (
                        "no empty corner"
                    )
                    own, of_the_day = (
                        page.locator(part).bounding_box()
                        for part in (".large .picture", "#today .scene")
                    )
                    assert own["width"] > 1.8 * of_the_day["width"], "the filled button's is larger"
                    assert abs(own["y"] - of_the_day["y"]) < 2, "both begin at one height"


def test_far_away_from_a_large_screen_the_words_around_the_page_are_large(
    page_with: Any, site_address: str
):
    sizes = []
    page = page_with()
    page.goto(site_address)
    for width, height in ((1440, 900), (2560, 1440)):
        resize(page, width, height)
        sizes.append(
            [
                page.locator(name).first.evaluate(
                    "element => parseFloat(getComputedStyle(element).fontSize)"
                )
                for name in (".places a", ".foot a", ".about", ".brand")
            ]
            + [page.locator(".top").bounding_box()["height"]]
        )
    assert [large / small for small, large in zip(*sizes, strict=True)] == pytest.approx(
        [1.5] * 5, rel=0.05
    )


@pytest.mark.parametrize("language", ["en", "de", "pl"])
def test_the_star_and_the_rules_of_a_tile_share_a_line(
    page_with: Any, site_address: str, language: str
):
    page = page_with(viewport={"width": 1440, "height": 900}, locale=language)
    begin(page, site_address, "bristol")
    page.goto(site_address)
    tile = page.locator("#game-bristol")
    star, rules = (tile.locator(f".facts {part}").bounding_box()["y"] for part in (".star", "a"))
    assert abs(star - rules) < 20


@pytest.mark.parametrize("game", ["klondike", "spider", "bristol", "canfield", "terrace"])
def test_moves_in_pictures_fill_their_rows(page_with: Any, site_address: str, game: str):
    page = page_with()
    page.goto(f"{site_address}/rules/{game}")
    with all_faults() as at:
        for width in (390, 1440):
            with at(f"{game}, {width} pixels"):
                resize(page, width, 900)
                gaps = page.locator(".moves").evaluate_all(
                    """all => all.flatMap(moves => [...moves.getClientRects()].map(part => {  // one in each column
                      const rows = new Map();
                      for (const figure of moves.children) {
                        const { top, left, right } = figure.getBoundingClientRect();
                        if (left < part.left - 1 || right > part.right + 1) continue;
                        rows.set(top, Math.max(rows.get(top) ?? 0, right));
                      }
                      return rows.size ? Math.max(...[...rows.values()].map(right => part.right - right)) : 0;
                    }))"""
                )
                assert len(gaps) > 2
                assert max(gaps) < 2


@pytest.mark.parametrize("locale", ["de-DE", "fr-FR"])
def test_the_rules_of_todays_deal_lie_within_its_card(
    page_with: Any, site_address: str, locale: str
):
    page = page_with(viewport={"width": 1440, "height": 900}, locale=locale)
    # Newcomers see no rules there on a day of the game that they begin with.
    game = page.request.post(f"{site_address}/api/v1/games", data={"ruleset": "bristol"}).json()
    page.request.post(f"{site_address}/api/v1/games/{game['id']}/resign", data={"version": 0})
    page.goto(site_address)
    card = page.locator("#today .featured").bounding_box()
    rules = page.locator("#today .about a").bounding_box()
    assert rules["x"] + rules["width"] <= card["x"] + card["width"] - 8


def test_the_page_uses_the_width_of_a_large_screen(page_with, site_address):
    page = page_with()
    page.goto(site_address)
    with all_faults() as at:
        for size in ((1440, 900), (1920, 1080), (2560, 1440)):
            with at(f"{size}"):
                resize(page, *size)
                share = page.locator("main").bounding_box()["width"] / size[0]
                assert 0.74 <= share <= 0.8
                play = page.locator(".first-game .primary, .front .primary").first.bounding_box()
                assert play["y"] + play["height"] <= size[1]
                assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_the_buttons_of_the_ways_to_play_together_are_at_one_height(
    page_with: Any, site_address: str
):
    page = page_with()
    page.goto(f"{site_address}/together")
    with all_faults() as at:
        for size in ((1440, 900), (2560, 1440)):
            with at(f"{size}"):
                resize(page, *size)
                ends = page.locator(".together section").evaluate_all(
                    """all => all.map(one => {
                      const buttons = [...one.querySelectorAll("button, a.secondary, a.primary")];
                      const last = buttons.at(-1).getBoundingClientRect();
                      return [Math.round(one.getBoundingClientRect().top), Math.round(last.bottom)];
                    })"""
                )
                rows: dict[int, set[int]] = {}
                for top, end in ends:
                    rows.setdefault(top, set()).add(end)
                assert len(ends) > len(rows)
                assert all(max(row) - min(row) <= 1 for row in rows.values()), rows


@pytest.mark.parametrize("path", ["/together", "/watch", "/ratings"])
def test_no_word_stands_alone_in_the_last_line_of_what_a_page_is_for(
    page_with: Any, site_address: str, path: str
):
    page = page_with(**PHONE)
    page.goto(site_address + path)
    tops = page.locator("main p").first.evaluate(
        """p => {
          const words = [...p.textContent.matchAll(/\\S+/g)].slice(-2);
          return words.map(({ index, 0: word }) => {
            const range = document.createRange();
            range.setStart(p.firstChild, index);
            range.setEnd(p.firstChild, index + word.length);
            return range.getBoundingClientRect().top;
          });
        }"""
    )
    assert len(tops) == 2
    assert tops[0] == tops[1]


@pytest.mark.parametrize("has_script", [True, False])
def test_pictures_and_titles_of_the_ways_to_play_together_lead_there(
    page_with: Any, site_address: str, has_script: bool
):
    page = page_with(java_script_enabled=has_script)
    page.goto(f"{site_address}/together")
    expect(page.locator(".together section")).to_have_count(4)
    for number, path in enumerate(("/race", "/games/", "/challenge", "/leagues")):
        for part in (".picture", "h2 > *"):
            page.goto(f"{site_address}/together")
            page.locator(".together section").nth(number).locator(part).click()
            page.wait_for_url(f"{site_address}{path}*")


def test_a_language_that_is_chosen_counts_at_once(page_with: Any, site_address: str):
    page = page_with(viewport={"width": 1440, "height": 900})
    page.goto(f"{site_address}/rules/bristol")
    expect(page.get_by_role("button", name="Change language")).to_be_hidden()
    page.locator("#language").select_option("de")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.wait_for_url("**/rules/bristol")


def test_by_keys_a_language_is_chosen_with_the_button(page_with: Any, site_address: str):
    """The arrow keys choose each language on the way."""
    page = page_with(viewport={"width": 1440, "height": 900})
    page.goto(f"{site_address}/rules/bristol")
    page.locator("#language").focus()
    page.keyboard.press("d")
    expect(page.locator("#language")).to_have_value("de")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.get_by_role("button", name="Change language").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")


def test_a_phone_shows_every_way_to_play_together_at_first_sight(page_with: Any, site_address: str):
    page = page_with(viewport={"width": 390, "height": 844}, has_touch=True)
    page.goto(f"{site_address}/together")
    places = page.locator(".places").bounding_box()
    assert places
    begins = page.locator(
        ".together section :is(button, a.secondary, a.primary):not(h2 *, .picture)"
    ).all()
    assert len(begins) == 4
    for begin in begins:
        box = begin.bounding_box()
        assert box, begin
        assert box["y"] + box["height"] <= places["y"]
    small = page.locator("main :is(a, button, select, input:not([type=hidden]))").evaluate_all(
        "all => all.filter(one => one.getBoundingClientRect().height < 43.5).map(one => one.outerHTML)"
    )
    assert not small


def test_a_phone_on_its_side_shows_two_ways_and_the_titles_of_the_others(
    page_with: Any, site_address: str
):
    page = page_with(viewport={"width": 844, "height": 390}, has_touch=True)
    page.goto(f"{site_address}/together")
    for name in ("New race", "Open a table"):
        expect(page.locator(".together").get_by_text(name, exact=True)).to_be_in_viewport(ratio=1)
    for title in page.locator(".together h2").all():
        expect(title).to_be_in_viewport(ratio=0.9)


def test_the_home_page_leads_to_the_shared_table(page_with: Any, site_address: str):
    page = page_with(viewport={"width": 390, "height": 500})
    page.goto(site_address)
    page.get_by_role("link", name="Share a table").click()
    expect(page.get_by_role("button", name="Open a table")).to_be_in_viewport()


def test_cards_in_the_picture_of_the_day_can_be_read_on_a_phone(page_with: Any, site_address: str):
    page = page_with(**PHONE)
    play(page, site_address, "/play", ruleset="bristol")  # newcomers have a smaller one
    page.goto(site_address)
    card = page.locator("#today .scene use:not([href*='mark'])").last
    with all_faults() as at:
        for size in ((390, 844), (844, 390)):
            with at(size):
                resize(page, *size)
                assert card.evaluate("one => one.getBoundingClientRect().width") >= 26
                scene = page.locator("#today .scene").bounding_box()
                assert scene["height"] <= 190, "the button below it is on the first screen"


def test_the_game_that_was_left_has_the_main_button_beside_the_day(
    page_with: Any, site_address: str
):
    page = page_with(viewport={"width": 1440, "height": 900})
    own, of_the_day = page.locator(".continue .go"), page.locator("#today .start .primary")
    for game in ("bristol", "klondike"):
        home_with(page, site_address, game)
        assert own.first.evaluate(IS_FILLED)
        assert not of_the_day.evaluate(IS_FILLED)
