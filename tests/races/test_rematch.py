"""The rematch: one room for all who ask."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import func, select

from app.db.schema import races
from app.games.lookup import get_ruleset
from app.races.errors import NotEndedError, NotInRaceError
from app.races.limits import ABANDONED_MS, COUNTDOWN_MS
from app.races.rematch import (
    Invitation,
    find_following,
    find_invitation,
    list_invitations,
    list_invited,
    may_open,
    rematch,
)
from app.races.room import Phase
from app.races.snapshot import RoomSnapshot
from tests.support.races import RaceServer

pytestmark = pytest.mark.anyio


async def over(server: RaceServer, *players: str) -> str:
    """The code of a race in which all have resigned."""
    code = await server.race(*players)
    for player in players:
        await server.races.resign(code, player)
    return code


async def invitation_of(server: RaceServer, code: str, player: str) -> Invitation | None:
    """What a player's page of a race says, a second later."""
    server.clock.advance(1000)
    return await find_invitation(server.races, await server.races.snapshot(code), player)


async def test_concurrent_rematches_open_one_room(server: RaceServer):
    await server.add_players(*(f"p{n}" for n in range(9)))
    code = await server.race("anna", "ben")
    for player in ("anna", "ben"):
        await server.races.resign(code, player)
    processes = [server, server.second_process()]
    racers = await asyncio.gather(
        *(rematch(processes[n % 2].races, code, player) for n, player in enumerate(["anna", "ben"]))
    )
    pressing = [f"p{n}" for n in range(8)]
    server.clock.advance(1000)
    spectators = await asyncio.gather(
        *(rematch(processes[n % 2].races, code, player) for n, player in enumerate(pressing))
    )
    rooms = [*racers, *spectators]
    pressing += ["anna", "ben"]
    assert len({room.code for room in rooms}) == 1
    next_room = (await server.second_process().races.snapshot(rooms[0].code)).room
    assert {seat.player_id for seat in next_room.present} == set(pressing)
    late = await rematch(server.races, code, "p8")  # no seat is left, but the race can be watched
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


async def test_who_raced_is_invited_and_who_watched_is_not(server: RaceServer):
    code = await over(server, "anna", "ben", "cleo")
    assert await invitation_of(server, code, "ben") is None
    next_room = await rematch(server.races, code, "anna")
    invitation = await invitation_of(server, code, "ben")
    assert invitation
    assert (invitation.room.code, invitation.text) == (next_room.code, "Anna wants a rematch")
    assert [one.room.code for one in await list_invitations(server.races, "ben")] == [
        next_room.code
    ]
    assert await list_invited(server.races, invitation.room) == ["Ben", "Cleo"]
    for other in ("anna", "gus"):
        assert await invitation_of(server, code, other) is None
        assert await list_invitations(server.races, other) == []
    await rematch(server.races, code, "cleo")
    both = await invitation_of(server, code, "ben")
    assert both
    assert both.text == "Anna and Cleo want a rematch"
    await rematch(server.races, code, "ben")
    assert await invitation_of(server, code, "ben") is None
    assert await list_invitations(server.races, "ben") == []


async def test_an_invitation_ends_with_the_start_and_when_all_have_left(server: RaceServer):
    code = await over(server, "anna", "ben", "cleo")
    next_room = await rematch(server.races, code, "anna")
    await rematch(server.races, code, "cleo")
    await server.races.start(next_room.code, "anna")
    assert await invitation_of(server, code, "ben") is None
    assert await list_invitations(server.races, "ben") == []

    code = await over(server, "anna", "ben")
    next_room = await rematch(server.races, code, "anna")
    await server.races.leave(next_room.code, "anna")
    assert await invitation_of(server, code, "ben") is None
    assert await list_invitations(server.races, "ben") == []


async def test_who_was_removed_from_the_rematch_or_left_it_is_not_invited_again(server: RaceServer):
    code = await over(server, "anna", "ben", "cleo")
    next_room = await rematch(server.races, code, "anna")
    for player in ("ben", "cleo"):
        await rematch(server.races, code, player)
    await server.races.remove(next_room.code, "anna", 2)
    await server.races.leave(next_room.code, "cleo")
    for player in ("ben", "cleo"):
        assert await invitation_of(server, code, player) is None
        assert await list_invitations(server.races, player) == []


