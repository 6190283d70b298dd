"""Passkeys in Chromium, with its virtual authenticators. Passkeys belong to `localhost`, not to an IP address."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pyotp
import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import violations
from tests.browser.interception import intercept
from tests.browser.running import running
from tests.support.known import PASSWORD

STEP = timedelta(seconds=30)
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def database_url(tmp_path_factory):
    return f"sqlite:///{tmp_path_factory.mktemp('passkeys') / 'site.db'}"


@pytest.fixture(scope="module")
def local_address(database_url, tmp_path_factory):
    """The address of a site of this module's own, under the name that passkeys belong to."""
    with running(database_url, tmp_path_factory.mktemp("log")) as address:
        yield address.replace("127.0.0.1", "localhost")


class Keys:
    """The virtual authenticators of a page's browser."""

    def __init__(self, page):
        self._devtools = page.context.new_cdp_session(page)
        self._devtools.send("WebAuthn.enable", {"enableUI": False})

    def plug_in(self, transport="internal"):
        options = {
            "protocol": "ctap2",
            "ctap2Version": "ctap2_1",
            "transport": transport,
            "hasResidentKey": True,
            "hasUserVerification": True,
            "isUserVerified": True,
            "automaticPresenceSimulation": True,
        }
        answer = self._devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
        return answer["authenticatorId"]

    def wait_to_be_touched(self, key, *, is_touched=False):
        """Whether whoever is asked touches the key at once, or never."""
        self._devtools.send(
            "WebAuthn.setAutomaticPresenceSimulation",
            {"authenticatorId": key, "enabled": is_touched},
        )

    def refuse_the_finger(self, key):
        self._devtools.send(
            "WebAuthn.setUserVerified", {"authenticatorId": key, "isUserVerified": False}
        )

    def credentials(self, key):
        answer = self._devtools.send("WebAuthn.getCredentials", {"authenticatorId": key})
        return answer["credentials"]


@pytest.fixture
def keys(page):
    return Keys(page)


@pytest.fixture
def name():
    return f"Nina {secrets.token_hex(4)}"


@pytest.fixture
def anna(page, local_address, name):
    """A page of a player with a name and a password."""
    answer = page.request.post(
        f"{local_address}/api/v1/me/claim", data={"name": name, "password": PASSWORD}
    )
    assert answer.ok, answer.text()
    return page


def ask_to_add(page, local_address, label):
    page.goto(f"{local_address}/me/passkeys")
    page.get_by_label("Name of the passkey").fill(label)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Add a passkey", exact=True).click()


def add(page, local_address, label):
    ask_to_add(page, local_address, label)
    expect(page.get_by_role("status")).to_contain_text("You have added a passkey")


def sign_out(page, local_address):
    page.goto(f"{local_address}/me")
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page).to_have_url(f"{local_address}/")


def test_two_passkeys_sign_in_by_button_and_by_suggestion(anna, keys, local_address, name):
    page = anna
    phone = keys.plug_in()
    add(page, local_address, "Phone")
    assert [one["isResidentCredential"] for one in keys.credentials(phone)] == [True]
    # The device says itself that it has one already.
    ask_to_add(page, local_address, "Phone again")
    expect(page.get_by_role("alert")).to_have_text(
        "This device already has a passkey for your account."
    )
    keys.wait_to_be_touched(phone)
    keys.plug_in("usb")
    add(page, local_address, "Blue key")
    expect(page.get_by_role("listitem")).to_have_count(2)
    expect(page.get_by_role("listitem").last).to_contain_text("Blue key")
    expect(page.get_by_role("listitem").last).to_contain_text("not used yet")
    sign_out(page, local_address)

    # The suggestion in the name field: taken as soon as the key is touched.
    page.goto(f"{local_address}/login")
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    expect(page.get_by_role("status")).to_have_text("Welcome back.")
    sign_out(page, local_address)

    # The button, in a browser without suggestions.
    page.add_init_script("delete PublicKeyCredential.isConditionalMediationAvailable")
    page.goto(f"{local_address}/login")
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)


