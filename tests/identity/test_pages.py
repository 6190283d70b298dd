import html
import logging
import re
from typing import Any

import pytest
from fastapi import FastAPI
from httpx import AsyncClient

from tests.support.known import PASSWORD
from tests.support.serving import visiting

pytestmark = pytest.mark.anyio

FORMS = {
    "/join": {"name": "Eve", "password": PASSWORD, "again": PASSWORD},
    "/login": {"name": "Anna", "password": PASSWORD},
    "/me/name": {"name": "Eve"},
    "/me/another-name": {},
    "/me/password": {"current": PASSWORD, "new": "changed by Eve", "again": "changed by Eve"},
    "/recover": {
        "name": "Anna",
        "code": "x",
        "password": "changed by Eve",
        "again": "changed by Eve",
    },
    "/me/recovery-codes": {"password": PASSWORD},
    "/me/recovery-codes/later": {},
    "/me/recovery-codes/saved": {},
    "/me/sessions/others/end": {},
    "/me/sign-out": {},
    "/me/delete": {"password": PASSWORD, "sure": "yes"},
}


async def join(visitor: AsyncClient, name: str = "Anna", **more: str):
    form = {"name": name, "password": PASSWORD, "again": PASSWORD, **more}
    return await visitor.post("/join", data=form)


async def current_player(visitor: AsyncClient) -> Any:
    response = await visitor.get("/api/v1/me")
    return response.json() if response.is_success else None


async def test_a_guest_claims_a_name_and_keeps_every_game(site: FastAPI, visitor: AsyncClient):
    game = (await visitor.post("/play", data={"ruleset": "bristol"})).headers["location"]
    guest, before = await current_player(visitor), visitor.cookies["fd_session"]
    assert guest
    assert len(guest["name"].split()) == 2
    assert "your game" in (await visitor.get("/join")).text
    response = await join(visitor, "Zoë O'Hara")
    location = "/me/recovery-codes?back=/me%3Fdone%3Djoined"
    assert (response.status_code, response.headers["location"]) == (303, location)
    assert 'name="back" value="/me?done=joined"' in (await visitor.get(location)).text
    assert await current_player(visitor) == {
        "id": guest["id"],
        "name": "Zoë O'Hara",
        "guest": False,
    }
    assert "Zoë O&#39;Hara" in (await visitor.get("/me?done=joined")).text
    assert "You are watching" not in (await visitor.get(game)).text
    # A stolen or planted guest token is worthless.
    assert visitor.cookies["fd_session"] != before
    async with visiting(site, headers={"Authorization": f"Bearer {before}"}) as thief:
        assert (await thief.get("/api/v1/me")).status_code == 401


async def test_a_new_visitor_claims_a_name_and_returns_to_the_page_before(visitor):
    assert 'value="/daily"' in (await visitor.get("/join?back=/daily")).text
    location = "/me/recovery-codes?back=/daily"
    assert (await join(visitor, back="/daily")).headers["location"] == location
    response = await visitor.post("/me/recovery-codes/saved", data={"back": "/daily"})
    assert response.headers["location"] == "/daily"
    assert (await current_player(visitor))["name"] == "Anna"
    assert (await visitor.get("/join")).headers["location"] == "/me"


@pytest.mark.parametrize("back", ["https://evil.test/", "//evil.test", "/\\evil.test", "x"])
async def test_there_are_no_redirects_to_other_sites(visitor: AsyncClient, back):
    assert "evil" not in (await visitor.get("/login", params={"back": back})).text
    assert (await join(visitor, back=back)).headers["location"] == "/me/recovery-codes?back=/"
    assert "evil" not in (await visitor.get("/me/recovery-codes", params={"back": back})).text
    response = await visitor.post("/me/recovery-codes/saved", data={"back": back})
    assert response.headers["location"] == "/"


async def test_sign_out_and_sign_in(site: FastAPI, visitor: AsyncClient):
    await join(visitor)
    anna, before = await current_player(visitor), visitor.cookies["fd_session"]
    response = await visitor.post("/me/sign-out")
    assert (response.status_code, response.headers["location"]) == (303, "/")
    assert "fd_session" not in visitor.cookies
    async with visiting(site, headers={"Authorization": f"Bearer {before}"}) as thief:
        assert (await thief.get("/api/v1/me")).status_code == 401
    response = await visitor.post("/login", data={"name": "  ANNA ", "password": PASSWORD})
    assert (response.status_code, response.headers["location"]) == (303, "/me?done=welcome")
    assert await current_player(visitor) == anna
    assert "Welcome back." in (await visitor.get("/me?done=welcome")).text


