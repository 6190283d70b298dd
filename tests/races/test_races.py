"""Races through their service: time, ends, leaks and everything that people press twice."""

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
from app.races.lobby_view import RoomLookup
from app.races.log import Ending
from app.races.room import COUNTDOWN_MS, IDLE_MS, Phase
from app.races.snapshot import Doing, Scene
from tests.support.races import WINNABLE_SEED, Track, winning_line

pytestmark = pytest.mark.anyio


async def count_games(track: Track) -> int:
    query = select(func.count()).select_from(games)
    return await track.database.read(lambda connection: connection.scalar(query) or 0)


async def test_nothing_of_the_deal_is_there_before_the_start(track: Track):
    room = await track.gather("anna", "ben")
    await track.races.start(room.code, "anna")
    track.clock.turn(COUNTDOWN_MS - 1)
    for player in ("anna", "ben", "cleo", None):
        with pytest.raises(NotStartedError):
            await track.races.game(room.code, player)
    assert await count_games(track) == 0
    track.clock.turn(1)
    table = await track.races.game(room.code, "anna")
    assert table.started_ms == track.clock.now
    assert await count_games(track) == 2


async def test_everybody_gets_the_promised_cards_and_a_game_of_their_own(track: Track):
    code = await track.race("anna", "ben")
    anna, ben = [await track.races.game(code, player) for player in ("anna", "ben")]
    assert anna.position == ben.position
    assert anna.id != ben.id
    scene = await track.races.look(code)
    assert scene.room.commitment == commitment(f"fairdeal/race/1/bristol/{code}/", WINNABLE_SEED)


async def test_whoever_looks_first_after_the_start_deals_once_for_all_processes(track: Track):
    room = await track.gather("anna", "ben", "cleo")
    await track.races.start(room.code, "anna")
    track.clock.turn(COUNTDOWN_MS + 700)
    twins = [track, track.twin(), track.twin()]
    await asyncio.gather(*(twin.races.look(room.code) for twin in twins for _ in range(3)))
    assert await count_games(track) == 3
    tables = [await twin.races.game(room.code, "anna") for twin in twins]
    assert len({table.id for table in tables}) == 1
    # The clock runs from the announced time, whoever was late to look.
    assert tables[0].started_ms == track.clock.now - 700


async def test_a_board_is_for_its_player_alone_until_the_race_is_over(track: Track):
    code = await track.race("anna", "ben")
    table = await track.races.game(code, "anna")
    for stranger in ("ben", "cleo", None):
        with pytest.raises(NotYourGameError):
            await track.play.shown(table.id, stranger)
    await track.win(code, "anna")
    with pytest.raises(NotYourGameError):
        await track.play.shown(table.id, "ben")
    await track.races.give_up(code, "ben")
    assert (await track.play.shown(table.id, "cleo")).id == table.id


async def test_rivals_are_told_in_steps_of_four_until_ones_own_run_is_over(track: Track):
    code = await track.race("anna", "ben", "cleo")
    table = await track.races.game(code, "anna")
    for action in winning_line():
        table = await track.act(code, "anna", action)
        track.clock.turn(1000)
        shown = await track.see(code, "ben")
        home = (await track.see(code, "anna"))["Anna"].home
        assert home is not None
        assert shown["Anna"].home == home - home % 4
        assert shown["Anna"].game_id is None
        assert (await track.see(code, None))["Anna"].home == home - home % 4
        if home % 4 == 3:
            break
    else:
        pytest.fail("the line never left a count that hides something")
    assert shown["Anna"].actions == table.actions
    await track.races.give_up(code, "ben")
    assert (await track.see(code, "ben"))["Anna"].home == home
    assert (await track.see(code, "cleo"))["Anna"].home == home - home % 4


async def test_asking_more_often_than_once_a_second_tells_no_more(track: Track):
    code = await track.race("anna", "ben")
    before = await track.races.look(code)
    await track.act(code, "anna", *winning_line()[:5])
    track.clock.turn(999 - track.clock.now % 1000)
    assert await track.races.look(code) is before
    track.clock.turn(1)
    progress = (await track.races.look(code)).progress
    assert max(one.actions for one in progress.values()) == 5


