from __future__ import annotations

import asyncio
import itertools
import random
from functools import partial

import pytest
from sqlalchemy import Connection, update

from app.db.cursors import ListCursor
from app.db.engine import Database
from app.db.schema import players
from app.engine.rules import Rule, legal_actions
from app.errors import (
    DealNotFoundError,
    GameNotFoundError,
    MalformedError,
    NotYourGameError,
    RulesetNotFoundError,
)
from app.games.json_state import state_of
from app.games.model import Game, Kind, Status
from app.games.outcome import ActionOutcome, ActionResult
from app.games.repository import find_game, read_log
from app.games.service import GameService
from app.identity.repository import find_player_name
from app.rulesets import RULESETS
from tests.support.known import CODE

pytestmark = pytest.mark.anyio


async def walk(play: GameService, game: Game, steps: int, seed: int = 1) -> Game:
    """Play legal actions and turns back and forth, chosen by chance, for at most ``steps``."""
    chance = random.Random(seed)
    for _ in range(steps):
        actions = [str(action) for action in legal_actions(game.rules, game.position)]
        actions += ["undo"] * game.can_undo + ["redo"] * game.can_redo
        if not actions or game.is_over:
            break
        outcome = await play.act(game.id, "anna", game.version, chance.choice(actions))
        assert outcome.result is ActionResult.ACCEPTED
        game = outcome.game
    return game


@pytest.mark.parametrize("ruleset", [rules.id for rules in RULESETS])
async def test_another_process_replays_the_very_same_table(
    database: Database, ruleset: str
) -> None:
    play, other = GameService(database), GameService(database)
    game = await walk(play, await play.start("anna", ruleset, CODE), steps=60)
    assert state_of(await other.log.load(game.id)) == state_of(game)


async def test_the_log_is_one_row_an_action_in_order(play: GameService, database: Database) -> None:
    game = await play.start("anna", "bristol", CODE)
    for action in ("deal", "undo", "redo"):
        game = (await play.act(game.id, "anna", game.version, action)).game
    log = await database.read(lambda connection: read_log(connection, game))
    assert [entry.action for entry in log] == ["deal", "undo", "redo"]
    assert {entry.actor_id for entry in log} == {"anna"}


async def test_a_stale_version_gets_the_fresh_table_and_a_sentence(play: GameService) -> None:
    game = await play.start("anna", "bristol", CODE)
    await play.act(game.id, "anna", 0, "deal")
    outcome = await play.act(game.id, "anna", 0, "deal")
    assert outcome.result is ActionResult.STALE
    assert outcome.game.version == 1
    assert outcome.sentence.endswith(".")


async def test_what_the_check_wrote_lasts_only_with_the_events(
    play: GameService, database: Database
) -> None:
    game = await play.start("anna", "bristol", CODE)
    event = play.log.new_event(game, "anna", "deal", None)

    def rename(connection: Connection, name: str) -> None:
        connection.execute(update(players).where(players.c.id == "ben").values(name=name))

    for name, is_stored in (("first", True), ("late", False)):
        after = game.after(event)
        assert await play.log.append(game, [event], after, partial(rename, name=name)) is is_stored
        assert await database.read(partial(find_player_name, player_id="ben")) == "first"


async def test_a_version_from_the_future_is_stale_too(play: GameService) -> None:
    game = await play.start("anna", "bristol", CODE)
    assert (await play.act(game.id, "anna", 7, "deal")).result is ActionResult.STALE


async def test_exactly_one_of_many_simultaneous_clicks_wins(database: Database) -> None:
    processes = [GameService(database) for _ in range(4)]
    game = await processes[0].start("anna", "bristol", CODE)
    for version in range(5):
        outcomes = await asyncio.gather(
            *(play.act(game.id, "anna", version, "deal") for play in processes for _ in range(5))
        )
        results = [outcome.result for outcome in outcomes]
        assert results.count(ActionResult.ACCEPTED) == 1
        assert results.count(ActionResult.STALE) == len(results) - 1
        assert {outcome.game.version for outcome in outcomes} == {version + 1}


async def test_the_same_key_moves_nothing_twice_and_answers_alike(database: Database) -> None:
    play, other = GameService(database), GameService(database)
    game = await play.start("anna", "bristol", CODE)
    first = await play.act(game.id, "anna", 0, "deal", "key")
    await play.act(game.id, "anna", 1, "deal")
    for service in (play, other):
        again = await service.act(game.id, "anna", 0, "deal", "key")
        assert again.result is ActionResult.ACCEPTED
        assert state_of(again.game) == state_of(first.game)
        assert again.before is not None
        assert first.before is not None
        assert state_of(again.before) == state_of(first.before)
    assert (await play.log.load(game.id)).version == 2