async def test_a_planted_cookie_is_never_signed_in(site, visitor):
    await join(visitor)
    async with visiting(site) as eve, visiting(site) as victim:
        await eve.post("/play", data={"ruleset": "bristol"})
        planted = eve.cookies["fd_session"]
        victim.cookies.set("fd_session", planted, domain="fairdeal.test", path="/")
        response = await victim.post("/login", data={"name": "Anna", "password": PASSWORD})
        assert response.status_code == 303
        assert victim.cookies["fd_session"] != planted
        assert await current_player(eve) is None


@pytest.mark.parametrize(("name", "password"), [("Anna", "wrong password"), ("Nobody1", PASSWORD)])
async def test_a_wrong_password_and_an_unknown_name_get_the_same_answer(visitor, name, password):
    await join(visitor)
    await visitor.post("/me/sign-out")
    response = await visitor.post("/login", data={"name": name, "password": password})
    assert response.status_code == 403
    assert "Wrong name or password." in response.text
    assert f'value="{name}"' in response.text
    assert password not in response.text
    assert "fd_session" not in visitor.cookies


async def test_no_password_reaches_the_log(visitor: AsyncClient, caplog, log_lines):
    caplog.set_level(logging.DEBUG)
    await join(visitor)
    await join(visitor, password=PASSWORD * 100)  # too long to be read at all
    new = {"current": PASSWORD, "new": PASSWORD + "!", "again": PASSWORD + "!"}
    await visitor.post("/me/password", data=new)
    await visitor.put("/api/v1/me/password", json={"current": PASSWORD, "new": [PASSWORD]})
    await visitor.post("/login", data={"name": "Anna", "password": PASSWORD})
    await visitor.post("/login", json={"name": "Anna", "password": PASSWORD})
    await visitor.post("/me/delete", data={"password": PASSWORD, "sure": "no"})
    log = "\n".join(log_lines())
    assert '"/me/password"' in log
    assert PASSWORD not in log
    assert "ravens" not in log


async def test_guessing_is_rate_limited_and_says_for_how_long(visitor: AsyncClient):
    await join(visitor)
    await visitor.post("/me/sign-out")
    for _ in range(8):
        form = {"name": "Anna", "password": "wrong password"}
        assert (await visitor.post("/login", data=form)).status_code == 403
    response = await visitor.post("/login", data={"name": "Anna", "password": PASSWORD})
    assert response.status_code == 429
    assert 800 < int(response.headers["retry-after"]) <= 900
    assert "Try again in 15 minutes" in response.text


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": "<script>alert(1)</script>"}, "can&#39;t contain &#39;&lt;&#39;"),
        ({"name": "Anna\u202e"}, "right-to-left override"),
        ({"name": "An\u200bna"}, "zero width space"),
        ({"name": "Jo"}, "at least 3"),
        ({"name": "x" * 25}, "at most 24"),
        ({"name": ""}, "Choose a name"),
        ({"name": "Admin"}, "one of the site&#39;s own"),
        ({"name": "amber  OWL"}, "given to guests"),
        ({"name": "Annа"}, "look-alike letters from different alphabets"),  # noqa: RUF001 - the point
        ({"name": "ÁNNA"}, "is taken"),
        ({"password": "short", "again": "short"}, "at least 8 characters; this one has 5"),
        ({"password": "12345678", "again": "12345678"}, "too common"),
        ({"password": "bertrand2", "again": "bertrand2", "name": "Bertrand 2"}, "be your name"),
        ({"again": "something else"}, "not the same"),
        ({"again": "", "twice": "yes"}, "not the same"),
    ],
)
async def test_a_refused_claim_is_explained_in_the_form(site, visitor, change, said):
    async with visiting(site) as anna:
        await join(anna)
    form = {"name": "Ben", "password": PASSWORD, "again": PASSWORD, **change}
    response = await visitor.post("/join", data=form)
    assert response.status_code in {409, 422}
    assert said in response.text
    assert "<script>alert" not in response.text
    assert "\u202e" not in response.text.replace(form["name"], "")
    assert form["password"] not in response.text.replace("bertrand2", "")
    assert "fd_session" not in visitor.cookies


@pytest.mark.parametrize(
    "again", [{}, {"again": PASSWORD}, {"again": PASSWORD, "twice": "yes"}], ids=str
)
async def test_a_password_is_typed_once_or_twice(visitor: AsyncClient, again: dict[str, str]):
    """Once where a script shows it; twice in forms without one, old or new."""
    form = {"name": "Ben", "password": PASSWORD, **again}
    assert (await visitor.post("/join", data=form)).status_code == 303
    change = {"current": PASSWORD, "new": PASSWORD + "!"}
    again = {name: text + "!" * (name == "again") for name, text in again.items()}
    assert (await visitor.post("/me/password", data=change | again)).status_code == 303


