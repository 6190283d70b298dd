from __future__ import annotations

from typing import Any

import pytest
from fastapi import FastAPI
from httpx import AsyncClient, Response

from app.games.game_actions import MAX_ACTIONS
from app.games.json_state import state_of
from app.games.service import GameService
from app.sharing.pages import IMPORT_PATHS
from tests.sharing.games import acting, played_by
from tests.support.known import CODE
from tests.support.serving import visiting

pytestmark = pytest.mark.anyio


def is_problem(answer: Response, status: int, code: str) -> dict[str, Any]:
    assert (answer.status_code, answer.headers["content-type"]) == (
        status,
        "application/problem+json",
    )
    problem: dict[str, Any] = answer.json()
    assert (problem["status"], problem["code"]) == (status, code)
    return problem


async def test_a_deal_is_described_as_far_as_it_can_be_seen(visitor: AsyncClient) -> None:
    answer = await visitor.get("/api/v1/deals/Bristol/7kq4m2xwtp")
    deal = answer.json()
    assert answer.status_code == 200
    assert (deal["ruleset"], deal["code"], deal["finished"]) == ("bristol", CODE, False)
    assert deal["path"] == f"/deal/bristol/{CODE}"
    assert (await visitor.get(deal["picture"])).status_code == 200
    assert deal["piles"]["stock"] == {"count": 25, "cards": [None] * 25}
    state = (await visitor.post("/api/v1/games", json={"ruleset": "bristol", "code": CODE})).json()
    assert state["piles"] == deal["piles"]


async def test_no_such_deal_is_not_found(visitor: AsyncClient) -> None:
    for path in ("whist/7KQ4M-2XWTP", "bristol/7KQ4M"):
        is_problem(await visitor.get(f"/api/v1/deals/{path}"), 404, "not_found")
        is_problem(await visitor.get(f"/api/v1/deals/{path}/results"), 404, "not_found")


async def test_results_are_forbidden_before_the_end_and_listed_after(
    site: FastAPI, visitor: AsyncClient
) -> None:
    won = await played_by(visitor, site, "bristol-won")
    path = f"/api/v1/deals/bristol/{won.code}"
    async with visiting(site) as other:
        is_problem(await other.get(f"{path}/results"), 403, "forbidden")
        new = {"ruleset": "bristol", "code": won.code}
        game = (await other.post("/api/v1/games", json=new)).json()
        is_problem(await other.get(f"{path}/results"), 403, "forbidden")
        await other.post(f"/api/v1/games/{game['id']}/moves", json={"version": 0, "move": "deal"})
        await other.post(f"/api/v1/games/{game['id']}/resign", json={"version": 1})
        assert (await other.get(path)).json()["finished"] is True
        first, second = (await other.get(f"{path}/results")).json()
    assert (first["place"], first["status"], first["actions"]) == (1, "won", won.version)
    assert (first["game"], first["is_you"]) == (won.id, False)
    assert (second["place"], second["status"], second["is_you"]) == (2, "resigned", True)


async def test_a_replay_lists_its_steps_and_shows_each(site: FastAPI, visitor: AsyncClient) -> None:
    won = await played_by(visitor, site, "bristol-won")
    replay = (await visitor.get(f"/api/v1/games/{won.id}/replay")).json()
    assert (replay["status"], replay["actions"], replay["forked_from"]) == ("won", 68, None)
    assert [step["step"] for step in replay["steps"]] == list(range(1, 69))
    play: GameService = site.state.services.games
    for step in (0, 30, 68):
        answer = await visitor.get(f"/api/v1/games/{won.id}/replay/{step}")
        assert answer.json() == state_of(await play.log.load_at(won.id, step))
    is_problem(await visitor.get(f"/api/v1/games/{won.id}/replay/69"), 422, "malformed")
    is_problem(await visitor.get(f"/api/v1/games/{won.id}/replay/-1"), 422, "malformed")
    is_problem(await visitor.get(f"/api/v1/games/{won.id}/replay/one"), 422, "malformed")


