from __future__ import annotations

import asyncio
import random

import pytest
from sqlalchemy import Connection

from app.db.engine import Database
from app.engine.rules import Rule, legal_actions
from app.errors import (
    DealNotFoundError,
    GameNotFoundError,
    MalformedError,
    NotYourGameError,
    RulesetNotFoundError,
)
from app.games.json_state import state_of
from app.games.model import Kind, Status, Table
from app.games.outcome import Result
from app.games.repository import read_log
from app.games.service import PlayService
from app.rulesets import GAMES

pytestmark = pytest.mark.anyio

CODE = "7KQ4M-2XWTP"


async def walk(play: PlayService, table: Table, steps: int, seed: int = 1) -> Table:
    """Play legal actions and turns back and forth, chosen by chance, for at most ``steps``."""
    chance = random.Random(seed)
    for _ in range(steps):
        actions = [str(action) for action in legal_actions(table.spec, table.position)]
        actions += ["undo"] * table.can_undo + ["redo"] * table.can_redo
        if not actions or table.is_over:
            break
        outcome = await play.act(table.id, "anna", table.version, chance.choice(actions))
        assert outcome.result is Result.ACCEPTED
        table = outcome.table
    return table


@pytest.mark.parametrize("ruleset", [spec.id for spec in GAMES])
async def test_another_process_replays_the_very_same_table(
    database: Database, ruleset: str
) -> None:
    play, other = PlayService(database), PlayService(database)
    table = await walk(play, await play.start("anna", ruleset, CODE), steps=60)
    assert state_of(await other.load(table.id)) == state_of(table)


async def test_the_log_is_one_row_an_action_in_order(play: PlayService, database: Database) -> None:
    table = await play.start("anna", "bristol", CODE)
    for action in ("deal", "undo", "redo"):
        table = (await play.act(table.id, "anna", table.version, action)).table
    log = await database.read(lambda connection: read_log(connection, table.id))
    assert [entry.action for entry in log] == ["deal", "undo", "redo"]
    assert {entry.actor_id for entry in log} == {"anna"}


async def test_a_stale_version_gets_the_fresh_table_and_a_sentence(play: PlayService) -> None:
    table = await play.start("anna", "bristol", CODE)
    await play.act(table.id, "anna", 0, "deal")
    outcome = await play.act(table.id, "anna", 0, "deal")
    assert outcome.result is Result.STALE
    assert outcome.table.version == 1
    assert outcome.sentence.endswith(".")


async def test_a_version_from_the_future_is_stale_too(play: PlayService) -> None:
    table = await play.start("anna", "bristol", CODE)
    assert (await play.act(table.id, "anna", 7, "deal")).result is Result.STALE


async def test_of_many_clicks_at_once_exactly_one_wins(database: Database) -> None:
    processes = [PlayService(database) for _ in range(4)]
    table = await processes[0].start("anna", "bristol", CODE)
    for version in range(5):
        outcomes = await asyncio.gather(
            *(play.act(table.id, "anna", version, "deal") for play in processes for _ in range(5))
        )
        results = [outcome.result for outcome in outcomes]
        assert results.count(Result.ACCEPTED) == 1
        assert results.count(Result.STALE) == len(results) - 1
        assert {outcome.table.version for outcome in outcomes} == {version + 1}


async def test_the_same_key_moves_nothing_twice_and_answers_alike(database: Database) -> None:
    play, other = PlayService(database), PlayService(database)
    table = await play.start("anna", "bristol", CODE)
    first = await play.act(table.id, "anna", 0, "deal", "key")
    await play.act(table.id, "anna", 1, "deal")
    for service in (play, other):
        again = await service.act(table.id, "anna", 0, "deal", "key")
        assert again.result is Result.ACCEPTED
        assert state_of(again.table) == state_of(first.table)
        assert again.touched == first.touched
    assert (await play.load(table.id)).version == 2