async def test_all_that_is_wrong_with_a_claim_is_said_at_once_each_at_its_field(
    visitor: AsyncClient,
):
    form = {"name": "x", "password": "short", "again": "other"}
    answer = await visitor.post("/join", data=form)
    faults = dict(re.findall(r'<p class="fault" id="(\w+)-fault">([^<]*)</p>', answer.text))
    assert "at least 3" in faults["name"]
    assert "at least 8 characters" in faults["password"]
    assert "not the same" in faults["again"]
    assert answer.text.count('aria-invalid="true"') == 3
    assert 'value="x"' in answer.text
    assert "type your password again" in answer.text
    # What is right has no mark, and the script is told where to go.
    answer = await visitor.post("/join", data=form | {"name": "Ben", "password": PASSWORD})
    assert answer.text.count('aria-invalid="true"') == 1
    whole = {"name": "Ben", "password": PASSWORD, "again": PASSWORD, "back": "/games"}
    answer = await visitor.post("/join", data=whole, headers={"HX-Request": "true"})
    assert (answer.status_code, answer.headers["hx-redirect"]) == (
        204,
        "/me/recovery-codes?back=/games",
    )


def above_the_footer(page: str) -> str:
    """The page without the choice of a language, which every page has."""
    return page.partition("<footer")[0]


async def test_fields_are_labelled_for_password_managers(visitor: AsyncClient):
    entry = (await visitor.get("/login")).text
    assert re.search(r'name="name"[^>]*autocomplete="username"', entry)
    assert re.search(r'name="password"[^>]*autocomplete="current-password"', entry)
    entry = (await visitor.get("/join")).text
    assert re.search(r'name="name"[^>]*autocomplete="username"', entry)
    assert len(re.findall(r'type="password"[^>]*autocomplete="new-password"', entry)) == 2
    await join(visitor)
    own = (await visitor.get("/me/account")).text
    assert len(re.findall(r'autocomplete="new-password"', own)) == 2
    assert len(re.findall(r'autocomplete="current-password"', own)) == 3
    for page in map(above_the_footer, (entry, own)):
        ids = set(re.findall(r'<input id="([\w-]+)"', page))
        assert ids == set(re.findall(r'<label for="([\w-]+)"', page))


async def pages_of_an_account(visitor: AsyncClient) -> dict[str, str]:
    """The pages of somebody who is not signed in, and then of Anna."""
    pages = {path: (await visitor.get(path)).text for path in ("/login", "/join", "/recover")}
    await join(visitor)
    for path in ("/me", "/me/account", "/me/recovery-codes", "/me/passkeys"):
        pages[path] = (await visitor.get(path)).text
    return pages


MASKED = {"/login": 1, "/join": 2, "/recover": 2, "/me/account": 5}  # fields by path


async def test_every_password_field_is_masked(visitor: AsyncClient):
    for path, text in (await pages_of_an_account(visitor)).items():
        fields = re.findall(r"<input[^>]*>", text)
        secret = [one for one in fields if re.search(r'password"|name="(again|new|current)"', one)]
        assert len(secret) == MASKED.get(path, 0)
        assert [one for one in secret if 'type="password"' not in one] == []
        assert "paste" not in text


async def test_nothing_but_what_is_needed_is_asked(visitor: AsyncClient):
    """No hints and no secret questions."""
    pages = "".join(map(above_the_footer, (await pages_of_an_account(visitor)).values()))
    names = set(re.findall(r'<(?:input|select|textarea)[^>]* name="([^"]+)"', pages))
    secrets = {"password", "again", "twice", "new", "current", "code", "credential", "confirmation"}
    assert names <= secrets | {"name", "username", "label", "back", "bring", "sure"}


async def test_signing_out_is_one_link_away_at_most(visitor: AsyncClient):
    pages = await pages_of_an_account(visitor)
    assert pages["/me"].count('action="/me/sign-out"') == 1
    after = above_the_footer(pages["/me"]).split('action="/me/sign-out"')[1]
    assert re.findall("<(button|a|h2)\\b", after) == ["button"], "it comes last"
    for path in ("/me/account", "/me/recovery-codes", "/me/passkeys"):
        assert re.search(r'href="/me["#]', pages[path]), path


