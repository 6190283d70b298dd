import asyncio
import logging
import re
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

import pytest
from fastapi import FastAPI
from httpx import AsyncClient
from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey
from sqlalchemy import select, update

from app.db.schema import METADATA, accounts, openid_accounts, openid_flows
from app.identity.openid import provider as openid
from app.identity.openid.repository import has_account_at
from app.identity.passkeys.model import Passkey
from app.identity.passkeys.repository import add_passkey
from app.settings import Settings, SettingsError, load_settings
from tests.support.known import PASSWORD
from tests.support.openid_provider import (
    ACCESS_TOKEN,
    CLIENT_ID,
    CLIENT_SECRET,
    OpenIdProvider,
    running_provider,
)
from tests.support.serving import started, visiting

SIGNED_TOKEN = re.compile(r"eyJ[\w-]+\.[\w-]+\.")

pytestmark = pytest.mark.anyio


@pytest.fixture
async def provider() -> AsyncIterator[OpenIdProvider]:
    async with running_provider() as provider:
        yield provider


@pytest.fixture
async def site(sqlite_url: str, provider: OpenIdProvider) -> AsyncIterator[FastAPI]:
    settings = Settings(
        database_url=sqlite_url,
        openid_issuer=provider.issuer,
        openid_client_id=CLIENT_ID,
        openid_client_secret=CLIENT_SECRET,
        openid_label="Club Login",
    )
    async with started(settings) as app:
        yield app


def path_of(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.path}?{parts.query}"


async def depart(visitor: AsyncClient, back: str = "") -> str:
    response = await visitor.get("/login/openid", params={"back": back} if back else {})
    assert response.status_code == 303, response.text
    return response.headers["location"]


async def come_back(visitor: AsyncClient, provider: OpenIdProvider, back: str = "") -> Any:
    return await visitor.get(path_of(provider.visit(await depart(visitor, back))))


async def join_by_openid(visitor: AsyncClient, provider: OpenIdProvider, name: str = "Anna") -> Any:
    assert (await come_back(visitor, provider)).headers["location"] == "/login/openid/name"
    return await visitor.post("/login/openid/name", data={"name": name})


async def current_player(visitor: AsyncClient) -> Any:
    response = await visitor.get("/api/v1/me")
    return response.json() if response.is_success else None


async def join(visitor: AsyncClient, name: str = "Ben") -> None:
    form = {"name": name, "password": PASSWORD, "again": PASSWORD}
    assert (await visitor.post("/join", data=form)).status_code == 303


async def link(visitor: AsyncClient, provider: OpenIdProvider) -> Any:
    page = await visitor.post("/me/openid", data={"password": PASSWORD})
    (url,) = re.findall(r'href="(http://127[^"]+)"', page.text)
    return await visitor.get(path_of(provider.visit(url.replace("&amp;", "&"))))


async def test_without_a_provider_there_is_nothing_of_it(sqlite_url):
    async with started(Settings(database_url=sqlite_url)) as app, visiting(app) as visitor:
        for path in ("/login/openid", "/login/openid/name", "/login/openid/callback?state=x"):
            assert (await visitor.get(path)).status_code == 404
        assert "Continue with" not in (await visitor.get("/login")).text
        await join(visitor)
        assert "Connected accounts" not in (await visitor.get("/me/account")).text
        response = await visitor.post("/me/openid", data={"password": PASSWORD})
        assert response.status_code == 404


