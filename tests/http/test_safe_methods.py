"""GET of a player's pages and of the API changes nothing; `tests/admin/test_routes.py` has the admin pages."""

import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from httpx import AsyncClient
from sqlalchemy import select
from starlette.routing import Route

from app.db.schema import passkeys, recovery_codes, sessions
from tests.admin.test_routes import contents

pytestmark = pytest.mark.anyio


def pages(site: FastAPI, game: str) -> list[str]:
    """What answers GET, with the ids of a game, a player and a day, except streams, which do not end."""
    words = {
        "{game_id}": game,
        "{ruleset}": "bristol",
        "{day}": "today",
        "{name}": "Anna",
        "{word}": "resign",
        "{theme}": "dark",
    }
    found = set()
    for context in iter_route_contexts(site.router.routes):
        route = context.original_route
        if isinstance(route, Route) and "GET" in (route.methods or ()):
            path = route.path
            for word, value in words.items():
                path = path.replace(word, value)
            if "{" not in path and "stream" not in path:
                found.add(path)
    return sorted(found)


async def everything(site: FastAPI) -> list[object]:
    """What a player has, and the ways to sign in."""

    def read(connection):
        return [connection.execute(select(t)).all() for t in (sessions, recovery_codes, passkeys)]

    return [await contents(site), await site.state.services.database.read(read)]


async def test_get_changes_nothing(site: FastAPI, visitor: AsyncClient):
    form = {"name": "Anna", "password": "seven ravens sleep", "again": "seven ravens sleep"}
    await visitor.post("/join", data=form)
    game = (await visitor.post("/api/v1/games", json={"ruleset": "bristol"})).json()["id"]
    before = await everything(site)
    answered = 0
    for path in pages(site, game):
        answered += (await visitor.get(path)).is_success
        assert await everything(site) == before, path
    assert answered >= 40
    await visitor.post(f"/api/v1/games/{game}/moves", json={"version": 0, "move": "deal"})
    assert await everything(site) != before