@pytest.mark.parametrize(
    ("password", "said"), [("12345678", "too common"), ("x" * 7, "at least 8")]
)
async def test_every_page_that_sets_a_password_checks_it(site, visitor, password, said):
    new = {"password": password, "again": password}
    async with visiting(site) as guest:
        answers = [await guest.post("/join", data={"name": "Ben", **new})]
    await join(visitor)
    codes = re.findall(r"<code>([\w-]+)</code>", (await visitor.get("/me/recovery-codes")).text)
    form = {"current": PASSWORD, "new": password, "again": password}
    answers.append(await visitor.post("/me/password", data=form))
    await visitor.post("/me/sign-out")
    form = {"name": "Anna", "code": codes[0], **new}
    answers.append(await visitor.post("/recover", data=form))
    for answer in answers:
        assert answer.status_code == 422
        assert said in answer.text


async def test_the_games_of_the_browser_are_kept_on_request(site: FastAPI):
    async with visiting(site) as phone, visiting(site) as desk, visiting(site) as other:
        await join(phone)
        game = (await desk.post("/play", data={"ruleset": "bristol"})).headers["location"]
        assert "Your game on this device, played as " in re.sub(
            r"\s+", " ", (await desk.get("/login")).text
        )
        form = {"name": "Anna", "password": PASSWORD, "bring": "yes"}
        response = await desk.post("/login", data=form)
        assert response.headers["location"] == "/me?done=brought"
        assert await current_player(desk) == await current_player(phone)
        for device in (desk, phone):
            assert "You are watching" not in (await device.get(game)).text
        left = (await other.post("/play", data={"ruleset": "bristol"})).headers["location"]
        await other.post("/login", data={"name": "Anna", "password": PASSWORD})
        assert "You are watching" in (await other.get(left)).text


async def test_devices_are_listed_and_signed_out_one_by_one(site: FastAPI):
    firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    async with (
        visiting(site, headers={"User-Agent": firefox}) as desk,
        visiting(site, headers={"User-Agent": "Mozilla/5.0 (iPhone) Safari/604.1"}) as phone,
        visiting(site, headers={"User-Agent": "curl/8.0"}) as program,
    ):
        await join(desk)
        for device in (phone, program):
            await device.post("/login", data={"name": "Anna", "password": PASSWORD})
        text = (await desk.get("/me/account")).text
        for label in ("Firefox on Linux", "Safari on iPhone", "curl"):
            assert f"<b>{label}</b>" in text
        assert text.count("this browser</span>") == 1
        sessions = {
            session["device"]: session["id"]
            for session in (await desk.get("/api/v1/me/sessions")).json()
        }
        await desk.post(f"/me/sessions/{sessions['Safari on iPhone']}/end")
        assert await current_player(phone) is None
        assert await current_player(program)
        assert (await desk.post("/me/sessions/0123456789abcdef/end")).status_code == 404
        await desk.post("/me/sessions/others/end")
        assert await current_player(program) is None
        assert await current_player(desk)


async def test_a_name_is_changed_and_the_old_one_is_free(site: FastAPI, visitor: AsyncClient):
    await join(visitor)
    response = await visitor.post("/me/name", data={"name": "Anna Lena"})
    assert response.headers["location"] == "/me/account?done=name"
    assert (await current_player(visitor))["name"] == "Anna Lena"
    assert (await visitor.post("/me/name", data={"name": "ANNA LENA"})).status_code == 303
    async with visiting(site) as other:
        assert (await join(other)).status_code == 303
        response = await visitor.post("/me/name", data={"name": "Anna"})
        assert response.status_code == 409
        assert "is taken" in response.text


async def test_a_guest_cannot_choose_a_name(visitor: AsyncClient):
    await visitor.post("/play", data={"ruleset": "bristol"})
    response = await visitor.post("/me/name", data={"name": "Anna"})
    assert response.status_code == 409
    assert "Create an account" in response.text
    before = await current_player(visitor)
    assert (await visitor.post("/me/another-name")).status_code == 303
    after = await current_player(visitor)
    assert after["name"] != before["name"]
    assert after["id"] == before["id"]
    await join(visitor)
    assert (await visitor.post("/me/another-name")).status_code == 409


