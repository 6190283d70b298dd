import pytest
from fastapi import FastAPI
from httpx import AsyncClient, Response
from sqlalchemy import func, select

from app.db.schema import players
from app.i18n.wording import PseudoEnglish
from app.identity.device_labels import MAX_LABEL_LENGTH, clean_label, device_label, shown_label
from app.text import put
from tests.support.serving import visiting

pytestmark = pytest.mark.anyio

GAME = {"ruleset": "bristol"}


def guests(site: FastAPI) -> int:
    with site.state.services.database.engine.connect() as connection:
        return connection.scalar(select(func.count()).select_from(players)) or 0


def cookie_of(response: Response) -> list[str]:
    return response.headers["set-cookie"].split("; ")


async def test_viewing_pages_creates_no_guest(site: FastAPI, visitor: AsyncClient):
    for path in (
        "/",
        "/me",
        "/join",
        "/login",
        "/players/x",
        "/api/v1/rulesets",
        "/api/v1/me",
        "/nothing",
    ):
        assert "set-cookie" not in (await visitor.get(path)).headers
    assert guests(site) == 0


async def test_the_first_change_creates_a_guest_with_a_session(site, visitor):
    first = await visitor.post("/api/v1/games", json=GAME)
    name, *flags = cookie_of(first)
    assert name.startswith("fd_session=")
    assert len(name) == len("fd_session=") + 43
    assert sorted(flags) == ["HttpOnly", "Max-Age=34560000", "Path=/", "SameSite=Lax"]
    second = await visitor.post("/api/v1/games", json=GAME)
    assert second.status_code == 201
    assert "set-cookie" not in second.headers
    assert guests(site) == 1


async def test_the_cookie_is_secure_over_https(site: FastAPI):
    async with visiting(site, "https") as visitor:
        assert "Secure" in cookie_of(await visitor.post("/api/v1/games", json=GAME))


async def test_a_guest_created_by_a_failed_request_is_kept(site, visitor):
    response = await visitor.post("/api/v1/games", json={"ruleset": "nothing"})
    assert response.status_code == 404
    assert "set-cookie" in response.headers
    assert (await visitor.get("/api/v1/me")).status_code == 200
    assert guests(site) == 1


async def test_what_leads_nowhere_creates_no_guest(site: FastAPI, visitor: AsyncClient) -> None:
    for path, form, status in (
        ("/together/nowhere", {}, 404),
        ("/league/nowhere", {}, 404),
        ("/league/nowhere/leave", {}, 404),
        ("/league/nowhere/rename", {"name": "We"}, 404),
        ("/challenge/nowhere", {}, 404),
        ("/race/7KQ4M2/join", {}, 404),
        ("/games/nowhere/click", {"version": "0", "clicked": "t1"}, 404),
        ("/games/nowhere/move", {"version": "0", "move": "t1-t2"}, 404),
        ("/games/nowhere/undo", {"version": "0"}, 404),
        ("/games/nowhere/click", {"version": "none"}, 422),
        ("/games/nowhere/move", {"version": "0"}, 422),
        ("/games/nowhere/undo", {}, 422),
        ("/api/v1/together/nowhere", {}, 404),
        ("/api/v1/leagues/nowhere/join", {}, 404),
        ("/api/v1/ghosts/nowhere", {}, 404),
    ):
        response = await visitor.post(path, data=form)
        assert (path, response.status_code) == (path, status)
        assert "set-cookie" not in response.headers, path
    assert guests(site) == 0


@pytest.mark.parametrize(
    "cookie",
    [
        "fd_session=",
        "fd_session",
        "fd_session=" + "A" * 43,
        "fd_session=" + "A" * 4000,
        "fd_session=\xff\xfe" + "A" * 41,
        'fd_session="quoted"',
        "=;;=; fd_session=x; =",
        "fd_session=x; fd_session=y",
        "fd_session=' OR 1=1 --",
        "fd_look=auto; path=/; fd_session=%00",
    ],
)
async def test_a_bad_cookie_counts_as_none(visitor: AsyncClient, cookie):
    headers = [(b"Cookie", cookie.encode("latin-1"))]
    assert (await visitor.get("/me", headers=headers)).status_code == 200
    assert (await visitor.get("/api/v1/me", headers=headers)).status_code == 404
    response = await visitor.post("/api/v1/games", json=GAME, headers=headers)
    assert response.status_code == 201
    assert "set-cookie" in response.headers


