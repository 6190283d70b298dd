"""For everybody: without a script, on a phone, by screen reader, on a thin line."""

import re
from itertools import product

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import violations
from tests.browser.faults import all_faults, resize
from tests.golden.records import RECORDS
from tests.support.games import UNLIKE

pytestmark = pytest.mark.kept_page

BRISTOL = "7KQ4M-2XWTP"
WITH_A_CHOICE = "00000-00003"  # Bristol: t3 may go to t4 or t7, and to no foundation
IDS = [rules.id for rules in UNLIKE]
LONGEST = next(r for r in RECORDS if r.code and r.ruleset == "rouge-et-noir" and r.end == "won")
SCHEMES = ("light", "dark")
A_TOUCH = 44  # pixels that a finger needs
WEIGHT = 120 * 1024


def test_the_pages_around_the_table_are_accessible(page, site_address):
    with all_faults() as at:
        for path in ("/", "/rules/rouge-et-noir", "/rules/no-such-game"):
            page.goto(site_address + path)
            for scheme in SCHEMES:
                with at(f"{path} {scheme}"):
                    page.emulate_media(color_scheme=scheme)
                    assert violations(page) == []


@pytest.mark.parametrize("ruleset", IDS)
def test_every_table_is_accessible(page_with, open_game, ruleset):
    scheme = "dark" if IDS.index(ruleset) % 2 else "light"
    page = page_with(color_scheme=scheme)
    open_game(page, ruleset, BRISTOL)
    assert violations(page) == []


def test_a_table_in_use_is_accessible(page_with, open_game):
    page = page_with()
    game_page = open_game(page, "bristol", WITH_A_CHOICE)
    game_page.click("t3")
    expect(page.locator(".pile.lit")).to_have_count(2)
    page.locator(".menu > summary").click()
    expect(page.locator(".menu")).to_have_attribute("open", "")
    with all_faults() as at:
        expect_to_be_accessible_everywhere(page, at, "menu")
        assert page.locator(".pile.lit").count() == 2
        assert page.locator(".menu[open]").count() == 1
        page.locator(".end summary").click()
        page.get_by_role("button", name="Yes, resign").click()
        expect(page.get_by_role("heading", name="You resigned")).to_be_visible()
        expect_to_be_accessible_everywhere(page, at, "resigned")


def expect_to_be_accessible_everywhere(page, at, name) -> None:
    for width, scheme in product((1280, 390), SCHEMES):
        with at(f"{name}, {width} pixels, {scheme}"):
            resize(page, width, 844)
            page.emulate_media(color_scheme=scheme)
            assert violations(page) == []


def test_piles_and_cards_have_names(page, open_game):
    game_page = open_game(page, "rouge-et-noir", BRISTOL)
    page.keyboard.press("d")
    game_page.expect_version(1)
    expect(page.get_by_role("group", name="Stock, 49 cards")).to_be_visible()
    column = page.get_by_role("group", name="Column 1, ten cards, eight face down")
    assert column.get_by_role("button").count() >= 1
    expect(game_page.notice).to_contain_text("Dealt ten cards: the ")
    expect(game_page.notice).to_have_attribute("role", "status")


def test_without_a_script_the_same_buttons_play(page_with, deal_on_the_games_page):
    page = page_with(java_script_enabled=False)
    game_page = deal_on_the_games_page(page, "bristol", WITH_A_CHOICE)
    game_page.card("t3").click()
    expect(page).to_have_url(re.compile(r"\?held=t3$"))
    expect(page.locator(".pile.lit")).to_have_count(2)
    game_page.card("t7").click()
    game_page.expect_version(1)
    page.get_by_role("button", name="Undo", exact=True).click()
    game_page.expect_version(2)
    page.locator("#stock button").click()
    game_page.expect_version(3)
    game_page.card("f1").click()
    expect(game_page.notice).to_contain_text("An empty foundation starts with an ace.")
    page.locator(".menu > summary").click()
    page.locator(".end summary").click()
    page.get_by_role("button", name="Yes, resign").click()
    expect(page.get_by_role("heading", name="You resigned")).to_be_visible()
    page.get_by_role("button", name="New deal", exact=True).first.click()
    game_page.expect_version(0)


