"""Members whose accounts change: guests who sign in, deleted and expired players, and the download."""

from __future__ import annotations

from contextlib import AsyncExitStack

import pytest
from httpx import AsyncClient
from sqlalchemy import func, select

from app.admin.guest_expiry import GuestExpiry
from app.clock import DAY_MS
from app.db.schema import league_members, leagues, players
from app.leagues.account_merge import leave_leagues
from tests.leagues.league_api import API, found, join, names, player, read, solve
from tests.support.daily_site import Site
from tests.support.known import PASSWORD
from tests.support.serving import id_of

pytestmark = pytest.mark.anyio


async def sign_in(client: AsyncClient, name: str) -> None:
    form = {"name": name, "password": PASSWORD, "bring": "yes"}
    answer = await client.post("/login", data=form)
    assert answer.status_code == 303, answer.text


async def test_a_guest_who_claims_a_name_stays_a_member(site: Site):
    async with AsyncExitStack() as stack:
        anna, ben = await player(stack, site, "Anna"), await player(stack, site)
        link = await found(anna)
        await join(link, ben)
        body = {"name": "Bertrand", "password": PASSWORD}
        assert (await ben.post("/api/v1/me/claim", json=body)).is_success
        assert await names(anna, link) == ["Anna", "Bertrand"]


async def test_a_guest_who_signs_in_brings_their_place_and_results(site: Site):
    async with AsyncExitStack() as stack:
        anna, ben = await player(stack, site, "Anna"), await player(stack, site, "Bertrand")
        guest = await player(stack, site)
        link = await found(guest)
        await join(link, anna)
        await solve(site, guest)
        await sign_in(guest, "Bertrand")
        await site.close_day()
        seen = await read(ben, link)
        assert [one["name"] for one in seen["members"]] == ["Bertrand", "Anna"]
        assert seen["is_owner"]
        assert [one["points"] for one in seen["board"]["results"]] == [6]


async def test_two_places_become_one_and_it_keeps_the_earlier_start(site: Site):
    async with AsyncExitStack() as stack:
        anna, ben = await player(stack, site, "Anna"), await player(stack, site, "Bertrand")
        guest = await player(stack, site)
        link = await found(guest)
        await join(link, anna)
        site.clock.now += DAY_MS
        await join(link, ben)
        await sign_in(guest, "Bertrand")
        seen = await read(ben, link)
        assert [(one["name"], one["since"]) for one in seen["members"]] == [
            ("Bertrand", "2026-03-10"),
            ("Anna", "2026-03-10"),
        ]
        assert seen["is_owner"]


@pytest.mark.parametrize("removed", ["guest", "account"])
async def test_nobody_who_was_removed_gets_in_as_a_guest_nor_out_as_one(site: Site, removed: str):
    async with AsyncExitStack() as stack:
        anna, ben = await player(stack, site, "Anna"), await player(stack, site, "Bertrand")
        guest = await player(stack, site)
        link = await found(anna)
        await join(link, ben, guest)
        them = {"player": await id_of(guest if removed == "guest" else ben)}
        assert (await anna.post(f"{API}/{link}/remove", json=them)).is_success
        await sign_in(guest, "Bertrand")
        expected = ["Anna", "Bertrand"] if removed == "guest" else ["Anna"]
        assert await names(anna, link) == expected
        assert await count(site, league_members) == 2


async def test_a_deleted_player_leaves_and_a_league_of_nobody_goes(site: Site):
    async with AsyncExitStack() as stack:
        anna, ben = await player(stack, site, "Anna"), await player(stack, site)
        both, alone = await found(anna), await found(anna, "Only me")
        await join(both, ben)
        gone = await anna.request("DELETE", "/api/v1/me", json={"password": PASSWORD})
        assert gone.is_success, gone.text
        seen = await read(ben, both)
        assert len(seen["members"]) == 1
        assert seen["is_owner"]
        assert (await ben.get(f"/league/{alone}")).status_code == 404
        assert (await ben.delete(f"{API}/{both}")).status_code == 204
        assert (await count(site, leagues), await count(site, league_members)) == (0, 0)


async def test_guests_who_stay_away_leave_and_are_deleted(site: Site):
    async with AsyncExitStack() as stack:
        anna, guest = await player(stack, site, "Anna"), await player(stack, site)
        shared, alone = await found(guest), await found(guest, "Only me")
        await join(shared, anna)
        site.clock.now += 100 * DAY_MS
        await expire(site)
        assert await names(anna, shared) == ["Anna"]
        assert (await anna.get(f"/league/{alone}")).status_code == 404
        assert (await count(site, leagues), await count(site, league_members)) == (1, 1)
        assert await count(site, players) == 1


async def test_guests_who_are_here_stay_in_their_leagues(site: Site):
    async with AsyncExitStack() as stack:
        guest = await player(stack, site)
        link = await found(guest)
        site.clock.now += 89 * DAY_MS
        await expire(site)
        assert len(await names(guest, link)) == 1


async def test_the_download_has_ones_own_leagues_only(site: Site):
    async with AsyncExitStack() as stack:
        anna, ben = await player(stack, site, "Anna"), await player(stack, site, "Bertrand")
        link = await found(anna)
        await found(anna, "Without him")
        await join(link, ben)
        mine = (await ben.get("/me/export")).json()["leagues"]
        assert [(one["link"], one["name"], one["is_removed"]) for one in mine] == [
            (link, "Card club", False)
        ]
        assert mine[0]["since_ms"] == site.clock.now
        await anna.post(f"{API}/{link}/remove", json={"player": await id_of(ben)})
        [mine] = (await ben.get("/me/export")).json()["leagues"]
        assert (mine["is_removed"], mine["link"]) == (True, None)  # it may have been renewed


async def expire(site: Site) -> None:
    services = site.app.state.services
    await GuestExpiry(services.database, site.clock, 90, [leave_leagues]).run()


async def count(site: Site, table) -> int:
    query = select(func.count()).select_from(table)
    counted: int = await site.app.state.services.database.read(
        lambda connection: connection.scalar(query)
    )
    return counted
