"""The admin area asks for a second factor, and leads those without one to set it up."""

from __future__ import annotations

import html
import re

import pyotp
import pytest

from app.admin import audit_log
from app.admin.auth.repository import Role
from app.admin.auth.service import NoRoleError
from app.settings import Settings
from tests.admin.browsers import PASSWORD, Browsers
from tests.support.serving import HOST, running_site
from tests.support.software_authenticator import SoftwareAuthenticator

pytestmark = pytest.mark.anyio

ORIGIN = f"http://{HOST}"
OPENED = (303, "/admin/audit")


@pytest.fixture
async def site(database_url):
    """A site with passkeys at the address of the tests."""
    settings = Settings(database_url=database_url, passkey_domain=HOST, passkey_origins=ORIGIN)
    async with running_site(settings) as app:
        yield app


def where(answer):
    return answer.status_code, answer.headers.get("location")


async def enter(client, **form):
    data = {"password": PASSWORD, "back": "/admin/audit"} | form
    return await client.post("/admin/enter", data=data)


async def is_open(client):
    return (await client.get("/admin/audit")).status_code == 200


def secret_on(page):
    [shown] = re.findall(r'id="secret">([A-Z2-7 ]+)<', page.text)
    return shown.replace(" ", "")


async def options(client, kind, **form):
    answer = await client.post(f"/api/v1/passkeys/{kind}-options", data=form)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def add_passkey(client, **proof):
    key = SoftwareAuthenticator(origin=ORIGIN, rp_id=HOST)
    made = key.create(await options(client, "registration", **({"password": PASSWORD} | proof)))
    answer = await client.post("/me/passkeys", data={"credential": made})
    assert where(answer) == (303, "/me/passkeys?done=added")
    return key


async def answer_of(client, key):
    return key.get(await options(client, "confirmation"))


# --- re-authentication


@pytest.mark.parametrize("role", list(Role))
async def test_the_password_alone_opens_nothing(browsers, role):
    vera = await browsers.signed_in_staff("Vera", role)
    answer = await enter(vera)
    assert answer.status_code == 422
    assert "Type the code from your authenticator app" in html.unescape(answer.text)
    assert not await is_open(vera)
    assert where(await enter(vera, code=browsers.code("Vera"))) == OPENED


async def test_a_wrong_code_opens_nothing(browsers):
    vera = await browsers.signed_in_staff("Vera", "administrator")
    answer = await enter(vera, code=browsers.code("Vera", 3))
    assert answer.status_code == 403
    assert "Wrong code." in answer.text
    assert not await is_open(vera)


async def test_the_code_alone_opens_nothing_and_stays_good(browsers):
    vera = await browsers.signed_in_staff("Vera", "administrator")
    code = browsers.code("Vera")
    assert (await enter(vera, password="", code=code)).status_code == 403
    assert (await enter(vera, password="guessed at random", code=code)).status_code == 403
    assert not await is_open(vera)
    assert where(await enter(vera, code=code)) == OPENED


async def test_a_code_opens_the_door_once(browsers):
    vera = await browsers.signed_in_staff("Vera", "administrator")
    code = browsers.code("Vera")
    assert where(await enter(vera, code=code)) == OPENED
    await vera.post("/admin/leave")
    answer = await enter(vera, code=code)
    assert "used before" in answer.text
    assert not await is_open(vera)


async def test_the_code_of_another_staff_member_opens_nothing(browsers):
    vera = await browsers.signed_in_staff("Vera", "administrator")
    await browsers.signed_in_staff("Otto", "administrator")
    assert (await enter(vera, code=browsers.code("Otto"))).status_code == 403


async def test_a_passkey_opens_the_door_with_the_password(browsers):
    vera = await browsers.newly_appointed("Vera", "administrator")
    key = await add_passkey(vera)
    assert (await enter(vera)).status_code == 422
    confirmation = await answer_of(vera, key)
    assert (await enter(vera, password="", confirmation=confirmation)).status_code == 403
    assert not await is_open(vera)
    assert where(await enter(vera, confirmation=confirmation)) == OPENED
    await vera.post("/admin/leave")
    assert (await enter(vera, confirmation=confirmation)).status_code == 403


