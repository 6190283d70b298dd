"""A page of the explorer of a deal with 10,000 games, compared with replaying 200 of them."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from datetime import date
from functools import partial
from time import process_time

from httpx import AsyncClient, Response
from sqlalchemy import Connection, insert, select, text, update

from app.daily.model import DailyDeal
from app.daily.preparing import new_deal
from app.daily.repository import add_deal, find_deal
from app.db.engine import Database
from app.db.schema import (
    daily_attempts,
    daily_deals,
    explored_days,
    explored_runs,
    explored_steps,
)
from app.engine.actions import parse_action
from app.engine.rules import legal_actions
from app.explorer.lines import DealKey, GameLog, game_hash, position_hash, trace_games
from app.explorer.merging import daily_key
from app.explorer.repository import keep_chances
from app.rulesets.bristol import BRISTOL
from app.settings import Settings
from bench.daily_data import insert_attempts
from bench.delivery import cpu_seconds
from bench.queries import databases
from bench.report import Figure, at_most, side_by_side
from tests.support.dailies import WINNABLE_SEED, winning_moves
from tests.support.serving import started, visiting

GAMES = 10_000
DAY = date(2026, 3, 9)
GAME = BRISTOL
_DEPTHS = (0, 5, 30)
_STAYING = 0.9  # the share of the games that stay on the main line with each action
_REPLAYED = 200
_ROUNDS = 15
_LIMIT = 0.75
_GAMES_AT_ONCE = 500


def run() -> Iterator[Figure]:
    """Measure on SQLite, and on PostgreSQL if it is installed."""
    for kind, database in databases(_fill):
        with asyncio.Runner() as runner:
            yield from _measure(kind, database, runner)


def _measure(kind: str, database: Database, runner: asyncio.Runner) -> Iterator[Figure]:
    url = database.engine.url.render_as_string(hide_password=False)
    line = winning_moves()
    logs = [GameLog(f"r{number}", len(line), line) for number in range(_REPLAYED)]
    replay = partial(trace_games, DealKey(GAME.id, GAME.revision, WINNABLE_SEED), logs)

    async def open_site() -> tuple[AsyncExitStack, AsyncClient]:
        stack = AsyncExitStack()
        app = await stack.enter_async_context(started(Settings(database_url=url, proof_seconds=0)))
        return stack, await stack.enter_async_context(visiting(app))

    stack, client = runner.run(open_site())
    for depth in _DEPTHS:
        path = f"/daily/{DAY}/{GAME.id}/explorer?line={','.join(line[:depth])}"

        def ask(path: str = path) -> Response:
            return runner.run(client.get(path))

        answer = ask()
        assert answer.status_code == 200, answer.text
        ours, replayed = side_by_side([ask, replay], _ROUNDS)
        cpu_ms = _cpu_ms(ask, _backends(database))
        detail = (
            f"{ours / 1000:.1f} ms, of CPU {cpu_ms:.1f} ms, "
            f"{_REPLAYED} games replayed {replayed / 1000:.1f} ms"
        )
        yield at_most(f"a page after {depth} actions, {kind}", ours / replayed, _LIMIT, detail)
    runner.run(stack.aclose())


def _cpu_ms(ask: Callable[[], object], backends: Sequence[int]) -> float:
    """The CPU time of a page in this process and the database, which depends less on how busy the machine is."""

    def used() -> float:
        return process_time() + sum(map(cpu_seconds, backends))

    before = used()
    for _ in range(_ROUNDS):
        ask()
    return 1000 * (used() - before) / _ROUNDS


def _backends(database: Database) -> Sequence[int]:
    """The processes of PostgreSQL that serve the site."""
    if database.is_sqlite:
        return ()
    query = text("SELECT pid FROM pg_stat_activity WHERE datname = current_database()")
    with database.engine.connect() as connection:
        return list(connection.scalars(query))


def _fill(connection: Connection) -> None:
    add_deal(connection, new_deal(GAME, DAY, 0, WINNABLE_SEED))
    insert_attempts(connection, GAME, DAY, GAMES)
    connection.execute(update(daily_deals).values(closed_ms=1, record=""))
    connection.execute(insert(explored_days), {"day": DAY.isoformat(), "ruleset": GAME.id})
    positions, choices = _main_line(find_deal(connection, DAY, GAME.id))
    for position, legal in zip(positions, choices, strict=True):
        keep_chances(connection, position, dict.fromkeys(legal, 0.5))
    game_ids = list(connection.scalars(select(daily_attempts.c.game_id)))
    rows = [{"game_id": one, "run": game_hash(one), "version": 1} for one in game_ids]
    connection.execute(insert(explored_runs), rows)
    chance = random.Random("explorer")  # the same games every time
    for start in range(0, GAMES, _GAMES_AT_ONCE):
        rows = [
            row
            for game_id in game_ids[start : start + _GAMES_AT_ONCE]
            for row in _steps_of(chance, game_hash(game_id), positions, choices)
        ]
        connection.execute(insert(explored_steps), rows)


def _main_line(deal: DailyDeal | None) -> tuple[list[int], list[list[str]]]:
    """The positions on the way to win the deal, and the legal actions of each, the played one first."""
    assert deal
    key, history = daily_key(deal), daily_key(deal).opening()
    positions, choices = [], []
    for word in winning_moves():
        positions.append(position_hash(key.name, history.position))
        others = [str(action) for action in legal_actions(GAME, history.position)]
        choices.append([word, *(other for other in others if other != word)])
        history = history.apply(parse_action(GAME.layout, word))
    return positions, choices


def _steps_of(
    chance: random.Random, game: int, positions: list[int], choices: list[list[str]]
) -> Iterator[dict[str, object]]:
    """A game that leaves the main line somewhere, for positions that no other game reaches."""
    has_left = False
    for position, legal in zip(positions, choices, strict=True):
        here = chance.getrandbits(62) if has_left else position
        action = legal[0]
        if not has_left and chance.random() > _STAYING:
            action, has_left = chance.choice(legal), True
        yield {"position": here, "run": game, "action": action}
