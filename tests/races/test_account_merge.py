"""Race seats at an account merge and at the deletion of an account."""

from __future__ import annotations

import pytest

from app.games.outcome import ActionResult
from app.races.errors import NotInRaceError
from app.races.events import GameEnding
from app.races.limits import IDLE_MS
from tests.support.races import RaceServer, winning_moves

pytestmark = pytest.mark.anyio


async def test_account_merge_moves_a_game_in_progress(server: RaceServer):
    code = await server.race("gus", "ben")
    table = await server.act(code, "gus", winning_moves()[0])
    await server.database.write(
        lambda connection: server.account_merge.move_seats(connection, "gus", "cleo")
    )
    server.clock.advance(1_000)
    assert (await server.races.game(code, "cleo")).id == table.id
    with pytest.raises(NotInRaceError):
        await server.races.game(code, "gus")
    fate = await server.games.act(table.id, "cleo", 1, winning_moves()[1])
    assert fate.result is ActionResult.ACCEPTED
    assert (await server.races.snapshot(code)).room.host_id == "cleo"
    rows = await server.see(code, "cleo")
    assert rows["Cleo"].is_you


async def test_account_merge_gives_no_second_game(server: RaceServer):
    code = await server.race("anna", "gus")
    mine, guests = [await server.races.game(code, player) for player in ("anna", "gus")]
    await server.database.write(
        lambda connection: server.account_merge.move_seats(connection, "gus", "anna")
    )
    assert (await server.races.game(code, "anna")).id == mine.id
    assert (await server.second_process().games.log.load(guests.id)).owner_id == "gus"


async def test_deleted_account_leaves_lobbies_and_idles_out_of_races(server: RaceServer):
    lobby = await server.gather("ben", "anna", "cleo")
    code = await server.race("anna", "ben")
    await server.database.write(
        lambda connection: server.account_merge.leave_rooms(connection, "ben")
    )
    room = (await server.races.snapshot(lobby.code)).room
    assert room.host_id == "anna"
    assert [seat.player_id for seat in room.present] == ["anna", "cleo"]
    await server.win(code, "anna")
    server.clock.advance(IDLE_MS)
    rows = await server.see(code)
    assert rows["Ben"].ending is GameEnding.IDLE
    assert rows["Anna"].rank == 1