ANSWER = """async ([challenge, changed]) => {
    const options = PublicKeyCredential.parseRequestOptionsFromJSON({ ...challenge, ...changed });
    return JSON.stringify((await navigator.credentials.get({ publicKey: options })).toJSON());
}"""
"""What a page that is not ours lets the device answer: with other options, or at another address."""


def answer_of_the_device(page, local_address, **changed):
    challenge = page.request.post(f"{local_address}/api/v1/passkeys/sign-in-options").json()
    return page.evaluate(ANSWER, [challenge, changed])


def send(page, local_address, answer):
    form = {"credential": answer}
    return page.request.post(f"{local_address}/login/passkey", form=form, max_redirects=0)


def test_an_answer_of_the_device_signs_in_once_and_not_without_the_finger(
    anna, keys, local_address
):
    page = anna
    phone = keys.plug_in()
    add(page, local_address, "Phone")
    sign_out(page, local_address)
    answer = answer_of_the_device(page, local_address)
    assert send(page, local_address, answer).status == 303
    sign_out(page, local_address)
    again = send(page, local_address, answer)
    assert again.status == 403
    assert "was used before" in again.text()  # the challenge; the count of the device says so, too
    keys.refuse_the_finger(phone)
    answer = answer_of_the_device(page, local_address, userVerification="discouraged")
    assert send(page, local_address, answer).status == 403


def test_an_answer_given_in_a_frame_of_another_site_does_not_sign_in(anna, keys, local_address):
    page = anna
    keys.plug_in()
    add(page, local_address, "Phone")
    sign_out(page, local_address)
    # The frame's own address would do: the passkey is of all addresses of this machine.
    frame, around = "http://localhost:1/", "http://127.0.0.1:1/"
    page.route(f"{frame}**", lambda route: route.fulfill(body="<p>Win a prize"))
    html = f"<iframe src='{frame}' allow='publickey-credentials-get *'></iframe>"
    page.route(
        f"{around}**", lambda route: route.fulfill(body=html, headers={"content-type": "text/html"})
    )
    page.goto(around)
    challenge = page.request.post(f"{local_address}/api/v1/passkeys/sign-in-options").json()
    answer = page.frames[1].evaluate(ANSWER, [challenge, {}])
    assert send(page, local_address, answer).status == 403
    page.goto(frame)
    assert send(page, local_address, answer_of_the_device(page, local_address)).status == 303


def test_a_passkey_is_renamed_and_removed_and_no_longer_signs_in(anna, keys, local_address, name):
    page = anna
    page.add_init_script("delete PublicKeyCredential.isConditionalMediationAvailable")
    lost = keys.plug_in()
    add(page, local_address, "Old phone")
    page.get_by_role("link", name="Rename or remove Old phone").click()
    page.get_by_label("Name of the passkey").fill("Lost phone")
    page.get_by_role("button", name="Save name").click()
    expect(page.get_by_role("listitem")).to_contain_text("Lost phone")
    page.get_by_role("link", name="Rename or remove Lost phone").click()
    # Confirmed with the passkey itself; the password would do as well.
    page.get_by_role("button", name="Remove with a passkey").click()
    expect(page.get_by_role("status")).to_contain_text("You can no longer sign in with it.")
    assert len(keys.credentials(lost)) == 1, "the device still offers it"
    sign_out(page, local_address)
    page.goto(f"{local_address}/login")
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_text("We don't know this passkey.")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")


def test_the_page_says_when_no_passkey_was_used(anna, keys, local_address):
    page = anna
    key = keys.plug_in()
    add(page, local_address, "Phone")
    sign_out(page, local_address)
    page.add_init_script("delete PublicKeyCredential.isConditionalMediationAvailable")
    page.goto(f"{local_address}/login")
    keys.refuse_the_finger(key)
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_text("No passkey was used")).to_be_visible()
    expect(page.get_by_role("button", name="Use a passkey")).to_be_enabled()
    intercept(page, "**/api/v1/passkeys/*", lambda route: route.abort())
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_text("The site can't be reached.")).to_be_visible()