async def test_somebody_new_chooses_a_name_and_comes_back_to_it(
    site: FastAPI, visitor: AsyncClient, provider: OpenIdProvider
):
    assert "Continue with Club Login" in (await visitor.get("/login")).text
    game = (await visitor.post("/play", data={"ruleset": "bristol"})).headers["location"]
    guest = await current_player(visitor)
    response = await come_back(visitor, provider, "/daily")
    assert response.headers["location"] == "/login/openid/name"
    assert (
        "You have signed in with Club Login for the first time."
        in (await visitor.get("/login/openid/name")).text
    )
    refused = await visitor.post("/login/openid/name", data={"name": "ɑdmin"})  # noqa: RUF001 - the point
    assert refused.status_code == 422
    assert "one of the site" in refused.text
    response = await visitor.post("/login/openid/name", data={"name": "Anna"})
    assert response.headers["location"] == "/me/recovery-codes?back=/daily"
    # The guest keeps everything.
    assert await current_player(visitor) == {**guest, "name": "Anna", "guest": False}
    assert "You are watching" not in (await visitor.get(game)).text
    async with visiting(site) as other:
        assert (await come_back(other, provider)).headers["location"] == "/me?done=welcome"
        assert (await current_player(other))["id"] == guest["id"]
    # The secret goes in the header, encoded, and nowhere else; no email address is kept.
    assert provider.basic[-1] == "fair%20deal:s3cret%3A%26%20of%20the%20site"
    assert "client_secret" not in provider.forms[-1]
    with site.state.services.database.engine.connect() as connection:
        (account,) = connection.execute(select(accounts)).all()
        (linked,) = connection.execute(select(openid_accounts)).all()
        assert connection.execute(select(openid_flows)).all() == []
    assert account.password_hash == ""
    assert (linked.issuer, linked.subject) == (provider.issuer, provider.subject)


async def test_a_sign_in_merges_the_guests_games(site: FastAPI, provider: OpenIdProvider):
    async with visiting(site) as first, visiting(site) as second:
        await join_by_openid(first, provider)
        game = (await second.post("/play", data={"ruleset": "bristol"})).headers["location"]
        assert (await come_back(second, provider)).headers["location"] == "/me?done=brought"
        assert "You are watching" not in (await first.get(game)).text
        assert await current_player(first) == await current_player(second)


@pytest.mark.parametrize(
    "wrong",
    [
        {"nonce": "another"},
        {"nonce": None},
        {"aud": "another site"},
        {"aud": "another site", "azp": CLIENT_ID},
        {"aud": [CLIENT_ID, "another site"]},  # without saying to whom of them it was issued
        {"azp": "another site"},
        {"iss": "https://evil.test"},
        {"exp": 1_700_000_000},
        {"exp": None},
        {"nbf": 4_000_000_000},
        {"sub": None},
        {"sub": ""},
        {"sub": "x" * 300},
    ],
    ids=str,
)
async def test_an_id_token_with_a_wrong_claim_is_refused(
    visitor: AsyncClient, provider: OpenIdProvider, wrong
):
    provider.wrong = wrong
    response = await come_back(visitor, provider)
    assert response.status_code == 403
    assert "could not be verified" in response.text
    assert await current_player(visitor) is None
    assert (await visitor.get("/login/openid/name")).status_code == 403


async def test_an_answer_that_names_another_issuer_is_not_redeemed(visitor, provider):
    back = path_of(provider.visit(await depart(visitor)))
    assert (await visitor.get(f"{back}&iss=https://evil.test")).status_code == 403
    assert provider.forms == []  # nobody else gets to see the code
    back = path_of(provider.visit(await depart(visitor)))
    right = await visitor.get(f"{back}&iss={quote(provider.issuer, safe='')}")
    assert right.headers["location"] == "/login/openid/name"