async def test_a_passkey_of_somebody_else_does_not_open_the_door(browsers):
    vera = await browsers.newly_appointed("Vera", "administrator")
    paul = await browsers.player("Paul")
    await add_passkey(vera)
    theirs = await add_passkey(paul)
    assert (await enter(vera, confirmation=await answer_of(vera, theirs))).status_code == 403
    assert not await is_open(vera)


async def test_signing_in_with_a_passkey_does_not_open_the_door(browsers):
    vera = await browsers.newly_appointed("Vera", "administrator")
    key = await add_passkey(vera)
    elsewhere = await browsers.visitor()
    form = {"credential": key.get(await options(elsewhere, "sign-in"))}
    assert (await elsewhere.post("/login/passkey", data=form)).status_code == 303
    assert not await is_open(elsewhere)


# --- setting up


async def test_who_has_no_second_factor_is_led_to_set_one_up(browsers):
    vera = await browsers.newly_appointed("Vera", "administrator")
    assert "Your role needs a second factor" in (await vera.get("/admin/enter")).text
    answer = await enter(vera)
    assert where(answer) == (303, "/admin/second-factor?back=/admin/audit")
    assert not await is_open(vera)
    page = await vera.get(answer.headers["location"])
    secret = secret_on(page)
    assert "no-store" in page.headers["cache-control"]
    assert 'src="data:image/svg+xml' in page.text
    form = {"code": pyotp.TOTP(secret).now(), "back": "/admin/audit"}
    wrong = await vera.post("/admin/second-factor/confirm", data=form | {"code": "000 00"})
    assert wrong.status_code == 403
    assert secret_on(wrong) == secret
    assert where(await vera.post("/admin/second-factor/confirm", data=form)) == OPENED
    assert await is_open(vera)
    # Once it is set up, nobody is shown the secret again.
    assert secret not in (await vera.get("/admin/second-factor")).text


async def test_a_wrong_password_does_not_lead_to_setting_up(browsers):
    vera = await browsers.newly_appointed("Vera", "administrator")
    assert (await enter(vera, password="guessed at random")).status_code == 403
    answer = await vera.get("/admin/second-factor")
    assert answer.headers["location"].startswith("/admin/enter")


async def test_another_session_does_not_see_the_secret(browsers):
    vera = await browsers.newly_appointed("Vera", "administrator")
    await enter(vera)
    code = pyotp.TOTP(secret_on(await vera.get("/admin/second-factor"))).now()
    elsewhere = await browsers.visitor()
    await elsewhere.post("/login", data={"name": "Vera", "password": PASSWORD})
    assert (await elsewhere.get("/admin/second-factor")).status_code == 303
    answer = await elsewhere.post("/admin/second-factor/confirm", data={"code": code})
    assert answer.headers["location"].startswith("/admin/enter")
    assert not await is_open(elsewhere)


async def test_the_pages_exist_for_staff_only(browsers):
    paul = await browsers.player("Paul")
    for method, path in (
        ("GET", ""),
        ("POST", "/confirm"),
        ("POST", "/replace"),
        ("POST", "/remove"),
    ):
        answer = await paul.request(method, f"/admin/second-factor{path}", data={"code": "1"})
        assert (answer.status_code, path) == (404, path)


# --- changing it


async def test_the_password_alone_adds_no_passkey_to_a_role(browsers):
    """Else whoever has the password and a session could make themselves a second factor."""
    vera = await browsers.signed_in_staff("Vera", "administrator")
    path = "/api/v1/passkeys/registration-options"
    assert (await vera.post(path, data={"password": PASSWORD})).status_code == 422
    await add_passkey(vera, code=browsers.code("Vera"))


async def test_the_app_is_replaced_with_the_second_factor_only(browsers):
    vera = await browsers.staff_member("Vera", "administrator")
    path = "/admin/second-factor/replace"
    assert (await vera.post(path, data={"password": PASSWORD})).status_code == 422
    form = {"password": PASSWORD, "code": browsers.code("Vera", 1)}
    assert (await vera.post(path, data=form)).status_code == 303
    page = await vera.get("/admin/second-factor")
    code = pyotp.TOTP(secret_on(page)).now()
    assert (await vera.post("/admin/second-factor/confirm", data={"code": code})).status_code == 303
    await vera.post("/admin/leave")
    assert (await enter(vera, code=browsers.code("Vera", 1))).status_code == 403


