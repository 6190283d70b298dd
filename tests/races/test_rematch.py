"""The rematch: one room for all who ask."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import func, select

from app.db.schema import races
from app.races.errors import NotEndedError
from app.races.rematch import rematch
from app.races.room import Phase
from tests.support.races import RaceServer

pytestmark = pytest.mark.anyio


async def test_concurrent_rematches_open_one_room(server: RaceServer):
    await server.add_players(*(f"p{n}" for n in range(9)))
    code = await server.race("anna", "ben")
    for player in ("anna", "ben"):
        await server.races.resign(code, player)
    pressing = ["anna", *(f"p{n}" for n in range(9))]
    processes = [server, server.second_process()]
    rooms = await asyncio.gather(
        *(rematch(processes[n % 2].races, code, player) for n, player in enumerate(pressing))
    )
    assert len({room.code for room in rooms}) == 1
    next_room = (await server.second_process().races.snapshot(rooms[0].code)).room
    assert {seat.player_id for seat in next_room.present} == set(pressing)
    late = await rematch(server.races, code, "ben")  # no seat is left, but the race can be watched
    assert late.code == next_room.code
    count = select(func.count()).select_from(races).where(races.c.previous == code)
    assert await server.database.read(lambda connection: connection.scalar(count)) == 1


async def test_who_has_finished_waits_in_the_next_room_for_who_still_plays(server: RaceServer):
    code = await server.race("anna", "ben")
    await server.races.resign(code, "anna")
    next_room = await rematch(server.races, code, "anna")
    assert next_room.host_id == "anna"
    with pytest.raises(NotEndedError):
        await rematch(server.races, code, "ben")
    with pytest.raises(NotEndedError):
        await rematch(server.races, code, "carl")  # who only watches
    assert (await server.races.snapshot(code)).phase is Phase.RACING
    await server.races.resign(code, "ben")
    assert (await rematch(server.races, code, "ben")).code == next_room.code


async def test_rematch_requires_a_finished_race(server: RaceServer):
    code = await server.race("anna", "ben")
    with pytest.raises(NotEndedError):
        await rematch(server.races, code, "anna")
