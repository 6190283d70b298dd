"""Accounts in a browser: claim a name, sign in and out, end sessions."""

import re
import secrets

import pytest
from playwright.sync_api import Route, expect

from tests.browser.accessibility import violations
from tests.browser.game_page import wait_until
from tests.browser.interception import intercept
from tests.support.known import PASSWORD

pytestmark = pytest.mark.kept_page

PHONE = {"width": 390, "height": 844}


def new_name() -> str:
    return f"Nina {secrets.token_hex(4)}"


def fill_in(page, **fields: str) -> None:
    for name, text in fields.items():
        page.locator(f"#{name}").fill(text)


def fill_in_new_password(page, password: str) -> None:
    """Twice where no script can show it."""
    fill_in(page, password=password)
    if page.locator("#again").count():
        fill_in(page, again=password)


def join(page, site_address: str, name: str) -> None:
    page.goto(f"{site_address}/join")
    fill_in(page, name=name)
    fill_in_new_password(page, PASSWORD)
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Welcome, {name}")
    page.locator("summary", has_text="Save your recovery codes").click()
    page.get_by_role("button", name="I have saved them").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)


@pytest.mark.parametrize("has_script", [True, False], ids=["script", "no script"])
def test_a_guest_claims_a_name_leaves_and_comes_back(page_with, site_address, has_script):
    page = page_with(java_script_enabled=has_script, viewport=PHONE)
    name = new_name()
    page.goto(f"{site_address}/games")
    page.get_by_role("button", name="Play Bristol").first.click()
    expect(page).to_have_url(re.compile(r"/games/[^/]+$"))
    game = page.url
    join(page, site_address, name)
    expect(page.get_by_role("status")).to_contain_text("every game you played here")
    page.goto(game)
    expect(page.get_by_text("You are watching")).to_have_count(0)
    page.goto(f"{site_address}/me")
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page).to_have_url(f"{site_address}/")
    page.goto(f"{site_address}/login")
    fill_in(page, name=name.upper(), password="not it at all")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("Wrong name or password")
    expect(page.get_by_label("Name")).to_have_value(name.upper())
    fill_in(page, password=PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("status")).to_have_text("Welcome back.")
    page.goto(game)
    expect(page.get_by_text("You are watching")).to_have_count(0)


