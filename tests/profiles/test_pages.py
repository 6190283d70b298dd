import asyncio
from typing import Any

import pytest
from httpx import AsyncClient
from sqlalchemy import Connection

from app.profiles import api, pages, reader
from app.profiles.statistics import Profile, read_profile, weeks_of

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
    assert "1 game finished, 0 won." in page
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


async def test_a_profile_is_read_once_for_all_who_ask_at_the_same_moment(
    visitor: AsyncClient, monkeypatch: pytest.MonkeyPatch
):
    await visitor.post("/api/v1/me/claim", json=CLAIM)
    reads: list[str] = []

    def counted(connection: Connection, name: str) -> Profile:
        reads.append(name)
        return read_profile(connection, name)

    monkeypatch.setattr(reader, "read_profile", counted)
    address = "/players/Zo%C3%AB%20O%27Hara"
    answers = await asyncio.gather(*(visitor.get(address) for _ in range(20)))
    assert {answer.status_code for answer in answers} == {200}
    assert len(reads) < 20
    german = visitor.get(address, headers={"Accept-Language": "de"})
    for page, language in zip(
        await asyncio.gather(visitor.get(address), german), ("en", "de"), strict=True
    ):
        assert f'lang="{language}"' in page.text.partition("<body")[0]
    assert (await visitor.get("/players/Nobody at all")).status_code == 404