async def test_both_win_in_the_same_second(track: Track):
    code = await track.race("anna", "ben", "cleo")
    track.clock.turn(60_100)
    await track.win(code, "anna")
    track.clock.turn(800)
    await track.win(code, "ben")
    track.clock.turn(1)
    await track.win(code, "cleo", detours=1)
    rows = await track.see(code)
    assert [(row.rank, name) for name, row in rows.items()] == [
        (1, "Anna"),
        (1, "Ben"),
        (3, "Cleo"),
    ]
    assert {row.seconds for row in rows.values()} == {60}


async def test_the_winning_move_sent_twice_wins_once(track: Track):
    code = await track.race("anna", "ben")
    *most, last = winning_line()
    table = await track.act(code, "anna", *most)
    twin = track.twin()
    outcomes = await asyncio.gather(
        track.play.act(table.id, "anna", table.version, last, "one key"),
        twin.play.act(table.id, "anna", table.version, last, "one key"),
        track.play.act(table.id, "anna", table.version, last),
    )
    assert sum(fate.result is Result.ACCEPTED for fate in outcomes) >= 1
    assert {fate.game.version for fate in outcomes} == {len(winning_line())}
    assert (await track.words(code)).count("finish") == 1


async def test_start_pressed_twice_at_once(track: Track):
    room = await track.gather("anna", "ben")
    twin = track.twin()
    await asyncio.gather(
        track.races.start(room.code, "anna"),
        twin.races.start(room.code, "anna"),
        track.races.start(room.code, "anna"),
    )
    assert (await track.words(room.code)).count("start") == 1


async def test_ready_and_then_gone_races_and_is_away_but_forfeits_nothing(track: Track):
    code = await track.race("anna", "ben")
    track.clock.turn(16_000)
    await track.races.here(code, "anna")
    rows = await track.see(code, "anna")
    assert rows["Ben"].doing is Doing.AWAY
    assert rows["Anna"].doing is Doing.PLAYING
    track.clock.turn(200_000)
    await track.win(code, "ben")
    assert (await track.see(code))["Ben"].doing is Doing.FINISHED


async def test_five_idle_minutes_end_a_run_at_that_time(track: Track):
    code = await track.race("anna", "ben")
    start = track.clock.now
    track.clock.turn(20_000)
    await track.act(code, "anna", "deal")
    track.clock.turn(IDLE_MS - 20_000)
    rows = await track.see(code, "ben")
    assert rows["Ben"].ending is Ending.IDLE
    assert rows["Ben"].seconds == 300
    assert rows["Anna"].ending is None
    track.clock.turn(600_000)
    room = (await track.races.look(code)).room
    assert room.end
    assert room.end.at_ms == start + IDLE_MS + 20_000
    table = await track.races.game(code, "ben")
    assert table.is_over


async def test_what_comes_after_the_end_of_a_run_is_kept_out(track: Track):
    code = await track.race("anna", "ben")
    table = await track.act(code, "anna", "deal")
    track.clock.turn(IDLE_MS)
    with pytest.raises(RaceOverError):
        await track.play.act(table.id, "anna", table.version, "deal")
    await track.races.look(code)
    fate = await track.play.act(table.id, "anna", table.version + 1, "deal")
    assert fate.result is Result.OVER


async def test_time_ends_the_race_for_whoever_still_plays(track: Track):
    code = await track.race("anna", "ben", minutes=3)
    start = track.clock.now
    *most, last = winning_line()
    for player in ("anna", "ben"):
        await track.act(code, player, *most)
        track.clock.turn(60_000)
    table = await track.races.game(code, "ben")
    track.clock.turn(start + 180_000 - track.clock.now - 1)
    await track.act(code, "anna", last)
    track.clock.turn(1)
    with pytest.raises(RaceOverError):
        await track.play.act(table.id, "ben", table.version, last)
    rows = await track.see(code)
    assert [(row.rank, row.ending) for row in rows.values()] == [(1, Ending.WON), (2, Ending.TIME)]
    assert rows["Ben"].seconds == 180


