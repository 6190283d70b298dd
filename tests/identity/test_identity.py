import pytest
from fastapi import FastAPI
from httpx import AsyncClient, Response
from sqlalchemy import func, select

from app.db.schema import players
from tests.support.serving import visiting

pytestmark = pytest.mark.anyio

GAME = {"ruleset": "bristol"}


def guests(site: FastAPI) -> int:
    with site.state.services.database.engine.connect() as connection:
        return connection.scalar(select(func.count()).select_from(players)) or 0


def cookie_of(response: Response) -> list[str]:
    return response.headers["set-cookie"].split("; ")


async def test_looking_makes_nobody_anybody(site: FastAPI, visitor: AsyncClient):
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


async def test_the_first_change_makes_a_guest_and_the_next_is_theirs(site, visitor):
    first = await visitor.post("/api/v1/games", json=GAME)
    name, *flags = cookie_of(first)
    assert name.startswith("fd_session=")
    assert len(name) == len("fd_session=") + 43
    assert sorted(flags) == ["HttpOnly", "Max-Age=34560000", "Path=/", "SameSite=Lax"]
    second = await visitor.post("/api/v1/games", json=GAME)
    assert second.status_code == 201
    assert "set-cookie" not in second.headers
    assert guests(site) == 1


async def test_the_cookie_goes_over_https_only_when_it_came_by_it(site: FastAPI):
    async with visiting(site, "https") as visitor:
        assert "Secure" in cookie_of(await visitor.post("/api/v1/games", json=GAME))


async def test_a_guest_made_by_a_request_that_failed_is_not_lost(site, visitor):
    response = await visitor.post("/api/v1/games", json={"ruleset": "nothing"})
    assert response.status_code == 404
    assert "set-cookie" in response.headers
    assert (await visitor.get("/api/v1/me")).status_code == 200
    assert guests(site) == 1


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
async def test_a_bad_cookie_is_no_cookie(visitor: AsyncClient, cookie):
    headers = [(b"Cookie", cookie.encode("latin-1"))]
    assert (await visitor.get("/me", headers=headers)).status_code == 200
    assert (await visitor.get("/api/v1/me", headers=headers)).status_code == 404
    response = await visitor.post("/api/v1/games", json=GAME, headers=headers)
    assert response.status_code == 201
    assert "set-cookie" in response.headers


async def test_a_program_is_known_by_its_token(visitor: AsyncClient):
    created = await visitor.post("/api/v1/players")
    assert created.status_code == 201
    assert "set-cookie" not in created.headers
    player = created.json()
    for scheme in ("Bearer", "bearer", "BEARER"):
        headers = {"Authorization": f"{scheme} {player['token']}"}
        me = (await visitor.get("/api/v1/me", headers=headers)).json()
        assert me == {"id": player["id"], "name": player["name"], "guest": True}


async def test_the_token_is_the_cookies_token(site: FastAPI, visitor: AsyncClient):
    await visitor.post("/api/v1/games", json=GAME)
    headers = {"Authorization": f"Bearer {visitor.cookies['fd_session']}"}
    async with visiting(site, headers=headers) as program:
        assert (await program.get("/api/v1/me")).json() == (await visitor.get("/api/v1/me")).json()


@pytest.mark.parametrize("token", ["", "x", "A" * 43, "\xff"])
async def test_a_token_that_opens_nothing_is_told_so(site, visitor: AsyncClient, token):
    headers = [(b"Authorization", f"Bearer {token}".encode("latin-1"))]
    for response in (
        await visitor.get("/api/v1/me", headers=headers),
        await visitor.post("/api/v1/games", json=GAME, headers=headers),
    ):
        assert response.status_code == 401
        assert response.json()["code"] == "unknown_token"
        assert response.headers["www-authenticate"] == "Bearer"
    assert guests(site) == 0


async def test_other_kinds_of_authorization_are_not_for_us(visitor: AsyncClient):
    response = await visitor.post("/api/v1/games", json=GAME, headers={"Authorization": "Basic x"})
    assert response.status_code == 201


async def test_a_guest_who_returns_another_day_keeps_the_cookie_longer(site, visitor):
    await visitor.post("/api/v1/games", json=GAME)
    site.state.services.players._clock = lambda: 4_000_000_000
    site.state.services.players._lifetime_ms = 10**13
    site.state.services.players._cache.clear()
    assert "Max-Age=34560000" in cookie_of(await visitor.get("/me"))
    assert "set-cookie" not in (await visitor.get("/me")).headers