@pytest.mark.parametrize("kind", ["another key", "key in the token", "shared secret", "none"])
async def test_an_id_token_with_a_wrong_signature_is_refused(visitor, provider, kind, monkeypatch):
    if kind == "another key":
        provider.signing_key = RSAKey.generate_key(2048, {"kid": "one"})
    elif kind == "key in the token":
        own = RSAKey.generate_key(2048, {"kid": "its own"})
        header = {"alg": "RS256", "kid": "its own", "jwk": own.as_dict(private=False)}
        header["jku"] = f"{provider.issuer}/keys"
        claims = jwt.decode(provider._token({"nonce": ""}), provider.key).claims

        def with_key(asked):
            return jwt.encode(header, {**claims, "nonce": asked["nonce"]}, own)

        monkeypatch.setattr(provider, "_token", with_key)
    elif kind == "shared secret":
        provider.signing_key = OctKey.import_key(CLIENT_SECRET, {"kid": "one"})
        provider.algorithm = "HS256"
    else:
        token = provider._token

        def unsigned(asked):
            _, body, _ = token(asked).split(".")
            return f"eyJhbGciOiJub25lIn0.{body}."

        monkeypatch.setattr(provider, "_token", unsigned)
    response = await come_back(visitor, provider)
    assert response.status_code == 403
    assert "could not be verified" in response.text


async def test_the_keys_of_the_provider_may_change(
    visitor: AsyncClient, provider: OpenIdProvider, monkeypatch
):
    await join_by_openid(visitor, provider)
    await visitor.post("/me/sign-out")
    provider.key = RSAKey.generate_key(2048, {"kid": "two"})
    monkeypatch.setattr(openid, "_KEYS_MS", 0)
    assert (await come_back(visitor, provider)).headers["location"] == "/me?done=welcome"


async def test_a_state_works_once_and_in_one_browser(site, visitor, provider):
    back = path_of(provider.visit(await depart(visitor)))
    cookie = visitor.cookies["fd_openid"]
    async with visiting(site) as other:
        response = await other.get(back)
        assert response.status_code == 403
        assert "another browser" in response.text
    assert (await visitor.get(back)).status_code == 303
    # Replayed, even with the cookie and a code that was not used.
    url = provider.visit(await depart(visitor))
    state = re.search("state=([^&]+)", back)
    assert state
    replayed = re.sub("state=[^&]+", state[0], path_of(url))
    async with visiting(site) as other:
        response = await other.get(replayed, headers={"Cookie": f"fd_openid={cookie}"})
    assert response.status_code == 403
    assert "already finished" in response.text


async def test_nothing_that_protects_a_sign_in_is_used_twice(visitor, provider):
    asked = [dict(parse_qsl(urlsplit(await depart(visitor)).query)) for _ in range(2)]
    for name in ("state", "nonce", "code_challenge"):
        first, second = (query[name] for query in asked)
        assert first != second
        assert len(first) == 43  # 256 bits


async def test_a_sign_in_under_way_is_no_newcomer(site, visitor, provider):
    await depart(visitor)
    assert (await visitor.get("/login/openid/name")).status_code == 403
    named = await visitor.post("/login/openid/name", data={"name": "Anna"})
    assert named.status_code == 403
    assert await current_player(visitor) is None


async def test_a_newcomer_is_no_sign_in_under_way(visitor, provider):
    await come_back(visitor, provider)
    token = visitor.cookies["fd_openid"]
    response = await visitor.get(f"/login/openid/callback?state={token}&code=any")
    assert "already finished" in response.text
    assert len(provider.forms) == 1


@pytest.mark.parametrize("back", ["https://evil.test/", "//evil.test/", "/\\evil.test"])
async def test_a_sign_in_leads_to_no_other_site(site, visitor, provider, back):
    named = await come_back(visitor, provider, back)
    assert named.headers["location"] == "/login/openid/name"
    response = await visitor.post("/login/openid/name", data={"name": "Anna"})
    assert "evil" not in response.headers["location"]
    async with visiting(site) as other:
        assert "evil" not in (await come_back(other, provider, back)).headers["location"]


@pytest.mark.parametrize("begun", ["cross-site", "same-site"])
async def test_a_link_on_another_site_signs_nobody_in(visitor, provider, begun):
    response = await visitor.get("/login/openid", headers={"Sec-Fetch-Site": begun})
    assert (response.status_code, response.headers["location"]) == (303, "/login")
    assert "set-cookie" not in response.headers
    for own in ("same-origin", "none"):
        response = await visitor.get("/login/openid", headers={"Sec-Fetch-Site": own})
        assert response.headers["location"].startswith(provider.issuer)


