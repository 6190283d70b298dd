"""Several at one table, on either database: what is late and still counts, and what is not one's own."""

from __future__ import annotations

import asyncio
import random
from collections import Counter

import pytest

from app.db.engine import Database
from app.engine.actions import Move
from app.engine.rules import legal_actions
from app.engine.ruleset import PileId
from app.engine.transition import changed_piles
from app.errors import NotYourGameError
from app.games.json_state import state_of
from app.games.model import Game, Kind
from app.games.outcome import Outcome, Result
from app.games.service import GameService
from app.shared_tables import account_merge
from app.shared_tables.service import SharedTableService
from tests.shared_tables.conftest import process

pytestmark = pytest.mark.anyio

CODE = "7KQ4M-2XWTP"


async def shared(
    play: GameService, company: SharedTableService, *others: str, ruleset: str = "bristol"
) -> Game:
    """A table of Anna's at which the others sit, too."""
    game = await play.start("anna", ruleset, CODE)
    await company.share(game.id, "anna")
    token = (await company.company(game.id)).table.token
    for other in others:
        await company.sit(token, other)
    return await play.load(game.id)


def apart(game: Game) -> tuple[str, str]:
    moves = [a for a in legal_actions(game.rules, game.position) if isinstance(a, Move)]
    return next(
        (str(one), str(other))
        for one in moves
        for other in moves
        if not {one.source, one.target} & {other.source, other.target}
    )


async def test_everybody_who_sits_there_moves_in_their_own_name(
    play: GameService, company: SharedTableService
) -> None:
    game = await shared(play, company, "ben")
    one, other = apart(game)
    await play.act(game.id, "ben", 0, one)
    after = (await play.act(game.id, "anna", 1, other)).game
    assert [(e.action, e.actor_id) for e in await play.events(game.id)] == [
        (one, "ben"),
        (other, "anna"),
    ]
    assert await play.shared_tables.last(after, "ben") == ("Anna", other)
    assert await play.shared_tables.last(after, "anna") == ("", "")


def changed_by(outcome: Outcome) -> frozenset[PileId]:
    assert outcome.before is not None
    return changed_piles(outcome.game.rules, outcome.before.position, outcome.game.position)


async def test_a_late_move_counts_and_the_answer_draws_all_that_changed(
    play: GameService, company: SharedTableService
) -> None:
    game = await shared(play, company, "ben")
    one, other = apart(game)
    await play.act(game.id, "anna", 0, one)
    outcome = await play.act(game.id, "ben", 0, other)
    assert outcome.result is Result.ACCEPTED
    assert outcome.game.version == 2
    for move in (one, other):
        assert set(move.split("-")) <= changed_by(outcome)


async def test_who_comes_second_to_a_card_is_told_who_was_first(
    play: GameService, company: SharedTableService
) -> None:
    game = await shared(play, company, "ben")
    one, _ = apart(game)
    await play.act(game.id, "anna", 0, one)
    late = await play.act(game.id, "ben", 0, one)
    assert (late.result, late.sentence) == (Result.STALE, "Anna moved it first.")
    assert late.game.version == 1
    again = await play.act(game.id, "anna", 0, one)  # a double click of hers names nobody
    assert again.result is Result.STALE
    assert "Anna" not in again.sentence


async def test_a_stranger_has_no_say_and_a_solo_game_stays_solo(
    play: GameService, company: SharedTableService
) -> None:
    game = await shared(play, company)
    with pytest.raises(NotYourGameError):
        await play.act(game.id, "ben", 0, "deal")
    alone = await play.start("anna", "bristol", CODE)
    with pytest.raises(NotYourGameError):
        await play.act(alone.id, "ben", 0, "deal")


async def test_an_unseated_player_is_out_and_the_old_link_seats_nobody(
    play: GameService, company: SharedTableService
) -> None:
    game = await shared(play, company, "ben")
    token = (await company.company(game.id)).table.token
    await company.unseat(game.id, "anna", "ben")
    with pytest.raises(NotYourGameError):
        await play.act(game.id, "ben", 0, "deal")
    for who in ("ben", "cleo"):  # himself, and himself with another cookie
        with pytest.raises(Exception, match="does not hold"):
            await company.sit(token, who)
    fresh = (await company.company(game.id)).table.token
    with pytest.raises(Exception, match="taken your seat"):
        await company.sit(fresh, "ben")
    await company.seat_again(game.id, "anna", "ben")
    assert (await play.act(game.id, "ben", 0, "deal")).result is Result.ACCEPTED


async def test_four_sit_and_the_fifth_watches(
    play: GameService, company: SharedTableService
) -> None:
    game = await shared(play, company, "ben", "cleo")
    token = (await company.company(game.id)).table.token
    both = await asyncio.gather(
        company.sit(token, "dora"), company.sit(token, "emil"), return_exceptions=True
    )
    assert sum(isinstance(one, Exception) for one in both) == 1
    assert len((await company.company(game.id)).seated) == 4


async def test_a_move_of_the_owner_in_a_process_that_knows_the_game_as_solo_is_judged_as_shared(
    database: Database, company: SharedTableService
) -> None:
    here, there = process(database), process(database)
    game = await here.start("anna", "bristol", CODE)
    one, other = apart(game)
    await company.share(game.id, "anna")
    await company.sit((await company.company(game.id)).table.token, "ben")
    assert (await there.act(game.id, "ben", 0, one)).result is Result.ACCEPTED
    outcome = await here.act(game.id, "anna", 0, other)  # here the game was Anna's alone until now
    assert outcome.result is Result.ACCEPTED
    assert outcome.game.version == 2
    assert outcome.game.kind is Kind.SHARED