async def test_one_key_sent_many_times_at_once_moves_once(database: Database) -> None:
    processes = [PlayService(database) for _ in range(3)]
    table = await processes[0].start("anna", "bristol", CODE)
    outcomes = await asyncio.gather(
        *(play.act(table.id, "anna", 0, "deal", "key") for play in processes for _ in range(5))
    )
    assert {outcome.result for outcome in outcomes} == {Result.ACCEPTED}
    states = [state_of(outcome.table) for outcome in outcomes]
    assert all(state == states[0] for state in states)
    assert (await processes[0].load(table.id)).version == 1


@pytest.mark.parametrize("key", ["", "x" * 201])
async def test_a_key_has_a_sensible_length(play: PlayService, key: str) -> None:
    table = await play.start("anna", "bristol", CODE)
    with pytest.raises(MalformedError):
        await play.act(table.id, "anna", 0, "deal", key)


async def test_a_refused_move_changes_nothing_and_names_the_rule(play: PlayService) -> None:
    table = await play.start("anna", "bristol", CODE)
    outcome = await play.act(table.id, "anna", 0, "t1-t1")
    assert outcome.result is Result.REFUSED
    assert outcome.refusal
    assert outcome.refusal.rule is Rule.SAME_PILE
    assert (await play.load(table.id)).version == 0


async def test_nothing_to_undo_is_said_in_a_sentence(play: PlayService) -> None:
    table = await play.start("anna", "bristol", CODE)
    outcome = await play.act(table.id, "anna", 0, "undo")
    assert (outcome.result, outcome.sentence) == (Result.IMPOSSIBLE, "There is nothing to undo.")


async def test_only_the_owner_plays(play: PlayService) -> None:
    table = await play.start("anna", "bristol", CODE)
    with pytest.raises(NotYourGameError):
        await play.act(table.id, "ben", 0, "deal")


@pytest.mark.parametrize(
    "text", ["", "t1", "t1-t2-t3", "deal!", "t1-t2:0", "t99-f1", "T1-F1", "\u202edeal"]
)
async def test_unreadable_moves_are_malformed_at_any_version(play: PlayService, text: str) -> None:
    table = await play.start("anna", "bristol", CODE)
    for version in (0, 5):
        with pytest.raises(MalformedError):
            await play.act(table.id, "anna", version, text)


async def test_a_resigned_game_takes_no_more_actions(play: PlayService) -> None:
    table = await play.start("anna", "bristol", CODE)
    table = (await play.act(table.id, "anna", 0, "resign")).table
    assert table.status is Status.RESIGNED
    for action in ("deal", "undo", "resign"):
        assert (await play.act(table.id, "anna", 1, action)).result is Result.OVER
    assert (await play.act(table.id, "anna", 0, "deal")).result is Result.STALE


async def test_a_lost_game_takes_no_move_but_can_be_undone(play: PlayService) -> None:
    # Dealing out the whole stock of this deal without playing a card leaves nothing legal.
    table = await lose(play)
    assert table.status is Status.LOST
    outcome = await play.act(table.id, "anna", table.version, "t1-t2")
    assert outcome.result is Result.OVER
    undone = await play.act(table.id, "anna", table.version, "undo")
    assert undone.result is Result.ACCEPTED
    assert undone.table.status is Status.PLAYING


async def lose(play: PlayService) -> Table:
    for seed in range(50):
        table = await play.start("anna", "bristol", None)
        for version in range(9):
            table = (await play.act(table.id, "anna", version, "deal")).table
        table = await walk_without_turns(play, table, seed)
        if table.status is Status.LOST:
            return table
    raise AssertionError("fifty games in a row were not lost")


async def walk_without_turns(play: PlayService, table: Table, seed: int) -> Table:
    chance = random.Random(seed)
    for _ in range(60):
        actions = [str(action) for action in legal_actions(table.spec, table.position)]
        if not actions:
            break
        table = (await play.act(table.id, "anna", table.version, chance.choice(actions))).table
    return table


