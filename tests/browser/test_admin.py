"""The admin pages in a browser: re-authentication, a game step by step, every card, moderation."""

import os
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import violations
from tests.browser.running import running
from tests.golden.records import RECORDS
from tests.support.second_factor import new_code

PASSWORD = "a long and quiet evening"
PHONE = {"width": 390, "height": 844}
WON = next(record for record in RECORDS if record.name == "rouge-et-noir-won")


@pytest.fixture(scope="module")
def site_database(tmp_path_factory):
    """The URL of the site's database; ``tests/admin`` tries these pages on both kinds."""
    return f"sqlite:///{tmp_path_factory.mktemp('admin') / 'site.db'}"


@pytest.fixture(scope="module")
def site_address(site_database, tmp_path_factory):
    """A site of this module's own."""
    with running(site_database, tmp_path_factory.mktemp("log")) as address:
        yield address


@pytest.fixture(scope="module")
def vera(site_address, site_database):
    """The name of an administrator, made on the command line."""
    command = [sys.executable, "-m", "app", "admin", "create", "Vera"]
    environment = {**os.environ, "DATABASE_URL": site_database}
    subprocess.run(command, env=environment, input=PASSWORD, text=True, check=True)
    return "Vera"


@pytest.fixture(scope="module")
def game(site_address, browser):
    """The id of a won game, imported as a record."""
    moves = "".join(f"{n}. {move}\n" for n, move in enumerate(WON.moves, start=1))
    context = browser.new_context()
    answer = context.request.post(
        f"{site_address}/api/v1/records",
        data={"record": f"Game: {WON.ruleset}\nDeal: {WON.code}\n{moves}"},
    )
    assert answer.status == 201, answer.text()
    game_id: str = answer.json()["id"]
    context.close()
    return game_id


@pytest.fixture(scope="module")
def go_through_the_door(site_address, site_database, vera):
    """Sign Vera in, re-authenticate her, and open an admin page."""

    def go(page, path):
        page.goto(f"{site_address}/login")
        page.get_by_label("Name").fill(vera)
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_role("main").get_by_role("button", name="Sign in").click()
        code = new_code(site_database, vera)
        page.goto(f"{site_address}{path}")
        expect(page.get_by_role("heading", name="Enter your password")).to_be_visible()
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_label("Code").fill(code)
        page.get_by_role("button", name="Continue").click()
        page.wait_for_url(f"**{path}")

    return go


@pytest.fixture(scope="module")
def cookies_of_vera(go_through_the_door, browser):
    """Those of a browser that stays re-authenticated."""
    context = browser.new_context()
    go_through_the_door(context.new_page(), "/admin/games")
    cookies = context.cookies()
    context.close()
    return cookies


@pytest.fixture
def open_admin(site_address, cookies_of_vera):
    """Open an admin page after re-authentication. Two passwords would take the server longer than most tests."""

    def open_page(page, path):
        page.context.add_cookies(cookies_of_vera)
        page.goto(f"{site_address}{path}")

    return open_page


def test_a_game_is_found_and_stepped_through_by_keyboard_and_slider(
    open_admin, page, game, page_errors
):
    open_admin(page, "/admin/games")
    page.get_by_label("Game or player").fill(game)
    page.get_by_role("button", name="Show").click()
    page.wait_for_url(f"**{game}**")
    assert violations(page) == []
    page.locator(f'a[href="/admin/games/{game}"]').click()
    last = len(WON.moves)
    step_text = page.locator(".step-text")
    expect(step_text).to_contain_text(f"Step {last} of {last}")
    assert violations(page) == []
    for key, words in (
        ("ArrowLeft", f"Step {last - 1} of {last}"),
        ("Home", f"Step 0 of {last} The opening."),
        ("ArrowRight", f"Step 1 of {last}"),
    ):
        page.wait_for_load_state()  # each step is a page, whose script listens to keys
        page.keyboard.press(key)
        expect(step_text).to_contain_text(words)
    page.get_by_label("Step", exact=True).focus()
    page.keyboard.press("End")
    expect(step_text).to_contain_text(f"Step {last} of {last}")
    assert page_errors == []


def test_revealing_cards_is_logged(open_admin, page, game, page_errors):
    open_admin(page, f"/admin/games/{game}?at=0")
    backs = page.locator("#table .tableau i")
    assert backs.count() > 10
    page.get_by_role("button", name="Show every card").click()
    expect(page.locator(".reveal-notice")).to_be_visible()
    page.wait_for_load_state()  # before that, the new page may lack its table
    assert backs.count() == 0
    page.get_by_role("link", name="Next").click()
    expect(page.locator(".step-text")).to_contain_text("Step 1 of")
    page.wait_for_load_state()
    assert backs.count() == 0
    page.get_by_role("link", name="Show what the player saw").click()
    expect(page.locator(".reveal-notice")).to_have_count(0)
    page.wait_for_load_state()
    assert backs.count() > 10
    page.get_by_role("link", name="Audit log").click()
    first = page.locator("tbody tr").first
    expect(first).to_contain_text("Vera")
    expect(first).to_contain_text("reveal")
    expect(first).to_contain_text(game)
    assert violations(page) == []
    assert page_errors == []


