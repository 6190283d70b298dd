"""The race service: time, endings, privacy, concurrency and account merges."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest
from sqlalchemy import Connection, delete, func, select, update
from sqlalchemy.exc import DBAPIError

from app.db.schema import games, race_events, races
from app.deals.commitment import commitment
from app.errors import (
    ConflictError,
    MalformedError,
    NotStartedError,
    NotYourGameError,
)
from app.games.outcome import Result
from app.races.errors import (
    NotEndedError,
    NotInRaceError,
    RaceNotFoundError,
    RaceOverError,
    RemovedError,
)
from app.races.log import Ending
from app.races.rematch import rematch
from app.races.room import COUNTDOWN_MS, IDLE_MS, Phase
from app.races.room_lookup import RoomLookup
from app.races.snapshot import Activity, RoomSnapshot
from tests.support.races import WINNABLE_SEED, RaceServer, winning_line

pytestmark = pytest.mark.anyio


async def count_games(server: RaceServer) -> int:
    query = select(func.count()).select_from(games)
    return await server.database.read(lambda connection: connection.scalar(query) or 0)


async def test_no_game_exists_before_the_start(server: RaceServer):
    room = await server.gather("anna", "ben")
    await server.races.start(room.code, "anna")
    server.clock.turn(COUNTDOWN_MS - 1)
    for player in ("anna", "ben", "cleo", None):
        with pytest.raises(NotStartedError):
            await server.races.game(room.code, player)
    assert await count_games(server) == 0
    server.clock.turn(1)
    table = await server.races.game(room.code, "anna")
    assert table.started_ms == server.clock.now
    assert await count_games(server) == 2


async def test_all_racers_get_the_committed_deal_and_their_own_game(server: RaceServer):
    code = await server.race("anna", "ben")
    anna, ben = [await server.races.game(code, player) for player in ("anna", "ben")]
    assert anna.position == ben.position
    assert anna.id != ben.id
    snapshot = await server.races.snapshot(code)
    assert snapshot.room.commitment == commitment(f"fairdeal/race/1/bristol/{code}/", WINNABLE_SEED)


async def test_first_lookup_after_the_start_deals_once_for_all_processes(server: RaceServer):
    room = await server.gather("anna", "ben", "cleo")
    await server.races.start(room.code, "anna")
    server.clock.turn(COUNTDOWN_MS + 700)
    processes = [server, server.second_process(), server.second_process()]
    await asyncio.gather(
        *(process.races.snapshot(room.code) for process in processes for _ in range(3))
    )
    assert await count_games(server) == 3
    tables = [await process.races.game(room.code, "anna") for process in processes]
    assert len({table.id for table in tables}) == 1
    # The clock runs from the announced time, however late the first look-up is.
    assert tables[0].started_ms == server.clock.now - 700


async def test_a_board_is_private_until_the_race_is_over(server: RaceServer):
    code = await server.race("anna", "ben")
    table = await server.races.game(code, "anna")
    for stranger in ("ben", "cleo", None):
        with pytest.raises(NotYourGameError):
            await server.games.load_visible(table.id, stranger)
    await server.win(code, "anna")
    with pytest.raises(NotYourGameError):
        await server.games.load_visible(table.id, "ben")
    await server.races.give_up(code, "ben")
    assert (await server.games.load_visible(table.id, "cleo")).id == table.id


async def test_rivals_progress_is_rounded_until_the_own_run_is_over(server: RaceServer):
    code = await server.race("anna", "ben", "cleo")
    table = await server.races.game(code, "anna")
    for action in winning_line():
        table = await server.act(code, "anna", action)
        server.clock.turn(1000)
        shown = await server.see(code, "ben")
        home = (await server.see(code, "anna"))["Anna"].home
        assert home is not None
        assert shown["Anna"].home == home - home % 4
        assert shown["Anna"].game_id is None
        assert (await server.see(code, None))["Anna"].home == home - home % 4
        if home % 4 == 3:
            break
    else:
        pytest.fail("the line never left a count that hides something")
    assert shown["Anna"].actions == table.actions
    await server.races.give_up(code, "ben")
    assert (await server.see(code, "ben"))["Anna"].home == home
    assert (await server.see(code, "cleo"))["Anna"].home == home - home % 4


async def test_a_snapshot_is_renewed_at_most_once_a_second(server: RaceServer):
    code = await server.race("anna", "ben")
    before = await server.races.snapshot(code)
    await server.act(code, "anna", *winning_line()[:5])
    server.clock.turn(999 - server.clock.now % 1000)
    assert await server.races.snapshot(code) is before
    server.clock.turn(1)
    progress = (await server.races.snapshot(code)).progress
    assert max(one.actions for one in progress.values()) == 5


async def test_wins_in_the_same_second(server: RaceServer):
    code = await server.race("anna", "ben", "cleo")
    server.clock.turn(60_100)
    await server.win(code, "anna")
    server.clock.turn(800)
    await server.win(code, "ben")
    server.clock.turn(1)
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
    *most, last = winning_line()
    table = await server.act(code, "anna", *most)
    other = server.second_process()
    outcomes = await asyncio.gather(
        server.games.act(table.id, "anna", table.version, last, "one key"),
        other.games.act(table.id, "anna", table.version, last, "one key"),
        server.games.act(table.id, "anna", table.version, last),
    )
    assert sum(fate.result is Result.ACCEPTED for fate in outcomes) >= 1
    assert {fate.game.version for fate in outcomes} == {len(winning_line())}
    assert (await server.words(code)).count("finish") == 1


async def test_concurrent_starts_start_once(server: RaceServer):
    room = await server.gather("anna", "ben")
    other = server.second_process()
    await asyncio.gather(
        server.races.start(room.code, "anna"),
        other.races.start(room.code, "anna"),
        server.races.start(room.code, "anna"),
    )
    assert (await server.words(room.code)).count("start") == 1


async def test_a_ready_player_who_goes_away_still_races(server: RaceServer):
    code = await server.race("anna", "ben")
    server.clock.turn(16_000)
    await server.races.heartbeat(code, "anna")
    rows = await server.see(code, "anna")
    assert rows["Ben"].activity is Activity.AWAY
    assert rows["Anna"].activity is Activity.PLAYING
    server.clock.turn(200_000)
    await server.win(code, "ben")
    assert (await server.see(code))["Ben"].activity is Activity.FINISHED


async def test_five_idle_minutes_end_a_run(server: RaceServer):
    code = await server.race("anna", "ben")
    start = server.clock.now
    server.clock.turn(20_000)
    await server.act(code, "anna", "deal")
    server.clock.turn(IDLE_MS - 20_000)
    rows = await server.see(code, "ben")
    assert rows["Ben"].ending is Ending.IDLE
    assert rows["Ben"].seconds == 300
    assert rows["Anna"].ending is None
    server.clock.turn(600_000)
    room = (await server.races.snapshot(code)).room
    assert room.end
    assert room.end.at_ms == start + IDLE_MS + 20_000
    table = await server.races.game(code, "ben")
    assert table.is_over


async def test_actions_after_the_end_of_a_run_are_refused(server: RaceServer):
    code = await server.race("anna", "ben")
    table = await server.act(code, "anna", "deal")
    server.clock.turn(IDLE_MS)
    with pytest.raises(RaceOverError):
        await server.games.act(table.id, "anna", table.version, "deal")
    await server.races.snapshot(code)
    fate = await server.games.act(table.id, "anna", table.version + 1, "deal")
    assert fate.result is Result.OVER


async def test_the_time_limit_ends_runs_in_progress(server: RaceServer):
    code = await server.race("anna", "ben", minutes=3)
    start = server.clock.now
    *most, last = winning_line()
    for player in ("anna", "ben"):
        await server.act(code, player, *most)
        server.clock.turn(60_000)
    table = await server.races.game(code, "ben")
    server.clock.turn(start + 180_000 - server.clock.now - 1)
    await server.act(code, "anna", last)
    server.clock.turn(1)
    with pytest.raises(RaceOverError):
        await server.games.act(table.id, "ben", table.version, last)
    rows = await server.see(code)
    assert [(row.rank, row.ending) for row in rows.values()] == [(1, Ending.WON), (2, Ending.TIME)]
    assert rows["Ben"].seconds == 180


async def test_without_a_win_the_earlier_second_counts(server: RaceServer):
    code = await server.race("anna", "ben")
    opening = await server.races.game(code, "anna")
    line = winning_line()
    upto = next(n for n, word in enumerate(line, 1) if "-f" in word)
    for player in ("anna", "ben"):
        server.clock.turn(5_000)
        await server.act(code, player, *line[:upto])
    server.clock.turn(60_000)
    for player in ("anna", "ben"):
        await server.races.give_up(code, player)
    rows = await server.see(code)
    assert [(row.rank, name) for name, row in rows.items()] == [(1, "Anna"), (2, "Ben")]
    assert rows["Anna"].home == rows["Ben"].home
    assert opening.version == 0


async def test_undo_and_redo_do_not_extend_the_time_limit(server: RaceServer):
    code = await server.race("anna", "ben", minutes=10)
    quiet = next(n for n, word in enumerate(winning_line()) if word != "deal")
    await server.act(code, "anna", *winning_line()[: quiet + 1])
    for _ in range(2):
        server.clock.turn(IDLE_MS - 60_000)
        await server.act(code, "anna", "undo", "redo")
    server.clock.turn(119_000)
    row = (await server.see(code))["Anna"]
    assert (row.ending, row.seconds) == (None, None)
    server.clock.turn(1_000)
    row = (await server.see(code, "anna"))["Anna"]
    assert (row.ending, row.seconds) == (Ending.TIME, 10 * 60)


async def test_concurrent_lookups_read_the_database_once(
    server: RaceServer, monkeypatch: pytest.MonkeyPatch
):
    code = await server.race("anna", "ben")
    server.clock.turn(1_000)
    lookups: list[str] = []
    real = RoomLookup._settle

    async def counted(lookup: RoomLookup, code: str, now_ms: int) -> RoomSnapshot:
        lookups.append(code)
        return await real(lookup, code, now_ms)

    monkeypatch.setattr(RoomLookup, "_settle", counted)
    snapshots = await asyncio.gather(*(server.races.snapshot(code) for _ in range(1_000)))
    assert lookups == [code]
    assert {id(snapshot) for snapshot in snapshots} == {id(snapshots[0])}


async def test_a_process_killed_before_publishing_loses_nothing(server: RaceServer):
    room = await server.gather("anna", "ben")
    other = server.second_process()
    await other.races.snapshot(room.code)
    server.races.lookup._publish = server.races._publish = lambda _code, _version: None
    started = await server.races.start(room.code, "anna")
    assert started.version > room.version
    # Nothing was published, but the next request or reconnecting stream finds the change.
    server.clock.turn(1_000)
    assert (await other.races.snapshot(room.code)).room == started
    assert await other.publisher.versions([room.code]) == {room.code: started.version}
    server.clock.turn(COUNTDOWN_MS)
    tables = [await one.races.game(room.code, "anna") for one in (other, server)]
    assert tables[0].id == tables[1].id


async def test_the_scheduled_task_settles_rooms_that_nobody_requests(server: RaceServer):
    room = await server.gather("anna", "ben")
    await server.races.start(room.code, "anna")
    other = server.second_process()
    server.clock.turn(COUNTDOWN_MS)
    await other.settle()
    assert (await other.words(room.code))[-1] == "deal"
    server.clock.turn(IDLE_MS)
    await other.settle()
    assert (await other.words(room.code))[-1] == "end"
    abandoned = await server.races.open("cleo", "bristol", 5)
    server.clock.turn(10 * 60_000)
    await other.settle()
    assert (await other.words(abandoned.code)) == ["open", "end"]


async def test_each_settlement_schedules_the_next_deadline(server: RaceServer):
    code = await server.race("anna", "ben", "cleo")
    server.clock.turn(100_000)
    await server.act(code, "ben", "deal")
    server.clock.turn(IDLE_MS - 100_000)
    await server.settle()
    assert (await server.words(code)).count("finish") == 2
    server.clock.turn(99_999)
    await server.settle()
    assert (await server.words(code)).count("finish") == 2
    server.clock.turn(1)
    await server.settle()
    assert (await server.words(code))[-2:] == ["finish", "end"]


async def test_concurrent_rematches_open_one_room(server: RaceServer):
    await server.welcome(*(f"p{n}" for n in range(9)))
    code = await server.race("anna", "ben")
    for player in ("anna", "ben"):
        await server.races.give_up(code, player)
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


async def test_rematch_requires_a_finished_race(server: RaceServer):
    code = await server.race("anna", "ben")
    with pytest.raises(NotEndedError):
        await rematch(server.races, code, "anna")


async def test_two_tabs_of_one_seat_move_at_once(server: RaceServer):
    code = await server.race("anna", "ben")
    table = await server.races.game(code, "anna")
    other = server.second_process()
    fates = await asyncio.gather(
        server.games.act(table.id, "anna", 0, "deal"), other.games.act(table.id, "anna", 0, "deal")
    )
    assert sorted(fate.result.name for fate in fates) == ["ACCEPTED", "STALE"]
    assert {fate.game.version for fate in fates} == {1}


async def test_the_newest_tab_is_the_active_one(server: RaceServer):
    code = await server.race("anna", "ben")
    first = "000000000000001-a"
    second = "000000000000002-b"
    assert (await server.races.heartbeat(code, "anna", first)).newest_tab("anna") == first
    assert (await server.second_process().races.heartbeat(code, "anna", second)).newest_tab(
        "anna"
    ) == second
    server.clock.turn(1_000)
    assert (await server.races.heartbeat(code, "anna", first)).newest_tab("anna") == second
    assert (await server.races.heartbeat(code, "ben", first)).newest_tab("ben") == first


async def test_account_merge_moves_a_run_in_progress(server: RaceServer):
    code = await server.race("gus", "ben")
    table = await server.act(code, "gus", winning_line()[0])
    await server.database.write(
        lambda connection: server.account_merge.move_seats(connection, "gus", "cleo")
    )
    server.clock.turn(1_000)
    assert (await server.races.game(code, "cleo")).id == table.id
    with pytest.raises(NotInRaceError):
        await server.races.game(code, "gus")
    fate = await server.games.act(table.id, "cleo", 1, winning_line()[1])
    assert fate.result is Result.ACCEPTED
    assert (await server.races.snapshot(code)).room.host_id == "cleo"
    rows = await server.see(code, "cleo")
    assert rows["Cleo"].is_you


async def test_account_merge_gives_no_second_run(server: RaceServer):
    code = await server.race("anna", "gus")
    mine, guests = [await server.races.game(code, player) for player in ("anna", "gus")]
    await server.database.write(
        lambda connection: server.account_merge.move_seats(connection, "gus", "anna")
    )
    assert (await server.races.game(code, "anna")).id == mine.id
    assert (await server.second_process().games.load(guests.id)).owner_id == "gus"


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
    server.clock.turn(IDLE_MS)
    rows = await server.see(code)
    assert rows["Ben"].ending is Ending.IDLE
    assert rows["Anna"].rank == 1


async def test_removed_player_returns_as_another_guest(server: RaceServer):
    room = await server.races.open("anna", "bristol", 10)
    await server.races.join(room.code, "ben")
    await server.races.remove(room.code, "anna", 2)
    with pytest.raises(RemovedError):
        await server.races.join(room.code, "ben")
    # With another cookie they are another guest, who can be removed too.
    await server.races.join(room.code, "gus")
    await server.races.remove(room.code, "anna", 3)
    await server.races.set_open(room.code, "anna", is_open=False)
    with pytest.raises(ConflictError):
        await server.races.join(room.code, "cleo")
    assert (await server.races.snapshot(room.code)).room.code == room.code


async def test_void_race_has_no_ranks(server: RaceServer):
    code = await server.race("anna", "ben")
    await server.win(code, "anna")
    await server.races.give_up(code, "ben")
    await server.races.void(code, "the deal was dealt by a broken rule")
    rows = await server.see(code)
    assert [row.rank for row in rows.values()] == [None, None]
    snapshot = await server.races.snapshot(code)
    assert snapshot.room.void
    assert snapshot.room.void.reason == "the deal was dealt by a broken rule"
    voided = select(races.c.void_ms).where(races.c.code == code)
    assert await server.database.read(lambda connection: connection.scalar(voided))


@pytest.mark.parametrize(
    "name",
    [
        "<b>Anna</b>",
        "\u202eannA",
        "An\u200bna",
        "An\u2066na",
        "  ",
        "Anna&amp;",
        "\u3164\u3164\u3164",
    ],
)
async def test_deceptive_names_are_refused(server: RaceServer, name: str):
    room = await server.races.open("anna", "bristol", 10)
    if not name.strip():
        await server.races.join(room.code, "gus", name)
        assert "Gus" in await server.see(room.code)
        return
    with pytest.raises(MalformedError):
        await server.races.join(room.code, "gus", name)


async def test_guest_names_are_unique_in_a_room(server: RaceServer):
    room = await server.races.open("anna", "bristol", 10, "Robin Hood")
    await server.races.join(room.code, "gus", "Maid Marian")
    with pytest.raises(ConflictError):
        await server.races.join(room.code, "cleo", "maid  marian")
    assert list(await server.see(room.code)) == ["Robin Hood", "Maid Marian"]


async def test_a_race_across_midnight(server: RaceServer):
    server.clock.turn(86_400_000 - server.clock.now % 86_400_000 - COUNTDOWN_MS - 30_000)
    code = await server.race("anna", "ben")
    day = server.clock.now // 86_400_000
    server.clock.turn(60_000)
    assert server.clock.now // 86_400_000 == day + 1
    await server.win(code, "anna")
    assert (await server.see(code))["Anna"].seconds == 60


async def test_another_game_gets_another_commitment(server: RaceServer):
    room = await server.races.open("anna", "bristol", 10)
    changed = await server.races.change_options(room.code, "anna", "signora", 15)
    assert (changed.ruleset, changed.minutes) == ("signora", 15)
    assert changed.commitment != room.commitment
    again = await server.races.change_options(room.code, "anna", "signora", 20)
    assert again.commitment == changed.commitment


async def test_the_log_of_a_room_is_append_only(server: RaceServer):
    room = await server.races.open("anna", "bristol", 10)
    for change in (
        update(race_events).values(word="end"),
        delete(race_events).where(race_events.c.code == room.code),
    ):
        with pytest.raises(DBAPIError):
            await server.database.write(partial(Connection.execute, statement=change))


async def test_lookup_by_code(server: RaceServer):
    for code in ("ABCDEF", "", "7KQ4M2X", "⑦KQ4M2", "../etc"):
        with pytest.raises(RaceNotFoundError):
            await server.races.snapshot(code)
    room = await server.races.open("anna", "bristol", 10)
    typed = f" {room.code[:3].lower()}-{room.code[3:].lower()} "
    assert (await server.races.snapshot(typed)).room.code == room.code


async def test_a_race_survives_a_restart(server: RaceServer):
    code = await server.race("anna", "ben")
    await server.act(code, "anna", "deal")
    fresh = server.second_process()
    server.clock.turn(1_000)
    table = await fresh.races.game(code, "anna")
    assert table.version == 1
    assert (await fresh.races.snapshot(code)).phase is Phase.RACING