async def test_unknown_things_are_not_found(play: PlayService) -> None:
    with pytest.raises(RulesetNotFoundError):
        await play.start("anna", "klondike", None)
    with pytest.raises(DealNotFoundError):
        await play.start("anna", "bristol", "no such code")
    with pytest.raises(GameNotFoundError):
        await play.load("nowhere")
    with pytest.raises(GameNotFoundError):
        await play.act("nowhere", "anna", 0, "deal")


async def test_wood_is_another_name_of_blondes_and_brunettes(play: PlayService) -> None:
    assert (await play.start("anna", "Wood", None)).spec.id == "blondes-and-brunettes"


async def test_a_version_is_announced_after_it_is_durable(database: Database) -> None:
    heard: list[tuple[str, int, int]] = []

    def announce(game_id: str, version: int) -> None:
        with database.engine.connect() as connection:
            heard.append((game_id, version, len(read_log(connection, game_id))))

    play = PlayService(database, announce)
    table = await play.start("anna", "bristol", CODE)
    await play.act(table.id, "anna", 0, "deal")
    await play.act(table.id, "anna", 0, "deal")  # stale: nothing to tell
    assert heard == [(table.id, 1, 1)]


async def test_a_sealed_deal_has_no_code_and_is_stored_with_what_belongs_to_it(
    play: PlayService, database: Database
) -> None:
    noted: list[str] = []
    spec = GAMES[0]
    table = await play.deal_out(
        "anna", spec, bytes(32), Kind.DAILY, lambda _connection, table: noted.append(table.id)
    )
    assert table.code is None
    assert noted == [table.id]
    assert state_of(await PlayService(database).load(table.id)) == state_of(table)


async def test_without_what_belongs_to_it_there_is_no_game(
    play: PlayService, database: Database
) -> None:
    def refuse(_connection: Connection, _table: Table) -> None:
        raise LookupError("taken")

    with pytest.raises(LookupError, match="taken"):
        await play.deal_out("anna", GAMES[0], bytes(32), Kind.DAILY, refuse)
    assert await play.recent("anna", 10) == []


async def test_ranked_play_takes_back_nothing_that_was_shown(play: PlayService) -> None:
    table = await play.deal_out("anna", GAMES[0], bytes(32), Kind.DAILY)
    home = next(a for a in legal_actions(table.spec, table.position) if str(a) != "deal")
    table = (await play.act(table.id, "anna", 0, str(home))).table
    table = (await play.act(table.id, "anna", 1, "undo")).table  # every card was in the open
    table = (await play.act(table.id, "anna", 2, "deal")).table
    assert not table.can_undo
    assert not table.can_restart
    for action in ("undo", "restart"):
        outcome = await play.act(table.id, "anna", 3, action)
        assert outcome.result is Result.IMPOSSIBLE
        assert outcome.sentence.endswith(".")


async def test_the_end_of_a_game_is_booked_once_in_its_own_transaction(database: Database) -> None:
    booked: list[tuple[str, int]] = []

    def book(connection: Connection, table: Table) -> None:
        booked.append((table.status, len(read_log(connection, table.id))))

    play = PlayService(database, at_end=[book])
    table = await play.start("anna", "bristol", CODE)
    await play.act(table.id, "anna", 0, "deal")
    assert booked == []
    await asyncio.gather(*(play.act(table.id, "anna", 1, "resign") for _ in range(5)))
    assert booked == [("resigned", 2)]


async def test_recent_games_come_last_touched_first(play: PlayService) -> None:
    first = await play.start("anna", "bristol", None)
    second = await play.start("anna", "signora", None)
    await play.start("ben", "terrace", None)
    await asyncio.sleep(0.002)
    await play.act(first.id, "anna", 0, "deal")
    assert [row.id for row in await play.recent("anna", 10)] == [first.id, second.id]
    assert len(await play.recent("anna", 1)) == 1