async def test_the_same_subject_of_another_provider_is_somebody_else(site, visitor, provider):
    await join_by_openid(visitor, provider)
    before = update(openid_accounts).values(issuer="https://before.test")
    await site.state.services.database.write(lambda connection: connection.execute(before))
    async with visiting(site) as other:
        assert (await come_back(other, provider)).headers["location"] == "/login/openid/name"
        assert await current_player(other) is None


async def test_tokens_of_the_provider_stay_on_the_server(site, visitor, provider):
    got: list[str] = []

    async def note(response) -> None:
        await response.aread()
        got.append(f"{response.headers} {response.text}")

    visitor.event_hooks["response"].append(note)
    await join_by_openid(visitor, provider)
    await visitor.get("/me/account")

    def contents(connection) -> str:
        return "".join(repr(connection.execute(select(t)).all()) for t in METADATA.sorted_tables)

    stored = await site.state.services.database.read(contents)
    assert len(got) >= 4
    assert provider.subject in stored
    for secret in (ACCESS_TOKEN, CLIENT_SECRET, provider.forms[0]["code_verifier"]):
        assert secret not in stored
        assert secret not in "".join(got)
    assert not SIGNED_TOKEN.search(stored + "".join(got))


async def test_a_state_is_not_good_for_ever(site, visitor, provider):
    url = path_of(provider.visit(await depart(visitor)))
    with site.state.services.database.engine.begin() as connection:
        connection.execute(openid_flows.update().values(until_ms=1))
    response = await visitor.get(url)
    assert response.status_code == 403
    assert "too long ago" in response.text


async def test_somebody_who_says_no_there_changes_nothing_here(visitor, provider):
    state = re.search("state=([^&]+)", await depart(visitor))
    assert state
    callback = f"/login/openid/callback?error=access_denied&{state[0]}"
    response = await visitor.get(callback)
    assert response.status_code == 403
    assert "Club Login did not sign you in" in response.text
    assert "access_denied" not in response.text


@pytest.mark.parametrize(
    "kind", ["down", "reset", "other issuer", "unsafe endpoint", "no address", "broken", "slow"]
)
async def test_a_provider_that_does_not_answer_well_is_a_sentence(
    visitor: AsyncClient, provider: OpenIdProvider, kind, monkeypatch
):
    match kind:
        case "down":
            provider.status = 503
        case (
            "reset"
        ):  # before the first use of the connection, which httpx doesn't call an error of its own

            async def fail(*_):
                raise AttributeError("'NoneType' object has no attribute 'getpeername'")

            monkeypatch.setattr("httpx.AsyncHTTPTransport.handle_async_request", fail)
        case "other issuer":
            provider.wrong_metadata = {"issuer": "https://evil.test"}
        case "unsafe endpoint":
            provider.wrong_metadata = {"token_endpoint": "http://evil.test/token"}
        case "no address":
            provider.wrong_metadata = {"jwks_uri": "https://[evil"}
        case "broken":
            provider.wrong_metadata = {"jwks_uri": None}
        case _:
            monkeypatch.setattr(openid, "_SECONDS", 0.2)
            provider.delay = 1
    response = await visitor.get("/login/openid")
    assert response.status_code == 503
    assert "Club Login did not answer as expected" in response.text


async def test_a_token_endpoint_that_hangs_is_a_sentence(visitor, provider, monkeypatch):
    url = path_of(provider.visit(await depart(visitor)))
    monkeypatch.setattr(openid, "_SECONDS", 0.2)
    provider.delay = 1
    response = await visitor.get(url)
    assert response.status_code == 503
    assert "did not answer as expected" in response.text


