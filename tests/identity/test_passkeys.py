"""Passkeys over HTTP, with an authenticator in software."""

from __future__ import annotations

import html
import json
import re

import pytest
from sqlalchemy import delete, insert, select, update

from app.db.engine import Database
from app.db.schema import accounts, passkeys, suspensions
from app.identity.passkeys.ceremonies import LIFETIME_MS
from app.identity.passkeys.model import RelyingParty
from app.identity.passkeys.repository import find_passkey, record_use
from app.identity.passkeys.service import MAX_PASSKEYS
from app.settings import Settings
from tests.support.known import PASSWORD
from tests.support.serving import id_of, started, visiting
from tests.support.software_authenticator import ORIGIN, SoftwareAuthenticator

pytestmark = pytest.mark.anyio


@pytest.fixture
async def site(database_url):
    async with started(Settings(database_url=database_url)) as app:
        yield app


@pytest.fixture
async def device(site):
    async with local_browser(site) as client:
        yield client


@pytest.fixture
async def elsewhere(site):
    """Another device."""
    async with local_browser(site) as client:
        yield client


def local_browser(site):
    client = visiting(site)
    client.base_url = ORIGIN
    return client


async def join(device, name="Anna"):
    form = {"name": name, "password": PASSWORD, "again": PASSWORD}
    assert (await device.post("/join", data=form)).status_code == 303


async def options(device, kind, **form):
    answer = await device.post(f"/api/v1/passkeys/{kind}-options", data=form)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def add(device, key=None, label=""):
    """Add a passkey to the account of a device; return its authenticator."""
    key = key or SoftwareAuthenticator()
    asked = await options(device, "registration", password=PASSWORD)
    form = {"credential": key.create(asked), "label": label}
    answer = await device.post("/me/passkeys", data=form)
    assert answer.headers.get("location") == "/me/passkeys?done=added", sentence(answer)
    return key


async def sign_in(device, key, **form):
    asked = await options(device, "sign-in")
    return await device.post("/login/passkey", data={"credential": key.get(asked)} | form)


def sentence(answer):
    found = re.search(r'role="alert"[^>]*>\s*([^<]+)', answer.text)
    return html.unescape(found[1]).strip() if found else ""


async def name_of(device):
    answer = await device.get("/api/v1/me")
    return answer.json()["name"] if answer.status_code == 200 else None


def links(page):
    return re.findall(r'href="(/me/passkeys/[0-9a-f]{16})"', page.text)


# --- signing in


async def test_a_passkey_signs_in_without_a_name(device, elsewhere):
    await join(device)
    key = await add(device)
    answer = await sign_in(elsewhere, key)
    assert (answer.status_code, answer.headers["location"]) == (303, "/me?done=welcome")
    assert await name_of(elsewhere) == "Anna"
    page = await elsewhere.get("/me/passkeys")
    assert "last used on" in page.text


async def test_the_options_say_what_is_asked_for(device):
    await join(device)
    asked = await options(device, "registration", password=PASSWORD)
    assert asked["rp"] == {"id": "localhost", "name": "Fair Deal"}
    assert asked["attestation"] == "none"
    assert asked["authenticatorSelection"]["residentKey"] == "required"
    assert asked["authenticatorSelection"]["userVerification"] == "required"
    assert [one["alg"] for one in asked["pubKeyCredParams"]] == [-8, -7, -257]
    player = (await device.get("/api/v1/me")).json()
    assert asked["user"]["name"] == "Anna"
    assert len(asked["user"]["id"]) == 43
    assert player["id"] not in json.dumps(asked)
    key = await add(device)
    again = await options(device, "registration", password=PASSWORD)
    assert len(again["excludeCredentials"]) == 1
    assert again["user"]["id"] != asked["user"]["id"], "no passkey was made for the first"
    assert (await add(device)).user_handle == key.user_handle
    assert (await options(device, "sign-in"))["allowCredentials"] == []


async def test_signing_in_merges_the_games_of_the_guest(device, elsewhere):
    await join(device)
    key = await add(device)
    game = (await elsewhere.post("/play", data={"ruleset": "bristol"})).headers["location"]
    answer = await sign_in(elsewhere, key, bring="yes")
    assert answer.headers["location"] == "/me?done=brought"
    assert "You are watching" not in (await device.get(game)).text


