"""A game that no one may watch, in the lists that others see: it counts there, but nothing leads to its replay."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from httpx import AsyncClient

from tests.admin.browsers import Browsers
from tests.support.known import CODE

pytestmark = pytest.mark.anyio


async def played(client: AsyncClient, audience: str) -> str:
    """A game on the deal, given up; who may watch is chosen before its end."""
    new = {"ruleset": "bristol", "code": CODE}
    game: str = (await client.post("/api/v1/games", json=new)).json()["id"]
    path = f"/api/v1/games/{game}"
    await client.put(f"{path}/audience", json={"audience": audience})
    await client.post(f"{path}/moves", json={"version": 0, "move": "deal"})
    (await client.post(f"{path}/resign", json={"version": 1})).raise_for_status()
    return game


@pytest.mark.parametrize("audience", ["link", "nobody"])
async def test_the_results_of_a_deal_lead_to_what_may_be_watched(site: FastAPI, audience: str):
    async with Browsers(site) as browsers:
        anna, ben = await browsers.player("Anna"), await browsers.player("Ben")
        game = await played(anna, audience)
        await played(ben, "link")
        path = f"/deal/bristol/{CODE}"
        for client, is_led_there in ((anna, True), (ben, audience == "link")):
            rows = (await client.get(f"/api/v1/deals/bristol/{CODE}/results")).json()
            (row,) = (row for row in rows if row["player"] == "Anna")
            assert row["game"] == (game if is_led_there else None)
            page = (await client.get(path)).text
            assert (f"/games/{game}/replay" in page) == is_led_there
            assert "Anna" in page


@pytest.mark.parametrize("audience", ["link", "nobody"])
async def test_a_profile_counts_every_game_and_leads_to_what_may_be_watched(
    site: FastAPI, audience: str
):
    async with Browsers(site) as browsers:
        anna, ben = await browsers.player("Anna"), await browsers.player("Ben")
        game = await played(anna, audience)
        found = (await ben.get("/api/v1/players/Anna")).json()
        assert [record["played"] for record in found["games"]] == [1]
        assert [one["id"] for one in found["recent"]] == ([game] if audience == "link" else [])
        assert (game in (await ben.get("/players/Anna")).text) == (audience == "link")


@pytest.mark.parametrize("audience", ["link", "nobody"])
async def test_a_challenge_is_a_link_made_on_purpose_but_does_not_open_the_replay(
    site: FastAPI, audience: str
):
    async with Browsers(site) as browsers:
        anna, ben = await browsers.player("Anna"), await browsers.player("Ben")
        game = await played(anna, audience)
        token = (await anna.post(f"/api/v1/games/{game}/ghost")).json()["token"]
        attempt = (await ben.post(f"/api/v1/ghosts/{token}")).json()["id"]
        await ben.post(f"/api/v1/games/{attempt}/resign", json={"version": 0})
        for client, is_led_there in ((anna, True), (ben, audience == "link")):
            board = (await client.get(f"/api/v1/ghosts/{token}")).json()["board"]
            (target,) = (row for row in board if row["is_ghost"])
            assert (target["name"], target["game"]) == ("Anna", game if is_led_there else None)
            page = (await client.get(f"/challenge/{token}")).text
            assert (f"/games/{game}/replay" in page) == is_led_there
        (own,) = (row for row in board if not row["is_ghost"])
        assert own["game"] == attempt


async def test_what_was_closed_after_the_end_is_opened_again(site: FastAPI):
    async with Browsers(site) as browsers:
        anna, ben = await browsers.player("Anna"), await browsers.player("Ben")
        game = await played(anna, "link")
        path = f"/api/v1/games/{game}"
        for audience, status in (("link", 200), ("nobody", 403), ("link", 200)):
            await anna.put(f"{path}/audience", json={"audience": audience})
            assert (await ben.get(f"{path}/replay")).status_code == status
            assert (await anna.get(f"{path}/replay")).status_code == 200