async def test_a_program_is_authenticated_by_bearer_token(visitor: AsyncClient):
    created = await visitor.post("/api/v1/players")
    assert created.status_code == 201
    assert "set-cookie" not in created.headers
    player = created.json()
    for scheme in ("Bearer", "bearer", "BEARER"):
        headers = {"Authorization": f"{scheme} {player['token']}"}
        me = (await visitor.get("/api/v1/me", headers=headers)).json()
        assert me == {"id": player["id"], "name": player["name"], "guest": True}


async def test_cookie_and_bearer_token_are_the_same(site: FastAPI, visitor: AsyncClient):
    await visitor.post("/api/v1/games", json=GAME)
    headers = {"Authorization": f"Bearer {visitor.cookies['fd_session']}"}
    async with visiting(site, headers=headers) as program:
        assert (await program.get("/api/v1/me")).json() == (await visitor.get("/api/v1/me")).json()


@pytest.mark.parametrize("token", ["", "x", "A" * 43, "\xff"])
async def test_an_unknown_bearer_token_is_refused(site, visitor: AsyncClient, token):
    headers = [(b"Authorization", f"Bearer {token}".encode("latin-1"))]
    for response in (
        await visitor.get("/api/v1/me", headers=headers),
        await visitor.post("/api/v1/games", json=GAME, headers=headers),
    ):
        assert response.status_code == 401
        assert response.json()["code"] == "unknown_token"
        assert response.headers["www-authenticate"] == "Bearer"
    assert guests(site) == 0


async def test_other_kinds_of_authorization_are_ignored(visitor: AsyncClient):
    response = await visitor.post("/api/v1/games", json=GAME, headers={"Authorization": "Basic x"})
    assert response.status_code == 201


async def test_the_cookie_is_renewed_on_another_day(site, visitor):
    await visitor.post("/api/v1/games", json=GAME)
    site.state.services.sessions._clock = lambda: 4_000_000_000_000
    site.state.services.sessions._idle_ms = 10**13
    site.state.services.sessions._cache.clear()
    assert "Max-Age=34560000" in cookie_of(await visitor.get("/me"))
    assert "set-cookie" not in (await visitor.get("/me")).headers


CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0"


@pytest.mark.parametrize(
    ("user_agent", "label"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"),
        (f"Mozilla/5.0 (Windows NT 10.0; Win64) {CHROME} Safari/537.36 Edg/140.0", "Edge on Windows"),
        (f"Mozilla/5.0 (Linux; Android 15; K) {CHROME} Mobile Safari/537.36", "Chrome on Android"),
        (f"Mozilla/5.0 (Linux; Android 15) SamsungBrowser/28 {CHROME}", "Samsung Internet on Android"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Safari/604.1", "Safari on iPhone"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605.1.15", "Safari on Mac"),
        ("Mozilla/5.0 (PlayStation 5) Something/1", "Mozilla"),
        ("curl/8.14.1", "curl"),
        ("python-httpx/0.28", "python-httpx"),
        ("", "An unknown device"),
        ("<script>alert(1)</script>", "An unknown device"),
        ("\xff\x00", "An unknown device"),
    ],
)  # fmt: skip
def test_devices_have_short_labels(user_agent, label):
    assert device_label(user_agent) == label


def test_a_label_chosen_by_a_program_is_cleaned():
    assert clean_label("  my\tbot\u202e \x00 2 ") == "my bot 2"
    assert len(clean_label("x" * 500)) == MAX_LABEL_LENGTH
    assert clean_label("\x00") == ""


@pytest.mark.parametrize(
    ("label", "is_translated"),
    [
        ("Firefox on Linux", True),
        ("A browser on Mac", True),
        ("Safari on an unknown system", True),
        ("An unknown device", True),
        ("", True),
        ("My key on my desk", False),
        ("Firefox", False),
        ("curl", False),
    ],
)
def test_labels_that_the_site_chose_are_said_in_the_language_of_their_owner(label, is_translated):
    assert shown_label(label) == (label or "An unknown device")
    words = str(put(shown_label(label), PseudoEnglish()))
    assert words.startswith("[") is is_translated
