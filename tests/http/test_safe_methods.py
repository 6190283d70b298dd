"""GET of a player's pages and of the API changes nothing; `tests/admin/test_routes.py` has the admin pages."""

import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from httpx import AsyncClient
from starlette.routing import Route

from tests.support.push import Browser
from tests.support.serving import visiting
from tests.support.tables import contents

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


async def test_get_changes_nothing(site: FastAPI, visitor: AsyncClient):
    form = {"name": "Anna", "password": "seven ravens sleep", "again": "seven ravens sleep"}
    await visitor.post("/join", data=form)
    game = (await visitor.post("/api/v1/games", json={"ruleset": "bristol"})).json()["id"]
    before = await contents(site)
    answered = 0
    counted = f"/api/v1/games/{game}/hint"  # and so refused from other sites
    for path in pages(site, game):
        if path == counted:
            continue
        answered += (await visitor.get(path)).is_success
        assert await contents(site) == before, path
    assert answered >= 40
    await visitor.post(f"/api/v1/games/{game}/moves", json={"version": 0, "move": "deal"})
    assert await contents(site) != before


async def test_opening_a_link_changes_nothing(site: FastAPI, visitor: AsyncClient):
    """A link that invites, challenges or stops something asks first: programs that look at links follow them, too."""
    api = "/api/v1"
    game = (await visitor.post(f"{api}/games", json={"ruleset": "bristol"})).json()["id"]
    table = (await visitor.post(f"{api}/games/{game}/together")).json()["invitation"]
    room = (await visitor.post(f"{api}/races", json={"ruleset": "bristol", "minutes": 3})).json()
    body = {"name": "The Herons", "games": ["bristol"]}
    league = (await visitor.post(f"{api}/leagues", json=body)).json()["link"]
    other = (await visitor.post(f"{api}/games", json={"ruleset": "bristol"})).json()["id"]
    await visitor.post(f"{api}/games/{other}/resign", json={"version": 0})
    ghost = (await visitor.post(f"{api}/games/{other}/ghost")).json()["token"]
    reminder = {"subscription": Browser().json, "hour": 18, "zone": "UTC"}
    stop = (await visitor.post(f"{api}/reminders", json=reminder)).json()["id"]
    token = table.rpartition("/")[2]
    links = [
        *(f"/together/{token}", f"/race/{room['code']}", f"{api}/races/{room['code']}"),
        *(f"/league/{league}", f"{api}/leagues/{league}", f"/league/{league}/qr.svg"),
        *(f"/challenge/{ghost}", f"{api}/ghosts/{ghost}", f"/reminder/stop/{stop}"),
    ]
    before = await contents(site)
    async with visiting(site) as friend:
        await friend.post("/look", data={"theme": "dark"})
        for link in links:
            for client in (friend, visitor):
                assert (await client.get(link)).status_code in {200, 303}, link
                assert await contents(site) == before, link
        await friend.post(f"/together/{token}")
        assert await contents(site) != before