def test_the_look_is_chosen_without_a_script(page_with, site_address):
    page = page_with(java_script_enabled=False)
    page.goto(f"{site_address}/settings?back=/rules/bristol")
    page.get_by_role("radio", name="Dark").check()
    page.get_by_role("radio", name="Four colors").check()
    page.get_by_role("button", name="Save").click()
    expect(page).to_have_url(f"{site_address}/rules/bristol")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


@pytest.mark.parametrize("ruleset", IDS)
def test_a_phone_never_scrolls_sideways_and_every_card_can_be_touched(
    page_with, open_game, ruleset
):
    page = page_with(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    open_game(page, ruleset, BRISTOL)
    assert _scrolls(page) == [False, False]
    for pile in page.locator(".tableau .pile").all():
        column = pile.bounding_box()
        top = pile.locator("button").last.bounding_box()
        assert top["height"] >= A_TOUCH
        assert top["width"] >= column["width"] - 1
        assert column["x"] >= 0
        assert column["x"] + column["width"] <= 390


def _scrolls(page) -> list[bool]:
    answers: list[bool] = page.evaluate(
        """() => [document.documentElement.scrollWidth > innerWidth,
                  document.documentElement.scrollHeight > innerHeight]"""
    )
    return answers


def test_long_columns_squeeze_before_anything_scrolls(page_with, open_game):
    page = page_with()
    game_page = open_game(page, LONGEST.ruleset, LONGEST.code)
    deals = [i for i, move in enumerate(LONGEST.moves) if move == "deal"]
    game_page.play_unseen(LONGEST.moves[: deals[-1] + 1])
    game_page.expect_version(deals[-1] + 1)
    with all_faults() as at:
        for size in ((1440, 900), (1024, 768), (768, 1024), (390, 844)):
            with at(size):
                resize(page, *size)
                assert _scrolls(page) == [False, False]
                floor = page.locator(".cloth").bounding_box()
                for card in page.locator(".tableau .pile > :last-child").all():
                    box = card.bounding_box()
                    assert box["y"] + box["height"] <= floor["y"] + floor["height"] + 1


def test_a_reserve_of_seven_cards_shows_every_rank_on_a_phone(page_with, open_game):
    page = page_with(viewport={"width": 390, "height": 844}, is_mobile=True)
    game_page = open_game(page, "bristol", BRISTOL)
    game_page.play_unseen(["deal"] * 6)
    game_page.expect_version(6)
    for pile in page.locator(".reserve .pile").all():
        covered = pile.locator("> button, > b, > i").all()[:-1]
        assert len(covered) == 6
        for card in covered:
            assert card.bounding_box()["height"] >= 15


def received_on_a_first_visit(context, address, *, least: int) -> float:
    """Bytes over the wire, with headers, until the page is at rest."""
    page = context.new_page()
    wire = context.new_cdp_session(page)
    wire.send("Network.enable")
    under_way: set[str] = set()
    received: list[float] = []

    def began(event) -> None:
        if not event["request"]["url"].startswith("data:"):  # arrived within its style sheet
            under_way.add(event["requestId"])

    def finished(event) -> None:
        if event["requestId"] in under_way:
            under_way.remove(event["requestId"])
            received.append(event["encodedDataLength"])

    wire.on("Network.requestWillBeSent", began)
    wire.on("Network.loadingFinished", finished)
    page.goto(address)
    page.wait_for_timeout(500)
    for _ in range(50):  # what the machine was too busy for until now; streams never finish
        if len(received) >= least and len(under_way) <= 1:
            break
        page.wait_for_timeout(100)
    assert len(received) >= least
    return sum(received)


@pytest.mark.parametrize("path", ["/", "/games", "/daily"])
def test_a_first_visit_weighs_little(browser, site_address, path):
    context = browser.new_context()
    assert received_on_a_first_visit(context, site_address + path, least=5) <= WEIGHT
    context.close()


def test_a_first_visit_to_a_table_weighs_little(browser, open_game):
    context = browser.new_context()
    page = context.new_page()
    open_game(page, "rouge-et-noir", BRISTOL)
    fresh = browser.new_context(storage_state=context.storage_state())
    assert received_on_a_first_visit(fresh, page.url, least=8) <= WEIGHT
    fresh.close()
    context.close()


SMALL_TARGETS = """() => [...document.querySelectorAll("a, button, summary, select, label:has(input)")]
  .filter((each) => each.checkVisibility({checkVisibilityCSS: true, checkOpacity: true}))
  .filter((each) => {
    const alone = each.parentElement.textContent.trim().length <= each.textContent.trim().length + 3;
    return alone || getComputedStyle(each).display !== "inline"; // a link within a sentence is as high as its line
  })
  .map((each) => [each.textContent.trim(), each.getBoundingClientRect()])
  .filter(([, box]) => box.width && box.right > 0 && (box.width < 24 || box.height < 24))
  .map(([text, box]) => [text, box.width, box.height])"""


def test_what_stands_alone_is_large_enough_for_a_finger(page_with, site_address, open_game):
    page = page_with()
    open_game(page, "bristol", BRISTOL)
    with all_faults() as at:
        for path in ("", "/", "/games", "/daily", "/settings", "/leagues", "/rules/bristol", "/me"):
            if path:
                page.goto(site_address + path)
            for size in ((390, 844), (1440, 900)):
                with at(f"{path or 'table'} {size}"):
                    resize(page, *size)
                    assert page.evaluate(SMALL_TARGETS) == []


# On a phone, what leads on from a section is a target of its own.
LEADING_ON = ".more-today a, .others a, .row > a, .row h2 a, .links a, .further a"


@pytest.mark.parametrize("path", ["/", "/daily"])
def test_on_a_phone_what_leads_on_is_as_high_as_a_button(page_with, site_address, path):
    page = page_with(viewport={"width": 390, "height": 844}, has_touch=True)
    page.goto(site_address + path)
    links = page.locator(LEADING_ON).filter(visible=True).all()
    assert len(links) >= 3
    heights = {link.inner_text(): link.bounding_box()["height"] for link in links}
    assert {text: height for text, height in heights.items() if height < 44} == {}


# Lower lines, whose links reach beyond them.
IN_LOW_LINES = ".deals h2 a, .by-game th a, .more-to-see a, .fair a, .row a, .foot nav a"


@pytest.mark.parametrize("path", ["/", "/daily", "/me", "/watch"])
def test_on_a_phone_a_link_in_a_line_of_its_own_is_high_enough(page_with, site_address, path):
    page = page_with(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    dealt = page.request.post(f"{site_address}/play", form={"ruleset": "bristol"})
    page.request.post(f"{dealt.url}/resign", form={"version": 0})
    page.goto(site_address + path)
    links = page.locator(IN_LOW_LINES).filter(visible=True).all()
    boxes = [(link.inner_text(), link.bounding_box()) for link in links]
    assert [text for text, box in boxes if box["height"] < 40] == []
    assert [text for text, box in boxes if box["width"] < 40] == []


@pytest.mark.parametrize("path", ["/games", "/today"])
def test_links_to_the_rules_are_as_wide_and_high_as_a_finger(page_with, site_address, path):
    page = page_with(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.goto(f"{site_address}{path}")
    sizes = page.get_by_role("link", name=re.compile("^Rules")).evaluate_all(
        "links => links.map((link) => link.getBoundingClientRect()).map(({ width, height }) => [width, height])"
    )
    assert sizes
    assert min(side for size in sizes if any(size) for side in size) >= A_TOUCH
