"""What a player does with others, as the home page lists it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from fastapi import FastAPI
from starlette.requests import Request

from app.game_kinds import Audience
from app.lobby.open_now import Meeting, OpenNow, TogetherRow, count_open, list_together
from app.services import Services
from app.settings import Settings
from tests.support.races import draw_winnable
from tests.support.serving import started, welcome

pytestmark = pytest.mark.anyio


@pytest.fixture
async def request_(database_url: str) -> AsyncIterator[Request]:
    async with started(Settings(database_url=database_url)) as app:
        app.state.services.races.setup.draw_deal = draw_winnable
        welcome(app.state.services.database, "anna", "ben")
        yield Request({"type": "http", "app": app, "headers": []})


def services_of(request: Request) -> Services:
    app: FastAPI = request.app
    services: Services = app.state.services
    return services


async def the_row(request: Request, player_id: str = "anna") -> TogetherRow:
    [row] = await list_together(request, player_id)
    return row


async def test_a_shared_table_waits_until_somebody_joins(request_: Request):
    services = services_of(request_)
    game_id = await services.shared_tables.open_table(services.games, "anna", "bristol")
    row = await the_row(request_)
    assert (row.meeting, row.title, row.path) == (Meeting.TABLE, "Bristol", f"/games/{game_id}")
    assert (row.people, row.note, row.is_waiting) == ((), "waiting for others", True)

    token = (await services.shared_tables.load(game_id)).token
    await services.shared_tables.join(token, "ben")
    row = await the_row(request_)
    assert (row.people, row.note, row.is_waiting) == (("Ben",), "just dealt", False)
    assert (await the_row(request_, "ben")).people == ("Anna",)

    await services.shared_tables.leave(game_id, "ben")
    assert (await the_row(request_)).is_waiting
    assert await list_together(request_, "ben") == []


async def test_a_race_room_is_listed_until_it_ends(request_: Request):
    races = services_of(request_).races
    room = await races.setup.open("anna", "bristol", 10)
    row = await the_row(request_)
    assert (row.meeting, row.path) == (Meeting.RACE, f"/race/{room.code}")
    assert row.title == "Bristol race"
    assert (row.people, row.note, row.is_waiting) == ((), "waiting for others", True)

    await races.join(room.code, "ben")
    row = await the_row(request_)
    assert (row.people, row.note, row.is_waiting) == (("Ben",), "waiting for the start", False)
    assert row.title == "Bristol race, with Ben"

    await races.start(room.code, "anna")
    assert (await the_row(request_)).note == "starting now"
    await races.leave(room.code, "anna")
    assert await list_together(request_, "anna") == []


async def test_the_last_touched_comes_first(request_: Request):
    services = services_of(request_)
    await services.races.setup.open("anna", "bristol", 10)
    await services.shared_tables.open_table(services.games, "anna", "bristol")
    rows = await list_together(request_, "anna")
    assert [row.at_ms for row in rows] == sorted((row.at_ms for row in rows), reverse=True)
    assert {row.meeting for row in rows} == {Meeting.TABLE, Meeting.RACE}


async def test_only_open_races_and_public_games_are_counted(request_: Request):
    services = services_of(request_)
    assert await count_open(request_, "ben") == OpenNow(0, 0)
    room = await services.races.setup.open("anna", "bristol", 10)
    game = await services.games.start("anna", "bristol", None)
    assert await count_open(request_, "ben") == OpenNow(0, 0)
    await services.races.set_listed(room.code, "anna", is_listed=True)
    await services.spectating.choose_audience(game.id, "anna", Audience.PUBLIC)
    assert await count_open(request_, "ben") == OpenNow(1, 1)
    assert await count_open(request_, None) == OpenNow(1, 1)
    assert await count_open(request_, "anna") == OpenNow(0, 1)  # nobody joins their own race
    await services.spectating.choose_audience(game.id, "anna", Audience.LINK)
    assert await count_open(request_, "ben") == OpenNow(1, 0)
