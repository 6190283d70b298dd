"""Several database servers: the one that accepts writes is used, and an acknowledged move outlives its machine."""

from __future__ import annotations

import asyncio
import time

import psycopg
import pytest
from sqlalchemy.exc import DBAPIError

from app.db.address import driver_address, engine_url
from app.db.engine import Database
from app.db.failures import is_unavailable
from app.games.outcome import ActionOutcome, ActionResult
from app.games.service import GameService
from tests.support.postgres import NoServerError
from tests.support.serving import migrate, welcome
from tests.support.standby import Pair, running_pair

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def pair():
    try:
        with running_pair() as started:
            yield started
    except NoServerError as reason:
        pytest.skip(str(reason))


@pytest.mark.parametrize(
    ("written", "hosts", "ports", "which"),
    [
        ("postgresql://u:p@one:5432,two:5433/d", "one,two", "5432,5433", "read-write"),
        ("postgres://u:p@one,two/d", "one,two", ",", "read-write"),
        ("postgresql://u@one,two/d?target_session_attrs=any", "one,two", ",", "any"),
        ("postgresql://u:p@one:5432/d", "one", "5432", None),
        ("postgresql://u@/d?host=one:1&host=two:2", "one,two", "1,2", "read-write"),
    ],
)
def test_a_url_can_name_several_servers(written, hosts, ports, which):
    found = psycopg.conninfo.conninfo_to_dict(driver_address(engine_url(written)))
    assert (found["host"], found.get("port"), found["dbname"]) == (hosts, ports, "d")
    assert found.get("target_session_attrs") == which


async def test_no_acknowledged_move_is_lost_when_the_primary_is_killed(pair: Pair):
    await migrate(pair.url)
    database = Database(pair.url)
    welcome(database, "anna")
    games = GameService(database)
    game = await games.start("anna", "rouge-et-noir", None)
    await play(games, game.id, 0, 40)
    failing_over = asyncio.create_task(asyncio.to_thread(pair.fail_over))
    await play(games, game.id, 40, 120)
    await failing_over
    await play(games, game.id, 120, 140)
    other = Database(pair.url)
    again = await GameService(other).log.load(game.id)
    assert [moment.event.action for moment in again.moments()] == ["deal", "undo"] * 70
    await other.close()
    await database.close()


async def play(games: GameService, game_id: str, first: int, last: int) -> None:
    """Deal and take back in turns. If the database is not there, send the same action again."""
    for version in range(first, last):
        action = "undo" if version % 2 else "deal"
        outcome = await act(games, game_id, version, action)
        assert outcome.result is ActionResult.ACCEPTED
        assert outcome.game.version == version + 1


async def act(games: GameService, game_id: str, version: int, action: str) -> ActionOutcome:
    deadline = time.monotonic() + 60
    while True:
        try:
            return await games.act(game_id, "anna", version, action, f"key-{version}")
        except DBAPIError as error:
            if not is_unavailable(error) or time.monotonic() > deadline:
                raise
        await asyncio.sleep(0.02)


async def test_a_server_that_became_a_standby_is_left(pair: Pair):
    """Its connections still answer, but it refuses to write: that is retried on a new connection."""
    database = Database(pair.url)
    tried: list[object] = []

    def write_once_allowed(connection):
        tried.append(connection.connection.driver_connection)
        if len(tried) == 1:
            connection.exec_driver_sql("SET TRANSACTION READ ONLY")
        connection.exec_driver_sql("CREATE TABLE IF NOT EXISTS left_behind (n int)")

    await database.write(write_once_allowed)
    assert len(tried) == 2
    assert tried[0] is not tried[1]
    await database.close()
