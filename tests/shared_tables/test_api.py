"""The JSON API of shared tables."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from httpx import AsyncClient

from tests.support.serving import visiting

pytestmark = pytest.mark.anyio

API = "/api/v1"


async def test_sharing_joining_moving_and_proposing(site: FastAPI, visitor: AsyncClient) -> None:
    game = (await visitor.post(f"{API}/games", json={"ruleset": "bristol"})).json()
    path = f"{API}/games/{game['id']}"
    shared = await visitor.post(f"{path}/together")
    assert shared.status_code == 201
    invitation = shared.json()["invitation"]
    async with visiting(site) as friend:
        early = await friend.post(f"{path}/moves", json={"version": 0, "move": "deal"})
        assert (early.status_code, early.json()["code"]) == (403, "not_your_game")
        assert (await friend.get(f"{path}/together")).json()["invitation"] is None
        sat = await friend.post(f"{API}{invitation}")
        assert [seat["state"] for seat in sat.json()["seats"]] == ["seated", "seated"]
        moved = await friend.post(f"{path}/moves", json={"version": 0, "move": "deal"})
        assert moved.json()["version"] == 1
        late = await visitor.post(f"{path}/moves", json={"version": 0, "move": "deal"})
        assert (late.status_code, late.json()["code"]) == (409, "stale_version")
        assert late.json()["state"]["version"] == 1
        assert late.json()["detail"].endswith("dealt first.")
        asked = await visitor.post(f"{path}/restart", json={"version": 1})
        assert asked.status_code == 202
        assert asked.json()["version"] == 1
        question = (await friend.get(f"{path}/together")).json()["asked"]
        assert question["word"] == "restart"
        bad = await visitor.post(
            f"{path}/together/answer", json={"number": question["number"], "agrees": True}
        )
        assert (bad.status_code, bad.json()["code"]) == (409, "not_asked")
        yes = {"number": question["number"], "agrees": True}
        assert (await friend.post(f"{path}/together/answer", json=yes)).json()["asked"] is None
        assert (await friend.get(path)).json()["version"] == 2
        shown = await friend.post(f"{path}/together/point", json={"place": "t3"})
        assert shown.json()["seats"][1]["points_at"] == "t3"
        assert (await friend.post(f"{path}/together/say", json={"saying": "x"})).status_code == 422


async def test_shared_games_count_separately_and_the_replay_names_players(
    site: FastAPI, visitor: AsyncClient
) -> None:
    claimed = {"name": "Anneliese", "password": "correct horse battery"}
    joined = await visitor.post(f"{API}/me/claim", json=claimed)
    assert joined.status_code < 400, joined.text
    game = (await visitor.post(f"{API}/games", json={"ruleset": "bristol"})).json()
    path = f"{API}/games/{game['id']}"
    invitation = (await visitor.post(f"{path}/together")).json()["invitation"]
    async with visiting(site) as friend:
        await friend.post(f"{API}{invitation}")
        await visitor.post(f"{path}/moves", json={"version": 0, "move": "deal"})
        await friend.post(f"{path}/moves", json={"version": 1, "move": "deal"})
        await friend.post(f"{path}/together/leave")
    assert (await visitor.post(f"{path}/resign", json={"version": 2})).status_code == 200
    profile = (await visitor.get("/players/Anneliese")).text
    assert "Shared tables" in profile
    assert (
        "finished games yet" in profile
        or "Finish a game, and others see its result here" in profile
    )
    replay = await visitor.get(f"/games/{game['id']}/replay?at=1")
    assert "Anneliese: Dealt" in replay.text


async def test_a_version_below_zero_is_malformed(visitor: AsyncClient) -> None:
    game = (await visitor.post(f"{API}/games", json={"ruleset": "bristol"})).json()
    path = f"{API}/games/{game['id']}"
    assert (await visitor.post(f"{path}/together")).status_code == 201
    for address, body in (("moves", {"version": -1, "move": "deal"}), ("undo", {"version": -1})):
        answer = await visitor.post(f"{path}/{address}", json=body)
        assert (answer.status_code, answer.json()["code"]) == (422, "malformed")


@pytest.mark.parametrize("number", [-1, 2**63, 10**30])
async def test_a_number_that_no_proposal_can_have_is_malformed(
    visitor: AsyncClient, number: int
) -> None:
    game = (await visitor.post(f"{API}/games", json={"ruleset": "bristol"})).json()
    path = f"{API}/games/{game['id']}/together"
    assert (await visitor.post(path)).status_code == 201
    answer = await visitor.post(f"{path}/answer", json={"number": number, "agrees": True})
    assert (answer.status_code, answer.json()["code"]) == (422, "malformed")
