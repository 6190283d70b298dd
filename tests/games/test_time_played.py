"""The time of a game: with its breaks where it is compared, without them where it is one's own."""

from __future__ import annotations

from dataclasses import replace
from functools import partial, reduce

import pytest
from sqlalchemy import select, update

from app.db.engine import Database
from app.db.schema import games
from app.engine.history import History
from app.engine.shuffle import Code, deck_of_code, parse_code
from app.games.game_clock import clock_of
from app.games.model import Game, Kind
from app.games.moments import MAX_GAP_MS, GameEvent
from app.games.replay import replay
from app.games.repository import find_game
from app.games.service import GameService
from app.games.view_models import state_view
from app.http.templates import macro
from app.profiles.statistics import TIME_MS
from app.rulesets.bristol import BRISTOL

pytestmark = pytest.mark.anyio

CODE = parse_code("7KQ4M-2XWTP")
START_MS = 1_000_000


def dealt(kind: Kind = Kind.OPEN, code: Code = CODE) -> Game:
    history = History.start(BRISTOL, deck_of_code(code, 1))
    return Game.start(
        game_id="g", history=history, code=code, owner_id="anna", at_ms=START_MS, kind=kind
    )


def log_of(*steps: tuple[str, int]) -> list[GameEvent]:
    """Events, each that many milliseconds after the one before."""
    at_ms, log = START_MS, []
    for action, gap_ms in steps:
        at_ms += gap_ms
        log.append(GameEvent(action, at_ms, "anna", None))
    return log


LOG = log_of(
    ("deal", 5_000),
    ("undo", MAX_GAP_MS),
    ("redo", MAX_GAP_MS + 1),
    ("undo", -9_000),
    ("deal", 10_000),
)
PLAYED = [0, 5_000, 65_000, 65_000, 65_000, 66_000]
"""After each version: the minute counts, the break does not, and a clock set back stands until it has caught up."""


def test_breaks_of_over_a_minute_do_not_count() -> None:
    game = reduce(Game.after, LOG, dealt())
    assert [game.at(version).played_ms for version in range(6)] == PLAYED
    assert game.elapsed_ms == 5_000 + 2 * MAX_GAP_MS + 1 + 1_000


def test_a_replay_counts_as_play_does() -> None:
    game = replay(replay(dealt(), LOG[:2]), LOG[2:])
    assert [game.at(version).played_ms for version in range(6)] == PLAYED
    assert [game.at(version).undos for version in range(6)] == [0, 0, 1, 1, 2, 2]


class TickingClock:
    """Each look at it comes that many milliseconds after the one before."""

    def __init__(self, *gaps: int) -> None:
        self.now, self._gaps = START_MS, [0, *gaps]

    def __call__(self) -> int:
        self.now += self._gaps.pop(0)
        return self.now


async def test_it_is_stored_with_each_action(database: Database) -> None:
    play = GameService(database, clock=TickingClock(5_000, 61_000, 7_000))
    game = await play.start("anna", "bristol", CODE)
    for action, played_ms in (("deal", 5_000), ("undo", 5_000), ("redo", 12_000)):
        game = (await play.act(game.id, "anna", game.version, action)).game
        stored = await database.read(partial(find_game, game_id=game.id))
        assert stored
        assert game.played_ms == stored.played_ms == played_ms
    assert (await GameService(database).log.load(game.id)).played_ms == 12_000


@pytest.mark.parametrize("kind", Kind)
async def test_lists_tell_the_time_that_the_game_tells(database: Database, kind: Kind) -> None:
    play = GameService(database, clock=TickingClock(5_000, 61_000, 7_000))
    game = await play.start("anna", "bristol", str(CODE))
    for action in ("deal", "undo", "redo"):
        game = (await play.act(game.id, "anna", game.version, action)).game
    with database.engine.begin() as connection:
        connection.execute(update(games).values(kind=kind))
        assert connection.scalar(select(TIME_MS)) == replace(game, kind=kind).clock_ms


@pytest.mark.parametrize("kind", [Kind.OPEN, Kind.SHARED])
def test_the_clock_of_an_open_game_stands_in_a_break(kind: Kind) -> None:
    game = reduce(Game.after, LOG[:3], dealt(kind))
    clock = clock_of(game, START_MS + 10 * MAX_GAP_MS)
    assert (clock.ms, clock.text) == (65_000, "1:05")
    assert (clock.runs, clock.can_pause, clock.started_ms) == (False, True, None)


@pytest.mark.parametrize(
    "kind", [Kind.DAILY, Kind.RACE, Kind.CHALLENGE, Kind.RANKED_CHALLENGE], ids=str
)
def test_the_clock_of_what_is_compared_runs_from_the_deal(kind: Kind) -> None:
    game = reduce(Game.after, log_of(("deal", 5_000), ("deal", 130_000)), dealt(kind))
    clock = clock_of(game, START_MS + 3_723_000)
    assert (clock.ms, clock.text) == (3_723_000, "1:02:03")
    assert (clock.runs, clock.can_pause, clock.started_ms) == (True, False, START_MS)
    resigned = game.after(GameEvent("resign", START_MS + 200_000, "anna", None))
    clock = clock_of(resigned, START_MS + 3_723_000)
    assert (clock.ms, clock.text) == (200_000, "3:20")
    assert (clock.runs, clock.started_ms) == (False, None)


def test_undo_is_counted_where_results_are_compared() -> None:
    log = log_of(("deal", 1_000), ("undo", 1_000), ("redo", 1_000))
    ranked = state_view(replay(dealt(Kind.DAILY), log))
    assert (ranked.counted, ranked.undos) == (3, 1)
    status = macro("games/_status.html", "render_status")(ranked)
    assert '3<span class="spared"> moves</span>' in status
    assert '<span class="undos">with 1 undo</span>' in status


@pytest.mark.parametrize("kind", [Kind.OPEN, Kind.SHARED, Kind.CHALLENGE], ids=str)
def test_an_open_game_counts_the_moves_that_led_to_its_position(kind: Kind) -> None:
    log = log_of(*((word, 1_000) for word in ("deal", "deal", "undo", "redo", "undo")))
    counts = [state_view(replay(dealt(kind), log[:n])).counted for n in range(6)]
    assert counts == [0, 1, 2, 1, 2, 1]
    ended = replay(dealt(kind), [*log, *log_of(("restart", 1_000))])
    assert (ended.moves, ended.actions) == (0, 6)
    view = state_view(ended)
    assert view.undos is None
    assert "with" not in macro("games/_status.html", "render_status")(view)


@pytest.mark.parametrize("kind", [Kind.DAILY, Kind.RANKED_CHALLENGE, Kind.RACE], ids=str)
def test_what_is_compared_counts_every_action(kind: Kind) -> None:
    game = replay(dealt(kind), log_of(("deal", 1_000), ("deal", 1_000), ("undo", 1_000)))
    assert game.moves == 3