def test_an_account_is_created_once_while_its_page_is_on_the_way(page_with, site_address):
    page = page_with()
    page.goto(f"{site_address}/join")
    held: list[Route] = []
    intercept(page, "**/on-the-way", held.append)
    page.route(
        "**/join", lambda route: route.fulfill(status=204, headers={"HX-Redirect": "/on-the-way"})
    )
    fill_in(page, name=new_name())
    fill_in_new_password(page, PASSWORD)
    button = page.get_by_role("button", name="Create account")
    button.click(no_wait_after=True)
    wait_until(page, lambda: held)
    held[0].fulfill(status=204)  # the page stays
    page.wait_for_timeout(100)
    expect(button).to_be_disabled()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_of_players_are_accessible_and_fit_a_phone(page_with, site_address, scheme):
    page = page_with(color_scheme=scheme, viewport=PHONE)
    name = new_name()

    def look(path: str) -> None:
        page.goto(site_address + path)
        assert violations(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path

    for path in ("/privacy", "/me", "/join", "/recover", "/login"):
        look(path)
    page.get_by_role("button", name="Sign in").evaluate("button => button.form.noValidate = true")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert violations(page) == []
    page.goto(f"{site_address}/games")
    page.get_by_role("button", name="Play Bristol").first.click()
    page.locator(".rail .deal").click()
    expect(page.locator("#state")).to_have_attribute("data-version", "1")
    page.locator(".menu > summary").click()
    page.locator(".end summary").click()
    page.get_by_role("button", name="Yes, resign").click()
    expect(page.get_by_role("heading", name="You resigned")).to_be_visible()
    look("/me")
    look("/me/account")
    look("/login")
    join(page, site_address, name)
    assert violations(page) == []
    look("/me")
    look("/me/account")
    for _ in range(4):  # a profile draws its weeks from five games on
        dealt = page.request.post(f"{site_address}/play", form={"ruleset": "bristol"})
        page.request.post(f"{dealt.url}/deal", form={"version": 0})
        page.request.post(f"{dealt.url}/resign", form={"version": 1})
    look(f"/players/{name}")
    expect(page.get_by_role("row").filter(has_text="Bristol")).to_contain_text("0%")
    page.get_by_text("As a table", exact=True).click()
    assert violations(page) == []
    look("/players/nobody-at-all")


def test_a_session_is_ended_from_another_device(page_with, site_address):
    name = new_name()
    desk, phone = page_with(), page_with()
    join(desk, site_address, name)
    phone.goto(f"{site_address}/login")
    fill_in(phone, name=name, password=PASSWORD)
    phone.get_by_role("button", name="Sign in").click()
    expect(phone.get_by_role("heading", level=1)).to_have_text(name)
    desk.goto(f"{site_address}/me/account")
    desk.get_by_role("button", name="Sign out all other devices").click()
    expect(desk.get_by_role("status")).to_contain_text("signed out")
    phone.goto(f"{site_address}/me")
    expect(phone.get_by_role("heading", level=1)).to_have_text("Your profile")


@pytest.mark.parametrize("has_script", [True, False], ids=["script", "no script"])
def test_a_forgotten_password_is_replaced_with_a_recovery_code(page_with, site_address, has_script):
    page = page_with(java_script_enabled=has_script, viewport=PHONE)
    name = new_name()
    page.goto(f"{site_address}/join")
    fill_in(page, name=name)
    fill_in_new_password(page, PASSWORD)
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Welcome, {name}")
    expect(page.locator("#codes")).to_be_hidden()
    assert not has_script or violations(page) == []
    expect(page.get_by_role("link", name="Later")).to_be_visible()
    page.locator("summary", has_text="Save your recovery codes").click()
    codes = page.locator("#codes code")
    expect(codes).to_have_count(10)
    expect(codes.first).to_be_visible()
    assert not has_script or violations(page) == []  # it needs JavaScript itself
    code = codes.nth(4).text_content()
    for label in ("Copy", "Print"):
        expect(page.get_by_role("button", name=label)).to_have_count(1 if has_script else 0)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download as a file").click()
    assert code in download.value.path().read_text()
    page.get_by_role("button", name="I have saved them").click()
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page).to_have_url(f"{site_address}/")
    page.goto(f"{site_address}/login")
    page.get_by_role("link", name="Forgot your password?").click()
    new = "nine herons waded"
    fill_in(page, name=name, code=code.upper())
    fill_in_new_password(page, new)
    page.get_by_role("button", name="Set the password and sign in").click()
    expect(page.get_by_role("status")).to_contain_text("You have changed your password")
    page.get_by_role("link", name="Account").click()
    expect(page.get_by_text("9 of 10 left")).to_be_visible()


def test_a_recent_game_takes_two_lines_on_a_phone(page_with, site_address):
    page = page_with(
        viewport={"width": 390, "height": 844}, extra_http_headers={"Origin": site_address}
    )
    begun = page.request.post(f"{site_address}/api/v1/daily/today/bristol/attempt").json()
    path = f"{site_address}/api/v1/games/{begun['id']}"
    page.request.post(f"{path}/moves", data={"version": 0, "move": "deal"})
    page.request.post(f"{path}/resign", data={"version": 1})
    page.goto(f"{site_address}/me")
    game = page.locator(".recent li")
    expect(game).to_contain_text("resigned, as a guest, not ranked · 1 move")
    assert game.bounding_box()["height"] < 80


@pytest.mark.parametrize("has_script", [True, False], ids=["script", "no script"])
def test_a_new_password_is_shown_by_a_button_or_typed_twice(page_with, site_address, has_script):
    page = page_with(java_script_enabled=has_script, viewport=PHONE)
    page.goto(f"{site_address}/join")
    expect(page.locator("input[type=password]")).to_have_count(1 if has_script else 2)
    if not has_script:
        expect(page.locator(".show")).to_be_hidden()
        expect(page.get_by_label("Repeat the password")).to_be_visible()
        return
    field = page.get_by_label("Password", exact=True)
    field.fill(PASSWORD)
    page.get_by_role("button", name="Show password").click()
    expect(field).to_have_attribute("type", "text")
    expect(page.locator("[aria-live]").filter(has_text="Your password is visible.")).to_have_count(
        1
    )
    page.get_by_role("button", name="Hide password").click()
    expect(field).to_have_attribute("type", "password")
    expect(page.get_by_role("button", name="Show password")).to_have_text("Show")
    page.get_by_role("button", name="Show password").click()
    page.get_by_role("button", name="Create account").click()
    expect(field).to_have_attribute("type", "password")  # so that the browser offers to keep it
    expect(page.locator("#name-fault")).not_to_be_empty()
    assert violations(page) == []