async def test_an_unfinished_game_has_no_replay(visitor: AsyncClient) -> None:
    game = (await visitor.post("/api/v1/games", json={"ruleset": "bristol"})).json()
    for path in ("replay", "replay/0"):
        is_problem(await visitor.get(f"/api/v1/games/{game['id']}/{path}"), 409, "conflict")
    fork = await visitor.post(f"/api/v1/games/{game['id']}/fork", json={"at": 0})
    is_problem(fork, 409, "conflict")
    is_problem(await visitor.get("/api/v1/games/nothing/replay"), 404, "not_found")


async def test_a_fork_is_a_new_game_of_the_callers(site: FastAPI, visitor: AsyncClient) -> None:
    won = await played_by(visitor, site, "bristol-won")
    async with visiting(site) as other:
        answer = await other.post(f"/api/v1/games/{won.id}/fork", json={"at": 10})
        state = answer.json()
        assert answer.status_code == 201
        assert answer.headers["location"] == f"/api/v1/games/{state['id']}"
        assert (state["version"], state["status"]) == (10, "playing")
        await other.post(f"/api/v1/games/{state['id']}/resign", json={"version": 10})
        replay = (await other.get(f"/api/v1/games/{state['id']}/replay")).json()
        assert replay["forked_from"] == {"game": won.id, "step": 10}
        for body in ({}, {"at": "10"}, {"at": None}, {"at": 69}):
            answer = await other.post(f"/api/v1/games/{won.id}/fork", json=body)
            is_problem(answer, 422, "malformed")


async def test_a_record_is_exported_and_imported(site: FastAPI, visitor: AsyncClient) -> None:
    game = (await visitor.post("/api/v1/games", json={"ruleset": "bristol", "code": CODE})).json()
    play: GameService = site.state.services.games
    table = await acting(play, await play.log.load(game["id"]), "deal", "deal", "undo")
    record = await visitor.get(f"/api/v1/games/{table.id}/record")
    assert record.headers["content-type"] == "text/plain; charset=utf-8"
    async with visiting(site) as other:
        answer = await other.post("/api/v1/records", json={"record": record.text})
        assert answer.status_code == 201
        state = answer.json()
        assert (state["version"], state["piles"]) == (3, state_of(table)["piles"])
        assert (await other.get(answer.headers["location"])).json() == state


async def test_the_record_of_the_longest_game_is_imported(visitor: AsyncClient) -> None:
    actions = [
        f"{number:>4}. {'undo' if number % 2 == 0 else 'deal':<10} ; AC 2D 3H"
        for number in range(1, MAX_ACTIONS + 1)
    ]
    record = "\n".join([f"Game: bristol\nDeal: {CODE}\n", *actions])
    assert len(record) > 2 * 65_536  # more than any other request may have
    answer = await visitor.post("/api/v1/records", json={"record": record})
    assert answer.status_code == 201
    assert answer.json()["version"] == MAX_ACTIONS
    assert (await visitor.post("/import", data={"text": record})).status_code == 303
    for path in IMPORT_PATHS:
        too_large = await visitor.post(path, content=b" " * 262_145)
        assert too_large.status_code == 413


async def test_a_bad_record_names_its_line(visitor: AsyncClient) -> None:
    record = f"Game: bristol\nDeal: {CODE}\n1. deal\n2. t1-t1\n"
    answer = await visitor.post("/api/v1/records", json={"record": record})
    problem = is_problem(answer, 422, "malformed")
    assert problem["line"] == 4
    assert problem["detail"].startswith("Line 4: Move 2, t1-t1: ")
    for body in ({}, {"record": 7}, {"record": None}):
        is_problem(await visitor.post("/api/v1/records", json=body), 422, "malformed")


async def test_everything_is_in_the_description(visitor: AsyncClient) -> None:
    paths = (await visitor.get("/api/v1/openapi.json")).json()["paths"]
    expected = {
        "/api/v1/deals/{ruleset}/{code}": "get",
        "/api/v1/deals/{ruleset}/{code}/results": "get",
        "/api/v1/games/{game_id}/replay": "get",
        "/api/v1/games/{game_id}/replay/{step}": "get",
        "/api/v1/games/{game_id}/fork": "post",
        "/api/v1/games/{game_id}/record": "get",
        "/api/v1/records": "post",
    }
    for path, method in expected.items():
        assert method in paths[path], path