async def test_an_account_is_connected_and_disconnected(site, visitor, provider):
    await join(visitor)
    assert (await visitor.post("/me/openid", data={"password": "wrong"})).status_code == 403
    response = await link(visitor, provider)
    assert response.headers["location"] == "/me/account?done=connected"
    assert "Disconnect Club Login" in (await visitor.get("/me/account")).text
    async with visiting(site) as other:
        await come_back(other, provider)
        assert (await current_player(other))["name"] == "Ben"
    response = await visitor.post("/me/openid/remove", data={"password": PASSWORD})
    assert response.headers["location"] == "/me/account?done=disconnected"
    async with visiting(site) as other:
        assert (await come_back(other, provider)).headers["location"] == "/login/openid/name"


async def test_an_account_elsewhere_belongs_to_one_player(site, visitor, provider):
    await join_by_openid(visitor, provider)
    async with visiting(site) as ben:
        await join(ben)
        response = await link(ben, provider)
        assert response.status_code == 409
        assert "already connected" in response.text
        provider.subject = "ben@elsewhere"
        await link(ben, provider)
        provider.subject = "another of ben"
        assert (await link(ben, provider)).status_code == 409


async def test_a_connection_is_made_for_the_player_who_asked(site, visitor, provider):
    await join(visitor)
    page = await visitor.post("/me/openid", data={"password": PASSWORD})
    (url,) = re.findall(r'href="(http://127[^"]+)"', page.text)
    await visitor.post("/me/sign-out")
    await join(visitor, "Cleo")
    response = await visitor.get(path_of(provider.visit(url.replace("&amp;", "&"))))
    assert response.status_code == 403
    assert "nothing was connected" in response.text
    with site.state.services.database.engine.connect() as connection:
        assert connection.execute(select(openid_accounts)).all() == []


async def test_the_last_way_to_sign_in_stays(site, visitor, provider):
    await join_by_openid(visitor, provider)
    response = await visitor.post("/me/openid/remove")
    assert response.status_code == 409
    assert "your only way to sign in" in response.text
    # A new session stands for the password that there is not.
    form = {"new": PASSWORD, "again": PASSWORD}
    assert (await visitor.post("/me/password", data=form)).status_code == 303
    response = await visitor.post("/me/openid/remove", data={"password": PASSWORD})
    assert response.status_code == 303
    async with visiting(site) as other:
        form = {"name": "Anna", "password": PASSWORD}
        assert (await other.post("/login", data=form)).status_code == 303


async def test_a_passkey_is_another_way_to_sign_in(site, visitor, provider):
    await join_by_openid(visitor, provider)
    player = (await current_player(visitor))["id"]
    passkey = Passkey(b"id", player, b"handle", b"key", 0, "", "Phone", 0, None)
    with site.state.services.database.engine.begin() as connection:
        add_passkey(connection, passkey)
    assert (await visitor.post("/me/openid/remove")).status_code == 303
    with site.state.services.database.engine.connect() as connection:
        assert not has_account_at(provider.issuer)(connection, player)


async def test_without_a_password_an_old_session_confirms_nothing(site, visitor, provider):
    await join_by_openid(visitor, provider)
    sessions = site.state.services.sessions
    began_ms = sessions.now_ms()
    sessions.now_ms = lambda: began_ms + 11 * 60_000
    for path, form in (
        ("/me/password", {"new": PASSWORD, "again": PASSWORD}),
        ("/me/recovery-codes", {}),
        ("/me/delete", {"sure": "yes"}),
    ):
        response = await visitor.post(path, data=form)
        assert response.status_code == 403, path
        assert "sign in again" in response.text