async def test_without_a_win_the_earlier_second_counts(track: Track):
    code = await track.race("anna", "ben")
    opening = await track.races.game(code, "anna")
    line = winning_line()
    upto = next(n for n, word in enumerate(line, 1) if "-f" in word)
    for player in ("anna", "ben"):
        track.clock.turn(5_000)
        await track.act(code, player, *line[:upto])
    track.clock.turn(60_000)
    for player in ("anna", "ben"):
        await track.races.give_up(code, player)
    rows = await track.see(code)
    assert [(row.rank, name) for name, row in rows.items()] == [(1, "Anna"), (2, "Ben")]
    assert rows["Anna"].home == rows["Ben"].home
    assert opening.version == 0


async def test_whoever_only_goes_in_circles_is_stopped_by_time(track: Track):
    code = await track.race("anna", "ben", minutes=10)
    quiet = next(n for n, word in enumerate(winning_line()) if word != "deal")
    await track.act(code, "anna", *winning_line()[: quiet + 1])
    for _ in range(2):
        track.clock.turn(IDLE_MS - 60_000)
        await track.act(code, "anna", "undo", "redo")
    track.clock.turn(119_000)
    row = (await track.see(code))["Anna"]
    assert (row.ending, row.seconds) == (None, None)
    track.clock.turn(1_000)
    row = (await track.see(code, "anna"))["Anna"]
    assert (row.ending, row.seconds) == (Ending.TIME, 10 * 60)


async def test_a_crowd_that_looks_at_once_costs_one_look(
    track: Track, monkeypatch: pytest.MonkeyPatch
):
    code = await track.race("anna", "ben")
    track.clock.turn(1_000)
    looks: list[str] = []
    real = RoomLookup._settled

    async def counted(looking: RoomLookup, code: str, now_ms: int) -> Scene:
        looks.append(code)
        return await real(looking, code, now_ms)

    monkeypatch.setattr(RoomLookup, "_settled", counted)
    scenes = await asyncio.gather(*(track.races.look(code) for _ in range(1_000)))
    assert looks == [code]
    assert {id(scene) for scene in scenes} == {id(scenes[0])}


async def test_a_process_killed_before_it_rings_hides_nothing(track: Track):
    room = await track.gather("anna", "ben")
    other = track.twin()
    await other.races.look(room.code)
    deaf = track.races.looking
    deaf._announce = track.races._announce = lambda _code, _version: None
    started = await track.races.start(room.code, "anna")
    assert started.version > room.version
    # Nobody was told. Whoever asks, or opens a stream again, hears of it all the same.
    track.clock.turn(1_000)
    assert (await other.races.look(room.code)).room == started
    assert await other.publisher.versions([room.code]) == {room.code: started.version}
    track.clock.turn(COUNTDOWN_MS)
    tables = [await one.races.game(room.code, "anna") for one in (other, track)]
    assert tables[0].id == tables[1].id


async def test_a_job_settles_what_nobody_looks_at(track: Track):
    room = await track.gather("anna", "ben")
    await track.races.start(room.code, "anna")
    other = track.twin()
    track.clock.turn(COUNTDOWN_MS)
    await other.settle()
    assert (await other.words(room.code))[-1] == "deal"
    track.clock.turn(IDLE_MS)
    await other.settle()
    assert (await other.words(room.code))[-1] == "end"
    lonely = await track.races.open("cleo", "bristol", 5)
    track.clock.turn(10 * 60_000)
    await other.settle()
    assert (await other.words(lonely.code)) == ["open", "end"]


async def test_the_work_goes_to_the_next_deadline(track: Track):
    code = await track.race("anna", "ben", "cleo")
    track.clock.turn(100_000)
    await track.act(code, "ben", "deal")
    track.clock.turn(IDLE_MS - 100_000)
    await track.settle()
    assert (await track.words(code)).count("finish") == 2
    track.clock.turn(99_999)
    await track.settle()
    assert (await track.words(code)).count("finish") == 2
    track.clock.turn(1)
    await track.settle()
    assert (await track.words(code))[-2:] == ["finish", "end"]