async def test_ones_own_move_goes_back_from_under_the_others(
    play: GameService, company: SharedTableService
) -> None:
    game = await shared(play, company, "ben")
    one, other = apart(game)
    await play.act(game.id, "anna", 0, one)
    await play.act(game.id, "ben", 1, other)
    outcome = await play.act(game.id, "anna", 1, "undo")  # she has not seen Ben's move yet
    assert outcome.result is Result.ACCEPTED
    assert [(e.action, e.actor_id) for e in await play.events(game.id)][2:] == [
        ("undo", "anna"),
        ("undo", "anna"),
        (other, "ben"),
    ]
    assert set(one.split("-")) <= changed_by(outcome)
    twice = await play.act(game.id, "anna", 1, "undo")  # a double click
    assert twice.result is Result.STALE


async def test_a_key_moves_once_however_many_times_it_is_sent(
    play: GameService, company: SharedTableService
) -> None:
    game = await shared(play, company, "ben")
    one, _ = apart(game)
    sent = [play.act(game.id, "ben", 0, one, "k") for _ in range(5)]
    outcomes = await asyncio.gather(*sent)
    assert {outcome.result for outcome in outcomes} == {Result.ACCEPTED}
    assert (await play.load(game.id)).version == 1


async def test_nobody_moves_at_a_table_that_is_over(
    play: GameService, company: SharedTableService
) -> None:
    game = await shared(play, company, "ben")
    await play.act(game.id, "anna", 0, "resign")
    assert (await play.act(game.id, "ben", 0, "deal")).result is Result.OVER
    assert (await play.act(game.id, "ben", 1, "undo")).result is Result.OVER


async def test_a_guest_who_logs_in_keeps_seat_table_and_moves(
    play: GameService, company: SharedTableService, database: Database
) -> None:
    game = await shared(play, company, "ben")
    one, other = apart(game)
    await play.act(game.id, "anna", 0, one)
    await database.write(lambda connection: account_merge.follow(connection, "anna", "cleo"))
    found = await company.company(game.id)
    assert found.table.owner_id == "cleo"
    assert [seat.player_id for seat in found.seated] == ["cleo", "ben"]
    assert await play.shared_tables.last(await play.load(game.id), "ben") == ("Cleo", one)
    await play.act(game.id, "ben", 1, other)
    assert (await play.act(game.id, "cleo", 2, "undo")).result is Result.ACCEPTED
    with pytest.raises(NotYourGameError):
        await play.act(game.id, "anna", 5, "deal")


async def test_two_who_turn_out_to_be_one_keep_one_seat(
    play: GameService, company: SharedTableService, database: Database
) -> None:
    game = await shared(play, company, "ben", "cleo")
    await play.act(game.id, "ben", 0, "deal")
    await company.unseat(game.id, "anna", "cleo")
    await database.write(lambda connection: account_merge.follow(connection, "ben", "cleo"))
    seats = (await company.company(game.id)).seats
    assert [(seat.player_id, str(seat.state), seat.moved) for seat in seats] == [
        ("anna", "seated", False),
        ("cleo", "removed", True),
    ]


async def test_who_is_forgotten_gets_up_and_the_table_goes_on(
    play: GameService, company: SharedTableService, database: Database
) -> None:
    game = await shared(play, company, "ben")
    await database.write(lambda connection: account_merge.get_up(connection, "anna"))
    found = await company.company(game.id)
    assert found.table.owner_id == "ben"
    assert [seat.player_id for seat in found.seated] == ["ben"]
    assert (await play.act(game.id, "ben", 0, "deal")).result is Result.ACCEPTED
    with pytest.raises(NotYourGameError):
        await play.act(game.id, "anna", 1, "deal")


async def test_the_next_deal_is_one_for_everybody(
    play: GameService, company: SharedTableService
) -> None:
    game = await shared(play, company, "ben", "cleo")
    await company.get_up(game.id, "cleo")
    old = (await company.company(game.id)).table.token
    dealt = await asyncio.gather(*(company.go_on(play, game.id, "ben") for _ in range(4)))
    assert len(set(dealt)) == 1
    fresh = await company.company(dealt[0])
    assert [seat.player_id for seat in fresh.seated] == ["anna", "ben"]
    assert (await company.invitation(old)).table.game_id == dealt[0]


@pytest.mark.parametrize("ruleset", ["signora", "falling-star"])
async def test_a_scramble_over_two_processes_loses_nothing(
    database: Database, company: SharedTableService, ruleset: str
) -> None:
    processes = [process(database), process(database)]
    people = ("anna", "ben", "cleo", "dora")
    game = await shared(processes[0], company, *people[1:], ruleset=ruleset)
    fates: Counter[Result] = Counter()

    async def scramble(number: int, who: str) -> None:
        play, chance = processes[number % 2], random.Random(number)
        mine = game
        for _ in range(12):
            actions = [str(a) for a in legal_actions(mine.rules, mine.position)]
            if not actions:
                return
            outcome = await play.act(game.id, who, mine.version, chance.choice(actions))
            fates[outcome.result] += 1
            if chance.random() < 0.7:
                mine = outcome.game

    await asyncio.gather(*(scramble(n, who) for n, who in enumerate(people)))
    ends = [await play.load(game.id) for play in processes]
    assert state_of(ends[0]) == state_of(ends[1]) == state_of(await process(database).load(game.id))
    assert ends[0].version == fates[Result.ACCEPTED]
    actors = {entry.actor_id for entry in await processes[0].events(game.id)}
    assert len(actors) > 1  # one who is always late may have done nothing that counts
    assert actors <= set(people)
