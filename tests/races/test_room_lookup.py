"""Looking rooms up: elapsed time is applied, snapshots are cached, and processes agree."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

import pytest
from sqlalchemy import Connection

from app.races import repository, room_lookup
from app.races.errors import RaceNotFoundError, TooManyRacesError
from app.races.events import Event
from app.races.limits import ABANDONED_MS, COUNTDOWN_MS, IDLE_MS
from app.races.repository import StoredRoom
from app.races.room import Phase, Room
from app.races.room_lookup import MOST_ROOMS
from app.races.room_reading import find_room
from app.races.settling import RoomSettling
from app.races.snapshot import RoomSnapshot
from tests.support.races import RaceServer, winning_moves

pytestmark = pytest.mark.anyio


async def test_first_lookup_after_the_start_deals_once_for_all_processes(server: RaceServer):
    room = await server.gather("anna", "ben", "cleo")
    await server.races.start(room.code, "anna")
    server.clock.advance(COUNTDOWN_MS + 700)
    processes = [server, server.second_process(), server.second_process()]
    await asyncio.gather(
        *(process.races.snapshot(room.code) for process in processes for _ in range(3))
    )
    assert await server.count_games() == 3
    tables = [await process.races.game(room.code, "anna") for process in processes]
    assert len({table.id for table in tables}) == 1
    # The clock runs from the announced time, however late the first look-up is.
    assert tables[0].started_ms == server.clock.now - 700


async def test_a_snapshot_is_renewed_at_most_once_a_second(server: RaceServer):
    code = await server.race("anna", "ben")
    before = await server.races.snapshot(code)
    await server.act(code, "anna", *winning_moves()[:5])
    server.clock.advance(999 - server.clock.now % 1000)
    assert await server.races.snapshot(code) is before
    server.clock.advance(1)
    progress = (await server.races.snapshot(code)).progress
    assert max(one.actions for one in progress.values()) == 5


async def test_to_renew_a_room_takes_as_many_queries_for_one_racer_as_for_many(
    server: RaceServer, monkeypatch: pytest.MonkeyPatch
):
    await server.add_players("dora", "emil")
    codes = [await server.race("anna", "ben"), await server.race("cleo", "gus", "dora", "emil")]
    reads = list[object]()
    read, replayed = server.database.read, list[str]()

    async def note(work: Callable[[Connection], object]) -> object:
        reads.append(work)
        return await read(work)

    def note_replay(code: str, events: Iterable[Event]) -> Room:
        replayed.append(code)
        return replay(code, events)

    replay = Room.replay
    for moves, expected in ((0, 1), (1, 2)):  # the logs of the games take one more
        for code in codes:
            for seat in (await server.races.snapshot(code)).room.racers:
                await server.second_process().act(code, seat.player_id, *["deal"] * moves)
            server.clock.advance(1_000)
            reads.clear()
            replayed.clear()
            with monkeypatch.context() as noted:
                noted.setattr(server.database, "read", note)
                noted.setattr(Room, "replay", note_replay)
                progress = (await server.races.snapshot(code)).progress
            assert len(reads) == expected
            assert replayed == [code]
            assert {one.actions for one in progress.values()} == {moves}


async def test_concurrent_lookups_read_the_database_once(
    server: RaceServer, monkeypatch: pytest.MonkeyPatch
):
    code = await server.race("anna", "ben")
    server.clock.advance(1_000)
    lookups: list[str] = []
    real = RoomSettling.settle

    async def counted(settling: RoomSettling, code: str, now_ms: int) -> RoomSnapshot:
        lookups.append(code)
        return await real(settling, code, now_ms)

    monkeypatch.setattr(RoomSettling, "settle", counted)
    snapshots = await asyncio.gather(*(server.races.snapshot(code) for _ in range(1_000)))
    assert lookups == [code]
    assert {id(snapshot) for snapshot in snapshots} == {id(snapshots[0])}


async def test_a_room_that_changes_while_it_is_read_is_not_cached(
    server: RaceServer, monkeypatch: pytest.MonkeyPatch
):
    room = await server.gather("anna", "ben")
    real = RoomSettling.settle
    has_read, may_go_on = asyncio.Event(), asyncio.Event()

    async def slow(settling: RoomSettling, code: str, now_ms: int) -> RoomSnapshot:
        snapshot = await real(settling, code, now_ms)
        has_read.set()
        await may_go_on.wait()
        return snapshot

    server.races.lookup.forget(room.code)
    with monkeypatch.context() as slowed:
        slowed.setattr(RoomSettling, "settle", slow)
        reading = asyncio.create_task(server.races.snapshot(room.code))
        await has_read.wait()
    left = await server.second_process().races.leave(room.code, "ben")
    server.races._writer.publish(left)  # as if this process had written it
    may_go_on.set()
    await reading
    assert (await server.races.snapshot(room.code)).room == left


async def test_a_process_killed_before_publishing_loses_nothing(server: RaceServer):
    room = await server.gather("anna", "ben")
    other = server.second_process()
    await other.races.snapshot(room.code)
    for part in (server.races.settling, server.races._writer):
        part._publish = lambda _code, _version: None
    started = await server.races.start(room.code, "anna")
    assert started.version > room.version
    # Nothing was published, but the next request or reconnecting stream finds the change.
    server.clock.advance(1_000)
    assert (await other.races.snapshot(room.code)).room == started
    assert await other.publisher.read_versions([room.code]) == {room.code: started.version}
    server.clock.advance(COUNTDOWN_MS)
    tables = [await one.races.game(room.code, "anna") for one in (other, server)]
    assert tables[0].id == tables[1].id


async def test_the_scheduled_task_settles_rooms_that_nobody_requests(server: RaceServer):
    room = await server.gather("anna", "ben")
    await server.races.start(room.code, "anna")
    other = server.second_process()
    server.clock.advance(COUNTDOWN_MS)
    await other.settle()
    assert (await other.words(room.code))[-1] == "deal"
    server.clock.advance(IDLE_MS)
    await other.settle()
    assert (await other.words(room.code))[-1] == "end"
    abandoned = await server.races.setup.open("cleo", "bristol", 5)
    server.clock.advance(10 * 60_000)
    await other.settle()
    assert (await other.words(abandoned.code)) == ["open", "end"]


async def test_each_settlement_schedules_the_next_deadline(server: RaceServer):
    code = await server.race("anna", "ben", "cleo")
    server.clock.advance(100_000)
    await server.act(code, "ben", "deal")
    server.clock.advance(IDLE_MS - 100_000)
    await server.settle()
    assert (await server.words(code)).count("finish") == 2
    server.clock.advance(99_999)
    await server.settle()
    assert (await server.words(code)).count("finish") == 2
    server.clock.advance(1)
    await server.settle()
    assert (await server.words(code))[-2:] == ["finish", "end"]


async def test_the_rooms_of_a_player_are_few_and_the_last_ones_come_first(
    server: RaceServer, monkeypatch: pytest.MonkeyPatch
):
    codes = []
    for _ in range(MOST_ROOMS):
        server.clock.advance(1000)
        codes.append((await server.races.setup.open("anna", "bristol", 10)).code)
    with pytest.raises(TooManyRacesError):
        await server.races.setup.open("anna", "bristol", 10)
    other = (await server.races.setup.open("ben", "bristol", 10)).code
    with pytest.raises(TooManyRacesError):
        await server.races.join(other, "anna")
    await server.races.leave(codes[-2], "anna")
    replayed: list[str] = []

    def find(connection: Connection, code: str) -> StoredRoom:
        replayed.append(code)
        return find_room(connection, code)

    with monkeypatch.context() as watched:
        watched.setattr(room_lookup, "find_room", find)
        rooms = await server.races.lookup.list_rooms("anna")
    assert [room.code for room in rooms] == [codes[-1], codes[-3], codes[-4]]
    assert len(replayed) <= 4
    await server.races.heartbeat(codes[0], "anna")
    server.clock.advance(ABANDONED_MS + 1000)
    await server.settle()
    await server.races.setup.open("anna", "bristol", 10)


async def test_lookup_by_code(server: RaceServer):
    for code in ("ABCDEF", "", "7KQ4M2X", "⑦KQ4M2", "../etc"):
        with pytest.raises(RaceNotFoundError):
            await server.races.snapshot(code)
    room = await server.races.setup.open("anna", "bristol", 10)
    typed = f" {room.code[:3].lower()}-{room.code[3:].lower()} "
    assert (await server.races.snapshot(typed)).room.code == room.code


async def test_a_race_survives_a_restart(server: RaceServer):
    code = await server.race("anna", "ben")
    await server.act(code, "anna", "deal")
    fresh = server.second_process()
    server.clock.advance(1_000)
    table = await fresh.races.game(code, "anna")
    assert table.version == 1
    assert (await fresh.races.snapshot(code)).phase is Phase.RACING


async def test_rooms_that_are_still_in_use_are_not_settled_again_and_again(server: RaceServer):
    """Settling takes a few rooms at a time: those in use must not keep it from the others."""

    async def list_due() -> list[str]:
        now_ms = server.clock()
        return await server.database.read(lambda c: repository.list_due(c, now_ms, 50))

    lobby = await server.races.setup.open("gus", "bristol", 5)
    race = await server.race("anna", "ben")
    server.clock.advance(IDLE_MS - 10_000)
    for name in ("anna", "ben"):
        await server.act(race, name, "deal")
    server.clock.advance(20_000)
    assert await list_due() == [race]
    await server.settle()
    assert await list_due() == []
    assert (await server.words(race))[-1] == "deal"
    server.clock.advance(IDLE_MS - 20_001)
    assert await list_due() == []
    server.clock.advance(1)
    await server.settle()
    assert (await server.words(race))[-1] == "end"

    await server.races.heartbeat(lobby.code, "gus")
    server.clock.advance(10_000)
    assert await list_due() == [lobby.code]
    await server.settle()
    assert await list_due() == []
    assert await server.words(lobby.code) == ["open"]
    server.clock.advance(ABANDONED_MS)
    await server.settle()
    assert (await server.words(lobby.code))[-1] == "end"


async def test_a_room_that_cannot_be_settled_does_not_stop_the_others(
    server: RaceServer, monkeypatch: pytest.MonkeyPatch
):
    broken = await server.races.setup.open("anna", "bristol", 5)
    server.clock.advance(1)
    other = await server.races.setup.open("ben", "bristol", 5)
    settle = RoomSettling.settle

    async def fail(settling: RoomSettling, code: str, now_ms: int) -> RoomSnapshot:
        if code == broken.code:
            raise ValueError("broken")
        return await settle(settling, code, now_ms)

    monkeypatch.setattr(RoomSettling, "settle", fail)
    server.clock.advance(ABANDONED_MS)
    await server.settle()
    assert (await server.words(other.code))[-1] == "end"
    monkeypatch.setattr(RoomSettling, "settle", settle)
    server.clock.advance(60_000)
    await server.settle()
    assert (await server.words(broken.code))[-1] == "end"
