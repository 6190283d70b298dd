"""Deals and finished games as visitors see them: by button, key and slider, and without a script."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import violations
from tests.browser.faults import all_faults, resize
from tests.browser.game_page import wait_until
from tests.browser.interception import intercept
from tests.golden.records import RECORDS
from tests.support.games import UNLIKE
from tests.support.known import CODE

pytestmark = pytest.mark.kept_page

IDS = [rules.id for rules in UNLIKE]
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def bring(site_address):
    """Bring a finished game to the site and open its replay."""

    def open_replay(page, name, query="?at=0"):
        record = next(record for record in RECORDS if record.name == name)
        moves = "".join(f"{n}. {move}\n" for n, move in enumerate(record.moves, start=1))
        text = f"Game: {record.ruleset}\nDeal: {record.code}\n{moves}"
        answer = page.request.post(f"{site_address}/api/v1/records", data={"record": text})
        assert answer.status == 201, answer.text()
        address = f"{site_address}/games/{answer.json()['id']}/replay"
        page.goto(address + query)
        return address, len(record.moves)

    return open_replay


def at(page, step):
    expect(page.locator(".step-line .at")).to_have_text(str(step))
    expect(page.locator("#table")).to_have_attribute("data-at", str(step))


def piles(page):
    return page.locator("#table .pile").evaluate_all("piles => piles.map((pile) => pile.outerHTML)")


def cards_home(page):
    labels = page.locator(".foundations .pile")
    return [labels.nth(n).get_attribute("aria-label") for n in range(labels.count())]


def test_a_replay_is_walked_by_button_key_and_slider(page, bring, page_errors):
    address, last = bring(page, "bristol-won")
    at(page, 0)
    expect(page.locator(".step-text")).to_have_text("The opening.")
    page.get_by_role("link", name="Next").click()
    at(page, 1)
    expect(page.locator(".step-text")).not_to_have_text("The opening.")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    at(page, 2)
    page.keyboard.press("End")
    at(page, last)
    assert all("13 cards" in home or "thirteen cards" in home for home in cards_home(page))
    expect(page.get_by_role("link", name="Next")).to_have_count(0)
    expect(page.get_by_role("button", name="Play on from here")).to_be_disabled()
    page.get_by_label("Step", exact=True).fill("30")
    at(page, 30)
    expect(page).to_have_url(f"{address}?at=30")
    stepped = piles(page)
    page.reload()
    assert piles(page) == stepped
    page.locator(".menu > summary").click()
    page.locator(".moves a").nth(11).click()
    at(page, 12)
    page.keyboard.press("Escape")
    page.keyboard.press("Home")
    at(page, 0)
    assert page_errors == []


def test_a_step_that_fails_late_does_not_stop_the_one_asked_for_after_it(page, bring):
    """Of two steps on the way the older one fails, then the newer one arrives."""
    _, last = bring(page, "bristol-won")
    at(page, 0)
    page.wait_for_load_state("networkidle")
    held = {}
    intercept(
        page,
        re.compile(rf"/replay\?at=({last}|{last - 1})$"),
        lambda route: held.update({int(route.request.url.rpartition("=")[2]): route}),
    )
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    wait_until(page, lambda: len(held) == 2)
    held[last].abort()
    page.wait_for_timeout(200)
    held[last - 1].continue_()
    at(page, last - 1)
    expect(page.get_by_text("This step couldn't be loaded.")).to_have_count(0)


def test_a_replay_plays_automatically_until_it_is_stopped(page, bring):
    bring(page, "bristol-won", "?at=60")
    page.get_by_label("Speed").select_option("fast")
    page.keyboard.press("Tab")
    page.locator("body").click(position={"x": 5, "y": 300})
    page.keyboard.press("Space")
    play, pause = (page.get_by_role("button", name=word, exact=True) for word in ("Play", "Pause"))
    expect(pause).to_be_visible()
    expect(play).to_have_count(0)
    at(page, 68)
    expect(play).to_be_visible()
    expect(pause).to_have_count(0)


def test_a_replay_that_is_opened_plays_by_itself(page, bring):
    bring(page, "bristol-won", "")
    expect(page.locator(".step-line .at")).to_have_text(re.compile(r"^([2-9]|\d\d+)$"))
    page.get_by_role("button", name="Pause", exact=True).click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    page.wait_for_timeout(500)  # the step that was under way
    step = page.locator(".step-line .at").inner_text()
    page.wait_for_timeout(1500)
    at(page, step)


@pytest.mark.parametrize(("motion", "query"), [("reduce", ""), ("no-preference", "?at=0")])
def test_a_replay_stands_still_at_a_given_step_and_with_reduced_motion(page, bring, motion, query):
    page.emulate_media(reduced_motion=motion)
    bring(page, "bristol-won", query)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    page.wait_for_timeout(2000)
    at(page, 0)


@pytest.mark.usefixtures("context")  # it keeps a script
def test_a_replay_that_nobody_sees_does_not_begin(page, bring):
    page.add_init_script("Object.defineProperty(document, 'hidden', { get: () => !window.seen })")
    bring(page, "bristol-won", "")
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    page.wait_for_timeout(1500)
    at(page, 0)
    page.evaluate("window.seen = true")
    expect(page.locator(".step-line .at")).not_to_have_text("0")


def test_the_list_of_moves_says_each_as_the_step_does(page, bring):
    bring(page, "bristol-won", "?at=3")
    said = page.locator(".step-text").inner_text()
    page.locator(".menu > summary").click()
    line = page.locator(".moves a[aria-current]")
    notation = line.locator(".notation").inner_text()
    expect(line).to_have_text(re.compile(rf"^\s*{re.escape(said)}\s*{notation}\s*$"))
    expect(line).to_have_attribute("title", re.compile(rf"^{notation} "))
    expect(page.get_by_role("link", name=said, exact=True)).to_be_visible()


def test_without_a_script_a_replay_is_a_chain_of_links(page_with, bring):
    page = page_with(java_script_enabled=False)
    address, last = bring(page, "signora-won")
    page.get_by_role("link", name="Next").click()
    at(page, 1)
    page.get_by_role("link", name="End").click()
    expect(page).to_have_url(f"{address}?at={last}")
    page.get_by_role("link", name="Back").click()
    at(page, last - 1)
    page.get_by_role("button", name="Play on from here").click()
    expect(page.get_by_role("group", name="Stock")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/games/[^/]+$"))


def test_a_game_that_the_site_played_is_stepped_through_and_its_deal_played(
    page, site_address, page_errors
):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{site_address}/watch/klondike?at=0")
    assert "The site won in" in page.locator(".at-replay .summary.brief").inner_text()
    page.locator(".rail .next").click()
    page.wait_for_function("document.querySelector('#table').dataset.at === '1'")
    page.get_by_role("button", name="Play this deal").click()
    page.wait_for_url("**/games/*")
    assert not page_errors


@pytest.mark.parametrize("size", [(390, 844), (1440, 900)])
@pytest.mark.parametrize(
    ("shown", "zone"), [("klondike?at=40", "waste"), ("new-york?at=120", "r1")]
)
def test_the_top_card_of_a_pile_beside_others_shows_its_whole_face(
    page, site_address, size, shown, zone
):
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    page.goto(f"{site_address}/watch/{shown}")
    faces = page.locator(f"#{zone} > b svg").evaluate_all(
        "faces => faces.map((face) => ['middle', 'narrow'].map("
        "(part) => getComputedStyle(face).getPropertyValue(`--card-${part}`)))"
    )
    assert len(faces) > 1
    assert faces[-1][0] != "none"
    assert faces[-1][1] != "inline"
    assert all(middle == "none" for middle, _ in faces[:-1])


def test_playing_on_from_a_step_opens_a_table(page, bring):
    bring(page, "bristol-won", "?at=10")
    page.keyboard.press("ArrowRight")
    at(page, 11)
    page.get_by_role("button", name="Play on from here").click()
    expect(page.locator("#state")).to_have_attribute("data-version", "11")


def test_a_link_is_copied_and_handed_to_the_device(browser, site_address):
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.add_init_script(
        "navigator.share = async (what) => { document.title = JSON.stringify(what) }"
    )
    page.goto(f"{site_address}/deal/bristol/{CODE}")
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    expect(page.locator(".copy + [role=status]")).to_have_text("Copied")  # for screen readers
    link = f"{site_address}/deal/bristol/{CODE}"
    assert page.evaluate("navigator.clipboard.readText()") == link
    page.get_by_role("button", name="Share…").click()
    expect(page).to_have_title(re.compile(re.escape(f'"url":"{link}"')))
    expect(page).to_have_title(re.compile(re.escape(f'"text":"Bristol, deal {CODE}')))
    page.get_by_text("QR code").click()
    image = page.get_by_alt_text("QR code of the link to this deal")
    expect(image).to_be_visible()
    assert image.evaluate("async (image) => (await image.decode(), image.naturalWidth > 0)")
    context.close()


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1440, 900)])
def test_the_deal_page_shows_all_piles_of_a_game_with_many(page, site_address, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{site_address}/deal/new-york/{CODE}")
    outside = """() => {
      const cloth = document.querySelector(".preview").getBoundingClientRect();
      return [...document.querySelectorAll("#table .pile > :is(b, i)")].filter((card) => {
        const { left, right, top, bottom } = card.getBoundingClientRect();
        return left < cloth.left || right > cloth.right || top < cloth.top || bottom > cloth.bottom;
      }).map((card) => card.parentElement.id);
    }"""
    assert page.evaluate(outside) == []


def test_the_deal_page_starts_its_deal(page, site_address, page_errors):
    page.goto(f"{site_address}/deal/signora/{CODE}")
    page.get_by_role("button", name="Play this deal").click()
    expect(page.locator("form#table")).to_be_visible()
    page.goto(f"{site_address}/deal/signora/{CODE}")
    page.get_by_role("link", name="Continue your game").click()
    expect(page.locator("form#table")).to_be_visible()
    assert page_errors == []


def test_the_end_of_a_game_leads_to_its_replay_and_deal(page, open_game):
    open_game(page, "bristol", CODE)
    page.locator(".menu > summary").click()
    page.locator(".end summary").click()
    page.get_by_role("button", name="Yes, resign").click()
    ending = page.locator(".ending")
    more = ending.get_by_text("More", exact=True)
    more.click()
    assert ending.get_by_role("link", name="Share deal").get_attribute("href").endswith(CODE)
    ending.get_by_role("link", name="Replay").click()
    at(page, 0)


def test_a_bad_record_is_shown_with_its_error(page, site_address):
    page.goto(f"{site_address}/import")
    page.get_by_label("The game as text").fill(
        f"Game: Bristol\nDeal: {CODE}\n\n1. deal\n2. t1-t1\n"
    )
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("alert")).to_contain_text("Line 5: Move 2, t1-t1:")
    expect(page.get_by_label("The game as text")).to_have_value(
        f"Game: Bristol\nDeal: {CODE}\n\n1. deal\n2. t1-t1\n"
    )
    assert violations(page) == []


def test_deals_replays_and_records_are_accessible(page_with, site_address, bring):
    page = page_with()
    with all_faults() as at:

        def expect_access(name: str) -> None:
            for scheme in ("light", "dark"):
                with at(f"{name} {scheme}"):
                    page.emulate_media(color_scheme=scheme)
                    assert violations(page) == []

        for path in (f"/deal/bristol/{CODE}", f"/deal/rouge-et-noir/{CODE}", "/import"):
            page.goto(site_address + path)
            expect_access(path)
        bring(page, "signora-won", "?at=50")
        expect_access("replay")
        page.locator(".menu > summary").click()
        expect_access("menu")


def lose(page, open_game) -> str:
    """Deal once and resign; the address of the game."""
    open_game(page, "klondike", CODE)
    game: str = page.url
    page.request.post(f"{game}/deal", form={"version": 0})
    page.request.post(f"{game}/resign", form={"version": 1})
    return game


def test_a_replay_on_a_phone_has_a_way_back_and_its_choices_in_one_row(page_with, open_game):
    page = page_with(viewport=PHONE)
    game = lose(page, open_game)
    page.goto(f"{game}/replay?at=0")
    slider = page.locator(".jump input[type=range]").bounding_box()
    assert slider["width"] > PHONE["width"] * 0.85
    names = (".pace select", ".fork button", ".hindsight button")
    row = [page.locator(name).bounding_box() for name in names]
    assert len({(box["y"], box["height"]) for box in row}) == 1
    page.get_by_role("link", name="Back to the game").click()
    expect(page).to_have_url(game)


def test_a_wide_replay_has_a_long_slider_and_all_else_in_one_row(page_with, open_game):
    page = page_with()
    page.goto(f"{lose(page, open_game)}/replay?at=0")
    with all_faults() as at:
        for width, height in ((1440, 900), (844, 390)):
            with at(f"{width}x{height}"):
                resize(page, width, height)
                slider = page.locator(".jump input[type=range]").bounding_box()
                assert slider["width"] >= 500
                names = (".step-line [role=status]", ".pace", ".fork button", ".hindsight button")
                row = [page.locator(name).bounding_box() for name in names]
                middles = [box["y"] + box["height"] / 2 for box in row]
                assert max(middles) - min(middles) < 3
                assert min(box["y"] for box in row) >= slider["y"] + slider["height"] - 1
                end = row[-1]["x"] + row[-1]["width"]
                assert [row[0]["x"], end] == pytest.approx(
                    [slider["x"], slider["x"] + slider["width"]], abs=2
                )


@pytest.mark.parametrize("ruleset", IDS)
def test_nothing_scrolls_sideways_on_a_phone(page_with, site_address, bring, ruleset):
    page = page_with(viewport=PHONE)
    page.goto(f"{site_address}/deal/{ruleset}/{CODE}")
    wide = "document.documentElement.scrollWidth"
    assert page.evaluate(wide) == PHONE["width"]
    cloth = page.locator(".preview .cloth").bounding_box()
    for pile in page.locator(".preview .pile").all():
        box = pile.bounding_box()
        assert box["x"] >= cloth["x"] - 1
        assert box["x"] + box["width"] <= cloth["x"] + cloth["width"] + 1
    for step in (0, 40):
        bring(page, f"{ruleset}-won", f"?at={step}")
        assert page.evaluate(wide) == PHONE["width"]
        assert page.evaluate("document.documentElement.scrollHeight") == PHONE["height"]


def test_a_phone_without_a_share_sheet_has_no_gap_below_copy(page_with, site_address):
    page = page_with(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.goto(f"{site_address}/deal/bristol/7KQ4M-2XWTP")
    page.wait_for_load_state()
    assert page.evaluate("navigator.share === undefined && matchMedia('(pointer: coarse)').matches")
    share, copy = page.locator(".share").bounding_box(), page.locator(".share .copy").bounding_box()
    assert share["y"] + share["height"] - copy["y"] - copy["height"] < 4


def test_the_menu_of_a_replay_stands_where_it_is_on_every_table(page, bring):
    page.set_viewport_size({"width": 1440, "height": 900})
    bring(page, RECORDS[0].name)
    menu = page.locator(".at-replay .places").bounding_box()
    assert menu["x"] + menu["width"] > 1440 - 130
