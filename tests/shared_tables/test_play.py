"""Playing at a shared table, on either database: concurrency, seats and account merges."""

from __future__ import annotations

import asyncio
import random
import secrets
from collections import Counter
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from sqlalchemy import Connection, func, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from app.db.engine import Database
from app.db.ids import new_link
from app.db.schema import games as stored_games
from app.db.schema import players
from app.engine.rules import legal_actions
from app.engine.shuffle import Code
from app.errors import GameOverError, MalformedError, NotYourGameError
from app.games import quotas
from app.games.concurrency import OvertakenError
from app.games.game_actions import MAX_ACTIONS
from app.games.json_state import state_of
from app.games.model import Game, Kind, Status
from app.games.outcome import ActionResult
from app.games.quotas import Quota, QuotaReachedError, Quotas
from app.games.service import GameService
from app.pubsub.service import PubSub
from app.rulesets.bristol import BRISTOL
from app.shared_tables import account_merge, repository
from app.shared_tables.model import (
    ABANDONED_AFTER_MS,
    MAX_SEATS,
    NoInvitationError,
    NotSharableError,
    NotYourTableError,
    OwnerQuotaReachedError,
    SeatState,
    SharedTable,
    TableFullError,
    TableSeat,
)
from app.shared_tables.service import SharedTableService
from app.sharing.repository import add_actions
from tests.golden.records import RECORDS
from tests.shared_tables.sample_tables import (
    before_next_append,
    changed_by,
    game_service,
    independent_moves,
    shared_game,
)
from tests.support.games import going_on
from tests.support.known import CODE

pytestmark = pytest.mark.anyio

WON = min(
    (record for record in RECORDS if record.code and record.end == "won"),
    key=lambda record: len(record.moves),
)


async def test_events_name_their_players(games: GameService, tables: SharedTableService) -> None:
    game = await shared_game(games, tables, "ben")
    one, other = independent_moves(game)
    await games.act(game.id, "ben", 0, one)
    after = (await games.act(game.id, "anna", 1, other)).game
    assert [(e.action, e.actor_id) for e in await games.log.events(game.id)] == [
        (one, "ben"),
        (other, "anna"),
    ]
    assert await games.shared_tables.last(after, "ben") == ("Anna", other)
    assert await games.shared_tables.last(after, "anna") == ("", "")


async def test_late_move_is_rebased_and_returns_all_changes(
    games: GameService, tables: SharedTableService
) -> None:
    game = await shared_game(games, tables, "ben")
    one, other = independent_moves(game)
    await games.act(game.id, "anna", 0, one)
    outcome = await games.act(game.id, "ben", 0, other)
    assert outcome.result is ActionResult.ACCEPTED
    assert outcome.game.version == 2
    for move in (one, other):
        assert set(move.split("-")) <= changed_by(outcome)


async def test_conflicting_move_names_the_first_player(
    games: GameService, tables: SharedTableService
) -> None:
    game = await shared_game(games, tables, "ben")
    one, _ = independent_moves(game)
    await games.act(game.id, "anna", 0, one)
    late = await games.act(game.id, "ben", 0, one)
    assert (late.result, late.sentence) == (ActionResult.STALE, "Anna moved it first.")
    assert late.game.version == 1
    again = await games.act(game.id, "anna", 0, one)  # a double click of hers names nobody
    assert again.result is ActionResult.STALE
    assert "Anna" not in again.sentence