async def test_signing_in_ends_the_session_that_was_planted(device, elsewhere):
    await join(device)
    key = await add(device)
    await elsewhere.post("/play", data={"ruleset": "bristol"})
    planted = elsewhere.cookies["fd_session"]
    await sign_in(elsewhere, key)
    assert elsewhere.cookies["fd_session"] != planted


async def test_an_answer_counts_once(device, elsewhere):
    await join(device)
    key = await add(device)
    form = {"credential": key.get(await options(elsewhere, "sign-in"))}
    assert (await elsewhere.post("/login/passkey", data=form)).status_code == 303
    await elsewhere.post("/me/sign-out")
    answer = await elsewhere.post("/login/passkey", data=form)
    assert answer.status_code == 403
    assert sentence(answer) == "This took too long, or was used before. Please try again."
    assert await name_of(elsewhere) is None


async def test_a_refused_answer_uses_the_challenge_up_too(device, elsewhere):
    await join(device)
    key = await add(device)
    asked = await options(elsewhere, "sign-in")
    key.origin = "http://evil.example"
    form = {"credential": key.get(asked)}
    assert (await elsewhere.post("/login/passkey", data=form)).status_code == 403
    key.origin = ORIGIN
    form = {"credential": key.get(asked)}
    assert "used before" in sentence(await elsewhere.post("/login/passkey", data=form))


async def test_a_challenge_is_for_the_browser_that_asked(device, elsewhere):
    await join(device)
    key = await add(device)
    form = {"credential": key.get(await options(device, "sign-in"))}
    for cookie in ("", "x" * 43):
        elsewhere.cookies.set("fd_ceremony", cookie)
        answer = await elsewhere.post("/login/passkey", data=form)
        assert answer.status_code == 403
        assert await name_of(elsewhere) is None
        form = {"credential": key.get(await options(device, "sign-in"))}


async def test_two_windows_of_a_browser_do_not_disturb_each_other(device, elsewhere):
    await join(device)
    key = await add(device)
    first = await options(elsewhere, "sign-in")
    await options(elsewhere, "sign-in")
    form = {"credential": key.get(first)}
    assert (await elsewhere.post("/login/passkey", data=form)).status_code == 303


async def test_a_challenge_expires(site, device, elsewhere, monkeypatch):
    await join(device)
    key = await add(device)
    form = {"credential": key.get(await options(elsewhere, "sign-in"))}
    ceremonies = site.state.services.passkeys._ceremonies
    clock = ceremonies._clock
    monkeypatch.setattr(ceremonies, "_clock", lambda: clock() + LIFETIME_MS)
    answer = await elsewhere.post("/login/passkey", data=form)
    assert sentence(answer).startswith("This took too long")


@pytest.mark.parametrize("kind", ["confirmation", "registration"])
async def test_a_challenge_for_something_else_does_not_sign_in(device, kind):
    await join(device)
    key = await add(device)
    form = {"credential": key.get(await options(device, kind, password=PASSWORD))}
    await device.post("/me/sign-out")
    assert (await device.post("/login/passkey", data=form)).status_code == 403


