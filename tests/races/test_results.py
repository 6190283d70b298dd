"""How games end and rank: wins, the time limit, idle players, late actions and void races."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import select

from app.db.schema import races
from app.games.outcome import ActionResult
from app.races.errors import RaceOverError
from app.races.events import GameEnding
from app.races.limits import COUNTDOWN_MS, IDLE_MS
from tests.support.races import RaceServer, winning_moves

pytestmark = pytest.mark.anyio


async def test_wins_in_the_same_second(server: RaceServer):
    code = await server.race("anna", "ben", "cleo")
    server.clock.advance(60_100)
    await server.win(code, "anna")
    server.clock.advance(800)
    await server.win(code, "ben")
    server.clock.advance(1)
    await server.win(code, "cleo", detours=1)
    rows = await server.see(code)
    assert [(row.rank, name) for name, row in rows.items()] == [
        (1, "Anna"),
        (1, "Ben"),
        (3, "Cleo"),
    ]
    assert {row.seconds for row in rows.values()} == {60}


async def test_winning_move_sent_twice_wins_once(server: RaceServer):
    code = await server.race("anna", "ben")
    *most, last = winning_moves()
    table = await server.act(code, "anna", *most)
    other = server.second_process()
    outcomes = await asyncio.gather(
        server.games.act(table.id, "anna", table.version, last, "one key"),
        other.games.act(table.id, "anna", table.version, last, "one key"),
        server.games.act(table.id, "anna", table.version, last),
    )
    assert sum(fate.result is ActionResult.ACCEPTED for fate in outcomes) >= 1
    assert {fate.game.version for fate in outcomes} == {len(winning_moves())}
    assert (await server.words(code)).count("finish") == 1


async def test_five_idle_minutes_end_a_game(server: RaceServer):
    code = await server.race("anna", "ben")
    start = server.clock.now
    server.clock.advance(20_000)
    await server.act(code, "anna", "deal")
    server.clock.advance(IDLE_MS - 20_000)
    rows = await server.see(code, "ben")
    assert rows["Ben"].ending is GameEnding.IDLE
    assert rows["Ben"].seconds == 300
    assert rows["Anna"].ending is None
    server.clock.advance(600_000)
    room = (await server.races.snapshot(code)).room
    assert room.end
    assert room.end.at_ms == start + IDLE_MS + 20_000
    table = await server.races.game(code, "ben")
    assert table.is_over


async def test_actions_after_the_end_of_a_game_are_refused(server: RaceServer):
    code = await server.race("anna", "ben")
    table = await server.act(code, "anna", "deal")
    server.clock.advance(IDLE_MS)
    with pytest.raises(RaceOverError):
        await server.games.act(table.id, "anna", table.version, "deal")
    await server.races.snapshot(code)
    fate = await server.games.act(table.id, "anna", table.version + 1, "deal")
    assert fate.result is ActionResult.OVER


async def test_the_time_limit_ends_games_in_progress(server: RaceServer):
    code = await server.race("anna", "ben", minutes=3)
    start = server.clock.now
    *most, last = winning_moves()
    for player in ("anna", "ben"):
        await server.act(code, player, *most)
        server.clock.advance(60_000)
    table = await server.races.game(code, "ben")
    server.clock.advance(start + 180_000 - server.clock.now - 1)
    await server.act(code, "anna", last)
    server.clock.advance(1)
    with pytest.raises(RaceOverError):
        await server.games.act(table.id, "ben", table.version, last)
    rows = await server.see(code)
    assert [(row.rank, row.ending) for row in rows.values()] == [
        (1, GameEnding.WON),
        (2, GameEnding.TIME),
    ]
    assert rows["Ben"].seconds == 180


async def test_without_a_win_the_earlier_second_counts(server: RaceServer):
    code = await server.race("anna", "ben")
    opening = await server.races.game(code, "anna")
    line = winning_moves()
    upto = next(n for n, word in enumerate(line, 1) if "-f" in word)
    for player in ("anna", "ben"):
        server.clock.advance(5_000)
        await server.act(code, player, *line[:upto])
    server.clock.advance(60_000)
    for player in ("anna", "ben"):
        await server.races.resign(code, player)
    rows = await server.see(code)
    assert [(row.rank, name) for name, row in rows.items()] == [(1, "Anna"), (2, "Ben")]
    assert rows["Anna"].home == rows["Ben"].home
    assert opening.version == 0


async def test_undo_and_redo_do_not_extend_the_time_limit(server: RaceServer):
    code = await server.race("anna", "ben", minutes=10)
    quiet = next(n for n, word in enumerate(winning_moves()) if word != "deal")
    await server.act(code, "anna", *winning_moves()[: quiet + 1])
    for _ in range(2):
        server.clock.advance(IDLE_MS - 60_000)
        await server.act(code, "anna", "undo", "redo")
    server.clock.advance(119_000)
    row = (await server.see(code))["Anna"]
    assert (row.ending, row.seconds) == (None, None)
    server.clock.advance(1_000)
    row = (await server.see(code, "anna"))["Anna"]
    assert (row.ending, row.seconds) == (GameEnding.TIME, 10 * 60)


async def test_void_race_has_no_ranks(server: RaceServer):
    code = await server.race("anna", "ben")
    await server.win(code, "anna")
    await server.races.resign(code, "ben")
    await server.races.void(code, "the deal was dealt by a broken rule")
    rows = await server.see(code)
    assert [row.rank for row in rows.values()] == [None, None]
    snapshot = await server.races.snapshot(code)
    assert snapshot.room.void
    assert snapshot.room.void.reason == "the deal was dealt by a broken rule"
    voided = select(races.c.void_ms).where(races.c.code == code)
    assert await server.database.read(lambda connection: connection.scalar(voided))


async def test_a_race_across_midnight(server: RaceServer):
    server.clock.advance(86_400_000 - server.clock.now % 86_400_000 - COUNTDOWN_MS - 30_000)
    code = await server.race("anna", "ben")
    day = server.clock.now // 86_400_000
    server.clock.advance(60_000)
    assert server.clock.now // 86_400_000 == day + 1
    await server.win(code, "anna")
    assert (await server.see(code))["Anna"].seconds == 60
