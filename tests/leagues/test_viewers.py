"""A walk over all forms of leagues: what each kind of viewer may do, with the error that they are told."""

from __future__ import annotations

from contextlib import AsyncExitStack

import pytest
from fastapi.routing import iter_route_contexts
from sqlalchemy import insert
from starlette.routing import Route

from app.db.schema import suspensions
from tests.leagues.league_api import API, found, join, player
from tests.support.daily_site import Site
from tests.support.serving import id_of

pytestmark = pytest.mark.anyio

FORMS = ("", "/leave", "/remove", "/readmit", "/rename", "/renew", "/close")
# The status of each form in this order: those that change the league for good come last.
OWNER_ONLY = [403] * 5
EXPECTED = {
    "stranger, a guest": [303, 303, *OWNER_ONLY],  # they join and leave
    "stranger, named": [303, 303, *OWNER_ONLY],
    "removed, a guest": [403, 403, *OWNER_ONLY],
    "removed, named": [403, 403, *OWNER_ONLY],
    "member, a guest": [303, 303, *OWNER_ONLY],
    "member, named": [303, 303, *OWNER_ONLY],
    "suspended": [403] * 7,
}


def forms_of(site: Site) -> set[str]:
    """Every form of a league that there is."""
    routes = (context.original_route for context in iter_route_contexts(site.app.router.routes))
    return {
        route.path.removeprefix("/league/{link}")
        for route in routes
        if isinstance(route, Route)
        and route.path.startswith("/league/{link}")
        and "POST" in (route.methods or ())
    }


@pytest.mark.parametrize("viewer", EXPECTED)
async def test_what_viewers_may_do(site: Site, viewer: str):
    assert forms_of(site) == set(FORMS)
    async with AsyncExitStack() as stack:
        owner, other = await player(stack, site, "Olga"), await player(stack, site)
        client = await player(stack, site, "Vera" if "named" in viewer else "")
        link = await found(owner)
        await join(link, other)
        if not viewer.startswith("stranger"):
            await join(link, client)
        if viewer.startswith("removed"):
            body = {"player": await id_of(client)}
            assert (await owner.post(f"{API}/{link}/remove", json=body)).is_success
        if viewer == "suspended":
            await suspend(site, await id_of(client))
        data = {"person": await id_of(other), "name": "Mine now"}
        statuses = [
            (await client.post(f"/league/{link}{form}", data=data)).status_code for form in FORMS
        ]
        assert statuses == EXPECTED[viewer]
        assert "Card club" in (await owner.get(f"/league/{link}")).text


@pytest.mark.parametrize("name", ["Olga", ""])
async def test_what_an_owner_may_do(site: Site, name: str):
    async with AsyncExitStack() as stack:
        owner, other = await player(stack, site, name), await player(stack, site)
        link = await found(owner)
        await join(link, other)
        data = {"person": await id_of(other), "name": "New name"}
        for form in ("", "/remove", "/readmit", "/rename"):
            answer = await owner.post(f"/league/{link}{form}", data=data)
            assert (answer.status_code, answer.headers["location"].partition("#")[0]) == (
                303,
                f"/league/{link}",
            ), form
        assert "New name" in (await owner.get(f"/league/{link}")).text
        renewed = (await owner.post(f"/league/{link}/renew")).headers["location"]
        new = renewed.removeprefix("/league/").partition("#")[0]
        assert new != link
        assert (await owner.post(f"/league/{link}/close")).status_code == 404
        assert (await owner.get(f"/league/{new}/qr.svg")).status_code == 200
        assert (await owner.post(f"/league/{new}/close")).headers["location"] == "/leagues"
        assert (await owner.get(f"/league/{new}")).status_code == 404


async def suspend(site: Site, player_id: str) -> None:
    row = {"player_id": player_id, "since_ms": 0, "reason": "Cheating."}
    services = site.app.state.services
    await services.database.write(lambda connection: connection.execute(insert(suspensions), row))
    services.sessions.forget(player_id)


async def test_what_a_member_can_do_today_comes_before_the_board(site: Site):
    async with AsyncExitStack() as stack:
        owner = await player(stack, site, "Olga")
        page = (await owner.get(f"/league/{await found(owner)}")).text
        assert 0 < page.index("Play today's deals") < page.index('class="week')
        # The same words as on the page of today's deals.
        assert "not started" in page
        assert "not played" not in page
