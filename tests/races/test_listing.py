"""The list of open races: which rooms are on it, for how long, and how many of one player."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import pytest

from app.errors import MalformedError, RateLimitedError
from app.jobs.queue import Origin, current_origin
from app.races import listing, repository
from app.races.errors import NotHostError, RoomClosedError, WaitingElsewhereError
from app.races.limits import ABSENT_HOST_MS, FAIR_START_MS, LISTED_MS, MAX_SEATS
from app.races.listing import parse_cursor
from app.races.room_reading import RoomReading
from tests.support.races import RaceServer

pytestmark = pytest.mark.anyio

SECOND = 1_000


@contextmanager
def coming_from(origin: Origin) -> Iterator[None]:
    """Requests from there; not those of the tests that follow, which may share a context with this one."""
    token = current_origin.set(origin)
    try:
        yield
    finally:
        current_origin.reset(token)


async def listed(server: RaceServer) -> list[str]:
    """The codes of all open races, a second later."""
    server.clock.advance(SECOND)
    found = await server.races.lookup.list_open_races(None)
    return [room.code for room in found.rooms]


async def open_race(server: RaceServer, host: str) -> str:
    return (await server.races.setup.open(host, "bristol", 10, is_listed=True)).code


async def wait_there(server: RaceServer, code: str, host: str, milliseconds: int) -> None:
    """Let time pass while the host is in the room."""
    end = server.clock.now + milliseconds
    while server.clock.now < end:
        server.clock.advance(min(60 * SECOND, end - server.clock.now))
        await server.races.heartbeat(code, host)
        await server.races.snapshot(code)


async def test_a_race_is_listed_only_if_its_host_wants_that(server: RaceServer):
    code = (await server.races.setup.open("anna", "bristol", 10)).code
    assert await listed(server) == []
    await server.races.join(code, "ben")
    with pytest.raises(NotHostError):
        await server.races.set_listed(code, "ben", is_listed=True)
    await server.races.set_listed(code, "anna", is_listed=True)
    assert await listed(server) == [code]
    await server.races.set_listed(code, "anna", is_listed=False)
    assert await listed(server) == []


async def test_a_race_that_starts_is_not_listed_any_more(server: RaceServer):
    code = await open_race(server, "anna")
    await server.races.join(code, "ben")
    assert await listed(server) == [code]
    server.clock.advance(FAIR_START_MS)
    await server.races.start(code, "anna")
    assert await listed(server) == []
    with pytest.raises(RoomClosedError):
        await server.races.set_listed(code, "anna", is_listed=True)
    room = await server.races.leave(code, "ben")  # which cancels the start
    assert not room.is_listed


async def test_a_race_is_listed_while_it_has_a_free_place(server: RaceServer):
    code = await open_race(server, "anna")
    others = [f"guest {number}" for number in range(1, MAX_SEATS)]
    await server.add_players(*others)
    for other in others:
        assert await listed(server) == [code]
        await server.races.join(code, other)
        await server.races.heartbeat(code, "anna")
    assert await listed(server) == []
    await server.races.leave(code, others[0])
    assert await listed(server) == [code]
    await server.races.set_locked(code, "anna", is_locked=True)
    assert await listed(server) == []


async def test_a_seat_whose_player_is_away_goes_to_who_wants_it(server: RaceServer):
    code = await open_race(server, "anna")
    others = [f"guest {number}" for number in range(1, MAX_SEATS)]
    await server.add_players(*others)
    for other in others:
        await server.races.join(code, other)
    await wait_there(server, code, "anna", ABSENT_HOST_MS - 2 * SECOND)
    assert await listed(server) == []
    with pytest.raises(RoomClosedError):
        await server.races.join(code, "ben")
    await wait_there(server, code, "anna", SECOND)
    assert await listed(server) == [code]
    room = await server.races.join(code, "ben")
    assert len(room.present) == MAX_SEATS
    assert "ben" in {seat.player_id for seat in room.present}


async def test_who_takes_a_free_seat_at_the_same_moment_keeps_it(
    server: RaceServer, monkeypatch: pytest.MonkeyPatch
):
    code = await open_race(server, "anna")
    others = [f"guest {number}" for number in range(1, MAX_SEATS)]
    await server.add_players(*others)
    for other in others:
        await server.races.join(code, other)
    server.clock.advance(ABSENT_HOST_MS)
    for present in ("anna", *others[1:]):
        await server.database.write(
            partial(
                repository.note_presence,
                code=code,
                player_id=present,
                seen_ms=server.clock.now,
            )
        )
    reader, other_process = server.races.settling._reader, server.second_process()
    read = reader.read

    async def read_before_ben_joins(code: str, now_ms: int) -> RoomReading:
        reading = await read(code, now_ms)
        await other_process.races.join(code, "ben")
        return reading

    monkeypatch.setattr(reader, "read", read_before_ben_joins)
    room = (await server.races.snapshot(code)).room
    seated = {seat.player_id for seat in room.present}
    assert seated == {"anna", "ben", *others[1:]}


async def test_a_player_waits_in_two_listed_races_at_most(server: RaceServer):
    codes = [await open_race(server, host) for host in ("anna", "ben", "cleo")]
    unlisted = (await server.races.setup.open("cleo", "bristol", 10)).code
    for code in (*codes[:2], unlisted):
        await server.races.join(code, "gus")
    await server.races.join(codes[0], "gus")  # again, which changes nothing
    with pytest.raises(WaitingElsewhereError) as refused:
        await server.races.join(codes[2], "gus")
    assert [link.path for link in refused.value.links] == [
        f"/race/{code}" for code in sorted(codes[:2])
    ]
    server.clock.advance(FAIR_START_MS)
    await server.races.start(codes[0], "anna")
    await server.races.join(codes[2], "gus")
    await server.races.leave(codes[2], "gus")
    await server.races.join(codes[2], "gus")


async def test_guests_of_one_network_take_four_places_at_most(server: RaceServer):
    code = await open_race(server, "anna")
    guests = [f"guest {number}" for number in range(1, 6)]
    await server.add_players(*guests)
    private = (await server.races.setup.open("anna", "bristol", 10)).code
    with coming_from(Origin("192.0.2.1")):
        for guest in guests[:4]:
            await server.races.join(code, guest)
            await server.races.join(code, guest)  # again, which changes nothing
        with pytest.raises(RateLimitedError, match="from your network have joined"):
            await server.races.join(code, guests[4])
        await server.races.join(private, guests[4])  # by invitation
    with coming_from(Origin("192.0.2.1", is_named=True)):
        await server.races.join(code, "ben")
    with coming_from(Origin("192.0.2.2")):
        await server.races.join(code, "cleo")
    assert len((await server.races.snapshot(code)).room.present) == 7


async def test_two_requests_at_once_take_no_third_seat(server: RaceServer):
    await server.add_players("dora")
    codes = [await open_race(server, host) for host in ("anna", "ben", "cleo", "dora")]
    processes = (server, server.second_process()) * 2
    joined = await asyncio.gather(
        *(one.races.join(code, "gus") for one, code in zip(processes, codes, strict=True)),
        return_exceptions=True,
    )
    refusals = [one for one in joined if isinstance(one, BaseException)]
    assert [type(one) for one in refusals] == [WaitingElsewhereError] * 2


async def test_to_list_a_locked_room_unlocks_it(server: RaceServer):
    code = (await server.races.setup.open("anna", "bristol", 10)).code
    await server.races.set_locked(code, "anna", is_locked=True)
    assert not (await server.races.set_listed(code, "anna", is_listed=True)).is_locked
    assert await listed(server) == [code]


async def test_a_race_is_not_listed_while_its_host_is_away(server: RaceServer):
    code = await open_race(server, "anna")
    server.clock.advance(ABSENT_HOST_MS - 2 * SECOND)
    assert await listed(server) == [code]
    server.clock.advance(SECOND)
    assert await listed(server) == []
    await server.races.heartbeat(code, "anna")
    assert await listed(server) == [code]
    await server.races.leave(code, "anna")
    assert await listed(server) == []


async def test_who_becomes_the_host_has_not_listed_the_race(server: RaceServer):
    code = await open_race(server, "anna")
    await server.races.join(code, "ben")
    room = await server.races.leave(code, "anna")
    assert (room.host_id, room.is_listed) == ("ben", False)
    assert await listed(server) == []


async def test_a_listing_ends_by_itself_after_half_an_hour(server: RaceServer):
    code = await open_race(server, "anna")
    await wait_there(server, code, "anna", LISTED_MS - 2 * SECOND)
    assert await listed(server) == [code]
    await wait_there(server, code, "anna", 2 * SECOND)
    assert await listed(server) == []
    room = (await server.races.snapshot(code)).room
    assert (room.phase, room.is_listed) == ("lobby", False)
    await server.races.set_listed(code, "anna", is_listed=True)  # again, for another half hour
    assert await listed(server) == [code]


async def test_a_player_has_one_race_on_the_list(server: RaceServer):
    first, second = await open_race(server, "anna"), await open_race(server, "anna")
    assert await listed(server) == [second]
    await server.races.set_listed(first, "anna", is_listed=True)
    assert await listed(server) == [first]
    assert not (await server.races.snapshot(second)).room.is_listed


async def test_two_requests_at_once_list_one_race(server: RaceServer):
    other = server.second_process()
    await asyncio.gather(*(open_race(one, "anna") for one in (server, other) * 3))
    assert len(await listed(server)) == 1


async def test_a_guest_who_signs_in_has_one_race_on_the_list_at_most(server: RaceServer):
    of_guest, of_account = await open_race(server, "gus"), await open_race(server, "anna")

    def sign_in(connection: object) -> None:
        server.account_merge.move_seats(connection, "gus", "anna")  # type: ignore[arg-type]

    await server.database.write(sign_in)
    server.races.lookup.forget(of_guest)
    assert (await server.races.snapshot(of_guest)).room.host_id == "anna"
    assert await listed(server) == [of_account]


async def test_the_list_has_pages_with_the_longest_listed_first(
    server: RaceServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(listing, "PAGE", 2)
    codes = []
    for host in ("anna", "ben", "cleo"):
        codes.append(await open_race(server, host))
        server.clock.advance(SECOND)
    first = await server.races.lookup.list_open_races(None)
    assert [room.code for room in first.rooms] == codes[:2]
    assert first.after is not None
    after = parse_cursor(str(first.after))
    second = await server.races.lookup.list_open_races(after)
    assert [room.code for room in second.rooms] == codes[2:]
    assert second.after is None


@pytest.mark.parametrize("text", ["1", "x.ABC234", ".ABC234", "1" * 40 + ".ABC234", "-1.ABC234"])
def test_nonsense_is_no_position(text: str):
    with pytest.raises(MalformedError):
        parse_cursor(text)


async def test_players_find_races_they_are_not_in(server: RaceServer):
    code = await open_race(server, "anna")
    count = server.races.lookup.count_open_races
    assert [await count(player) for player in ("anna", "ben", None)] == [0, 1, 1]
    await server.races.join(code, "ben")
    assert [await count(player) for player in ("ben", "cleo")] == [0, 1]
    server.clock.advance(ABSENT_HOST_MS)
    assert await count("cleo") == 0
