import asyncio
import re
from typing import Any

import pytest
from fastapi import FastAPI
from httpx import AsyncClient
from sqlalchemy import Engine, event, select, update

from app.admin.auth.repository import Role
from app.db.schema import recovery_codes, recovery_sets
from app.errors import MalformedError, RateLimitedError
from app.identity.model import ClientInfo, SignedIn
from app.identity.recovery import codes as recovery
from app.identity.recovery.service import (
    PER_NAME_AND_NETWORK,
    PER_NETWORK,
    RecoveryService,
    WrongRecoveryCodeError,
)
from app.identity.session_start import SessionStarter
from tests.identity.processes import AWAY, HOME, ServerProcess
from tests.support.known import PASSWORD
from tests.support.serving import visiting

pytestmark = pytest.mark.anyio

NEW = "nine herons waded"
CODE = re.compile(r"<code>([0-9a-z-]{19})</code>")


def service_of(process: ServerProcess) -> RecoveryService:
    starter = SessionStarter(process.database, process.sessions)
    return RecoveryService(
        process.database, process.sessions, process.accounts, process.passwords, starter
    )


async def made(process: ServerProcess) -> tuple[SignedIn, list[str]]:
    entered = await process.create_account()
    client = ClientInfo(HOME.address, HOME.label, entered.token)
    return entered, await service_of(process).make(
        entered.player, PASSWORD, client, show_again=False
    )


async def recover(process: ServerProcess, code: str, name: str = "Anna", place=HOME) -> SignedIn:
    return await service_of(process).recover(name, code, NEW, place, keep_games=False)


async def test_a_code_signs_in_once_sets_the_password_and_ends_all_sessions(here, there):
    entered, codes = await made(here)
    assert await there.sessions.find(entered.token)
    typed = codes[3].upper().replace("-", " ").replace("0", "O").replace("1", "l")
    recovered = await recover(here, typed, " ANNA ")
    assert recovered.player == entered.player
    assert await here.sessions.find(entered.token) is None
    assert await here.sessions.find(recovered.token)
    assert (await here.sign_in(password=NEW)).player == entered.player
    for code in (codes[3], typed):
        with pytest.raises(WrongRecoveryCodeError):
            await recover(here, code)
    assert (await service_of(here).status(entered.player)).left == 9
    await recover(here, codes[4])


async def test_of_two_uses_of_a_code_at_once_one_wins(here, there):
    _, codes = await made(here)
    found = await asyncio.gather(
        recover(here, codes[0]), recover(there, codes[0]), return_exceptions=True
    )
    assert sum(isinstance(one, SignedIn) for one in found) == 1
    assert sum(isinstance(one, WrongRecoveryCodeError) for one in found) == 1


async def test_new_codes_void_the_old_ones(here):
    entered, old = await made(here)
    client = ClientInfo(HOME.address, HOME.label, entered.token)
    new = await service_of(here).make(entered.player, PASSWORD, client, show_again=False)
    assert len(set(old) | set(new)) == 20
    with pytest.raises(WrongRecoveryCodeError):
        await recover(here, old[0])
    await recover(here, new[0])


async def test_codes_are_of_one_player(here):
    _, codes = await made(here)
    await here.create_account("Ben")
    with pytest.raises(WrongRecoveryCodeError):
        await recover(here, codes[0], "Ben")
    await recover(here, codes[0])


async def test_codes_are_stored_as_hashes_only(here):
    _, codes = await made(here)
    with here.database.engine.connect() as connection:
        rows = connection.execute(select(recovery_codes)).all()
        (stored,) = connection.execute(select(recovery_sets)).all()
    assert len(rows) == len({bytes(row.code_hash) for row in rows}) == len(codes) == 10
    for code in codes:
        assert code not in repr((rows, stored))
        assert code.replace("-", "") not in repr((rows, stored))
    assert stored.secret is None


async def test_an_unknown_name_and_a_wrong_code_are_one_answer_after_the_same_work(here):
    await made(here)
    statements: list[list[str]] = []

    def record(connection, cursor, statement, *_):
        statements[-1].append(statement)

    event.listen(Engine, "before_cursor_execute", record)
    said = []
    for name in ("Anna", "Nobody at all"):
        statements.append([])
        with pytest.raises(WrongRecoveryCodeError) as refused:
            await recover(here, "0000-0000-0000-0000", name)
        said.append((refused.value.code, refused.value.detail))
    event.remove(Engine, "before_cursor_execute", record)
    assert said[0] == said[1]
    assert statements[0] == statements[1]
    assert statements[0]


async def test_wrong_codes_are_limited_by_name_and_network_and_by_network(here):
    _, codes = await made(here)
    place = ClientInfo("2001:db8:0:1::1", "")
    for number in range(PER_NAME_AND_NETWORK.most):
        with pytest.raises(WrongRecoveryCodeError):
            await recover(here, "x", place=ClientInfo(f"2001:db8:0:1::{number:x}", ""))
    with pytest.raises(RateLimitedError):
        await recover(here, codes[0], place=place)
    for number in range(PER_NETWORK.most - PER_NAME_AND_NETWORK.most):
        with pytest.raises(WrongRecoveryCodeError):
            await recover(here, "x", f"Name {number}", place)
    with pytest.raises(RateLimitedError):
        await recover(here, "x", "Another", place)
    await recover(here, codes[0], place=AWAY)