async def test_ten_who_press_rematch_land_in_one_room(track: Track):
    await track.welcome(*(f"p{n}" for n in range(9)))
    code = await track.race("anna", "ben")
    for player in ("anna", "ben"):
        await track.races.give_up(code, player)
    pressing = ["anna", *(f"p{n}" for n in range(9))]
    desks = [track, track.twin()]
    rooms = await asyncio.gather(
        *(desks[n % 2].races.rematch(code, player) for n, player in enumerate(pressing))
    )
    assert len({room.code for room in rooms}) == 1
    following = (await track.twin().races.look(rooms[0].code)).room
    assert {seat.player_id for seat in following.present} == set(pressing)
    late = await track.races.rematch(code, "ben")  # no seat is left, but the race can be watched
    assert late.code == following.code
    count = select(func.count()).select_from(races).where(races.c.previous == code)
    assert await track.database.read(lambda connection: connection.scalar(count)) == 1


async def test_a_rematch_is_for_races_that_are_over(track: Track):
    code = await track.race("anna", "ben")
    with pytest.raises(NotEndedError):
        await track.races.rematch(code, "anna")


async def test_two_tabs_of_one_seat_move_at_once(track: Track):
    code = await track.race("anna", "ben")
    table = await track.races.game(code, "anna")
    twin = track.twin()
    fates = await asyncio.gather(
        track.play.act(table.id, "anna", 0, "deal"), twin.play.act(table.id, "anna", 0, "deal")
    )
    assert sorted(fate.result.name for fate in fates) == ["ACCEPTED", "STALE"]
    assert {fate.game.version for fate in fates} == {1}


async def test_the_newest_tab_is_the_one_to_play_in(track: Track):
    code = await track.race("anna", "ben")
    first = "000000000000001-a"
    second = "000000000000002-b"
    assert await track.races.here(code, "anna", first) == first
    assert await track.twin().races.here(code, "anna", second) == second
    track.clock.turn(1_000)
    assert await track.races.here(code, "anna", first) == second
    assert await track.races.here(code, "ben", first) == first


async def test_a_guest_who_signs_in_takes_their_run_along(track: Track):
    code = await track.race("gus", "ben")
    table = await track.act(code, "gus", winning_line()[0])
    await track.database.write(lambda connection: track.following.follow(connection, "gus", "cleo"))
    track.clock.turn(1_000)
    assert (await track.races.game(code, "cleo")).id == table.id
    with pytest.raises(NotInRaceError):
        await track.races.game(code, "gus")
    fate = await track.play.act(table.id, "cleo", 1, winning_line()[1])
    assert fate.result is Result.ACCEPTED
    assert (await track.races.look(code)).room.host_id == "cleo"
    rows = await track.see(code, "cleo")
    assert rows["Cleo"].is_you


async def test_whoever_sits_there_already_gets_no_second_run(track: Track):
    code = await track.race("anna", "gus")
    mine, guests = [await track.races.game(code, player) for player in ("anna", "gus")]
    await track.database.write(lambda connection: track.following.follow(connection, "gus", "anna"))
    assert (await track.races.game(code, "anna")).id == mine.id
    assert (await track.twin().play.load(guests.id)).owner_id == "gus"


async def test_an_account_deleted_in_the_lobby_leaves_and_in_a_race_runs_out(track: Track):
    lobby = await track.gather("ben", "anna", "cleo")
    code = await track.race("anna", "ben")
    await track.database.write(lambda connection: track.following.get_up(connection, "ben"))
    room = (await track.races.look(lobby.code)).room
    assert room.host_id == "anna"
    assert [seat.player_id for seat in room.present] == ["anna", "cleo"]
    await track.win(code, "anna")
    track.clock.turn(IDLE_MS)
    rows = await track.see(code)
    assert rows["Ben"].ending is Ending.IDLE
    assert rows["Anna"].rank == 1