async def test_a_move_that_another_overtakes_earns_no_share_in_the_result(
    database: Database,
    games: GameService,
    tables: SharedTableService,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = await shared_game(games, tables, "ben")
    one, _ = independent_moves(game)

    async def move_first() -> None:
        outcome = await game_service(database).act(game.id, "anna", 0, one)
        assert outcome.result is ActionResult.ACCEPTED

    before_next_append(games, monkeypatch, move_first)
    assert (await games.act(game.id, "ben", 0, one)).result is ActionResult.STALE
    seats = (await tables.load(game.id)).seats
    assert [(seat.player_id, seat.moved) for seat in seats] == [("anna", True), ("ben", False)]


async def test_a_late_deal_names_who_dealt_first(
    games: GameService, tables: SharedTableService
) -> None:
    game = await shared_game(games, tables, "ben")
    await games.act(game.id, "anna", 0, "deal")
    late = await games.act(game.id, "ben", 0, "deal")
    assert (late.result, late.sentence) == (ActionResult.STALE, "Anna dealt first.")


async def test_strangers_cannot_move(games: GameService, tables: SharedTableService) -> None:
    game = await shared_game(games, tables)
    with pytest.raises(NotYourGameError):
        await games.act(game.id, "ben", 0, "deal")
    alone = await games.start("anna", "bristol", CODE)
    with pytest.raises(NotYourGameError):
        await games.act(alone.id, "ben", 0, "deal")


async def test_removed_player_is_out_and_the_old_invitation_is_void(
    games: GameService, tables: SharedTableService
) -> None:
    game = await shared_game(games, tables, "ben")
    token = (await tables.load(game.id)).token
    await tables.remove(game.id, "anna", "ben")
    with pytest.raises(NotYourGameError):
        await games.act(game.id, "ben", 0, "deal")
    for who in ("ben", "cleo"):  # himself, and himself with another cookie
        with pytest.raises(Exception, match="no longer valid"):
            await tables.join(token, who)
    fresh = (await tables.load(game.id)).token
    with pytest.raises(Exception, match="removed you"):
        await tables.join(fresh, "ben")
    await tables.restore_seat(game.id, "anna", "ben")
    assert (await games.act(game.id, "ben", 0, "deal")).result is ActionResult.ACCEPTED


async def test_a_table_is_opened_whole_or_not_at_all(
    games: GameService,
    tables: SharedTableService,
    database: Database,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game_id = await tables.open_table(games, "anna", "bristol")
    assert (await games.log.load(game_id)).kind is Kind.SHARED
    table = await tables.load(game_id)
    assert [(seat.player_id, seat.moved) for seat in table.seats] == [("anna", False)]
    assert await tables.join(table.token, "ben") == game_id

    def fail(*_: object, **_options: object) -> None:
        raise SQLAlchemyError("the disk is full")

    monkeypatch.setattr(repository, "set_seat", fail)
    with pytest.raises(SQLAlchemyError):
        await tables.open_table(games, "anna", "bristol")
    count = select(func.count()).select_from(stored_games)
    assert await database.read(lambda connection: connection.scalar(count)) == 1


async def test_a_game_that_is_over_stays_in_its_players_own_statistics(
    games: GameService, tables: SharedTableService, database: Database
) -> None:
    resigned = await games.start("anna", "bristol", CODE)
    await games.act(resigned.id, "anna", 0, "resign")
    with pytest.raises(GameOverError):
        await tables.share(resigned.id, "anna")
    assert (await games.log.load(resigned.id)).kind is Kind.OPEN
    with pytest.raises(NotYourTableError):
        await tables.share(resigned.id, "ben")
    # No move is left, but undo is: it goes on.
    stuck = await games.start("anna", "bristol", CODE)
    lost = update(stored_games).where(stored_games.c.id == stuck.id).values(status=Status.LOST)
    await database.write(lambda connection: connection.execute(lost).rowcount)
    await tables.share(stuck.id, "anna")
    assert (await tables.load(stuck.id)).owner_id == "anna"


@pytest.mark.parametrize("kind", [Kind.DAILY, Kind.RACE, Kind.CHALLENGE, Kind.RANKED_CHALLENGE])
async def test_a_game_that_is_compared_cannot_be_shared(
    games: GameService, tables: SharedTableService, kind: Kind
) -> None:
    deal = secrets.token_bytes(32) if kind.has_ranked_rules else Code(CODE)
    game = await games.deal_out("anna", BRISTOL, deal, kind)
    with pytest.raises(NotSharableError, match=r"^Ranked games and challenges can't be shared\.$"):
        await tables.share(game.id, "anna")


async def test_sharing_again_makes_nobody_load_the_table_again(
    games: GameService, tables: SharedTableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    published: list[tuple[str, int]] = []
    monkeypatch.setattr(tables, "publish", lambda *change: published.append(change))
    game = await games.start("anna", "bristol", CODE)
    await tables.share(game.id, "anna")
    assert published == [(game.id, 0)]
    await tables.share(game.id, "anna")
    assert published == [(game.id, 0)]


async def test_the_fifth_player_is_refused(games: GameService, tables: SharedTableService) -> None:
    game = await shared_game(games, tables, "ben", "cleo")
    token = (await tables.load(game.id)).token
    both = await asyncio.gather(
        tables.join(token, "dora"), tables.join(token, "emil"), return_exceptions=True
    )
    assert sum(isinstance(one, Exception) for one in both) == 1
    assert len((await tables.load(game.id)).seated) == 4


async def test_two_who_sit_at_a_table_never_have_one_color(
    games: GameService, tables: SharedTableService
) -> None:
    game = await shared_game(games, tables, "ben", "cleo", "dora")

    async def colors() -> dict[str, int]:
        table = await tables.load(game.id)
        return {seat.player_id: table.colors[seat.player_id] for seat in table.seated}

    before = await colors()
    assert before == {"anna": 1, "ben": 2, "cleo": 3, "dora": 4}
    await tables.leave(game.id, "ben")
    assert await colors() == {"anna": 1, "cleo": 3, "dora": 4}
    await tables.join((await tables.load(game.id)).token, "emil")
    assert await colors() == {"anna": 1, "cleo": 3, "dora": 4, "emil": 2}
    await tables.leave(game.id, "emil")
    await tables.restore_seat(game.id, "anna", "ben")
    assert await colors() == before


@pytest.mark.parametrize("seed", range(20))
def test_colors_differ_whoever_came_and_went(seed: int) -> None:
    chance, seats = random.Random(seed), list[TableSeat]()
    for number in range(30):
        seats.append(TableSeat(str(number), "", SeatState.SEATED, moved=False))
        table = SharedTable("", "0", "", 0, 0, None, seats)
        assert len({table.colors[seat.player_id] for seat in table.seated}) == len(table.seated)
        while len(table.seated) == MAX_SEATS or chance.random() < 0.3:
            gone = chance.randrange(len(seats))
            seats[gone] = seats[gone]._replace(state=SeatState.LEFT)


async def test_an_owner_cannot_let_a_fifth_player_back_in(
    games: GameService, tables: SharedTableService
) -> None:
    game = await shared_game(games, tables, "ben", "cleo")
    await tables.remove(game.id, "anna", "ben")
    token = (await tables.load(game.id)).token
    await tables.join(token, "dora")
    await tables.join(token, "emil")
    with pytest.raises(TableFullError, match=r"^All four seats are taken\.$"):
        await tables.restore_seat(game.id, "anna", "ben")


async def test_a_process_with_a_stale_cache_treats_the_game_as_shared(
    database: Database, tables: SharedTableService
) -> None:
    here, there = game_service(database), game_service(database)
    game = await here.start("anna", "bristol", CODE)
    one, other = independent_moves(game)
    await tables.share(game.id, "anna")
    await tables.join((await tables.load(game.id)).token, "ben")
    assert (await there.act(game.id, "ben", 0, one)).result is ActionResult.ACCEPTED
    outcome = await here.act(game.id, "anna", 0, other)  # here the game was Anna's alone until now
    assert outcome.result is ActionResult.ACCEPTED
    assert outcome.game.version == 2
    assert outcome.game.kind is Kind.SHARED


async def test_own_undo_below_moves_of_others(
    games: GameService, tables: SharedTableService
) -> None:
    game = await shared_game(games, tables, "ben")
    one, other = independent_moves(game)
    await games.act(game.id, "anna", 0, one)
    await games.act(game.id, "ben", 1, other)
    outcome = await games.act(game.id, "anna", 1, "undo")  # she has not seen Ben's move yet
    assert outcome.result is ActionResult.ACCEPTED
    assert [(e.action, e.actor_id) for e in await games.log.events(game.id)][2:] == [
        ("undo", "anna"),
        ("undo", "anna"),
        (other, "ben"),
    ]
    assert set(one.split("-")) <= changed_by(outcome)
    twice = await games.act(game.id, "anna", 1, "undo")  # a double click
    assert twice.result is ActionResult.STALE


async def test_to_redo_what_one_took_back_oneself_asks_no_one(
    games: GameService, tables: SharedTableService
) -> None:
    game = await shared_game(games, tables, "ben")
    one, other = independent_moves(game)
    await games.act(game.id, "anna", 0, one)
    assert (await games.act(game.id, "ben", 1, "undo")).result is ActionResult.ASKED  # he is here
    undone = await games.act(game.id, "anna", 1, "undo")
    assert undone.game.can_redo
    outcome = await games.act(game.id, "anna", 2, "redo")
    assert outcome.result is ActionResult.ACCEPTED
    assert outcome.game.history.depth == 1
    await games.act(game.id, "anna", 3, "undo")
    assert (await games.act(game.id, "ben", 4, "redo")).result is ActionResult.ASKED
    await games.act(game.id, "ben", 4, other)
    stale = await games.act(game.id, "anna", 4, "redo")  # Ben has played in between
    assert stale.result is ActionResult.STALE


async def test_idempotency_key_moves_once(games: GameService, tables: SharedTableService) -> None:
    game = await shared_game(games, tables, "ben")
    one, _ = independent_moves(game)
    sent = [games.act(game.id, "ben", 0, one, "k") for _ in range(5)]
    outcomes = await asyncio.gather(*sent)
    assert {outcome.result for outcome in outcomes} == {ActionResult.ACCEPTED}
    assert (await games.log.load(game.id)).version == 1


async def test_a_key_moves_once_at_any_version_in_any_process(
    database: Database, games: GameService, tables: SharedTableService
) -> None:
    game = await shared_game(games, tables, "ben")
    one, other = independent_moves(game)
    first = await games.act(game.id, "ben", 0, one, "key")
    await games.act(game.id, "anna", 1, other)
    for process in (games, game_service(database)):
        for version, action in ((0, one), (1, other), (2, "deal"), (2, "undo"), (2, "restart")):
            again = await process.act(game.id, "ben", version, action, "key")
            assert again.result is ActionResult.ACCEPTED
            assert state_of(again.game) == state_of(first.game)
    assert (await games.log.load(game.id)).version == 2


async def test_a_key_of_a_player_shows_a_stranger_nothing(
    games: GameService, tables: SharedTableService
) -> None:
    game = await shared_game(games, tables, "ben")
    await games.act(game.id, "ben", 0, "deal", "key")
    for version in (0, 1):
        with pytest.raises(NotYourGameError):
            await games.act(game.id, "cleo", version, "deal", "key")


async def test_one_key_sent_many_times_at_once_moves_once(
    database: Database, tables: SharedTableService
) -> None:
    processes = [game_service(database) for _ in range(3)]
    game = await shared_game(processes[0], tables, "ben")
    outcomes = await asyncio.gather(
        *(play.act(game.id, "ben", 0, "deal", "key") for play in processes for _ in range(4))
    )
    assert {outcome.result for outcome in outcomes} == {ActionResult.ACCEPTED}
    assert {outcome.game.version for outcome in outcomes} == {1}
    assert (await processes[1].log.load(game.id)).version == 1


async def test_a_version_below_zero_is_malformed(
    games: GameService, tables: SharedTableService
) -> None:
    game = await shared_game(games, tables, "ben")
    for action in ("deal", "undo"):
        with pytest.raises(MalformedError):
            await games.act(game.id, "ben", -1, action)


async def test_late_actions_in_a_long_game_replay_nothing(
    database: Database, tables: SharedTableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = game_service(database)
    game = await shared_game(games, tables, "ben")
    one, other = independent_moves(game)
    log = ("deal", "undo") * (MAX_ACTIONS // 2 - 10)
    by_anna = going_on(replace(game, owner_id="anna"), log)
    await database.write(lambda connection: add_actions(connection, by_anna))
    now = (await games.log.load(game.id)).version
    monkeypatch.setattr("app.games.event_log.replay", None)
    for seen, action in ((now - 500, one), (now - 900, other), (now - 700, "undo")):
        outcome = await games.act(game.id, "ben", seen, action)
        assert outcome.result in {ActionResult.ACCEPTED, ActionResult.STALE}
    assert (await games.log.load(game.id)).version == now + 2


async def test_a_full_table_takes_no_undo_that_takes_several_actions(
    database: Database, tables: SharedTableService
) -> None:
    games = game_service(database)
    game = await shared_game(games, tables, "ben")
    one, other = independent_moves(game)
    log = ("deal", "undo") * (MAX_ACTIONS // 2 - 2)
    by_cleo = going_on(replace(game, owner_id="cleo"), log)
    await database.write(lambda connection: add_actions(connection, by_cleo))
    now = (await games.log.load(game.id)).version
    await games.act(game.id, "anna", now, one)
    await games.act(game.id, "ben", now + 1, other)
    # Undoing the move below the other one takes three actions; there is room for two.
    outcome = await games.act(game.id, "anna", now + 2, "undo")
    assert outcome.result is ActionResult.FULL
    assert (await games.log.load(game.id)).version == MAX_ACTIONS - 2


async def test_moves_at_a_table_count_for_its_owner(
    database: Database, tables: SharedTableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quotas, "_ACTIONS_PER_CHECK", 2)
    quota = Quota(9, 2, 1)
    games = game_service(database, Quotas(database, quota, quota))
    game = await shared_game(games, tables, "ben")
    one, other = independent_moves(game)
    await games.act(game.id, "anna", 0, one)
    await games.act(game.id, "ben", 1, other, "key")
    with pytest.raises(QuotaReachedError, match=r"^Your games have 2 moves"):
        await games.act(game.id, "anna", 2, "deal")
    for action in ("deal", "undo"):
        with pytest.raises(OwnerQuotaReachedError, match=r"^This table's owner can't keep") as said:
            await games.act(game.id, "ben", 2, action)
        assert said.value.code == "quota_reached"
    assert (await games.act(game.id, "ben", 1, other, "key")).result is ActionResult.ACCEPTED
    assert (await games.act(game.id, "ben", 2, "resign")).result is ActionResult.ASKED


async def test_a_finished_game_accepts_no_moves(
    games: GameService, tables: SharedTableService
) -> None:
    game = await shared_game(games, tables, "ben")
    await games.act(game.id, "anna", 0, "resign")
    assert (await games.act(game.id, "ben", 0, "deal")).result is ActionResult.OVER
    assert (await games.act(game.id, "ben", 1, "undo")).result is ActionResult.OVER


async def test_account_merge_keeps_seat_table_and_moves(
    games: GameService, tables: SharedTableService, database: Database
) -> None:
    game = await shared_game(games, tables, "ben")
    one, other = independent_moves(game)
    await games.act(game.id, "anna", 0, one)
    await database.write(lambda connection: account_merge.move_seats(connection, "anna", "cleo"))
    found = await tables.load(game.id)
    assert found.owner_id == "cleo"
    assert [seat.player_id for seat in found.seated] == ["cleo", "ben"]
    assert await games.shared_tables.last(await games.log.load(game.id), "ben") == ("Cleo", one)
    await games.act(game.id, "ben", 1, other)
    assert (await games.act(game.id, "cleo", 2, "undo")).result is ActionResult.ACCEPTED
    with pytest.raises(NotYourGameError):
        await games.act(game.id, "anna", 5, "deal")


async def test_account_merge_of_two_seats_keeps_one(
    games: GameService, tables: SharedTableService, database: Database
) -> None:
    game = await shared_game(games, tables, "ben", "cleo")
    await games.act(game.id, "ben", 0, "deal")
    await tables.remove(game.id, "anna", "cleo")
    await database.write(lambda connection: account_merge.move_seats(connection, "ben", "cleo"))
    seats = (await tables.load(game.id)).seats
    assert [(seat.player_id, str(seat.state), seat.moved) for seat in seats] == [
        ("anna", "seated", False),
        ("cleo", "removed", True),
    ]


async def test_deleted_account_leaves_and_the_table_continues(
    games: GameService, tables: SharedTableService, database: Database
) -> None:
    game = await shared_game(games, tables, "ben")
    await database.write(lambda connection: account_merge.leave_tables(connection, "anna"))
    found = await tables.load(game.id)
    assert found.owner_id == "ben"
    assert [seat.player_id for seat in found.seated] == ["ben"]
    assert (await games.act(game.id, "ben", 0, "deal")).result is ActionResult.ACCEPTED
    with pytest.raises(NotYourGameError):
        await games.act(game.id, "anna", 1, "deal")


async def test_who_joins_while_the_next_game_is_dealt_comes_last(
    games: GameService, database: Database
) -> None:
    pubsub = PubSub(database)
    tables = SharedTableService(database, lambda: 1_000, pubsub)
    game = await shared_game(games, tables, "dora", "emil")
    next_id = await tables.deal_next(games, game.id, "anna")
    await tables.join((await tables.load(next_id)).token, "ben")
    seats = (await tables.load(next_id)).seats
    assert [seat.player_id for seat in seats] == ["anna", "dora", "emil", "ben"]
    await pubsub.close()


async def test_concurrent_next_deals_are_one(
    games: GameService, tables: SharedTableService
) -> None:
    game = await shared_game(games, tables, "ben", "cleo")
    await tables.leave(game.id, "cleo")
    old = (await tables.load(game.id)).token
    dealt = await asyncio.gather(*(tables.deal_next(games, game.id, "ben") for _ in range(4)))
    assert len(set(dealt)) == 1
    fresh = await tables.load(dealt[0])
    assert [seat.player_id for seat in fresh.seated] == ["anna", "ben"]
    assert (await tables.find_invited(old)).game_id == dealt[0]


async def test_a_next_game_that_others_overtake_all_the_time_is_not_dealt(
    games: GameService, tables: SharedTableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await shared_game(games, tables, "ben")
    with monkeypatch.context() as busy:
        busy.setattr(repository, "set_next", lambda *_: False)
        with pytest.raises(OvertakenError):
            await tables.deal_next(games, game.id, "anna")
    assert (await tables.load(game.id)).next_id is None
    assert await tables.deal_next(games, game.id, "anna") != game.id


@pytest.mark.parametrize("how", ["leaves", "gives the table to another"])
async def test_the_next_game_belongs_to_who_owns_the_table_by_then(
    games: GameService, tables: SharedTableService, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    game = await shared_game(games, tables, "ben", "cleo")
    deal_out = games.deal_out

    async def overtaken(*args: Any) -> Game:
        monkeypatch.setattr(games, "deal_out", deal_out)
        if how == "leaves":
            await tables.leave(game.id, "anna")
        else:
            await tables.transfer(game.id, "anna", "ben")
        return await deal_out(*args)

    monkeypatch.setattr(games, "deal_out", overtaken)
    fresh = await tables.load(await tables.deal_next(games, game.id, "cleo"))
    assert fresh.owner_id == "ben"
    assert fresh.is_seated("ben")


async def test_who_leaves_meanwhile_is_dealt_no_next_game(
    games: GameService, tables: SharedTableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await shared_game(games, tables, "ben")
    deal_out = games.deal_out

    async def overtaken(*args: Any) -> Game:
        await tables.leave(game.id, "ben")
        return await deal_out(*args)

    monkeypatch.setattr(games, "deal_out", overtaken)
    with pytest.raises(NotYourTableError):
        await tables.deal_next(games, game.id, "ben")
    assert (await tables.load(game.id)).next_id is None


async def test_after_the_owner_has_left_who_asks_owns_the_next_game(
    games: GameService, tables: SharedTableService
) -> None:
    game = await shared_game(games, tables)
    await tables.leave(game.id, "anna")  # nobody is left to be its owner
    await tables.join((await tables.load(game.id)).token, "ben")
    assert (await tables.load(game.id)).may_deal_next("ben")
    assert (await tables.load(await tables.deal_next(games, game.id, "ben"))).owner_id == "ben"


async def test_another_player_is_told_that_the_owner_has_no_room(
    database: Database, tables: SharedTableService
) -> None:
    games = game_service(database, Quotas(database, Quota(1, 9, 1), Quota(1, 9, 1)))
    game = await shared_game(games, tables, "ben")
    with pytest.raises(QuotaReachedError, match=r"^You have 1 game,"):
        await tables.deal_next(games, game.id, "anna")
    with pytest.raises(OwnerQuotaReachedError, match=r"^No next game: this table's owner"):
        await tables.deal_next(games, game.id, "ben")


async def test_an_invitation_ends_for_all_games_when_a_player_is_removed(
    games: GameService, tables: SharedTableService
) -> None:
    first = await shared_game(games, tables, "ben")
    invitation = (await tables.load(first.id)).token
    second = await tables.deal_next(games, first.id, "anna")
    third = await tables.deal_next(games, second, "anna")
    assert (await tables.find_invited(invitation)).game_id == third
    await tables.remove(third, "anna", "ben")
    # Ben's seats at the tables before tell him their invitations.
    known = [(await tables.load(game_id)).token for game_id in (first.id, second)]
    for token in (invitation, *known):
        with pytest.raises(NoInvitationError):
            await tables.join(token, "cleo")
    renewed = (await tables.load(third)).token
    assert await tables.join(renewed, "cleo") == third
    fourth = await tables.deal_next(games, third, "anna")
    assert await tables.join(renewed, "dora") == fourth
    states = [(seat.player_id, seat.state) for seat in (await tables.load(fourth)).seats]
    assert states == [
        ("anna", SeatState.SEATED),
        ("ben", SeatState.REMOVED),
        ("cleo", SeatState.SEATED),
        ("dora", SeatState.SEATED),
    ]


async def test_an_invitation_from_before_it_moved_on_leads_to_the_last_game(
    games: GameService, tables: SharedTableService, database: Database
) -> None:
    first = await shared_game(games, tables, "ben")
    old = (await tables.load(first.id)).token
    second = await tables.deal_next(games, first.id, "anna")
    new = new_link()

    def as_before(connection: Connection) -> None:
        repository.set_token(connection, second, new)
        repository.set_token(connection, first.id, old)

    await database.write(as_before)
    assert (await tables.find_invited(old)).game_id == second
    assert (await tables.find_invited(new)).game_id == second
    await tables.remove(second, "anna", "ben")
    with pytest.raises(NoInvitationError):
        await tables.find_invited(old)


async def test_of_many_who_have_gone_the_last_are_listed(
    games: GameService, tables: SharedTableService, database: Database
) -> None:
    game = await shared_game(games, tables, "ben")
    many = [f"guest{number:03}" for number in range(2 * repository.MOST_LISTED)]

    def come_and_go(connection: Connection) -> None:
        rows = [{"id": name, "name": name, "created_ms": 0} for name in many]
        connection.execute(insert(players), rows)
        for at_ms, name in enumerate(many, 2**41):
            repository.set_seat(connection, game.id, name, SeatState.REMOVED, at_ms)

    await database.write(come_and_go)
    table = await tables.load(game.id)
    listed = [seat.player_id for seat in table.seats]
    assert listed == ["anna", "ben", *many[2 - repository.MOST_LISTED :]]
    with pytest.raises(NotYourTableError):
        await tables.join(table.token, many[0])
    await tables.restore_seat(game.id, "anna", many[0])
    assert (await tables.load(game.id)).is_seated(many[0])


@pytest.mark.parametrize("ruleset", ["signora", "falling-star"])
async def test_random_concurrent_play_over_two_processes(
    database: Database, tables: SharedTableService, ruleset: str
) -> None:
    processes = [game_service(database), game_service(database)]
    people = ("anna", "ben", "cleo", "dora")
    game = await shared_game(processes[0], tables, *people[1:], ruleset=ruleset)
    fates: Counter[ActionResult] = Counter()

    async def scramble(number: int, who: str) -> None:
        games, chance = processes[number % 2], random.Random(number)
        mine = game
        for _ in range(12):
            actions = [str(a) for a in legal_actions(mine.rules, mine.position)]
            if not actions:
                return
            outcome = await games.act(game.id, who, mine.version, chance.choice(actions))
            fates[outcome.result] += 1
            if chance.random() < 0.7:
                mine = outcome.game

    await asyncio.gather(*(scramble(n, who) for n, who in enumerate(people)))
    ends = [await games.log.load(game.id) for games in processes]
    assert (
        state_of(ends[0])
        == state_of(ends[1])
        == state_of(await game_service(database).log.load(game.id))
    )
    assert ends[0].version == fates[ActionResult.ACCEPTED]
    actors = {entry.actor_id for entry in await processes[0].log.events(game.id)}
    assert len(actors) > 1  # one who is always late may have done nothing that counts
    assert actors <= set(people)


async def test_two_tabs_of_one_seat_move_at_once(
    games: GameService, tables: SharedTableService
) -> None:
    game = await shared_game(games, tables, "ben")
    one, other = independent_moves(game)
    same = await asyncio.gather(*(games.act(game.id, "ben", 0, one) for _ in range(2)))
    assert sorted(fate.result.name for fate in same) == ["ACCEPTED", "STALE"]
    assert all("Ben" not in fate.sentence for fate in same)
    # The second tab has not seen the move of the first, and what it means to move lies as it lay.
    assert (await games.act(game.id, "ben", 0, other)).result is ActionResult.ACCEPTED
    assert [entry.action for entry in await games.log.events(game.id)] == [one, other]


async def test_concurrent_winning_moves_win_once(
    games: GameService, tables: SharedTableService
) -> None:
    game = await games.start("anna", WON.ruleset, WON.code)
    await tables.share(game.id, "anna")
    await tables.join((await tables.load(game.id)).token, "ben")
    *line, last = WON.moves
    for version, move in enumerate(line):
        who = ("anna", "ben")[version % 2]
        assert (await games.act(game.id, who, version, move)).result is ActionResult.ACCEPTED
    fates = await asyncio.gather(
        *(games.act(game.id, who, len(line), last) for who in ("anna", "ben", "anna", "ben"))
    )
    assert [fate.result for fate in fates].count(ActionResult.ACCEPTED) == 1
    assert {fate.result for fate in fates} <= {
        ActionResult.ACCEPTED,
        ActionResult.OVER,
        ActionResult.STALE,
    }
    end = await games.log.load(game.id)
    assert (end.status, end.version) == (Status.WON, len(line) + 1)
    for who in ("anna", "ben"):
        (result,) = await tables.count_results(who)
        assert (result.played, result.won) == (1, 1)


async def test_a_table_is_listed_for_thirty_days_and_playable_after(
    games: GameService, tables: SharedTableService, database: Database
) -> None:
    game = await shared_game(games, tables, "ben")
    await tables.leave(game.id, "anna")
    touched = (await games.log.load(game.id)).updated_ms + 60_000
    for late, is_waiting in (
        (touched + ABANDONED_AFTER_MS - 120_000, True),
        (touched + ABANDONED_AFTER_MS, False),
    ):
        pubsub = PubSub(database)
        later = SharedTableService(database, partial(int, late), pubsub)
        waiting = [one.game_id for one in await later.list_open_tables("ben")]
        assert waiting == ([game.id] if is_waiting else [])
        await pubsub.close()
    assert (await games.act(game.id, "ben", 0, "deal")).result is ActionResult.ACCEPTED