def test_a_wrong_password_adds_no_passkey(anna, keys, local_address):
    page = anna
    key = keys.plug_in()
    page.goto(f"{local_address}/me/passkeys")
    page.get_by_label("Password", exact=True).fill("not it at all")
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("alert")).to_have_text("Wrong password.")
    assert keys.credentials(key) == []


def test_a_guest_keeps_the_games(anna, keys, local_address, name):
    page = anna
    keys.plug_in()
    add(page, local_address, "Phone")
    sign_out(page, local_address)
    page.add_init_script("delete PublicKeyCredential.isConditionalMediationAvailable")
    page.goto(f"{local_address}/games")
    page.get_by_role("button", name="Play Bristol").first.click()
    page.wait_for_url("**/games/*")
    game = page.url
    page.goto(f"{local_address}/login")
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("status")).to_contain_text("are now in your account")
    page.goto(game)
    expect(page.get_by_text("You are watching")).to_have_count(0)


def test_a_browser_without_passkeys_says_so(anna, local_address):
    page = anna
    page.add_init_script("delete window.PublicKeyCredential")
    page.goto(f"{local_address}/me/passkeys")
    expect(page.get_by_text("Passkeys don't work in this browser")).to_be_visible()
    expect(page.get_by_role("button", name="Add a passkey")).to_have_count(0)
    sign_out(page, local_address)
    page.goto(f"{local_address}/login")
    expect(page.get_by_text("Passkeys don't work in this browser")).to_be_visible()
    expect(page.get_by_role("button", name="Use a passkey")).to_have_count(0)
    page.get_by_label("Name").fill("Nobody")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_text("Wrong name or password.")).to_be_visible()


def test_without_a_script_the_password_works(browser, local_address, name):
    context = browser.new_context(java_script_enabled=False, viewport=PHONE)
    page = context.new_page()
    page.request.post(f"{local_address}/api/v1/me/claim", data={"name": name, "password": PASSWORD})
    page.goto(f"{local_address}/me/passkeys")
    # Playwright's own texts leave out what is in <noscript>.
    assert "Adding a passkey needs JavaScript." in page.locator("main").inner_text()
    sign_out(page, local_address)
    page.goto(f"{local_address}/login")
    assert "Passkeys need JavaScript." in page.locator("main").inner_text()
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_are_accessible_and_fit_a_phone(anna, keys, local_address, scheme):
    page = anna
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme=scheme)
    keys.plug_in()
    page.goto(f"{local_address}/me/passkeys")
    assert violations(page) == []
    add(page, local_address, "A very long name for a passkey on a phone")
    expect(page.get_by_role("listitem")).to_be_visible()
    for link in (None, "Rename or remove"):
        if link:
            page.get_by_role("link", name=link).click()
            expect(page.get_by_role("heading", name="Remove it")).to_be_visible()
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_an_administrator_opens_the_door_with_an_app_and_with_a_passkey(
    anna, keys, local_address, database_url, name
):
    page = anna
    page.set_viewport_size(PHONE)
    command = [sys.executable, "-m", "app", "admin", "grant", name]
    subprocess.run(command, env={**os.environ, "DATABASE_URL": database_url}, check=True)
    page.goto(f"{local_address}/admin/overview")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Set up an authenticator app")
    expect(page.get_by_alt_text("QR code of the secret")).to_have_js_property(
        "complete", value=True
    )
    assert page.evaluate("document.querySelector('img.qr').naturalWidth") > 0
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    secret = page.locator("#secret").inner_text().replace(" ", "")
    page.get_by_label("Code").fill(pyotp.TOTP(secret).now())
    page.get_by_role("button", name="Finish").click()
    page.wait_for_url("**/admin/overview")
    # A passkey as another second factor: the password alone is no longer enough to add it.
    keys.plug_in()
    page.goto(f"{local_address}/me/passkeys")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Code").fill(pyotp.TOTP(secret).at(datetime.now(UTC) + STEP))
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("status")).to_contain_text("You have added a passkey")
    page.goto(f"{local_address}/admin/overview")
    with page.expect_navigation():
        page.get_by_role("button", name="Lock").click()
    page.goto(f"{local_address}/admin/overview")
    assert violations(page) == []
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Continue with a passkey").click()
    page.wait_for_url("**/admin/overview")