async def test_without_a_password_recovery_codes_can_be_made(site, visitor, provider):
    await join_by_openid(visitor, provider)
    sessions = site.state.services.sessions
    began_ms = sessions.now_ms()
    sessions.now_ms = lambda: began_ms + 11 * 60_000
    page = await visitor.post("/me/recovery-codes")
    assert "sign in again" in page.text
    await visitor.post("/me/sign-out")
    await come_back(visitor, provider)
    made = await visitor.post("/me/recovery-codes")
    assert (made.status_code, made.headers["location"]) == (303, "/me/recovery-codes")
    codes = re.findall(
        r"<code>([0-9a-z-]{19})</code>", (await visitor.get("/me/recovery-codes")).text
    )
    async with visiting(site) as other:
        body = {"name": "Anna", "code": codes[9], "password": PASSWORD}
        assert (await other.post("/api/v1/recovery", json=body)).status_code == 201


async def test_nobody_signs_in_with_an_empty_password(site, visitor, provider):
    await join_by_openid(visitor, provider)
    async with visiting(site) as other:
        response = await other.post("/login", data={"name": "Anna", "password": ""})
        assert response.status_code == 403


async def test_deleting_the_account_disconnects_it(site, visitor, provider):
    await join_by_openid(visitor, provider)
    assert (await visitor.post("/me/delete", data={"sure": "yes"})).status_code == 303
    with site.state.services.database.engine.connect() as connection:
        assert connection.execute(select(openid_accounts)).all() == []


async def test_two_windows_choose_one_name(site, visitor, provider):
    await come_back(visitor, provider)
    found = await asyncio.gather(
        *(visitor.post("/login/openid/name", data={"name": name}) for name in ("Anna", "Bea"))
    )
    assert sorted(response.status_code for response in found) in ([303, 403], [303, 409])


async def test_signing_in_and_connecting_are_lines_of_their_own(site, visitor, provider, caplog):
    caplog.set_level(logging.INFO, "fairdeal")

    def lines() -> list[tuple[str, str]]:
        found = [
            vars(one)["fairdeal_fields"]
            for one in caplog.records
            if one.name == "fairdeal.security"
        ]
        caplog.clear()
        return [(one["event"], one["outcome"]) for one in found]

    await join(visitor)
    lines()
    await visitor.post("/me/openid", data={"password": "no"})
    assert lines() == [("reauthentication", "failure")]
    await link(visitor, provider)
    assert lines() == [("reauthentication", "success"), ("account_linked", "success")]
    async with visiting(site) as other:
        await come_back(other, provider)
        assert lines() == [("login", "success")]
        await other.get("/login/openid/callback?state=planted&code=x")
        assert lines() == [("login", "failure")]
    await visitor.post("/me/openid/remove", data={"password": PASSWORD})
    assert lines() == [("account_unlinked", "success")]


async def test_nothing_secret_is_logged(site, visitor, provider, caplog):
    caplog.set_level(logging.DEBUG)
    await join_by_openid(visitor, provider)
    provider.wrong = {"nonce": "another"}
    await visitor.post("/me/sign-out")
    await come_back(visitor, provider)
    ours = "\n".join(
        f"{record.getMessage()} {record.__dict__}"
        for record in caplog.records
        if record.name.startswith("fairdeal")
    )
    assert "openid refusal" in ours
    for secret in (CLIENT_SECRET, "code-0", "code-1", provider.forms[0]["code_verifier"]):
        assert secret not in ours
    assert not SIGNED_TOKEN.search(ours)


@pytest.mark.parametrize(
    ("set_to", "said"),
    [
        ({"OPENID_ISSUER": "http://login.test", "OPENID_CLIENT_ID": "x"}, "must start with https"),
        (
            {"OPENID_ISSUER": "http://localhost.evil.test", "OPENID_CLIENT_ID": "x"},
            "must start with https",
        ),
        ({"OPENID_ISSUER": "https://login.test"}, "needs FAIRDEAL_OPENID_CLIENT_ID"),
    ],
)
def test_settings_that_cannot_work_are_refused(monkeypatch, set_to, said):
    for name, value in set_to.items():
        monkeypatch.setenv(f"FAIRDEAL_{name}", value)
    with pytest.raises(SettingsError, match=said):
        load_settings()
