"""The explorer over HTTP: a closed day, an open deal, and what is said too early."""

from __future__ import annotations

import re

import pytest
from httpx import AsyncClient

from tests.support.dailies import DAY, winning_moves
from tests.support.daily_site import API, Site, play_moves, start_attempt

pytestmark = pytest.mark.anyio

PATH = f"/daily/{DAY.isoformat()}/bristol"
EXPLORER = f"{API}/{DAY.isoformat()}/bristol/explorer"


async def test_a_closed_day_can_be_stepped_through(site: Site, client: AsyncClient):
    first, second, *_ = winning_moves()
    game = await start_attempt(client)
    await play_moves(client, game, first, second, "resign")
    # Before it has closed, for its player too: an early code, and no link.
    for line in ("", f"?line={first}", "?line=nonsense", "?line=t1-t1"):
        early = await client.get(EXPLORER + line)
        assert (early.status_code, early.json()["code"]) == (409, "not_closed")
        assert (await client.get(f"{PATH}/explorer{line}")).status_code == 409
    for path in (PATH, f"/games/{game}", "/daily", "/daily/archive"):
        assert "/explorer" not in (await client.get(path)).text

    await site.close_day()
    early = await client.get(EXPLORER)
    assert (early.status_code, early.json()["code"]) == (425, "not_ready")
    await site.app.state.services.explorer._merging.merge_closed_days()
    found = (await client.get(EXPLORER)).json()
    assert found == {
        "runs": 1,
        "won": 0,
        "chance": None,
        "actions": [
            {
                "action": first,
                "runs": 1,
                "won": 0,
                "median_actions": 3,
                "median_moves": 3,
                "chance": None,
            }
        ],
    }
    for line, code in (("nonsense", "malformed"), ("t1-t1", "illegal_move")):
        answer = await client.get(f"{EXPLORER}?line={line}")
        assert (answer.status_code, answer.json()["code"]) == (422, code)
    missing = await client.get(f"{API}/2020-01-01/bristol/explorer")
    assert (missing.status_code, missing.json()["code"]) == (404, "not_found")

    # From the results, by links alone, to the end and back.
    assert f'href="{PATH}/explorer"' in (await client.get(PATH)).text
    assert f'href="{PATH}/explorer"' in (await client.get(f"/daily/{DAY.isoformat()}")).text
    led = await client.get(f"/games/{game}/explorer")
    assert led.headers["location"] == f"{PATH}/explorer"
    page = await client.get(f"{PATH}/explorer")
    for move in (first, f"{first},{second}"):
        assert f'href="{PATH}/explorer?line={move}"' in page.text
        page = await client.get(f"{PATH}/explorer?line={move}")
        assert page.status_code == 200
    assert "1 game ended here." in page.text
    assert re.search(rf'href="{PATH}/explorer\?line={first}"\s+rel="prev"', page.text)
    assert (
        "No game reached this position."
        in (await client.get(f"{PATH}/explorer?line=deal,deal")).text
    )


async def test_an_open_deal_once_it_is_finished(
    site: Site, client: AsyncClient, monkeypatch: pytest.MonkeyPatch
):
    code = "A7KQ2-MXW4P"
    path, api = f"/deal/bristol/{code}", f"/api/v1/deals/bristol/{code}/explorer"
    for answer in (await client.get(api), await client.get(f"{path}/explorer")):
        assert answer.status_code == 403
    assert "/explorer" not in (await client.get(path)).text
    made = await client.post("/api/v1/games", json={"ruleset": "bristol", "code": code})
    await play_moves(client, made.json()["id"], "deal", "deal", "undo", "resign")
    assert f'href="{path}/explorer"' in (await client.get(path)).text
    monkeypatch.setattr("app.explorer.merging._WAIT_SECONDS", 0.0)
    adding = (await client.get(f"{path}/explorer")).text
    assert "Your game is being added…" in adding
    assert 'hx-trigger="load delay:1s"' in adding
    assert '<meta http-equiv="refresh"' in adding
    assert "No game reached" not in adding
    assert "No one has played" not in adding
    # The game is merged by a worker process, which may take longer than the request waits.
    service = site.app.state.services.explorer
    await client.get(api)
    for task in service._merging._running.tasks():
        await task
    (way,) = (await client.get(api)).json()["actions"]
    assert (way["median_actions"], way["median_moves"]) == (4, 1)
    page = (await client.get(f"{path}/explorer")).text
    assert re.search(r"<td>1</td>\s*<td>0%</td>\s*<td>1</td>", page), "the moves that it kept"
    assert "is being added" not in page
    found = (await client.get(f"{api}?line=deal")).json()
    assert (found["runs"], found["won"], found["actions"]) == (1, 0, [])
    for task in service._chances._running.tasks():
        await task
    judged = (await client.get(f"{api}?line=deal")).json()
    assert 0 <= judged["chance"] <= 1
    assert (await client.get(f"{path}/explorer?line=deal")).status_code == 200
    unknown = await client.get("/api/v1/deals/whist/A7KQ2-MXW4P/explorer")
    assert (unknown.status_code, unknown.json()["code"]) == (404, "not_found")
