"""What one game may cost: keys and memory, a limit of actions, and longer games from before there was one."""

from __future__ import annotations

import asyncio
import threading
import tracemalloc
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from app.admin.integrity.verify import verify_games
from app.engine.history import History
from app.engine.shuffle import deck_of_code, parse_code
from app.games import event_log
from app.games.event_log import GameCache
from app.games.game_actions import MAX_ACTIONS, MAX_OLD_ACTIONS
from app.games.json_state import state_of
from app.games.model import Game, Status
from app.games.moments import GameEvent
from app.games.outcome import ActionResult
from app.games.replay import replay, replay_checked
from app.games.service import GameService
from app.rulesets import RULESETS
from app.sharing.model import BadRecordError
from app.sharing.repository import add_actions
from app.sharing.service import SharingService
from tests.support.games import going_on
from tests.support.known import CODE
from tests.support.patience import PATIENCE

if TYPE_CHECKING:
    from httpx import AsyncClient

    from app.db.engine import Database

pytestmark = pytest.mark.anyio


@pytest.fixture
def play(database: Database) -> GameService:
    return GameService(database)


def back_and_forth(count: int) -> list[str]:
    """A deal and its undo, again and again."""
    return (["deal", "undo"] * (count // 2 + 1))[:count]


async def add_back_and_forth(database: Database, game: Game, count: int) -> None:
    """Store ``count`` actions of a game that was just dealt."""
    after = going_on(game, back_and_forth(count))
    await database.write(lambda connection: add_actions(connection, after))


async def long_game(database: Database, actions: int, player_id: str = "anna") -> Game:
    """A game with this many actions in its log, which no process has loaded yet."""
    play = GameService(database)
    game = await play.start(player_id, "bristol", CODE)
    await add_back_and_forth(database, game, actions)
    return game


@pytest.fixture
def replayed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many events each replay of the log had."""
    counts: list[int] = []

    def counting(game: Game, events: list[GameEvent]) -> Game:
        counts.append(len(events))
        return replay(game, events)

    monkeypatch.setattr(event_log, "replay", counting)
    return counts


# --- keys and memory


def an_opening() -> Game:
    history = History.start(RULESETS[0], deck_of_code(parse_code(CODE), 1))
    return Game.start(game_id="g", history=history, code=CODE, owner_id="anna", at_ms=0)


def kept_bytes(keyed: int) -> int:
    """The memory that a replayed game of ``keyed`` keyed actions takes."""
    opening = an_opening()
    log = [
        GameEvent(action=action, at_ms=1000 * n, actor_id="anna", key=f"{n:036}")
        for n, action in enumerate(back_and_forth(keyed))
    ]
    *_, warm = replay_checked(opening, log[:10])  # what is made once is not counted
    assert warm.version == 10
    tracemalloc.start()
    try:
        games = [*replay_checked(opening, log)]
        assert games[-1].version == keyed
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


def test_keyed_actions_take_memory_in_proportion() -> None:
    short, long = kept_bytes(200), kept_bytes(2000)
    assert long < 12 * short


async def test_the_cache_counts_what_its_games_take(database: Database) -> None:
    game = await long_game(database, 4000)
    await GameService(database).log.load(game.id)  # what is made once is not counted
    play = GameService(database)
    tracemalloc.start()
    try:
        loaded = await play.log.load(game.id)
        taken = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert loaded.version == 4000
    assert taken < 1024 * 4000
    # At a kilobyte for each event, all games together take at most about 150 MB.
    cache = GameCache()
    for number in range(60):
        cache.put(replace(loaded, id=str(number)))
    kept = sum(cache.get(str(number)) is not None for number in range(60))
    assert 30 <= kept <= 150_000 // 4000


async def test_a_retry_in_a_long_game_is_answered_as_then_without_a_replay(
    database: Database, replayed: list[int]
) -> None:
    game = await long_game(database, MAX_ACTIONS - 100)
    play = GameService(database)
    first = await play.act(game.id, "anna", MAX_ACTIONS - 100, "deal", "key")
    assert replayed == [MAX_ACTIONS - 100]
    for version in range(MAX_ACTIONS - 99, MAX_ACTIONS):
        action = "undo" if version % 2 else "deal"
        assert (await play.act(game.id, "anna", version, action)).result is ActionResult.ACCEPTED
    for version in (MAX_ACTIONS - 100, MAX_ACTIONS, 7):
        again = await play.act(game.id, "anna", version, "deal", "key")
        assert again.result is ActionResult.ACCEPTED
        assert state_of(again.game) == state_of(first.game)
        assert again.before is not None
        assert again.before.version == MAX_ACTIONS - 100
    assert (await play.log.load(game.id)).version == MAX_ACTIONS
    assert replayed == [MAX_ACTIONS - 100]


async def test_a_long_game_is_replayed_in_a_thread(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[bool] = []

    def noting(game: Game, events: list[GameEvent]) -> Game:
        try:
            asyncio.get_running_loop()
            threads.append(False)
        except RuntimeError:
            threads.append(True)
        return replay(game, events)

    monkeypatch.setattr(event_log, "replay", noting)
    for actions in (100, MAX_ACTIONS):
        game = await long_game(database, actions)
        assert (await GameService(database).log.load(game.id)).version == actions
    assert threads == [False, True]


async def test_a_game_from_before_is_opened_while_downloads_run(database: Database) -> None:
    game = await long_game(database, 10)
    may_end = threading.Event()
    downloads = [
        asyncio.create_task(database.read_elsewhere(lambda _: may_end.wait(PATIENCE)))
        for _ in range(20)
    ]
    try:
        await asyncio.sleep(0)
        async with asyncio.timeout(PATIENCE / 2):
            assert (await GameService(database).log.load(game.id)).version == 10
    finally:
        may_end.set()
        await asyncio.gather(*downloads)


# --- the same key at another version


async def test_a_repeated_key_at_the_current_version_moves_nothing(play: GameService) -> None:
    game = await play.start("anna", "bristol", CODE)
    first = await play.act(game.id, "anna", 0, "deal", "key")
    for action in ("deal", "undo", "redo", "t1-t1", "resign"):  # legal, illegal and impossible
        again = await play.act(game.id, "anna", 1, action, "key")
        assert again.result is ActionResult.ACCEPTED
        assert state_of(again.game) == state_of(first.game)
    assert (await play.log.load(game.id)).version == 1


async def test_a_repeated_key_is_answered_after_the_end(play: GameService) -> None:
    game = await play.start("anna", "bristol", CODE)
    first = await play.act(game.id, "anna", 0, "deal", "key")
    await play.act(game.id, "anna", 1, "resign")
    again = await play.act(game.id, "anna", 2, "deal", "key")
    assert state_of(again.game) == state_of(first.game)


async def test_one_key_at_different_versions_at_once_moves_once(database: Database) -> None:
    processes = [GameService(database) for _ in range(3)]
    game = await processes[0].start("anna", "bristol", CODE)
    await processes[0].act(game.id, "anna", 0, "deal")
    outcomes = await asyncio.gather(
        *(
            play.act(game.id, "anna", 1, action, "key")
            for play in processes
            for action in ("deal", "undo")
        )
    )
    assert {outcome.result for outcome in outcomes} == {ActionResult.ACCEPTED}
    assert len({outcome.game.position for outcome in outcomes}) == 1
    assert (await processes[1].log.load(game.id)).version == 2


async def test_the_same_key_counts_in_each_game(play: GameService) -> None:
    for _ in range(2):
        game = await play.start("anna", "bristol", CODE)
        assert (await play.act(game.id, "anna", 0, "deal", "key")).game.version == 1


# --- the limit


async def test_a_game_takes_a_limited_number_of_actions(database: Database) -> None:
    play = GameService(database)
    game = await long_game(database, MAX_ACTIONS - 1)
    outcome = await play.act(game.id, "anna", MAX_ACTIONS - 1, "undo", "last")
    assert outcome.result is ActionResult.ACCEPTED
    for action in ("deal", "undo", "redo", "restart", "t1-f1"):
        outcome = await play.act(game.id, "anna", MAX_ACTIONS, action)
        assert outcome.result is ActionResult.FULL
        assert outcome.sentence == (
            "This game has 5,000 moves, the most a game can have. You can resign it."
        )
    assert (
        await play.act(game.id, "anna", MAX_ACTIONS - 1, "undo", "last")
    ).game.version == MAX_ACTIONS
    resigned = await play.act(game.id, "anna", MAX_ACTIONS, "resign")
    assert resigned.game.status is Status.RESIGNED


async def test_a_longer_game_from_before_goes_on_and_ends(database: Database) -> None:
    game = await long_game(database, MAX_ACTIONS + 200)
    play = GameService(database)
    assert (await play.log.load(game.id)).version == MAX_ACTIONS + 200
    outcome = await play.act(game.id, "anna", MAX_ACTIONS + 200, "deal", "key")
    assert outcome.result is ActionResult.ACCEPTED
    again = await GameService(database).act(game.id, "anna", MAX_ACTIONS + 200, "deal", "key")
    assert state_of(again.game) == state_of(outcome.game)
    assert len(await play.log.events(game.id)) == MAX_ACTIONS + 201
    resigned = await play.act(game.id, "anna", MAX_ACTIONS + 201, "resign")
    assert resigned.game.status is Status.RESIGNED


async def test_a_longer_game_from_before_verifies_and_is_shown(database: Database) -> None:
    game = await long_game(database, MAX_ACTIONS + 200)
    play = GameService(database)
    await play.act(game.id, "anna", MAX_ACTIONS + 200, "resign")
    reports = [report async for report in verify_games(database, [game.id])]
    assert (reports[-1].games, reports[-1].faults) == (1, {})
    sharing = SharingService(database, play)
    finished = await sharing.finished_game(game.id, "anna")
    assert finished.replay.game_at(MAX_ACTIONS + 100).version == MAX_ACTIONS + 100
    record = await sharing.record(game.id, "anna")
    assert f"{MAX_ACTIONS + 201}. resign" in record
    with pytest.raises(BadRecordError, match="at most 5,000 moves"):
        await sharing.import_record("anna", record)


async def test_a_longer_game_from_before_does_not_grow_for_ever(database: Database) -> None:
    game = await long_game(database, MAX_OLD_ACTIONS)
    play = GameService(database)
    assert (await play.act(game.id, "anna", MAX_OLD_ACTIONS, "deal")).result is ActionResult.FULL
    assert (await play.act(game.id, "anna", MAX_OLD_ACTIONS, "resign")).game.is_over


async def test_the_api_says_that_a_game_is_full(visitor: AsyncClient, site) -> None:
    new = await visitor.post("/api/v1/games", json={"ruleset": "bristol", "code": CODE})
    game_id = new.json()["id"]
    database, play = site.state.services.database, site.state.services.games
    game = await play.log.load(game_id)
    await add_back_and_forth(database, game, MAX_ACTIONS)
    move = {"version": MAX_ACTIONS, "move": "deal"}
    answer = await visitor.post(f"/api/v1/games/{game_id}/moves", json=move)
    assert (answer.status_code, answer.json()["code"]) == (409, "too_many_actions")
    assert "5,000 moves" in answer.json()["detail"]
    page = await visitor.post(
        f"/games/{game_id}/move", data={"version": MAX_ACTIONS, "move": "deal"}
    )
    assert page.status_code == 409
    assert "5,000 moves" in page.text
    assert len((await visitor.get(f"/api/v1/games/{game_id}/events")).json()) == MAX_ACTIONS
    resigned = await visitor.post(f"/api/v1/games/{game_id}/resign", json={"version": MAX_ACTIONS})
    assert resigned.json()["status"] == "resigned"
    replay_page = await visitor.get(f"/games/{game_id}/replay?at=4000")
    assert "Moves 3,501 to 4,000 of 5,001." in " ".join(replay_page.text.split())
    assert replay_page.text.count("<li>") == 500