async def test_sent_away_and_back_with_another_cookie(track: Track):
    room = await track.races.open("anna", "bristol", 10)
    await track.races.join(room.code, "ben")
    await track.races.remove(room.code, "anna", 2)
    with pytest.raises(RemovedError):
        await track.races.join(room.code, "ben")
    # With another cookie it is somebody else, who is not ready, has no claim to a seat, and can be sent away too.
    await track.races.join(room.code, "gus")
    await track.races.remove(room.code, "anna", 3)
    await track.races.move_door(room.code, "anna", is_open=False)
    with pytest.raises(ConflictError):
        await track.races.join(room.code, "cleo")
    assert (await track.races.look(room.code)).room.code == room.code


async def test_a_deal_found_void_counts_for_nobody(track: Track):
    code = await track.race("anna", "ben")
    await track.win(code, "anna")
    await track.races.give_up(code, "ben")
    await track.races.void(code, "the deal was dealt by a broken rule")
    rows = await track.see(code)
    assert [row.rank for row in rows.values()] == [None, None]
    scene = await track.races.look(code)
    assert scene.room.void
    assert scene.room.void.reason == "the deal was dealt by a broken rule"
    voided = select(races.c.void_ms).where(races.c.code == code)
    assert await track.database.read(lambda connection: connection.scalar(voided))


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
async def test_a_name_that_could_fool_somebody_is_not_taken(track: Track, name: str):
    room = await track.races.open("anna", "bristol", 10)
    if not name.strip():
        await track.races.join(room.code, "gus", name)
        assert "Gus" in await track.see(room.code)
        return
    with pytest.raises(MalformedError):
        await track.races.join(room.code, "gus", name)


async def test_a_guest_is_called_what_they_ask_for_and_nobody_else_there_is(track: Track):
    room = await track.races.open("anna", "bristol", 10, "Robin Hood")
    await track.races.join(room.code, "gus", "Maid Marian")
    with pytest.raises(ConflictError):
        await track.races.join(room.code, "cleo", "maid  marian")
    assert list(await track.see(room.code)) == ["Robin Hood", "Maid Marian"]


async def test_the_day_turns_during_a_race(track: Track):
    track.clock.turn(86_400_000 - track.clock.now % 86_400_000 - COUNTDOWN_MS - 30_000)
    code = await track.race("anna", "ben")
    day = track.clock.now // 86_400_000
    track.clock.turn(60_000)
    assert track.clock.now // 86_400_000 == day + 1
    await track.win(code, "anna")
    assert (await track.see(code))["Anna"].seconds == 60


async def test_another_game_means_another_promise_and_only_while_alone(track: Track):
    room = await track.races.open("anna", "bristol", 10)
    changed = await track.races.change(room.code, "anna", "signora", 15)
    assert (changed.ruleset, changed.minutes) == ("signora", 15)
    assert changed.commitment != room.commitment
    again = await track.races.change(room.code, "anna", "signora", 20)
    assert again.commitment == changed.commitment


async def test_the_log_of_a_room_is_append_only(track: Track):
    room = await track.races.open("anna", "bristol", 10)
    for change in (
        update(race_events).values(word="end"),
        delete(race_events).where(race_events.c.code == room.code),
    ):
        with pytest.raises(DBAPIError):
            await track.database.write(partial(Connection.execute, statement=change))


async def test_a_wrong_code_finds_nothing(track: Track):
    for code in ("ABCDEF", "", "7KQ4M2X", "⑦KQ4M2", "../etc"):
        with pytest.raises(RaceNotFoundError):
            await track.races.look(code)
    room = await track.races.open("anna", "bristol", 10)
    typed = f" {room.code[:3].lower()}-{room.code[3:].lower()} "
    assert (await track.races.look(typed)).room.code == room.code


async def test_a_restarted_server_goes_on_where_the_race_was(track: Track):
    code = await track.race("anna", "ben")
    await track.act(code, "anna", "deal")
    fresh = track.twin()
    track.clock.turn(1_000)
    table = await fresh.races.game(code, "anna")
    assert table.version == 1
    assert (await fresh.races.look(code)).phase is Phase.RACING
