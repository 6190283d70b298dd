"""The security log: who tried what, whether it worked, and nothing secret."""

import json
import logging

import pyotp
import pytest
from fastapi import FastAPI
from httpx import AsyncClient

from app.admin.auth.repository import Role
from app.identity.security_log import network_hash
from tests.identity import test_passkeys as passkeys
from tests.identity.test_passkeys import local_browser
from tests.support.known import PASSWORD
from tests.support.serving import visiting
from tests.support.software_authenticator import SoftwareAuthenticator

pytestmark = pytest.mark.anyio

OTHER = "eight herons stand"


@pytest.fixture
def events(caplog: pytest.LogCaptureFixture, log_lines):
    """The lines of the security log since the last call."""
    caplog.set_level(logging.INFO, "fairdeal")

    def read() -> list[dict[str, str]]:
        lines = [json.loads(line) for line in log_lines()]
        caplog.clear()
        return [line for line in lines if line["logger"] == "fairdeal.security"]

    return read


async def create_account(visitor: AsyncClient, name: str = "Anna", password: str = PASSWORD) -> str:
    form = {"name": name, "password": password, "again": password}
    await visitor.post("/join", data=form)
    return str((await visitor.get("/api/v1/me")).json().get("id"))


async def test_every_login_and_every_failure_is_a_line(site: FastAPI, visitor, events):
    anna = await create_account(visitor)
    claimed, made = events()
    assert (made["event"], made["outcome"]) == ("recovery_codes_made", "success")
    assert (claimed["event"], claimed["outcome"], claimed["level"]) == ("claim", "success", "info")
    assert claimed["player"] == anna
    assert claimed["network"] == network_hash("127.0.0.1")
    assert len(claimed["request_id"]) > 8

    async with visiting(site) as elsewhere:
        for name, password in (("Anna", "wrong password"), ("Nobody", "wrong password")):
            await elsewhere.post("/login", data={"name": name, "password": password})
        wrong, unknown = events()
        for line in (wrong, unknown):
            assert (line["event"], line["outcome"]) == ("login", "failure")
            assert (line["level"], line["reason"]) == ("warning", "wrong_password")
        assert wrong["player"] == anna
        assert "player" not in unknown

        await elsewhere.post("/login", data={"name": "Anna", "password": PASSWORD})
        (entered,) = events()
        assert (entered["event"], entered["outcome"]) == ("login", "success")
        assert (entered["player"], entered["method"]) == (anna, "password")

        await elsewhere.post("/me/sign-out")
        (left,) = events()
        assert (left["event"], left["player"]) == ("logout", anna)


async def test_a_refused_login_is_a_line_too(visitor, events):
    for _ in range(9):
        await visitor.post("/login", data={"name": "Anna", "password": "guess"})
    assert [line["reason"] for line in events()] == ["wrong_password"] * 8 + ["rate_limited"]


async def test_changes_to_an_account_are_lines(visitor, events):
    anna = await create_account(visitor)
    await create_account(visitor, "Berta", "short")
    await visitor.post("/me/password", data={"current": "no", "new": OTHER, "again": OTHER})
    await visitor.post("/me/password", data={"current": PASSWORD, "new": OTHER, "again": OTHER})
    await visitor.post("/me/name", data={"name": "Carla"})
    await visitor.post("/me/sessions/others/end")
    await visitor.post("/me/delete", data={"password": "no", "sure": "yes"})
    await visitor.post("/me/delete", data={"password": OTHER, "sure": "yes"})
    lines = events()
    assert [(line["event"], line["outcome"], line.get("reason")) for line in lines] == [
        ("claim", "success", None),
        ("recovery_codes_made", "success", None),
        ("claim", "failure", "malformed"),
        ("password_change", "failure", "wrong_password"),
        ("password_change", "success", None),
        ("name_change", "success", None),
        ("sessions_ended", "success", None),
        ("account_deletion", "failure", "wrong_password"),
        ("account_deletion", "success", None),
    ]
    assert {line["player"] for line in lines} == {anna}


