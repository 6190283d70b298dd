"""Daily attempts after a claim, an account merge and a deletion."""

from typing import Any

import pytest
from fastapi import FastAPI
from httpx import AsyncClient
from sqlalchemy import update

from app.db.schema import games
from tests.support.known import PASSWORD
from tests.support.serving import visiting

pytestmark = pytest.mark.anyio


async def create_account(visitor: AsyncClient, name: str) -> None:
    body = {"name": name, "password": PASSWORD}
    assert (await visitor.post("/api/v1/me/claim", json=body)).is_success


async def attempt(visitor: AsyncClient, status: int = 201) -> str:
    response = await visitor.post("/api/v1/daily/today/bristol/attempt")
    assert response.status_code == status
    return str(response.json()["id"])


async def give_up(visitor: AsyncClient, game: str) -> None:
    response = await visitor.post(f"/api/v1/games/{game}/resign", json={"version": 0})
    assert response.is_success


async def unsolved(visitor: AsyncClient) -> list[str]:
    response = await visitor.get("/api/v1/daily/today/bristol/unsolved")
    assert response.is_success, response.text
    rows: list[dict[str, Any]] = response.json()["rows"]
    return sorted(row["player"] for row in rows)


async def test_a_guests_attempt_is_listed_after_the_claim_and_stays_after_deletion(site, visitor):
    async with visiting(site) as ben:
        await create_account(ben, "Ben")
        game = await attempt(ben)
        await give_up(ben, game)
        # As if he had got stuck: who resigned sees no results.
        stuck = update(games).where(games.c.id == game).values(status="lost")
        await site.state.services.database.write(lambda connection: connection.execute(stuck))
        await give_up(visitor, await attempt(visitor))
        assert await unsolved(ben) == ["Ben"]
        await create_account(visitor, "Anna")
        assert await unsolved(ben) == ["Anna", "Ben"]
        today = (await ben.get("/api/v1/daily")).json()["day"]
        board = f"/daily/{today}/bristol"
        assert '<a href="/players/Anna">' in (await ben.get(board)).text
        body = {"password": PASSWORD}
        assert (await visitor.request("DELETE", "/api/v1/me", json=body)).is_success
        assert await unsolved(ben) == ["Ben", "deleted player"]
        text = (await ben.get(board)).text
        assert "deleted player" in text
        assert "/players/deleted" not in text


async def test_signing_in_allows_no_second_attempt(site: FastAPI, visitor: AsyncClient):
    """Neither after starting as a guest, nor after starting on another device."""
    async with visiting(site) as phone, visiting(site) as desk:
        await create_account(phone, "Anna")
        first = await attempt(desk)
        login = {"name": "Anna", "password": PASSWORD}
        assert (await desk.post("/login", data=login)).status_code == 303
        for device in (desk, phone, desk):
            assert await attempt(device, 200) == first
        # A later guest can be merged, but the first attempt counts.
        later = await attempt(visitor)
        assert (await visitor.post("/login", data={**login, "bring": "yes"})).status_code == 303
        assert await attempt(visitor, 200) == first
        assert (await visitor.get(f"/games/{later}")).status_code == 403


async def test_an_accounts_own_attempt_counts_even_if_the_guest_started_first(
    site: FastAPI, visitor: AsyncClient
):
    first = await attempt(visitor)
    async with visiting(site) as phone:
        await create_account(phone, "Anna")
        own = await attempt(phone)
        login = {"name": "Anna", "password": PASSWORD, "bring": "yes"}
        assert (await visitor.post("/login", data=login)).status_code == 303
        for device in (visitor, phone):
            assert await attempt(device, 200) == own
            assert (await device.get(f"/games/{first}")).status_code == 403