async def test_a_bad_new_password_uses_no_code_up(here):
    entered, codes = await made(here)
    with pytest.raises(MalformedError):
        await service_of(here).recover("Anna", codes[0], "password2", HOME, keep_games=False)
    assert (await service_of(here).status(entered.player)).left == 10


async def test_deleting_the_account_deletes_the_codes(site: FastAPI, visitor: AsyncClient):
    await join(visitor)
    await visitor.post("/me/delete", data={"password": PASSWORD, "sure": "yes"})
    with site.state.services.database.engine.connect() as connection:
        for table in (recovery_codes, recovery_sets):
            assert connection.execute(select(table)).all() == []


def test_codes_can_be_read_aloud_and_are_different():
    secret = recovery.new_secret()
    codes = recovery.make_codes("token", secret)
    assert len(set(codes)) == 10
    assert all(re.fullmatch(r"[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){3}", c) for c in codes)
    assert not set(codes) & set(recovery.make_codes("other", secret))
    assert not set(codes) & set(recovery.make_codes("token", recovery.new_secret()))


# --- pages and API


async def join(visitor: AsyncClient, back: str = "") -> Any:
    form = {"name": "Anna", "password": PASSWORD, "again": PASSWORD, "back": back}
    return await visitor.post("/join", data=form)


async def test_codes_are_shown_after_claiming_until_they_are_saved(
    site: FastAPI, visitor: AsyncClient
):
    assert (await join(visitor, "/daily")).headers["location"] == "/me/recovery-codes?back=/daily"
    shown = await visitor.get("/me/recovery-codes?back=/daily")
    assert "<h1>Welcome, <bdi>Anna</bdi></h1>" in shown.text
    assert "It keeps every game you play from now on." in shown.text
    # They are one step away, and so is the page that the player came from.
    before, folded = shown.text.split('<details class="save-codes">')
    assert not CODE.findall(before)
    assert "Save your recovery codes</summary>" in folded
    assert re.search(r'<a href="/daily">Later</a>', folded.partition("</details>")[2])
    codes = CODE.findall(shown.text)
    assert len(codes) == 10
    assert shown.headers["cache-control"] == "no-store"
    file = await visitor.get("/me/recovery-codes.txt")
    assert all(code in file.text.splitlines() for code in codes)
    assert "attachment" in file.headers["content-disposition"]
    response = await visitor.post("/me/recovery-codes/saved", data={"back": "/daily"})
    assert response.headers["location"] == "/daily"
    assert "can't be shown again" in (await visitor.get("/me/recovery-codes")).text
    assert (await visitor.get("/me/recovery-codes.txt")).status_code == 303
    # They work without JavaScript, from another browser.
    async with visiting(site) as other:
        form = {"name": "Anna", "code": codes[0], "password": NEW, "again": NEW}
        response = await other.post("/recover", data=form)
        assert response.headers["location"] == "/me?done=recovered"
        assert "9 of 10 left" in (await other.get("/me/account")).text
    assert "aren&#39;t signed in" in (await visitor.get("/me")).text.replace("'", "&#39;")


async def test_a_new_account_says_what_is_in_it_and_leads_back_to_the_codes(visitor: AsyncClient):
    for _ in range(2):
        await visitor.post("/play", data={"ruleset": "bristol"})
    welcome = (await visitor.get((await join(visitor)).headers["location"])).text
    assert "the 2 games you played here are in it" in welcome
    codes = CODE.findall(welcome)
    assert "Your profile leads back to them for 15 minutes." in welcome
    # Later: the profile asks, and shows the same ones.
    asked = (await visitor.get("/me?done=joined")).text
    assert "Have you saved your recovery codes?" in asked
    assert CODE.findall((await visitor.get("/me/recovery-codes")).text) == codes
    await visitor.post("/me/recovery-codes/saved")
    assert "Have you saved your recovery codes?" not in (await visitor.get("/me")).text


async def test_another_session_of_the_player_does_not_see_the_codes(site, visitor):
    await join(visitor)
    async with visiting(site) as other:
        await other.post("/login", data={"name": "Anna", "password": PASSWORD})
        assert CODE.findall((await other.get("/me/recovery-codes")).text) == []
    assert len(CODE.findall((await visitor.get("/me/recovery-codes")).text)) == 10


async def test_unsaved_codes_are_not_shown_for_long(site, visitor):
    await join(visitor)
    old = update(recovery_sets).values(made_ms=recovery_sets.c.made_ms - 16 * 60_000)
    with site.state.services.database.engine.begin() as connection:
        connection.execute(old)
    assert CODE.findall((await visitor.get("/me/recovery-codes")).text) == []