async def test_the_last_second_factor_is_not_removed(browsers):
    vera = await browsers.staff_member("Vera", "administrator")
    form = {"password": PASSWORD, "code": browsers.code("Vera", 1)}
    answer = await vera.post("/admin/second-factor/remove", data=form)
    assert answer.status_code == 409
    assert "Add a passkey first." in answer.text


async def test_with_a_passkey_the_app_is_removed_but_then_not_the_passkey(browsers):
    vera = await browsers.newly_appointed("Vera", "administrator")
    key = await add_passkey(vera)
    await enter(vera, confirmation=await answer_of(vera, key))
    form = {"password": PASSWORD}
    proof = form | {"confirmation": await answer_of(vera, key)}
    await vera.post("/admin/second-factor/replace", data=proof)
    code = pyotp.TOTP(secret_on(await vera.get("/admin/second-factor"))).now()
    await vera.post("/admin/second-factor/confirm", data={"code": code})
    proof = form | {"confirmation": await answer_of(vera, key)}
    answer = await vera.post("/admin/second-factor/remove", data=proof)
    assert where(answer) == (303, "/admin/second-factor")
    assert "You have no authenticator app." in (await vera.get("/admin/second-factor")).text
    [link] = re.findall(r'href="(/me/passkeys/\w+)"', (await vera.get("/me/passkeys")).text)
    proof = form | {"confirmation": await answer_of(vera, key)}
    answer = await vera.post(f"{link}/remove", data=proof)
    assert answer.status_code == 409
    assert "Your role needs a second factor." in answer.text


async def test_each_change_is_in_the_audit_log(browsers):
    vera = await browsers.newly_appointed("Vera", "administrator")
    await enter(vera)
    code = pyotp.TOTP(secret_on(await vera.get("/admin/second-factor"))).now()
    await vera.post("/admin/second-factor/confirm", data={"code": code})
    page = (await vera.get("/admin/audit")).text
    assert page.count("<td>second-factor</td>") == 1
    assert page.count("<td>enter</td>") == 1


# --- the command line


async def test_a_reset_closes_the_door_and_leads_to_setting_up(browsers):
    vera = await browsers.staff_member("Vera", "administrator")
    await add_passkey(vera, code=browsers.code("Vera", 1))
    assert await browsers.staff.reset_second_factor("Vera") == "Vera"
    assert not await is_open(vera)
    assert "You have no passkey yet." in (await vera.get("/me/passkeys")).text
    answer = await enter(vera)
    assert where(answer) == (303, "/admin/second-factor?back=/admin/audit")


async def test_the_command_line_gives_factors_to_roles_only(browsers):
    await browsers.player("Paul")
    with pytest.raises(NoRoleError):
        await browsers.staff.issue_authenticator("Paul")
    with pytest.raises(NoRoleError):
        await browsers.staff.reset_second_factor("Paul")


async def test_no_new_authenticator_without_its_line_in_the_audit_log(browsers, monkeypatch):
    vera = await browsers.signed_in_staff("Vera", "administrator")

    def fail(*_: object, **_fields: object) -> None:
        raise RuntimeError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(audit_log, "add_entry", fail)
        with pytest.raises(RuntimeError, match="the disk is full"):
            await browsers.staff.issue_authenticator("Vera")
    assert where(await enter(vera, code=browsers.code("Vera"))) == OPENED


# --- the setting


async def test_an_operator_can_do_without_for_development(sqlite_url):
    settings = Settings(database_url=sqlite_url, second_factor_for_roles=False)
    async with running_site(settings) as site, Browsers(site) as browsers:
        vera = await browsers.newly_appointed("Vera", "administrator")
        assert "second factor" not in (await vera.get("/admin/enter")).text
        assert (await enter(vera, password="guessed at random")).status_code == 403
        assert where(await enter(vera)) == OPENED