LIES = {
    "wrong origin": {"origin": "http://evil.example"},
    "another scheme": {"origin": "ftp://localhost:8000"},
    "a look-alike": {"origin": "http://localhost.evil.example"},
    "a user in the address": {"origin": "http://localhost:8000@evil.example"},
    "not text": {"origin": ["http://localhost:8000"]},
    "wrong rp id": {"rp_id": "evil.example"},
    "in a frame of another site": {"is_cross_origin": True},
    "no PIN or finger": {"is_user_verified": False},
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
async def test_an_answer_from_elsewhere_is_refused(device, elsewhere, lie):
    await join(device)
    key = await add(device)
    for name, value in lie.items():
        setattr(key, name, value)
    answer = await sign_in(elsewhere, key)
    assert answer.status_code == 403
    assert sentence(answer)
    assert await name_of(elsewhere) is None


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
async def test_a_new_passkey_from_elsewhere_is_refused(device, lie):
    await join(device)
    key = SoftwareAuthenticator(**lie)
    made = key.create(await options(device, "registration", password=PASSWORD))
    answer = await device.post("/me/passkeys", data={"credential": made})
    assert answer.status_code == 403
    assert "You have no passkey yet." in answer.text


async def test_a_signature_of_another_key_is_refused(device, elsewhere):
    await join(device)
    key = await add(device)
    forged = SoftwareAuthenticator(credential_id=key.credential_id, user_handle=key.user_handle)
    answer = await sign_in(elsewhere, forged)
    assert (answer.status_code, sentence(answer)) == (403, "This passkey couldn't be verified.")


@pytest.mark.parametrize("count", [4, 5])
async def test_a_sign_count_that_does_not_grow_is_refused(device, elsewhere, count):
    await join(device)
    key = await add(device, SoftwareAuthenticator(sign_count=2))
    key.sign_count = 5
    assert (await sign_in(elsewhere, key)).status_code == 303
    await elsewhere.post("/me/sign-out")
    key.sign_count = count
    assert (await sign_in(elsewhere, key)).status_code == 403
    key.sign_count = 6
    assert (await sign_in(elsewhere, key)).status_code == 303


@pytest.mark.parametrize(("count", "is_used"), [(3, False), (0, True)])
async def test_of_two_uses_at_once_with_one_count_one_wins(site, device, count, is_used):
    await join(device)
    await add(device, SoftwareAuthenticator(sign_count=2 if count else 0))

    def use_twice(connection):
        [row] = connection.execute(select(passkeys.c.player_id, passkeys.c.credential_id)).all()
        passkey = find_passkey(connection, row.credential_id)
        assert passkey
        return [record_use(connection, passkey, count, 1) for _ in range(2)]

    # A passkey that does not count has nothing to compare.
    assert await site.state.services.database.write(use_twice) == [True, is_used]


async def test_a_passkey_with_the_user_handle_of_another_is_refused(device, elsewhere):
    await join(device)
    await join(elsewhere, "Berta")
    mine, theirs = await add(device), await add(elsewhere)
    assert mine.user_handle != theirs.user_handle
    for handle in (theirs.user_handle, b""):
        mine.user_handle = handle
        assert (await sign_in(device, mine)).status_code == 403


async def test_a_passkey_of_another_player_confirms_nothing(device, elsewhere):
    await join(device)
    await join(elsewhere, "Berta")
    await add(device)
    theirs = await add(elsewhere)
    confirmation = theirs.get(await options(device, "confirmation"))
    answer = await device.post(
        "/api/v1/passkeys/registration-options", data={"confirmation": confirmation}
    )
    assert (answer.status_code, answer.json()["code"]) == (403, "passkey_refused")


GARBAGE = [
    *("", "{", "[]", "null", "17", '"text"', "{}", "[" * 5000),
    '{"id": 7, "rawId": 7, "type": 7, "response": 7}',
    '{"id": "AA", "rawId": "AA", "type": "public-key", "response": {}}',
    *(
        json.dumps(
            {
                "id": "AA",
                "rawId": "AA",
                "type": "public-key",
                "response": {
                    "clientDataJSON": client_data,
                    "authenticatorData": "AA",
                    "signature": "AA",
                    "attestationObject": "AA",
                },
            }
        )
        for client_data in ("AA", "bnVsbA", "e30")
    ),
]


@pytest.mark.parametrize("garbage", GARBAGE, ids=range(len(GARBAGE)))
async def test_what_is_no_answer_is_refused_with_a_sentence(device, garbage):
    answer = await device.post("/login/passkey", data={"credential": garbage})
    assert (answer.status_code, sentence(answer)) == (403, "This passkey couldn't be verified.")
    await join(device)
    answer = await device.post("/me/passkeys", data={"credential": garbage})
    assert (answer.status_code, sentence(answer)) == (403, "This passkey couldn't be verified.")


# --- adding


async def test_adding_a_passkey_needs_the_password_or_a_passkey(device):
    await join(device)
    path = "/api/v1/passkeys/registration-options"
    for form in ({}, {"password": "guessed at random"}):
        answer = await device.post(path, data=form)
        assert (answer.status_code, answer.json()["code"]) == (403, "wrong_password")
    key = await add(device)
    confirmation = key.get(await options(device, "confirmation"))
    assert (await device.post(path, data={"confirmation": confirmation})).status_code == 200
    assert (await device.post(path, data={"confirmation": confirmation})).status_code == 403


async def test_a_passkey_made_for_one_player_is_not_added_to_another(device, elsewhere):
    await join(device)
    await join(elsewhere, "Berta")
    made = SoftwareAuthenticator().create(await options(device, "registration", password=PASSWORD))
    elsewhere.cookies.set("fd_ceremony", device.cookies["fd_ceremony"])
    assert (await elsewhere.post("/me/passkeys", data={"credential": made})).status_code == 403


async def test_a_known_passkey_is_not_added_again(device, elsewhere):
    await join(device)
    await join(elsewhere, "Berta")
    key = await add(device)
    for other in (device, elsewhere):
        made = key.create(await options(other, "registration", password=PASSWORD))
        answer = await other.post("/me/passkeys", data={"credential": made})
        assert (answer.status_code, sentence(answer)) == (
            409,
            "This passkey is already registered.",
        )
    assert "You have no passkey yet." in (await elsewhere.get("/me/passkeys")).text


async def test_guests_visitors_and_programs_add_none(device, elsewhere):
    path = "/api/v1/passkeys/registration-options"
    assert (await device.post(path, data={"password": PASSWORD})).status_code == 403
    await device.post("/play", data={"ruleset": "bristol"})
    assert (await device.post(path)).json()["code"] == "not_claimed"
    assert (await device.get("/me/passkeys")).status_code == 409
    await join(device)
    elsewhere.headers["Authorization"] = f"Bearer {device.cookies['fd_session']}"
    assert (await elsewhere.post(path, data={"password": PASSWORD})).status_code == 403


async def test_there_is_room_for_some(site, device, monkeypatch):
    monkeypatch.setattr("app.identity.passkeys.service.MAX_PASSKEYS", 2)
    assert MAX_PASSKEYS == 20
    await join(device)
    await add(device)
    await add(device)
    form = {"password": PASSWORD}
    answer = await device.post("/api/v1/passkeys/registration-options", data=form)
    assert answer.json()["detail"] == "You have 2 passkeys already. Remove one first."


async def test_a_suspended_player_signs_in_to_read_and_adds_no_passkey(site, device, elsewhere):
    await join(device)
    key = await add(device)
    player = await id_of(device)
    values = {"player_id": player, "since_ms": 0, "reason": "For a while."}
    await site.state.services.database.write(
        lambda connection: connection.execute(insert(suspensions).values(values))
    )
    site.state.services.sessions.forget(player)
    assert (await sign_in(elsewhere, key)).status_code == 303
    assert (await elsewhere.post("/play", data={"ruleset": "bristol"})).status_code == 403
    answer = await elsewhere.post(
        "/api/v1/passkeys/registration-options", data={"password": PASSWORD}
    )
    assert answer.json()["code"] == "suspended"


# --- renaming and removing


async def test_a_passkey_is_renamed(device):
    await join(device)
    await add(device, label="Blue  key\n")
    [link] = links(await device.get("/me/passkeys"))
    assert "<h1>Blue key</h1>" in (await device.get(link)).text
    answer = await device.post(f"{link}/name", data={"label": "<b>Green</b>"})
    assert answer.headers["location"] == "/me/passkeys?done=renamed"
    page = await device.get("/me/passkeys?done=renamed")
    assert "&lt;b&gt;Green&lt;/b&gt;" in page.text
    assert "You have renamed the passkey" in page.text
    answer = await device.post(f"{link}/name", data={"label": " \u202e "})
    assert (answer.status_code, sentence(answer)[:22]) == (422, "A passkey needs a name")


async def test_a_removed_passkey_no_longer_signs_in(device, elsewhere):
    await join(device)
    lost, kept = await add(device, label="Lost"), await add(device, label="Kept")
    page = await device.get("/me/passkeys")
    [link] = re.findall(r'href="([^"]+)"\s+aria-label="Rename or remove Lost', page.text)
    answer = await device.post(f"{link}/remove", data={"password": "guessed at random"})
    assert (answer.status_code, sentence(answer)) == (403, "Wrong password.")
    answer = await device.post(f"{link}/remove", data={"password": PASSWORD})
    assert answer.headers["location"] == "/me/passkeys?done=removed"
    refused = await sign_in(elsewhere, lost)
    assert refused.status_code == 403
    assert sentence(refused).startswith("We don't know this passkey.")
    assert (await sign_in(elsewhere, kept)).status_code == 303


async def test_nobody_changes_the_passkeys_of_others(device, elsewhere):
    await join(device)
    await join(elsewhere, "Berta")
    await add(device)
    [link] = links(await device.get("/me/passkeys"))
    assert (await elsewhere.get(link)).status_code == 404
    for change in ("name", "remove"):
        form = {"label": "Mine", "password": PASSWORD}
        assert (await elsewhere.post(f"{link}/{change}", data=form)).status_code == 404


async def test_the_last_way_to_sign_in_is_not_removed(site, device):
    await join(device)
    key = await add(device)
    await site.state.services.database.write(
        lambda connection: connection.execute(update(accounts).values(password_hash=""))
    )
    [link] = links(await device.get("/me/passkeys"))

    async def remove():
        confirmation = key.get(await options(device, "confirmation"))
        return await device.post(f"{link}/remove", data={"confirmation": confirmation})

    answer = await remove()
    assert answer.status_code == 409
    assert sentence(answer) == "This is the only way you can sign in. Add another passkey first."
    confirmation = key.get(await options(device, "confirmation"))
    other = SoftwareAuthenticator()
    made = other.create(await options(device, "registration", confirmation=confirmation))
    assert (await device.post("/me/passkeys", data={"credential": made})).status_code == 303
    assert (await remove()).headers["location"] == "/me/passkeys?done=removed"


async def test_with_a_passkey_alone_recovery_codes_can_be_made(site, device, elsewhere):
    await join(device)
    key = await add(device)
    await site.state.services.database.write(
        lambda connection: connection.execute(update(accounts).values(password_hash=""))
    )
    await sign_in(elsewhere, key)
    made = await elsewhere.post("/api/v1/me/recovery-codes", json={})
    assert made.status_code == 201, made.text
    assert len(made.json()["codes"]) == 10


async def test_what_another_process_changed_is_seen_at_once(site, device, database_url):
    await join(device)
    await add(device)
    assert len(links(await device.get("/me/passkeys"))) == 1
    other = Database(database_url)
    await other.write(lambda connection: connection.execute(delete(passkeys)))
    await other.close()
    answer = await device.get("/me/passkeys")
    assert (links(answer), answer.headers["cache-control"]) == ([], "no-store")
    assert "etag" not in answer.headers


async def test_deleting_the_account_deletes_its_passkeys(device, elsewhere):
    await join(device)
    key = await add(device)
    await device.post("/me/delete", data={"password": PASSWORD, "sure": "yes"})
    assert (await sign_in(elsewhere, key)).status_code == 403


async def test_secrets_are_not_in_the_export(device):
    await join(device)
    key = await add(device, label="Blue key")
    text = (await device.get("/me/export")).text
    [passkey] = json.loads(text)["passkeys"]
    assert passkey["name"] == "Blue key"
    assert set(passkey) == {"id", "name", "created_ms", "used_ms"}
    assert key.credential_id.hex() not in text


# --- where passkeys work


async def test_another_address_of_the_site_offers_none(site, device):
    assert 'autocomplete="username webauthn"' in (await device.get("/login")).text
    async with visiting(site) as other:
        page = (await other.get("/login")).text
        assert "passkey" not in page.lower()
        assert 'autocomplete="username"' in page
        await join(other, "Clara")
        assert "don't work at this address" in html.unescape((await other.get("/me/passkeys")).text)


FAIR = {"passkey_domain": "fair.example"}
LISTED = FAIR | {"passkey_origins": " https://www.fair.example/, https://fair.example:444"}


@pytest.mark.parametrize(
    ("settings", "allowed", "refused"),
    [
        (
            {},
            ["http://localhost", "http://localhost:8000", "https://localhost:1"],
            ["http://127.0.0.1", "http://localhost:8000/", "null", ""],
        ),
        (
            FAIR,
            ["https://fair.example"],
            ["http://fair.example", "https://www.fair.example", "https://fair.example:444"],
        ),
        (
            LISTED,
            ["https://www.fair.example", "https://fair.example:444"],
            ["https://fair.example", "http://localhost", ""],
        ),
    ],
    ids=["one's own machine", "a domain", "listed origins"],
)
def test_origins_are_those_of_the_settings(settings, allowed, refused):
    party = RelyingParty.of(Settings(**settings))
    assert [origin for origin in allowed if not party.has_origin(origin)] == []
    assert [origin for origin in refused if party.has_origin(origin)] == []