async def test_a_player_without_codes_is_invited_once(site, visitor):
    await join(visitor)
    with (
        site.state.services.database.engine.begin() as connection
    ):  # a player from before there were codes
        connection.execute(recovery_sets.delete())
        connection.execute(recovery_codes.delete())
    assert "doesn't cost you your account" in (await visitor.get("/me")).text
    await visitor.post("/me/recovery-codes/later")
    page = (await visitor.get("/me")).text
    assert "doesn't cost you your account" not in page
    assert "Make recovery codes" in (await visitor.get("/me/account")).text
    refused = await visitor.post("/me/recovery-codes", data={"password": "not my password"})
    assert refused.status_code == 403
    assert "Wrong password." in refused.text
    response = await visitor.post("/me/recovery-codes", data={"password": PASSWORD})
    assert response.headers["location"] == "/me/recovery-codes"
    assert len(CODE.findall((await visitor.get("/me/recovery-codes")).text)) == 10


async def test_the_api_makes_counts_and_uses_codes(site: FastAPI, visitor: AsyncClient):
    claimed = await visitor.post("/api/v1/me/claim", json={"name": "Anna", "password": PASSWORD})
    assert claimed.is_success
    assert (await visitor.get("/api/v1/me/recovery-codes")).json() == {"left": 0, "made_ms": None}
    refused = await visitor.post("/api/v1/me/recovery-codes", json={"password": "wrong"})
    assert (refused.status_code, refused.json()["code"]) == (403, "wrong_password")
    codes = (await visitor.post("/api/v1/me/recovery-codes", json={"password": PASSWORD})).json()
    assert len(codes["codes"]) == 10
    assert (await visitor.get("/api/v1/me/recovery-codes")).json()["left"] == 10
    body = {"name": "Anna", "code": codes["codes"][0], "password": NEW, "label": "my bot"}
    async with visiting(site) as bot:
        answer = await bot.post("/api/v1/recovery", json=body)
        assert answer.status_code == 201
        token = answer.json()["token"]
        sessions = await bot.get(
            "/api/v1/me/sessions", headers={"Authorization": f"Bearer {token}"}
        )
        assert [one["device"] for one in sessions.json()] == ["my bot"]
        again = await bot.post("/api/v1/recovery", json=body)
        assert (again.status_code, again.json()["code"]) == (403, "wrong_recovery_code")


async def test_a_role_needs_a_longer_password_wherever_it_is_set(
    site: FastAPI, visitor: AsyncClient
):
    short, long = "herons wade", "herons wade on"
    body = {"name": "Anna", "password": PASSWORD}
    assert (await visitor.post("/api/v1/me/claim", json=body)).is_success
    codes = await visitor.post("/api/v1/me/recovery-codes", json={"password": PASSWORD})
    [code, other, *_] = codes.json()["codes"]
    await site.state.services.staff.grant_role("Anna", Role.MODERATOR)

    change = {"current": PASSWORD, "new": short}
    answer = await visitor.put("/api/v1/me/password", json=change)
    assert (answer.status_code, answer.json()["code"]) == (422, "malformed")
    assert "at least 12 characters" in answer.json()["detail"]
    page = await visitor.post("/me/password", data=change | {"again": short})
    assert "at least 12 characters" in page.text
    async with visiting(site) as elsewhere:
        recovery = {"name": "Anna", "code": code, "password": short}
        # Strangers don't learn who has a role.
        answer = await elsewhere.post("/api/v1/recovery", json=recovery | {"code": "wrong"})
        assert answer.json()["code"] == "wrong_recovery_code"
        answer = await elsewhere.post("/api/v1/recovery", json=recovery)
        assert (answer.status_code, answer.json()["code"]) == (422, "malformed")
        assert "at least 12 characters" in answer.json()["detail"]
        # The code is not used up.
        answer = await elsewhere.post("/api/v1/recovery", json=recovery | {"password": long})
        assert answer.status_code == 201, answer.text
        # Without the role, eight will do.
        await site.state.services.staff.revoke_role("Anna")
        answer = await elsewhere.post("/api/v1/recovery", json=recovery | {"code": other})
        assert answer.status_code == 201, answer.text


async def test_a_guest_has_no_codes(visitor: AsyncClient):
    await visitor.post("/play", data={"ruleset": "bristol"})
    response = await visitor.post("/api/v1/me/recovery-codes", json={})
    assert (response.status_code, response.json()["code"]) == (409, "not_claimed")
    assert (await visitor.post("/me/recovery-codes/saved")).status_code == 409


async def test_a_guests_games_come_along(site: FastAPI, visitor: AsyncClient):
    async with visiting(site) as anna:
        await join(anna)
        code = CODE.findall((await anna.get("/me/recovery-codes")).text)[0]
    game = (await visitor.post("/play", data={"ruleset": "bristol"})).headers["location"]
    form = {"name": "Anna", "code": code, "password": NEW, "again": NEW, "bring": "yes"}
    assert (await visitor.post("/recover", data=form)).status_code == 303
    assert "You are watching" not in (await visitor.get(game)).text