async def test_changing_the_password_ends_all_other_sessions(site: FastAPI, visitor: AsyncClient):
    await join(visitor)
    async with visiting(site) as other:
        await other.post("/login", data={"name": "Anna", "password": PASSWORD})
        form = {"current": PASSWORD, "new": "eight ravens wake", "again": "eight ravens wake"}
        wrong = await visitor.post("/me/password", data={**form, "current": "not it at all"})
        assert wrong.status_code == 403
        assert "Wrong password." in wrong.text
        assert await current_player(other)
        before = visitor.cookies["fd_session"]
        response = await visitor.post("/me/password", data=form)
        assert response.headers["location"] == "/me/account?done=password"
        assert visitor.cookies["fd_session"] != before
        assert await current_player(visitor)
        assert await current_player(other) is None
        for password, status in ((PASSWORD, 403), ("eight ravens wake", 303)):
            form = {"name": "Anna", "password": password}
            assert (await other.post("/login", data=form)).status_code == status


async def test_deletion_removes_the_name_and_keeps_the_games(site: FastAPI, visitor: AsyncClient):
    await join(visitor)
    game = (await visitor.post("/play", data={"ruleset": "bristol"})).headers["location"]
    await visitor.post(f"{game}/resign", data={"version": 0})
    assert (await visitor.post("/me/delete", data={"password": PASSWORD})).status_code == 422
    form = {"password": "not it at all", "sure": "yes"}
    assert (await visitor.post("/me/delete", data=form)).status_code == 403
    assert await current_player(visitor)
    form["password"] = PASSWORD
    response = await visitor.post("/me/delete", data=form)
    assert (response.status_code, response.headers["location"]) == (303, "/")
    assert "fd_session" not in visitor.cookies
    assert (await visitor.get(game)).status_code == 200
    replay = await visitor.get(f"{game}/replay")
    assert replay.status_code == 200
    assert "deleted player" in replay.text
    assert (await visitor.get("/players/Anna")).status_code == 404
    login = await visitor.post("/login", data={"name": "Anna", "password": PASSWORD})
    assert login.status_code == 403
    async with visiting(site) as other:
        assert (await join(other)).status_code == 303


async def test_a_guest_is_deleted_without_a_password(visitor: AsyncClient):
    await visitor.post("/play", data={"ruleset": "bristol"})
    assert (await visitor.post("/me/delete", data={"sure": "yes"})).status_code == 303
    assert await current_player(visitor) is None


async def test_changes_need_a_session(visitor: AsyncClient):
    for path in set(FORMS) - {"/join", "/login", "/recover", "/me/sign-out"}:
        response = await visitor.post(path, data=FORMS[path])
        assert response.status_code == 403, path
        assert "You aren't signed in" in html.unescape(response.text)
    assert (await visitor.post("/me/sign-out")).status_code == 303
    assert (await visitor.get("/me/export")).status_code == 403


@pytest.mark.parametrize("path", FORMS)
@pytest.mark.parametrize(
    "headers",
    [{"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Origin": "null"}],
    ids=["cross-site", "same-site", "sandboxed"],
)
async def test_no_form_can_be_sent_from_another_site(visitor: AsyncClient, path, headers):
    await join(visitor)
    before = await current_player(visitor), visitor.cookies["fd_session"]
    response = await visitor.post(path, data=FORMS[path], headers=headers)
    assert response.status_code == 403
    assert "another site" in response.text
    assert (await current_player(visitor), visitor.cookies["fd_session"]) == before


async def test_every_form_of_these_pages_is_in_the_list_above(site: FastAPI, visitor: AsyncClient):
    found: set[str] = set()

    async def look(*paths: str) -> None:
        for path in paths:
            page = above_the_footer((await visitor.get(path)).text)
            found.update(re.findall(r'action="([^"]+)"', page))

    await look("/me", "/me/account", "/join", "/login", "/recover")
    await visitor.post("/play", data={"ruleset": "bristol"})
    await look("/me", "/me/account")
    await join(visitor)
    await look("/me/recovery-codes")
    async with visiting(site) as other:
        await other.post("/login", data={"name": "Anna", "password": PASSWORD})
    await look("/me", "/me/account")
    found = {re.sub(r"/[0-9a-f]{16}/", "/others/", action) for action in found}
    assert found == set(FORMS)


async def test_malformed_forms_are_refused(visitor: AsyncClient):
    for kind, body in [
        ("application/json", b'{"name": "Anna"}'),
        ("multipart/form-data; boundary=x", b"no boundary here"),
        ("multipart/form-data", b"--x"),
        ("application/x-www-form-urlencoded", b"%%%=&&&=\xff\xfe"),
    ]:
        response = await visitor.post("/join", content=body, headers={"Content-Type": kind})
        assert response.status_code in {400, 422}
    long = {"name": "Anna", "password": "x" * 2000, "again": "x" * 2000}
    response = await visitor.post("/join", data=long)
    assert response.status_code == 422
    assert "xxx" not in response.text
