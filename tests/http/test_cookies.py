import re

import pytest
from fastapi import FastAPI
from starlette.requests import Request

from app.daily.dependencies import browser_token_hash
from app.http.dependencies import added_headers
from app.settings import Settings
from tests.support.serving import HOST, running_site, visiting

pytestmark = pytest.mark.anyio


async def all_cookies(app: FastAPI, scheme: str) -> dict[str, list[str]]:
    """What a visitor gets who starts a game and chooses how cards look: attributes by name."""
    async with visiting(app, scheme) as visitor:
        answers = [
            await visitor.post("/api/v1/games", json={"ruleset": "bristol"}),
            await visitor.post("/look", data={"theme": "dark", "suits": "two", "hand": "right"}),
        ]
    found = [one.split("; ") for a in answers for one in a.headers.get_list("set-cookie")]
    assert len(found) == 2
    return {first.partition("=")[0]: attributes for first, *attributes in found}


async def test_over_https_no_other_host_can_set_our_cookies(site: FastAPI):
    cookies = await all_cookies(site, "https")
    assert set(cookies) == {"__Host-fd_session", "__Host-fd_look"}
    for attributes in cookies.values():
        assert {"Secure", "HttpOnly", "Path=/", "SameSite=Lax"} <= set(attributes)
        assert not [one for one in attributes if one.startswith("Domain")]


async def test_over_http_the_names_have_no_prefix(site: FastAPI):
    # Browsers refuse the prefix there.
    assert set(await all_cookies(site, "http")) == {"fd_session", "fd_look"}


async def test_an_https_only_site_uses_the_prefix_behind_a_proxy(sqlite_url):
    async with running_site(Settings(database_url=sqlite_url, https_only=True)) as app:
        assert set(await all_cookies(app, "http")) == {"__Host-fd_session", "__Host-fd_look"}


async def test_a_session_from_before_goes_on_until_its_cookie_is_replaced(site: FastAPI):
    async with visiting(site, "http") as before:
        await before.post("/api/v1/games", json={"ruleset": "bristol"})
        token = before.cookies["fd_session"]
    headers = {"Cookie": f"fd_session={token}"}
    async with visiting(site, "https") as visitor:
        me = (await visitor.get("/api/v1/me", headers=headers)).json()
        assert me["guest"] is True
        left = await visitor.post("/me/sign-out", headers=headers)
    # Set again first, as with any answer; the last word counts.
    last = left.headers.get_list("set-cookie")[-2:]
    assert [one.partition(";")[0] for one in last] == ["fd_session=", "__Host-fd_session="]
    assert all("Max-Age=0" in one for one in last)


async def test_cookies_from_before_are_replaced_with_the_next_answer(site: FastAPI):
    async with visiting(site, "http") as before:
        await before.post("/api/v1/games", json={"ruleset": "bristol"})
        guest, token = (await before.get("/api/v1/me")).json(), before.cookies["fd_session"]
    async with visiting(site, "https") as visitor:
        visitor.cookies.set("fd_session", token, domain=HOST, path="/")
        assert (await visitor.get("/api/v1/me")).json() == guest
        assert dict(visitor.cookies) == {"__Host-fd_session": token}
        answer = await visitor.get("/api/v1/me")
        assert (answer.json(), "set-cookie" in answer.headers) == (guest, False)


async def test_the_mark_of_a_browser_stays_the_same(site: FastAPI):
    mark = "A" * 22
    scope = {"type": "http", "scheme": "https", "app": site}
    before = Request(scope | {"headers": [(b"cookie", f"fd_browser={mark}".encode())]})
    after = Request(scope | {"headers": [(b"cookie", f"__Host-fd_browser={mark}".encode())]})
    assert browser_token_hash(before) == browser_token_hash(after)
    assert [value.partition(b"=")[0] for _, value in added_headers(before.scope)] == [
        b"fd_browser",
        b"__Host-fd_browser",
    ]
    assert added_headers(after.scope) == []


async def test_a_cookie_that_another_host_has_set_does_not_count_beside_ours(site: FastAPI):
    async with visiting(site, "https") as visitor, visiting(site, "http") as other:
        await other.post("/api/v1/games", json={"ruleset": "bristol"})
        planted = other.cookies["fd_session"]
        await visitor.post("/api/v1/games", json={"ruleset": "bristol"})
        own = visitor.cookies["__Host-fd_session"]
        expected = (await visitor.get("/api/v1/me")).json()
        for text in (
            f"fd_session={planted}; __Host-fd_session={own}",
            f"__Host-fd_session={own}; fd_session={planted}",
            f"__Secure-fd_session={planted}; __Host-fd_session={own}",
        ):
            visitor.cookies.clear()
            me = (await visitor.get("/api/v1/me", headers={"Cookie": text})).json()
            assert me == expected
        alone = {"Cookie": f"__Secure-fd_session={planted}"}
        assert (await visitor.get("/api/v1/me", headers=alone)).status_code == 404


async def test_signing_out_clears_what_pages_stored(site: FastAPI):
    async with visiting(site, "https") as visitor:
        await visitor.post("/api/v1/games", json={"ruleset": "bristol"})
        left = await visitor.post("/me/sign-out")
        assert left.headers["clear-site-data"] == '"storage"'
        assert left.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "path",
    ["/me", "/login", "/join", "/api/v1/me", "/api/v1/me/sessions", "/me/export", "/recover"],
)
async def test_pages_of_an_account_are_stored_nowhere(site: FastAPI, path):
    async with visiting(site) as visitor:
        await visitor.post("/api/v1/games", json={"ruleset": "bristol"})
        answer = await visitor.get(path)
        assert answer.status_code == 200
        assert set(answer.headers.get_list("cache-control")) == {"no-store"}


async def test_recovery_codes_and_pages_of_a_named_player_are_stored_nowhere(site: FastAPI):
    async with visiting(site) as visitor:
        form = {"name": "Anna", "password": "seven ravens sleep", "again": "seven ravens sleep"}
        await visitor.post("/join", data=form)
        shown = ("/me/recovery-codes", "/me/recovery-codes.txt")
        for path in (*shown, "/me", "/me/passkeys", "/api/v1/me/sessions", "/me/export"):
            answer = await visitor.get(path)
            assert answer.status_code == 200
            assert set(answer.headers.get_list("cache-control")) == {"no-store"}, path
        code = re.search(r"<code>([\w-]+)</code>", (await visitor.get(shown[0])).text)
        assert code
        assert code[1] in (await visitor.get(shown[1])).text
