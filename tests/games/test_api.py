"""The contract of the JSON API, as a program that was written from it sees the site."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import MutableMapping
from typing import Any

import pytest
from fastapi import FastAPI
from httpx import AsyncClient, Response

from app.rulesets import RULESETS
from tests.golden.records import RECORDS, Record
from tests.support.known import CODE
from tests.support.patience import PATIENCE
from tests.support.serving import visiting

pytestmark = pytest.mark.anyio

Json = dict[str, Any]

IDS = [rules.id for rules in RULESETS]
STATE: dict[str, type | tuple[type, ...]] = {
    "id": str,
    "ruleset": str,
    "revision": int,
    "code": str,
    "version": int,
    "status": str,
    "base_rank": (str, type(None)),
    "actions": int,
    "elapsed_ms": int,
    "can_undo": bool,
    "can_redo": bool,
    "piles": dict,
    "legal_moves": list,
}


async def start(visitor: AsyncClient, ruleset: str = "bristol", code: str | None = CODE) -> Json:
    answer = await visitor.post("/api/v1/games", json={"ruleset": ruleset, "code": code})
    assert answer.status_code == 201, answer.text
    state: Json = answer.json()
    return state


async def move(visitor: AsyncClient, state: Json, text: str, **headers: str) -> Response:
    body = {"version": state["version"], "move": text}
    return await visitor.post(f"/api/v1/games/{state['id']}/moves", json=body, headers=headers)


def is_problem(answer: Response, status: int, code: str) -> Json:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    problem: Json = answer.json()
    assert {"type", "title", "status", "detail", "code"} <= set(problem)
    assert (problem["status"], problem["code"]) == (status, code)
    assert re.fullmatch(r"(['“A-Z0-9<]|\\).{8,}\.", problem["detail"]), problem["detail"]
    return problem


async def test_rule_sets_are_listed_with_the_documented_fields(visitor: AsyncClient) -> None:
    rulesets = (await visitor.get("/api/v1/rulesets")).json()
    assert [ruleset["id"] for ruleset in rulesets] == IDS
    for ruleset in rulesets:
        assert set(ruleset) == {"id", "title", "aliases", "decks", "revision", "source"}
    assert {"wood", "solitaire"} <= {alias for ruleset in rulesets for alias in ruleset["aliases"]}


@pytest.mark.parametrize("ruleset", IDS)
async def test_a_state_has_the_shape_of_the_contract(visitor: AsyncClient, ruleset: str) -> None:
    state = await start(visitor, ruleset)
    for name, kind in STATE.items():
        assert isinstance(state[name], kind), name
    assert (state["ruleset"], state["code"], state["version"]) == (ruleset, CODE, 0)
    assert sum(pile["count"] for pile in state["piles"].values()) in {52, 104}
    for pile in state["piles"].values():
        assert len(pile["cards"]) == pile["count"]
    again = await visitor.get(f"/api/v1/games/{state['id']}")
    assert again.json() == state


@pytest.mark.parametrize(
    "record", [record for record in RECORDS if record.end == "won" and record.code], ids=str
)
async def test_a_whole_game_is_won_over_the_api(visitor: AsyncClient, record: Record) -> None:
    state = await start(visitor, record.ruleset, record.code)
    for text in record.moves:
        assert text in state["legal_moves"]
        answer = await move(visitor, state, text)
        assert answer.status_code == 200, answer.text
        assert answer.json()["version"] == state["version"] + 1
        state = answer.json()
    assert state["status"] == "won"
    assert state["legal_moves"] == []
    assert not state["can_undo"]
    is_problem(await move(visitor, state, "deal"), 409, "game_over")


async def test_without_a_code_each_deal_is_another(visitor: AsyncClient) -> None:
    first, second = await start(visitor, code=None), await start(visitor, code=None)
    assert first["code"] != second["code"]
    assert first["piles"] != second["piles"]


@pytest.mark.parametrize("spelling", ["7kq4m2xwtp", " 7KQ4M 2XWTP ", "7KQ4M-2XWTP"])
async def test_a_code_is_read_as_people_write_it(visitor: AsyncClient, spelling: str) -> None:
    assert (await start(visitor, code=spelling))["code"] == CODE


async def test_undo_and_redo_count_as_actions(visitor: AsyncClient) -> None:
    state = (await move(visitor, await start(visitor), "deal")).json()
    for version, word in enumerate(("undo", "redo"), start=1):
        answer = await visitor.post(
            f"/api/v1/games/{state['id']}/{word}", json={"version": version}
        )
        assert answer.json()["actions"] == version + 1
    assert answer.json()["piles"] == state["piles"]


async def test_a_stale_version_answers_with_the_table_as_it_is(visitor: AsyncClient) -> None:
    state = await start(visitor)
    now = (await move(visitor, state, "deal")).json()
    problem = is_problem(await move(visitor, state, "deal"), 409, "stale_version")
    assert problem["state"] == now


async def test_an_illegal_move_names_the_rule_and_is_no_move(visitor: AsyncClient) -> None:
    state = await start(visitor, "signora")
    problem = is_problem(await move(visitor, state, "deal"), 422, "illegal_move")
    assert "base" in problem["detail"]
    path = f"/api/v1/games/{state['id']}"
    assert (await visitor.get(path)).json() == state
    assert (await visitor.get(f"{path}/events")).json() == []


async def test_the_same_key_gives_the_first_answer(visitor: AsyncClient) -> None:
    state = await start(visitor)
    key = {"Idempotency-Key": "one"}
    first = await move(visitor, state, "deal", **key)
    await move(visitor, first.json(), "deal")
    again = await move(visitor, state, "deal", **key)
    assert (again.status_code, again.json()) == (200, first.json())
    assert (await visitor.get(f"/api/v1/games/{state['id']}")).json()["version"] == 2


async def test_many_clicks_at_once_move_once(site: FastAPI, visitor: AsyncClient) -> None:
    state = await start(visitor)
    answers = await asyncio.gather(*(move(visitor, state, "deal") for _ in range(20)))
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 19


async def test_a_stranger_may_look_but_not_play(site: FastAPI, visitor: AsyncClient) -> None:
    state = await start(visitor)
    async with visiting(site) as stranger:
        path = f"/api/v1/games/{state['id']}"
        assert (await stranger.get(path)).json() == state
        is_problem(await move(stranger, state, "deal"), 403, "not_your_game")


async def test_a_look_since_a_version_is_short_when_nothing_is_newer(visitor: AsyncClient) -> None:
    state = await start(visitor)
    path = f"/api/v1/games/{state['id']}"
    assert (await visitor.get(f"{path}?since=0")).status_code == 304
    await move(visitor, state, "deal")
    assert (await visitor.get(f"{path}?since=0")).json()["version"] == 1


async def test_the_log_says_what_was_done_and_when(visitor: AsyncClient) -> None:
    state = (await move(visitor, await start(visitor), "deal")).json()
    await visitor.post(f"/api/v1/games/{state['id']}/undo", json={"version": 1})
    log = (await visitor.get(f"/api/v1/games/{state['id']}/events")).json()
    assert [(entry["version"], entry["action"]) for entry in log] == [(1, "deal"), (2, "undo")]
    assert 0 <= log[0]["after_ms"] <= log[1]["after_ms"]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"not json", 400, "malformed"),
        (b"", 422, "malformed"),
        (b"[]", 422, "malformed"),
        (b"{}", 422, "malformed"),
        (b'{"version": "0", "move": "deal"}', 422, "malformed"),
        (b'{"version": true, "move": "deal"}', 422, "malformed"),
        (b'{"version": 0.5, "move": "deal"}', 422, "malformed"),
        (b'{"version": null, "move": "deal"}', 422, "malformed"),
        (b'{"version": 0}', 422, "malformed"),
        (b'{"version": 0, "move": 3}', 422, "malformed"),
        (b'{"version": 0, "move": "t1t2"}', 422, "malformed"),
        (b'{"version": 0, "move": "t1-t2:0"}', 422, "malformed"),
        (b'{"version": 0, "move": "t1-x9"}', 422, "malformed"),
        (b'{"version": 0, "move": "undo"}', 422, "malformed"),
        (b'{"version": 0, "move": "' + b"t" * 5000 + b'"}', 422, "malformed"),
        (b'{"version": 99, "move": "deal"}', 409, "stale_version"),
        (b'{"version": -1, "move": "deal"}', 409, "stale_version"),
        (b'{"version": 123456789012345678901234567890, "move": "deal"}', 409, "stale_version"),
        (b'{"version": 0, "move": "t1-t2:13"}', 422, "illegal_move"),
        (b'{"version": 0, "move": "f1-t1"}', 422, "illegal_move"),
    ],
)
async def test_bad_moves_get_their_code(
    visitor: AsyncClient, body: bytes, status: int, code: str
) -> None:
    state = await start(visitor)
    path = f"/api/v1/games/{state['id']}"
    headers = {"Content-Type": "application/json"}
    is_problem(await visitor.post(f"{path}/moves", content=body, headers=headers), status, code)
    assert (await visitor.get(path)).json() == state


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"ruleset": "whist"}, 404, "not_found"),
        ({"ruleset": ""}, 404, "not_found"),
        ({"ruleset": "bristol", "code": "short"}, 404, "not_found"),
        ({"ruleset": "bristol", "code": "UUUUUUUUUU"}, 404, "not_found"),
        ({"ruleset": "bristol", "code": 7}, 422, "malformed"),
        ({"ruleset": 7}, 422, "malformed"),
        ({"ruleset": None}, 422, "malformed"),
        ({}, 422, "malformed"),
    ],
)
async def test_games_that_cannot_be_dealt(
    visitor: AsyncClient, body: Json, status: int, code: str
) -> None:
    is_problem(await visitor.post("/api/v1/games", json=body), status, code)


@pytest.mark.parametrize("name", ["nowhere", "a" * 500, "%00", "..%2f..", "<script>", "\u202e"])
async def test_a_game_that_is_not_there(visitor: AsyncClient, name: str) -> None:
    await start(visitor)
    is_problem(await visitor.get(f"/api/v1/games/{name}"), 404, "not_found")
    body = {"version": 0, "move": "deal"}
    is_problem(await visitor.post(f"/api/v1/games/{name}/moves", json=body), 404, "not_found")


async def test_a_resigned_game_is_over(visitor: AsyncClient) -> None:
    state = await start(visitor)
    answer = await visitor.post(f"/api/v1/games/{state['id']}/resign", json={"version": 0})
    state = answer.json()
    assert (state["status"], state["legal_moves"]) == ("resigned", [])
    is_problem(await move(visitor, state, "deal"), 409, "game_over")


async def test_restart_brings_the_opening_back(visitor: AsyncClient) -> None:
    opening = await start(visitor)
    dealt = (await move(visitor, opening, "deal")).json()
    path = f"/api/v1/games/{opening['id']}/restart"
    restarted = (await visitor.post(path, json={"version": 1})).json()
    assert restarted["piles"] == opening["piles"] != dealt["piles"]
    assert restarted["can_redo"]
    is_problem(await visitor.post(path, json={"version": 2}), 422, "illegal_move")


async def test_a_face_down_card_is_null_and_nothing_else_tells_it(visitor: AsyncClient) -> None:
    state = await start(visitor, "rouge-et-noir")
    assert state["piles"]["t1"]["cards"] == [None] * 8 + ["KD"]
    assert state["piles"]["stock"]["cards"] == [None] * 59
    dawn = await start(visitor, "terrace")
    assert dawn["piles"]["stock"]["cards"] == [None] * 89 + ["6S"]


async def test_the_stream_rings_with_the_version(site: FastAPI, visitor: AsyncClient) -> None:
    state = await start(visitor)
    rung: asyncio.Queue[Json] = asyncio.Queue()
    gone = asyncio.Event()

    async def listen() -> None:
        scope: MutableMapping[str, Any] = {
            "type": "http",
            "http_version": "1.1",
            "method": "GET",
            "path": f"/api/v1/games/{state['id']}/stream",
            "raw_path": b"",
            "query_string": b"",
            "root_path": "",
            "scheme": "http",
            "headers": [(b"host", b"fairdeal.test")],
            "client": ("127.0.0.1", 1),
            "server": ("fairdeal.test", 80),
        }

        async def receive() -> MutableMapping[str, Any]:
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: MutableMapping[str, Any]) -> None:
            for line in message.get("body", b"").decode().splitlines():
                if line.startswith("data:"):
                    rung.put_nowait(json.loads(line.removeprefix("data:")))

        await site(scope, receive, send)

    listening = asyncio.create_task(listen())
    async with asyncio.timeout(PATIENCE):
        assert await rung.get() == {"version": 0}
        await move(visitor, state, "deal")
        assert await rung.get() == {"version": 1}
        gone.set()
        await listening