async def test_only_who_raced_opens_the_next_race_and_others_may_join_it(server: RaceServer):
    await server.add_players("stranger")
    code = await over(server, "anna", "ben")
    with pytest.raises(NotInRaceError):
        await rematch(server.races, code, "stranger")
    left = await rematch(server.races, code, "ben")
    assert (await rematch(server.races, code, "stranger")).code == left.code
    for player in ("ben", "stranger"):
        await server.races.leave(left.code, player)
    server.clock.advance(ABANDONED_MS + 1000)
    for earlier in (code, left.code):
        with pytest.raises(NotInRaceError):
            await rematch(server.races, earlier, "stranger")
    assert (await rematch(server.races, left.code, "anna")).host_id == "anna"


async def test_a_spectator_who_has_opened_the_next_race_invites_nobody(server: RaceServer):
    """Of races from before, when anyone could open the next one."""
    code = await over(server, "anna", "ben")
    rules = get_ruleset("bristol")
    next_room = await server.races.setup.open_room("gus", rules, 10, "", previous=code)
    assert await invitation_of(server, code, "ben") is None
    assert await list_invited(server.races, await server.races.snapshot(next_room.code)) == []
    await rematch(server.races, code, "anna")
    invitation = await invitation_of(server, code, "ben")
    assert invitation
    assert invitation.names == ("Anna",)


async def test_a_rematch_that_all_have_left_is_passed_over(server: RaceServer):
    code = await over(server, "anna", "ben")
    left = await rematch(server.races, code, "anna")
    await server.races.leave(left.code, "anna")
    server.clock.advance(ABANDONED_MS + 1000)
    assert await find_following(server.races, await server.races.snapshot(code)) is None
    following = await rematch(server.races, code, "ben")
    assert following.code != left.code
    assert following.phase is Phase.LOBBY
    assert (await rematch(server.races, code, "anna")).code == following.code


async def test_a_row_of_rematches_that_all_have_left_is_not_read_one_by_one(
    server: RaceServer, monkeypatch: pytest.MonkeyPatch
):
    code = await over(server, "anna", "ben")
    last = code
    for _ in range(5):
        last = (await rematch(server.races, code, "anna")).code
        await server.races.leave(last, "anna")
        server.clock.advance(ABANDONED_MS + 1000)
        await server.races.snapshot(last)
    races, read = server.races, list[str]()
    snapshot = races.snapshot

    async def note(code: str) -> RoomSnapshot:
        read.append(code)
        return await snapshot(code)

    monkeypatch.setattr(races, "snapshot", note)
    assert await find_following(races, await snapshot(code)) is None
    assert read[-1] == last
    assert len(read) == 2
    read.clear()
    for player, may in (("anna", True), ("ben", True), ("gus", False)):
        assert await may_open(races, await snapshot(last), player) is may
    assert read == [code] * 3
    opened = await rematch(races, code, "ben")
    assert (await snapshot(opened.code)).previous == last
    following = await find_following(races, await snapshot(code))
    assert following
    assert following.code == opened.code


async def test_a_row_of_rematches_goes_on_behind_a_race(server: RaceServer):
    codes = [await over(server, "anna", "ben")]
    for has_others_playing in (False, True, False, False):
        codes.append((await rematch(server.races, codes[-1], "anna")).code)
        await server.races.join(codes[-1], "ben")
        if has_others_playing:
            server.clock.advance(1000)
            await server.races.start(codes[-1], "anna")
            server.clock.advance(COUNTDOWN_MS)
        for player in ("anna", "ben"):
            await (server.races.resign if has_others_playing else server.races.leave)(
                codes[-1], player
            )
        server.clock.advance(ABANDONED_MS + 1000)
        await server.races.snapshot(codes[-1])
    races = server.races
    first, last = await races.snapshot(codes[0]), await races.snapshot(codes[-1])
    following = await find_following(races, first)
    assert following
    assert following.code == codes[2], "the race that was played is not passed over"
    assert await races.find_last_deserted(codes[1]) == codes[1]
    assert await races.find_last_deserted(codes[3]) == codes[4]
    assert await races.find_last_dealt(last.code) == codes[2]
    assert await races.find_last_dealt(codes[1]) == codes[0]


async def test_the_pages_of_the_race_hear_of_the_rematch(server: RaceServer):
    code = await over(server, "anna", "ben")
    before = (await server.races.snapshot(code)).room.version
    await rematch(server.races, code, "anna")
    assert (await server.second_process().races.snapshot(code)).room.version > before
