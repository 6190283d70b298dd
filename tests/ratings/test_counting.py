"""Events are counted once, in order, and again when their results change; on both databases."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from sqlalchemy import Connection, func, select, update
from sqlalchemy.exc import IntegrityError

from app.analysis.repository import show_chances
from app.clock import DAY_MS
from app.db.engine import Database
from app.db.schema import accounts, races, rated_events, rated_results
from app.races.limits import COUNTDOWN_MS
from app.ratings import model, repository
from app.ratings.model import Event, EventResult, Rating
from app.ratings.service import RatingService
from tests.ratings.rated_days import (
    add_players,
    change_attempt,
    close_day,
    ranks_of,
    ratings_in,
)
from tests.support.plans import plans_of
from tests.support.races import RaceServer

pytestmark = pytest.mark.anyio


async def count_events(database: Database) -> int:
    query = select(func.count()).select_from(rated_events)
    return await database.read(lambda connection: connection.scalar(query) or 0)


async def test_a_closed_day_counts_once_and_only_who_is_ranked(database: Database):
    await add_players(
        database, "anna", "ben", "cleo", "dora", "emil", "finn", "hans", "ivan", guests=["gus"]
    )
    key = await close_day(
        database,
        0,
        ["anna", "ben", "cleo", "dora", "emil", "finn", "hans", "gus", "ivan"],
        changes={
            "ben": {"actions": 60},  # like anna
            "cleo": {"verdict": "unsolved", "cards_home": 20},
            "dora": {"verdict": "unsolved", "cards_home": 30},
            "emil": {"unconfirmed": "network"},
            "finn": {"verdict": "set_aside", "stood": "solved"},
            "hans": {"verdict": "hidden", "stood": "solved"},
            "gus": {"listed": False},
        },
    )
    _, day, ruleset = key.split("/")
    await database.write(  # its spectators would have seen the chance to win
        lambda connection: show_chances(connection, f"{day}-{ruleset}-ivan", 0, 0)
    )
    service = RatingService(database)
    assert await service.count_decided() == 1
    assert await ranks_of(database, key) == {"anna": 1, "ben": 1, "dora": 3, "cleo": 4}
    found = await ratings_in(database)
    assert found.keys() == {"anna", "ben", "cleo", "dora"}
    assert found["anna"] == found["ben"]
    assert found["ben"].mean > found["dora"].mean > found["cleo"].mean
    assert {one.games for one in found.values()} == {1}
    assert await service.count_decided() == 0
    assert await ratings_in(database) == found


async def test_an_open_day_and_one_player_change_nothing(database: Database):
    await add_players(database, "anna", "ben")
    await close_day(database, 0, ["anna"])
    service = RatingService(database)
    assert await service.count_decided() == 1
    assert await ratings_in(database) == {}
    assert not await service.compare()


async def test_families_are_separate_and_their_games_share_a_rating(database: Database):
    await add_players(database, "anna", "ben")
    await close_day(database, 0, ["anna", "ben"])
    await close_day(database, 0, ["ben", "anna"], "signora")
    await close_day(database, 1, ["ben", "anna"], "terrace")
    await RatingService(database).count_decided()
    assert (await ratings_in(database))["anna"].games == 1
    terrace = await ratings_in(database, "terrace")
    assert terrace["ben"].games == 2
    assert terrace["ben"].mean > 1500 > terrace["anna"].mean


async def test_the_same_event_is_refused_a_second_time(database: Database):
    """Two processes that found the same event pending: one of them counts it."""
    await add_players(database, "anna", "ben")
    await close_day(database, 0, ["anna", "ben"])
    await asyncio.gather(*(RatingService(database).count_decided() for _ in range(4)))
    found = await ratings_in(database)
    assert {one.games for one in found.values()} == {1}
    event = Event("daily/2026-03-10/bristol", "bristol", 1_000_000)
    with pytest.raises(IntegrityError):
        await database.write(lambda connection: repository.add_event(connection, 2, event))


async def test_a_crash_while_storing_loses_and_doubles_nothing(
    database: Database, monkeypatch: pytest.MonkeyPatch
):
    await add_players(database, "anna", "ben")
    await close_day(database, 0, ["anna", "ben"])
    with monkeypatch.context() as broken:

        def fail(*_arguments: object) -> None:
            raise RuntimeError("killed")

        broken.setattr(repository, "save_ratings", fail)
        with pytest.raises(RuntimeError):
            await RatingService(database).count_decided()
    assert (await count_events(database), await ratings_in(database)) == (0, {})
    service = RatingService(database)
    await service.count_decided()
    assert {one.games for one in (await ratings_in(database)).values()} == {1}
    assert not await service.compare()


async def test_an_event_that_cannot_be_counted_is_logged_and_keeps_no_other_waiting(
    database: Database, log_lines: Callable[[], list[str]]
):
    await add_players(database, "anna", "ben")
    await close_day(database, 0, ["anna", "ben"])
    service = RatingService(database)
    await service.count_decided()
    broken = await close_day(database, 1, ["anna", "ben"])
    await close_day(database, 2, ["anna", "ben"])
    _, day, ruleset = broken.split("/")

    def take_game(connection: Connection) -> None:  # as if it were counted twice
        taken = update(rated_results).where(rated_results.c.player_id == "anna")
        connection.execute(taken.values(game_id=f"{day}-{ruleset}-anna"))

    await database.write(take_game)
    assert await service.count_decided() == 1
    assert await count_events(database) == 2
    assert len([line for line in log_lines() if f"Can't count {broken}" in line]) == 1


async def test_ratings_are_equal_when_computed_anew_and_a_doubled_one_is_found(database: Database):
    names = [f"p{number:02}" for number in range(20)]
    await add_players(database, *names)
    for number in range(4):
        await close_day(database, number, names[number:] + names[:number])
    service = RatingService(database)
    await service.count_decided()
    found = await service.compare()
    assert (found.events, found.ratings, bool(found)) == (4, 20, False)
    before = await ratings_in(database)

    def double(connection: Connection) -> None:
        results_of_day = [EventResult("p00", "1", 1), EventResult("p01", "2", 2)]
        again = model.rate("x", results_of_day, before)
        repository.save_ratings(connection, "bristol", again)

    await database.write(double)
    assert (await service.compare()).wrong == ["bristol/p00", "bristol/p01"]
    await service.rebuild()
    assert await ratings_in(database) == before
    assert not await service.compare()


@pytest.mark.parametrize(
    ("change", "back"),
    [
        ({"verdict": "hidden", "stood": "solved"}, {"verdict": "solved", "stood": None}),
        ({"verdict": "removed"}, None),
    ],
)
async def test_a_result_hidden_later_is_taken_back_and_one_restored_counts_again(
    database: Database, change: dict[str, object], back: dict[str, object] | None
):
    await add_players(database, "anna", "ben", "cleo")
    first = await close_day(database, 0, ["cleo", "anna", "ben"])
    await close_day(database, 1, ["ben", "anna"])
    service = RatingService(database)
    await service.count_decided()
    before = await ratings_in(database)
    await change_attempt(database, first, "cleo", **change)
    assert (await service.compare()).changed_keys == [first]
    assert await service.revise() == 1
    assert await ranks_of(database, first) == {"anna": 1, "ben": 2}
    assert (await ratings_in(database)).keys() == {"anna", "ben"}
    assert not await service.compare()
    assert await service.revise() == 0
    if back is not None:
        await change_attempt(database, first, "cleo", **back)
        assert await service.revise() == 1
        assert await ratings_in(database) == before


async def test_a_revision_does_not_lose_an_event_that_is_counted_meanwhile(
    database: Database, monkeypatch: pytest.MonkeyPatch
):
    await add_players(database, "anna", "ben", "cleo")
    first = await close_day(database, 0, ["cleo", "anna", "ben"])
    service = RatingService(database)
    await service.count_decided()
    await change_attempt(database, first, "cleo", verdict="removed")
    other, replay, counted = RatingService(database), RatingService._replay, list[str]()

    async def replay_slowly(self: RatingService, log: object) -> dict[str, Rating]:
        if not counted:
            counted.append(await close_day(database, 1, ["ben", "anna"]))
            await other.count_decided()
        return await replay(self, log)  # type: ignore[arg-type]

    monkeypatch.setattr(RatingService, "_replay", replay_slowly)
    await service.revise()
    assert (await ratings_in(database))["anna"].games == 2
    assert not await service.compare()


async def test_a_deleted_account_has_no_rating_and_others_keep_theirs(database: Database):
    await add_players(database, "anna", "ben", "cleo")
    await close_day(database, 0, ["anna", "ben", "cleo"])
    service = RatingService(database)
    await service.count_decided()
    before = await ratings_in(database)

    def leave(connection: Connection) -> None:
        connection.execute(accounts.delete().where(accounts.c.player_id == "cleo"))
        repository.delete_ratings(connection, "cleo")

    await database.write(leave)
    assert not await service.compare()
    await service.rebuild()
    del before["cleo"]
    assert await ratings_in(database) == before


async def test_a_race_counts_when_it_is_decided_and_no_more_when_it_is_void(database: Database):
    server = RaceServer(database)
    await add_players(database, "anna", "ben", guests=["gus"])
    code = await server.race("anna", "ben", "gus")
    await server.win(code, "ben")
    service = RatingService(database)
    assert await service.count_decided() == 0
    await server.act(code, "anna", "resign")
    await server.act(code, "gus", "resign")
    assert await service.count_decided() == 1
    assert await ranks_of(database, f"race/{code}") == {"ben": 1, "anna": 2}
    found = await ratings_in(database)
    assert found["ben"].mean > 1500 > found["anna"].mean
    await service.revise()
    assert await ratings_in(database) == found
    await server.races.void(code, "Two players were one.")
    assert await service.revise() == 1
    assert await ratings_in(database) == {}
    assert not await service.compare()


async def test_a_race_that_is_found_to_have_ended_long_ago_is_counted_later(database: Database):
    server = RaceServer(database)
    await add_players(database, "anna", "ben")
    codes = []
    for _ in range(2):
        codes.append(await server.race("anna", "ben"))
        await server.win(codes[-1], "anna")
        await server.act(codes[-1], "ben", "resign")
    late, counted = codes
    ended = update(races).where(races.c.code == late)  # as if no process had stored it for days
    earlier = ended.values(ended_ms=server.clock() - 3 * DAY_MS)
    await database.write(lambda connection: connection.execute(ended.values(ended_ms=None)))
    service = RatingService(database)
    assert await service.count_decided() == 1
    await database.write(lambda connection: connection.execute(earlier))
    assert await service.count_decided() == 0
    await service.revise()
    assert await ranks_of(database, f"race/{late}") == {"anna": 1, "ben": 2}
    assert await ranks_of(database, f"race/{counted}") == {"anna": 1, "ben": 2}
    assert not await service.compare()


async def test_recent_races_are_found_by_an_index(database: Database):
    [races_plan] = await plans_of(database, RatingService(database).count_decided, "races")
    assert "ix_races_ended_ms" in races_plan


async def test_a_race_without_a_card_home_is_no_draw(database: Database):
    server = RaceServer(database)
    await add_players(database, "anna", "ben")
    service = RatingService(database)
    for actions in ([], ["deal"]):
        code = await server.race("anna", "ben")
        for action in actions:
            await server.act(code, "anna", action)
        for player in ("anna", "ben"):
            await server.act(code, player, "resign")
        await service.count_decided()
        assert await ranks_of(database, f"race/{code}") == {}
    assert await ratings_in(database) == {}
    assert not await service.compare()


async def test_a_race_from_before_a_name_was_claimed_counts_for_nobody(database: Database):
    server = RaceServer(database)
    await add_players(database, "anna", "ben")
    late = update(accounts).where(accounts.c.player_id == "ben")
    await database.write(
        lambda connection: connection.execute(late.values(claimed_ms=server.clock.now + 10**9))
    )
    code = await server.race("anna", "ben")
    await server.win(code, "anna")
    await server.act(code, "ben", "resign")
    await RatingService(database).count_decided()
    assert await ranks_of(database, f"race/{code}") == {"anna": 1}
    assert await ratings_in(database) == {}


@pytest.mark.parametrize("claims", [False, True], ids=["signs in", "claims a name"])
async def test_who_has_no_name_when_the_cards_are_dealt_is_not_rated(
    database: Database, *, claims: bool
):
    """Otherwise a guest could wait for the end of their run, and take a name only if they won."""
    server = RaceServer(database)
    await add_players(database, "anna", "ben", "cleo", guests=["gus"])
    code = await server.race("anna", "ben", "gus")
    await server.win(code, "gus")
    server.clock.advance(1_000)
    if claims:
        row = {"player_id": "gus", "name_key": "gus", "password_hash": "x"}
        claim = accounts.insert().values(**row, claimed_ms=server.clock.now)
        await database.write(lambda connection: connection.execute(claim))
    else:
        await database.write(
            lambda connection: server.account_merge.move_seats(connection, "gus", "cleo")
        )
    for loser in ("anna", "ben"):
        await server.act(code, loser, "resign")
    service = RatingService(database)
    await service.count_decided()
    assert await ranks_of(database, f"race/{code}") == {"anna": 2, "ben": 2}
    assert (await ratings_in(database)).keys() == {"anna", "ben"}
    assert not await service.compare()
    seen = await server.see(code)
    assert seen["Gus" if claims else "Cleo"].rank == 1  # the race itself is theirs


async def test_who_signs_in_before_the_cards_are_dealt_is_rated(database: Database):
    server = RaceServer(database)
    await add_players(database, "anna", "ben", guests=["gus"])
    room = await server.gather("anna", "gus")
    await database.write(
        lambda connection: server.account_merge.move_seats(connection, "gus", "ben")
    )
    await server.races.start(room.code, "anna")
    server.clock.advance(COUNTDOWN_MS)
    await server.win(room.code, "ben")
    await server.act(room.code, "anna", "resign")
    await RatingService(database).count_decided()
    assert await ranks_of(database, f"race/{room.code}") == {"ben": 1, "anna": 2}