async def test_one_idempotency_key_sent_many_times_moves_once(database: Database) -> None:
    processes = [GameService(database) for _ in range(3)]
    game = await processes[0].start("anna", "bristol", CODE)
    outcomes = await asyncio.gather(
        *(play.act(game.id, "anna", 0, "deal", "key") for play in processes for _ in range(5))
    )
    assert {outcome.result for outcome in outcomes} == {ActionResult.ACCEPTED}
    states = [state_of(outcome.game) for outcome in outcomes]
    assert all(state == states[0] for state in states)
    assert (await processes[0].log.load(game.id)).version == 1


@pytest.mark.parametrize("key", ["", "x" * 201])
async def test_a_key_has_a_sensible_length(play: GameService, key: str) -> None:
    game = await play.start("anna", "bristol", CODE)
    with pytest.raises(MalformedError):
        await play.act(game.id, "anna", 0, "deal", key)


async def test_a_refused_move_changes_nothing_and_names_the_rule(play: GameService) -> None:
    game = await play.start("anna", "bristol", CODE)
    outcome = await play.act(game.id, "anna", 0, "t1-t1")
    assert outcome.result is ActionResult.REFUSED
    assert outcome.refusal
    assert outcome.refusal.rule is Rule.SAME_PILE
    assert (await play.log.load(game.id)).version == 0


async def test_undo_at_the_start_is_refused_with_a_sentence(play: GameService) -> None:
    game = await play.start("anna", "bristol", CODE)
    outcome = await play.act(game.id, "anna", 0, "undo")
    assert (outcome.result, outcome.sentence) == (
        ActionResult.IMPOSSIBLE,
        "There is nothing to undo.",
    )


async def test_only_the_owner_plays(play: GameService) -> None:
    game = await play.start("anna", "bristol", CODE)
    with pytest.raises(NotYourGameError):
        await play.act(game.id, "ben", 0, "deal")


@pytest.mark.parametrize(
    "text", ["", "t1", "t1-t2-t3", "deal!", "t1-t2:0", "t99-f1", "T1-F1", "\u202edeal"]
)
async def test_unreadable_moves_are_malformed_at_any_version(play: GameService, text: str) -> None:
    game = await play.start("anna", "bristol", CODE)
    for version in (0, 5):
        with pytest.raises(MalformedError):
            await play.act(game.id, "anna", version, text)


async def test_a_resigned_game_takes_no_more_actions(play: GameService) -> None:
    game = await play.start("anna", "bristol", CODE)
    game = (await play.act(game.id, "anna", 0, "resign")).game
    assert game.status is Status.RESIGNED
    for action in ("deal", "undo", "resign"):
        assert (await play.act(game.id, "anna", 1, action)).result is ActionResult.OVER
    assert (await play.act(game.id, "anna", 0, "deal")).result is ActionResult.STALE


async def test_a_lost_game_takes_no_move_but_can_be_undone(play: GameService) -> None:
    # Dealing out the whole stock of this deal without playing a card leaves nothing legal.
    game = await lose(play)
    assert game.status is Status.LOST
    outcome = await play.act(game.id, "anna", game.version, "t1-t2")
    assert outcome.result is ActionResult.OVER
    undone = await play.act(game.id, "anna", game.version, "undo")
    assert undone.result is ActionResult.ACCEPTED
    assert undone.game.status is Status.PLAYING


async def lose(play: GameService) -> Game:
    for seed in range(50):
        game = await play.start("anna", "bristol", None)
        for version in range(9):
            game = (await play.act(game.id, "anna", version, "deal")).game
        game = await walk_without_turns(play, game, seed)
        if game.status is Status.LOST:
            return game
    raise AssertionError("fifty games in a row were not lost")


async def walk_without_turns(play: GameService, game: Game, seed: int) -> Game:
    chance = random.Random(seed)
    for _ in range(60):
        actions = [str(action) for action in legal_actions(game.rules, game.position)]
        if not actions:
            break
        game = (await play.act(game.id, "anna", game.version, chance.choice(actions))).game
    return game


async def test_unknown_things_are_not_found(play: GameService) -> None:
    with pytest.raises(RulesetNotFoundError):
        await play.start("anna", "whist", None)
    with pytest.raises(DealNotFoundError):
        await play.start("anna", "bristol", "no such code")
    with pytest.raises(GameNotFoundError):
        await play.log.load("nowhere")
    with pytest.raises(GameNotFoundError):
        await play.act("nowhere", "anna", 0, "deal")


async def test_wood_is_another_name_of_blondes_and_brunettes(play: GameService) -> None:
    assert (await play.start("anna", "Wood", None)).rules.id == "blondes-and-brunettes"


async def test_a_version_is_announced_after_it_is_durable(database: Database) -> None:
    heard: list[tuple[str, int, int]] = []

    def announce(game_id: str, version: int) -> None:
        with database.engine.connect() as connection:
            row = find_game(connection, game_id)
            assert row
            heard.append((game_id, version, len(read_log(connection, row))))

    play = GameService(database, announce)
    game = await play.start("anna", "bristol", CODE)
    await play.act(game.id, "anna", 0, "deal")
    await play.act(game.id, "anna", 0, "deal")  # stale: nothing to tell
    assert heard == [(game.id, 1, 1)]


