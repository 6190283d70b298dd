import asyncio
from typing import Any

import pytest
from httpx import AsyncClient

from app.profiles import api, pages
from app.profiles.statistics import weeks_of

pytestmark = pytest.mark.anyio

CLAIM = {"name": "Zoë O'Hara", "password": "seven ravens sleep"}


async def test_a_profile_as_json_and_as_a_page(visitor: AsyncClient):
    await visitor.post("/api/v1/me/claim", json=CLAIM)
    game = (await visitor.post("/api/v1/games", json={"ruleset": "bristol"})).json()
    daily = (await visitor.post("/api/v1/daily/today/bristol/attempt")).json()
    for table in (game, daily):
        address = f"/api/v1/games/{table['id']}"
        move = {"version": 0, "move": table["legal_moves"][0]}
        assert (await visitor.post(f"{address}/moves", json=move)).is_success
        assert (await visitor.post(f"{address}/resign", json={"version": 1})).is_success
    found = (await visitor.get("/api/v1/players/Zoë O'Hara")).json()
    (record,) = found["games"]
    assert (record["ruleset"], record["played"], record["won"]) == ("bristol", 1, 0)
    # Today's attempt stays hidden: others may be playing the same deal.
    assert [row["id"] for row in found["recent"]] == [game["id"]]
    assert (len(found["weeks"]), found["weeks"][-1]["played"]) == (26, 1)
    response = await visitor.get("/players/zoe o'hara")
    assert (response.status_code, response.headers["location"]) == (
        303,
        "/players/Zo%C3%AB%20O%27Hara",
    )
    page = (await visitor.get(response.headers["location"])).text
    assert "One game finished, 0 won." in page
    assert f'href="/games/{game["id"]}/replay"' in page
    assert daily["id"] not in page
    assert "style=" not in page
    assert (await visitor.get("/players/Nobody at all")).status_code == 404


async def test_the_games_of_a_profile_are_counted_off_the_event_loop(
    visitor: AsyncClient, monkeypatch: pytest.MonkeyPatch
):
    await visitor.post("/api/v1/me/claim", json=CLAIM)
    on_loop: list[bool] = []

    def noting(*arguments: Any) -> Any:
        try:
            asyncio.get_running_loop()
            on_loop.append(True)
        except RuntimeError:
            on_loop.append(False)
        return weeks_of(*arguments)

    monkeypatch.setattr(pages, "weeks_of", noting)
    monkeypatch.setattr(api, "weeks_of", noting)
    for path in ("/players/Zoë O'Hara", "/api/v1/players/Zoë O'Hara"):
        assert (await visitor.get(path)).status_code == 200
    assert on_loop == [False, False]
