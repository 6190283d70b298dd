"""The deals of race rooms: so many for each network, since all share one stock."""

from __future__ import annotations

import pytest

from app.settings import Settings
from tests.support.serving import running_site, visiting

pytestmark = pytest.mark.anyio

RACES = "/api/v1/races"


async def test_races_of_one_network_take_a_number_of_deals_from_the_stock(sqlite_url: str):
    settings = Settings(
        database_url=sqlite_url, proof_seconds=0, rooms_at_once=3, rooms_per_minute=1
    )
    async with running_site(settings) as app, visiting(app) as anna, visiting(app) as ben:
        opened = [await visitor.post(RACES, json={"ruleset": "bristol"}) for visitor in (anna, ben)]
        assert [answer.status_code for answer in opened] == [201, 201]
        # Another game is another deal, another time limit is not.
        room = f"{RACES}/{opened[0].json()['code']}"
        for minutes in (5, 10, 15):
            change = {"ruleset": "bristol", "minutes": minutes}
            assert (await anna.post(f"{room}/options", json=change)).is_success
        assert (await anna.post(f"{room}/options", json={"ruleset": "freecell"})).is_success
        refused = [
            await ben.post(RACES, json={"ruleset": "bristol"}),
            await anna.post(f"{room}/options", json={"ruleset": "klondike"}),
            await anna.post("/race", data={"ruleset": "bristol"}),
        ]
        assert [answer.status_code for answer in refused] == [429] * 3
        assert refused[0].json()["code"] == "rate_limited"
        assert all(int(answer.headers["retry-after"]) >= 1 for answer in refused)
        assert "Too many races were opened from your network." in refused[2].text
        # Who has a room plays on, and joining takes no deal.
        assert (await ben.post(f"{room}/join")).is_success
        assert (await anna.post(f"{room}/start")).is_success
