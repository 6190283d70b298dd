"""The race service: opening, joining, names, privacy and concurrency."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest
from sqlalchemy import Connection, delete, update
from sqlalchemy.exc import DBAPIError

from app.db.schema import race_events
from app.deals.commitment import commitment
from app.deals.service import SealedDeal
from app.engine.ruleset import Ruleset
from app.engine.shuffle import new_seed
from app.errors import (
    ConflictError,
    MalformedError,
    NotStartedError,
    NotYourGameError,
)
from app.games import outcome
from app.games.concurrency import OvertakenError
from app.games.outcome import ActionOutcome
from app.games.quotas import Quota, QuotaReachedError, Quotas
from app.races.errors import RemovedError, TooManyChangesError
from app.races.limits import COUNTDOWN_MS, MAX_DEALS
from app.races.snapshot import Activity
from tests.support.races import WINNABLE_SEED, RaceServer, winning_moves

pytestmark = pytest.mark.anyio


async def test_no_game_exists_before_the_start(server: RaceServer):
    room = await server.gather("anna", "ben")
    await server.races.start(room.code, "anna")
    server.clock.advance(COUNTDOWN_MS - 1)
    for player in ("anna", "ben", "cleo", None):
        with pytest.raises(NotStartedError):
            await server.races.game(room.code, player)
    assert await server.count_games() == 0
    server.clock.advance(1)
    table = await server.races.game(room.code, "anna")
    assert table.started_ms == server.clock.now
    assert await server.count_games() == 2


async def test_all_racers_get_the_committed_deal_and_their_own_game(server: RaceServer):
    code = await server.race("anna", "ben")
    anna, ben = [await server.races.game(code, player) for player in ("anna", "ben")]
    assert anna.position == ben.position
    assert anna.id != ben.id
    snapshot = await server.races.snapshot(code)
    assert snapshot.room.commitment == commitment(f"fairdeal/race/1/bristol/{code}/", WINNABLE_SEED)


async def test_a_board_is_private_until_the_race_is_over(server: RaceServer):
    code = await server.race("anna", "ben")
    table = await server.races.game(code, "anna")
    for stranger in ("ben", "cleo", None):
        with pytest.raises(NotYourGameError):
            await server.games.load_visible(table.id, stranger)
    await server.win(code, "anna")
    with pytest.raises(NotYourGameError):
        await server.games.load_visible(table.id, "ben")
    await server.races.resign(code, "ben")
    assert (await server.games.load_visible(table.id, "cleo")).id == table.id


async def test_rivals_progress_is_rounded_until_the_own_game_is_over(server: RaceServer):
    code = await server.race("anna", "ben", "cleo")
    table = await server.races.game(code, "anna")
    for action in winning_moves():
        table = await server.act(code, "anna", action)
        server.clock.advance(1000)
        shown = await server.see(code, "ben")
        home = (await server.see(code, "anna"))["Anna"].home
        assert home is not None
        assert shown["Anna"].home == home - home % 4
        assert shown["Anna"].home_at_most == home - home % 4 + 3
        assert (await server.see(code, "anna"))["Anna"].home_at_most == home
        assert shown["Anna"].game_id is None
        assert (await server.see(code, None))["Anna"].home == home - home % 4
        if home % 4 == 3:
            break
    else:
        pytest.fail("the line never left a count that hides something")
    assert shown["Anna"].actions == table.actions
    await server.races.resign(code, "ben")
    assert (await server.see(code, "ben"))["Anna"].home == home
    assert (await server.see(code, "ben"))["Anna"].home_at_most == home
    assert (await server.see(code, "cleo"))["Anna"].home == home - home % 4
    await server.races.resign(code, "anna")
    stopped = (await server.see(code, "cleo"))["Anna"]
    assert (stopped.home, stopped.home_at_most) == (home, home), "one number at the end"


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
    server.clock.advance(16_000)
    await server.races.heartbeat(code, "anna")
    rows = await server.see(code, "anna")
    assert rows["Ben"].activity is Activity.AWAY
    assert rows["Anna"].activity is Activity.PLAYING
    server.clock.advance(200_000)
    await server.win(code, "ben")
    assert (await server.see(code))["Ben"].activity is Activity.FINISHED


async def test_two_tabs_of_one_seat_move_at_once(server: RaceServer):
    code = await server.race("anna", "ben")
    table = await server.races.game(code, "anna")
    other = server.second_process()
    fates = await asyncio.gather(
        server.games.act(table.id, "anna", 0, "deal"), other.games.act(table.id, "anna", 0, "deal")
    )
    assert sorted(fate.result.name for fate in fates) == ["ACCEPTED", "STALE"]
    assert {fate.game.version for fate in fates} == {1}


async def test_to_resign_while_moves_come_first_all_the_time_is_refused(
    server: RaceServer, monkeypatch: pytest.MonkeyPatch
):
    code = await server.race("anna", "ben")

    async def be_late(game_id: str, *_: object) -> ActionOutcome:
        return outcome.stale(await server.games.log.load(game_id))

    monkeypatch.setattr(server.games, "act", be_late)
    with pytest.raises(OvertakenError, match="changed") as refused:
        await server.races.resign(code, "anna")
    assert refused.value.code == "overtaken"
    monkeypatch.undo()
    await server.races.resign(code, "anna")
    assert (await server.see(code))["Anna"].activity is Activity.RESIGNED


async def test_the_newest_tab_is_the_active_one(server: RaceServer):
    code = await server.race("anna", "ben")
    first = "000000000000001-a"
    second = "000000000000002-b"
    assert (await server.races.heartbeat(code, "anna", first)).newest_tab("anna") == first
    assert (await server.second_process().races.heartbeat(code, "anna", second)).newest_tab(
        "anna"
    ) == second
    server.clock.advance(1_000)
    assert (await server.races.heartbeat(code, "anna", first)).newest_tab("anna") == second
    assert (await server.races.heartbeat(code, "ben", first)).newest_tab("ben") == first


async def test_removed_player_returns_as_another_guest(server: RaceServer):
    room = await server.races.setup.open("anna", "bristol", 10)
    await server.races.join(room.code, "ben")
    await server.races.remove(room.code, "anna", 2)
    with pytest.raises(RemovedError):
        await server.races.join(room.code, "ben")
    # With another cookie they are another guest, who can be removed too.
    await server.races.join(room.code, "gus")
    await server.races.remove(room.code, "anna", 3)
    await server.races.set_locked(room.code, "anna", is_locked=True)
    with pytest.raises(ConflictError):
        await server.races.join(room.code, "cleo")
    assert (await server.races.snapshot(room.code)).room.code == room.code


@pytest.mark.parametrize(
    "name",
    [
        "<b>Anna</b>",
        "\u202eannA",
        "An\u200bna",
        "An\u2066na",
        "Anna&amp;",
        "\u3164\u3164\u3164",
    ],
)
async def test_deceptive_names_are_refused(server: RaceServer, name: str):
    room = await server.races.setup.open("anna", "bristol", 10)
    with pytest.raises(MalformedError):
        await server.races.join(room.code, "gus", name)


async def test_who_gives_a_blank_name_keeps_their_own(server: RaceServer):
    room = await server.races.setup.open("anna", "bristol", 10)
    await server.races.join(room.code, "gus", "  ")
    assert "Gus" in await server.see(room.code)


async def test_guest_names_are_unique_in_a_room(server: RaceServer):
    room = await server.races.setup.open("anna", "bristol", 10, "Robin Hood")
    await server.races.join(room.code, "gus", "Maid Marian")
    with pytest.raises(ConflictError):
        await server.races.join(room.code, "cleo", "maid  marian")
    assert list(await server.see(room.code)) == ["Robin Hood", "Maid Marian"]


async def test_another_game_gets_another_commitment(server: RaceServer):
    room = await server.races.setup.open("anna", "bristol", 10)
    changed = await server.races.setup.change_options(room.code, "anna", "signora", 15)
    assert (changed.ruleset, changed.minutes) == ("signora", 15)
    assert changed.commitment != room.commitment
    again = await server.races.setup.change_options(room.code, "anna", "signora", 20)
    assert again.commitment == changed.commitment


async def test_one_room_draws_a_handful_of_deals(
    server: RaceServer, monkeypatch: pytest.MonkeyPatch
):
    """Also when the host asks many times at once: the daily deals come from the same stock."""
    drawn = 0

    async def draw(_rules: Ruleset, _player_id: str) -> SealedDeal:
        nonlocal drawn
        drawn += 1
        await asyncio.sleep(0)
        return SealedDeal(new_seed(), is_proven=True)

    monkeypatch.setattr(server.races.setup, "draw_deal", draw)
    code = (await server.races.setup.open("anna", "bristol", 10)).code
    choices = [
        server.races.setup.change_options(code, "anna", ruleset, 10)
        for ruleset in ("signora", "bristol") * MAX_DEALS
    ]
    answers = await asyncio.gather(*choices, return_exceptions=True)
    assert drawn == MAX_DEALS
    assert any(isinstance(one, TooManyChangesError) for one in answers)


async def test_the_log_of_a_room_is_append_only(server: RaceServer):
    room = await server.races.setup.open("anna", "bristol", 10)
    for change in (
        update(race_events).values(word="end"),
        delete(race_events).where(race_events.c.code == room.code),
    ):
        with pytest.raises(DBAPIError):
            await server.database.write(partial(Connection.execute, statement=change))


async def test_a_player_takes_part_in_as_many_races_as_they_can_keep(server: RaceServer):
    """Rooms that were only opened count, too; a seat that a player has already is theirs."""
    server.games.quotas = Quotas(server.database, Quota(2, 100, 1), Quota(2, 100, 1))
    room = await server.gather("ben", "anna")
    await server.races.setup.open("anna", "bristol", 10)
    with pytest.raises(QuotaReachedError):
        await server.races.setup.open("anna", "bristol", 10)
    other = await server.races.setup.open("cleo", "bristol", 10)
    with pytest.raises(QuotaReachedError):
        await server.races.join(other.code, "anna")
    await server.races.join(room.code, "anna")
    await server.races.start(room.code, "ben")
    server.clock.advance(COUNTDOWN_MS)
    assert (await server.races.game(room.code, "anna")).owner_id == "anna"