def test_a_script_on_a_public_page_cannot_read_admin_pages(open_admin, page, site_address):
    """Even while this browser has a step-up session."""
    open_admin(page, "/admin/games")
    page.goto(site_address)
    assert "fd_admin" not in page.evaluate("document.cookie")
    asked = "fetch('/admin/games').then((answer) => answer.status)"
    assert page.evaluate(asked) == 404
    page.goto(f"{site_address}/admin/games")
    expect(page.get_by_role("heading", name="Game logs")).to_be_visible()


def test_the_overview_is_responsive_and_accessible(open_admin, page, game, page_errors):
    open_admin(page, "/admin/overview")
    for width, scheme in ((1440, "light"), (768, "dark"), (390, "light")):
        page.set_viewport_size({"width": width, "height": 844})
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert violations(page) == []
    expect(page.get_by_role("img", name="Games started")).to_be_visible()
    page.get_by_text("As a table: Games started").click()
    expect(page.get_by_role("columnheader", name="games")).to_be_visible()
    assert page_errors == []


def test_games_are_downloaded(open_admin, page, game):
    open_admin(page, f"/admin/games?q={game}")
    for name, lines in (("JSON Lines", 1), ("CSV", 1 + len(WON.moves))):
        with page.expect_download() as download:
            page.get_by_role("link", name=name).click()
        text = download.value.path().read_text(encoding="utf-8")
        assert len(text.splitlines()) == lines, text[:300]


def test_locking_requires_the_password_again(go_through_the_door, page, site_address):
    go_through_the_door(page, "/admin/games")
    with page.expect_navigation():
        page.get_by_role("button", name="Lock").click()
    page.goto(f"{site_address}/admin/games")
    expect(page.get_by_role("heading", name="Enter your password")).to_be_visible()


def test_it_works_without_a_script_on_a_phone(open_admin, browser, game):
    context = browser.new_context(java_script_enabled=False, viewport=PHONE)
    page = context.new_page()
    open_admin(page, f"/admin/games/{game}?at=5")
    step_text = page.locator(".step-text")
    page.get_by_role("link", name="Next").click()
    expect(step_text).to_contain_text("Step 6 of")
    page.get_by_label("Step", exact=True).focus()
    page.keyboard.press("ArrowLeft")
    page.get_by_role("button", name="Go").click()
    expect(step_text).to_contain_text("Step 5 of")
    page.get_by_role("link", name="Game logs").click()
    page.get_by_label("Status").select_option("won")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**status=won**")
    expect(page.locator(f'a[href="/admin/games/{game}"]')).to_be_visible()
    context.close()


@pytest.fixture
def paula(browser, site_address):
    """A player who has given up today's Bristol."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{site_address}/join")
    form = page.get_by_role("main")
    form.get_by_label("Name").fill("Paula")
    for label in form.locator("input[type=password]").all():
        label.fill(PASSWORD)
    form.get_by_role("button", name="Create account").click()
    page.wait_for_url("**/me**")
    begun = context.request.post(f"{site_address}/daily/bristol/play", max_redirects=0)
    game = begun.headers["location"].rpartition("/")[2]
    given_up = context.request.post(
        f"{site_address}/api/v1/games/{game}/resign", data={"version": 0}
    )
    assert given_up.status == 200, given_up.text()
    page.goto(f"{site_address}/daily/of/{game}")
    yield page
    context.close()


def take_action(page, title):
    page.get_by_role("link", name=title).first.click()
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    assert violations(page) == []
    page.get_by_label("Reason").select_option(index=1)
    page.get_by_label("What happened").fill("Looked at together with Otto.")
    page.get_by_role("button", name=title).click()
    page.wait_for_url("**/admin/players/**")


def test_a_result_is_hidden_with_a_reason_and_restored(
    open_admin, browser, page, site_address, paula
):
    open_admin(page, "/admin/games")
    page.goto(f"{site_address}/admin/players/Paula")
    assert violations(page) == []
    take_action(page, "Hide this result")
    expect(page.get_by_role("region", name="Actions and notes")).to_contain_text("with Otto")
    paula.reload()
    expect(paula.get_by_text("Your result is hidden")).to_be_visible()
    context = browser.new_context(java_script_enabled=False, viewport=PHONE)
    stranger = context.new_page()
    stranger.goto(f"{site_address}/removals")
    expect(stranger.get_by_role("main")).to_contain_text("A result was hidden")
    expect(stranger.get_by_role("main")).not_to_contain_text("Paula")
    context.close()
    take_action(page, "Restore this result")
    paula.reload()
    expect(paula.get_by_text("Your result is hidden")).to_have_count(0)
    take_action(page, "Suspend")
    paula.goto(f"{site_address}/")
    paula.wait_for_timeout(
        5_500
    )  # so long may another process take, and so long may this one remember
    paula.get_by_role("button", name="Play").first.click()
    expect(paula.get_by_role("heading", name="Your account is suspended")).to_be_visible()


def test_a_script_on_a_public_page_cannot_read_an_admin_window(open_admin, page, site_address):
    """To the server it is an ordinary visit with all cookies, but the browser cuts the link to the window."""
    open_admin(page, "/admin/games")
    page.goto(site_address)
    with page.expect_popup() as opened:
        page.evaluate("() => { window.loot = window.open('/admin/games'); }")
    popup = opened.value
    expect(popup.get_by_role("heading", name="Game logs")).to_be_visible()
    seen = page.evaluate(
        "() => { try { return window.loot.document.body.innerText } catch (e) { return '' } }"
    )
    assert "Game logs" not in seen
    assert popup.evaluate("window.opener") is None
    popup.close()