async def test_the_door_of_the_admin_area_and_roles_are_lines(site: FastAPI, visitor, events):
    anna = await create_account(visitor)
    await site.state.services.staff.grant_role("Anna", Role.MODERATOR)
    secret = (await site.state.services.staff.issue_authenticator("Anna")).secret
    await visitor.post("/admin/enter", data={"password": "wrong password"})
    await visitor.post("/admin/enter", data={"password": PASSWORD, "code": "12345"})
    code = pyotp.TOTP(secret).now()
    await visitor.post("/admin/enter", data={"password": PASSWORD, "code": code})
    await visitor.post("/admin/leave")
    await site.state.services.staff.revoke_role("Anna")
    lines = events()[2:]
    assert [(line["event"], line["outcome"]) for line in lines] == [
        ("role_change", "success"),
        ("authenticator_added", "success"),
        ("reauthentication", "failure"),
        ("reauthentication", "failure"),
        ("reauthentication", "success"),
        ("step_up_ended", "success"),
        ("role_change", "success"),
    ]
    assert [line["reason"] for line in lines[2:4]] == ["wrong_password", "wrong_code"]
    assert (lines[0]["role"], lines[-1]["role"]) == ("moderator", "none")
    assert {line["player"] for line in lines} == {anna}


async def test_recovery_codes_are_lines(site: FastAPI, visitor, events):
    anna = await create_account(visitor)
    await visitor.post("/api/v1/me/recovery-codes", json={"password": "no"})
    made = await visitor.post("/api/v1/me/recovery-codes", json={"password": PASSWORD})
    events()
    body = {"name": "Anna", "password": OTHER}
    async with visiting(site) as elsewhere:
        await elsewhere.post("/api/v1/recovery", json=body | {"code": "wrong"})
        code = made.json()["codes"][0]
        await elsewhere.post("/api/v1/recovery", json=body | {"code": code, "password": "short"})
        await elsewhere.post("/api/v1/recovery", json=body | {"code": code})
    lines = events()
    assert [(line["outcome"], line.get("reason")) for line in lines] == [
        ("failure", "wrong_recovery_code"),
        ("failure", "malformed"),
        ("success", None),
    ]
    assert {(line["event"], line["method"]) for line in lines} == {("login", "recovery_code")}
    assert lines[0]["player"] == lines[2]["player"] == anna


async def test_passkeys_are_lines(site: FastAPI, events):
    async with local_browser(site) as browser, local_browser(site) as elsewhere:
        await passkeys.join(browser)
        await browser.post("/api/v1/passkeys/registration-options", data={"password": "no"})
        key = await passkeys.add(browser)
        await passkeys.sign_in(elsewhere, key)
        await passkeys.sign_in(elsewhere, SoftwareAuthenticator())
        [link] = passkeys.links(await browser.get("/me/passkeys"))
        await browser.post(f"{link}/remove", data={"password": "no"})
        await browser.post(f"{link}/remove", data={"password": PASSWORD})
    lines = events()[2:]
    assert [(line["event"], line["outcome"], line.get("reason")) for line in lines] == [
        ("reauthentication", "failure", "wrong_password"),
        ("reauthentication", "success", None),
        ("passkey_added", "success", None),
        ("login", "success", None),
        ("login", "failure", "passkey_refused"),
        ("reauthentication", "failure", "wrong_password"),
        ("reauthentication", "success", None),
        ("passkey_removed", "success", None),
    ]


async def test_no_line_holds_a_password_a_token_or_a_typed_name(visitor, events, caplog):
    await create_account(visitor)
    token = visitor.cookies["fd_session"]
    # People type their password where the name belongs.
    await visitor.post("/login", data={"name": PASSWORD, "password": "Anna"})
    await visitor.post("/login", data={"name": "Anna", "password": PASSWORD})
    text = json.dumps(events())
    for secret in (PASSWORD, token, visitor.cookies["fd_session"]):
        assert secret not in text
    assert "127.0.0.1" not in text