async def test_a_response_is_prepared_while_the_action_is_stored(database: Database) -> None:
    """It is about the very outcome that follows. Without a writer thread, on PostgreSQL, nothing is prepared."""
    play = GameService(database)
    game = await play.start("anna", "bristol", CODE)
    seen: list[ActionOutcome] = []
    first = await play.act(game.id, "anna", 0, "deal", meanwhile=seen.append)
    assert [outcome.game for outcome in seen] == ([first.game] if database.is_sqlite else [])
    seen.clear()
    late = await play.act(game.id, "anna", 0, "deal", meanwhile=seen.append)
    refused = await play.act(game.id, "anna", 1, "t1-t1", meanwhile=seen.append)
    assert (late.result, refused.result) == (ActionResult.STALE, ActionResult.REFUSED)
    assert seen == []


async def test_a_sealed_deal_has_no_code_and_its_callback_runs(
    play: GameService, database: Database
) -> None:
    noted: list[str] = []
    rules = RULESETS[0]
    game = await play.deal_out(
        "anna", rules, bytes(32), Kind.DAILY, lambda _connection, game: noted.append(game.id)
    )
    assert game.code is None
    assert noted == [game.id]
    assert state_of(await GameService(database).log.load(game.id)) == state_of(game)


async def test_without_what_belongs_to_it_there_is_no_game(
    play: GameService, database: Database
) -> None:
    def refuse(_connection: Connection, _table: Game) -> None:
        raise LookupError("taken")

    with pytest.raises(LookupError, match="taken"):
        await play.deal_out("anna", RULESETS[0], bytes(32), Kind.DAILY, refuse)
    assert await play.log.list_recent("anna", 10) == []


async def test_ranked_play_takes_back_nothing_that_was_shown(play: GameService) -> None:
    game = await play.deal_out("anna", RULESETS[0], bytes(32), Kind.DAILY)
    home = next(a for a in legal_actions(game.rules, game.position) if str(a) != "deal")
    game = (await play.act(game.id, "anna", 0, str(home))).game
    game = (await play.act(game.id, "anna", 1, "undo")).game  # every card was in the open
    game = (await play.act(game.id, "anna", 2, "deal")).game
    assert not game.can_undo
    for action in ("undo", "restart"):
        outcome = await play.act(game.id, "anna", 3, action)
        assert outcome.result is ActionResult.IMPOSSIBLE
        assert outcome.sentence.endswith(".")


async def test_the_end_of_a_game_is_booked_once_in_its_own_transaction(database: Database) -> None:
    booked: list[tuple[str, int]] = []

    def book(connection: Connection, game: Game) -> None:
        booked.append((game.status, len(read_log(connection, game))))

    play = GameService(database, on_status_changed=[book])
    game = await play.start("anna", "bristol", CODE)
    await play.act(game.id, "anna", 0, "deal")
    assert booked == []
    await asyncio.gather(*(play.act(game.id, "anna", 1, "resign") for _ in range(5)))
    assert booked == [("resigned", 2)]


async def test_recent_games_come_last_touched_first(database: Database) -> None:
    times = itertools.count(1_000)
    play = GameService(database, clock=lambda: next(times))
    first = await play.start("anna", "bristol", None)
    second = await play.start("anna", "signora", None)
    await play.start("ben", "terrace", None)
    await play.act(first.id, "anna", 0, "deal")
    assert [row.id for row in await play.log.list_recent("anna", 10)] == [first.id, second.id]
    assert len(await play.log.list_recent("anna", 1)) == 1


async def test_unfinished_games_come_a_page_at_a_time(database: Database) -> None:
    times = itertools.count(1_000)
    play = GameService(database, clock=lambda: next(times) // 4)  # some at the same moment
    left = [await play.start("anna", "bristol", None) for _ in range(5)]
    for game in left:
        await play.act(game.id, "anna", 0, "deal")
    daily = await play.deal_out("anna", RULESETS[0], bytes(32), Kind.DAILY)
    await play.start("anna", "bristol", None)  # without a move
    await play.act(left[0].id, "anna", 1, "resign")
    other = await play.start("ben", "bristol", None)
    await play.act(other.id, "ben", 0, "deal")
    rows = await play.log.list_unfinished("anna", None, 10)
    assert {row.id for row in rows} == {daily.id, *(game.id for game in left[1:])}
    assert sorted(rows, key=lambda row: (-row.updated_ms, row.id)) == list(rows)
    paged: list[str] = []
    cursor = None
    while page := await play.log.list_unfinished("anna", cursor, 2):
        paged += [row.id for row in page]
        cursor = ListCursor(page[-1].updated_ms, page[-1].id)
    assert paged == [row.id for row in rows]
