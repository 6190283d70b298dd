"""A game of a race becomes a challenge when the race is over, and not before."""

from __future__ import annotations

import pytest
from fastapi import FastAPI

from app.main import create_app
from app.races.limits import COUNTDOWN_MS
from app.settings import Settings
from tests.support.races import Clock, draw_winnable
from tests.support.serving import visiting

pytestmark = pytest.mark.anyio

API = "/api/v1"


async def test_a_race_can_be_tried_when_it_is_over(sqlite_url: str) -> None:
    clock = Clock()
    app: FastAPI = create_app(Settings(database_url=sqlite_url, proof_seconds=0), clock)
    async with (
        app.router.lifespan_context(app),
        visiting(app) as anna,
        visiting(app) as ben,
        visiting(app) as cleo,
    ):
        app.state.services.races.setup.draw_deal = draw_winnable
        opened = await anna.post(f"{API}/races", json={"ruleset": "bristol", "minutes": 10})
        race = f"{API}/races/{opened.json()['code']}"
        await ben.post(f"{race}/join")
        for racer in (anna, ben):
            assert (await racer.post(f"{race}/ready")).status_code == 200
        assert (await anna.post(f"{race}/start")).status_code == 200
        clock.advance(COUNTDOWN_MS)
        games = [(await racer.get(f"{race}/game")).json() for racer in (anna, ben)]
        mine, other = (f"{API}/games/{game['id']}" for game in games)
        assert (await anna.post(f"{mine}/moves", json={"version": 0, "move": "deal"})).is_success
        assert (await anna.post(f"{mine}/resign", json={"version": 1})).is_success
        # Ben is at it still: not even Anna may pass the cards on.
        assert (await anna.post(f"{mine}/ghost")).status_code == 403
        assert (await ben.post(f"{other}/resign", json={"version": 0})).is_success
        clock.advance(1000)
        assert (await cleo.get(race)).status_code == 200  # whoever looks settles what is due
        made = await anna.post(f"{mine}/ghost")
        assert made.status_code == 201, made.text
        link = f"{API}/ghosts/{made.json()['token']}"
        invitation = (await cleo.get(f"/challenge/{made.json()['token']}")).text
        terms = invitation.split('<ul class="terms">', 1)[1].split("</ul>", 1)[0]
        assert "No hints" in terms
        assert "You can't undo a move that turned up a card" in terms
        dealt = (await cleo.post(link)).json()
        assert dealt["piles"] == games[0]["piles"]
        assert (await cleo.get(f"{API}/games/{dealt['id']}/hint")).status_code == 403
        assert (await ben.get(link)).json()["practice"], "Ben had these cards in the race"
