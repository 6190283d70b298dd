from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import pytest
from sqlalchemy import delete, event, select, text

from app.admin.integrity.hash_chain import (
    EVENTS_PER_CHECKPOINT,
    CheckpointWriter,
    add_checkpoints,
    missing_checkpoints,
)
from app.db.engine import Database
from app.db.schema import digests, games, origins
from app.db.writer import GroupWriter
from app.games.repository import find_game
from tests.admin.test_verify import report_of, tampered
from tests.sharing.games import acting, played
from tests.support.known import CODE

pytestmark = pytest.mark.anyio


@pytest.fixture
def play(site):
    return site.state.services.games


@pytest.fixture
def checkpoints(site) -> CheckpointWriter:
    made: CheckpointWriter = site.state.services.admin.checkpoints
    return made


@pytest.fixture
async def anna(site):
    player, _ = await site.state.services.sessions.new_guest()
    return player.id


async def versions(site, game_id: str) -> list[int]:
    query = select(digests.c.version).where(digests.c.game_id == game_id)
    found: list[int] = await site.state.services.database.read(
        lambda connection: list(connection.scalars(query.order_by(digests.c.version)))
    )
    return found


async def rounds(play, game, times):
    return await acting(play, game, *(["deal", "undo"] * times))


async def test_an_idle_game_gets_a_checkpoint(site, play, anna, checkpoints):
    game = await acting(play, await play.start(anna, "bristol", CODE), "deal", "deal")
    await checkpoints.write()
    assert await versions(site, game.id) == []
    await checkpoints.write()
    assert await versions(site, game.id) == [2]
    await checkpoints.write()
    game = await acting(play, game, "undo")
    await checkpoints.write()
    await checkpoints.write()
    assert await versions(site, game.id) == [2, 3]
    assert (await report_of(site)).faults == {}


async def test_a_busy_game_gets_a_checkpoint_every_few_dozen_events(site, play, anna, checkpoints):
    game = await play.start(anna, "bristol", CODE)
    for _ in range(5):
        game = await rounds(play, game, EVENTS_PER_CHECKPOINT // 4)
        await checkpoints.write()
    assert await versions(site, game.id) == [3 * EVENTS_PER_CHECKPOINT // 2]
    assert (await report_of(site)).with_checkpoints == 1


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE events SET at_ms = at_ms + 1 WHERE game_id = :g AND seq = 2", "at version 4"),
        ("UPDATE events SET action = 'undo' WHERE game_id = :g AND seq = 3", "at version 4"),
        ("DELETE FROM events WHERE game_id = :g AND seq = 4", "once had 4 events"),
    ],
)
async def test_a_change_in_an_open_game_is_found_even_after_more_moves(
    site, anna, checkpoints, statement, said
):
    play = site.state.services.games
    game = await rounds(play, await play.start(anna, "bristol", CODE), 2)
    other = await rounds(play, await play.start(anna, "bristol", CODE), 2)
    await checkpoints.write()
    await checkpoints.write()
    await tampered(site, statement, g=game.id)
    if "DELETE" in statement:
        await site.state.services.database.write(
            lambda connection: connection.execute(
                text("UPDATE games SET version = 3 WHERE id = :g"), {"g": game.id}
            )
        )
    report = await report_of(site)
    assert list(report.faults) == [game.id]
    assert any(said in fault for fault in report.faults[game.id]), report.faults
    if "DELETE" not in statement:
        await acting(play, game, "deal", "resign")
        assert any(said in fault for fault in (await report_of(site)).faults[game.id])
    await acting(play, other, "resign")
    assert await versions(site, other.id) == [4, 5]
    assert (await report_of(site, other.id)).faults == {}


async def test_the_chain_of_a_fork_covers_its_origin(site, play, anna, checkpoints):
    source = await rounds(play, await play.start(anna, "bristol", CODE), 2)
    source = await acting(play, source, "resign")
    fork = await site.state.services.sharing.fork(anna, source.id, 3)
    fork = await acting(play, fork, "deal")
    await checkpoints.write()
    await checkpoints.write()
    assert await versions(site, fork.id) == [0, fork.version]
    assert (await report_of(site)).faults == {}
    await acting(play, fork, "resign")
    assert (await report_of(site)).faults == {}
    changed = origins.update().values(forked_at=2)
    await site.state.services.database.write(lambda connection: connection.execute(changed))
    came_from = "The origin of the game is not the one in its checkpoint."
    assert (await report_of(site)).faults == {fork.id: [came_from]}
    await site.state.services.database.write(lambda connection: connection.execute(delete(origins)))
    assert (await report_of(site)).faults == {fork.id: [came_from]}


async def test_old_forks_without_a_checkpoint_of_their_origin_verify(site, play, anna):
    source = await rounds(play, await play.start(anna, "bristol", CODE), 2)
    game = await acting(play, source, "resign")
    came = origins.insert().values(game_id=game.id, forked_from=source.id, forked_at=3)
    await site.state.services.database.write(lambda connection: connection.execute(came))
    assert (await report_of(site)).faults == {}


async def test_the_scan_finds_checkpoints_that_a_stopped_process_did_not_write(
    site, play, anna, checkpoints
):
    resting = await rounds(play, await play.start(anna, "bristol", CODE), 1)
    ended = await played(play, anna, "bristol-won")
    busy = await rounds(play, await play.start(anna, "bristol", CODE), 1)
    untouched = await play.start(anna, "bristol", CODE)
    await tampered(site, "SELECT 1")
    await site.state.services.database.write(
        lambda connection: connection.exec_driver_sql(
            "DROP TRIGGER digests_no_delete"
            if site.state.services.database.is_sqlite
            else "DROP TRIGGER digests_no_delete ON digests"
        )
    )
    await site.state.services.database.write(lambda connection: connection.execute(delete(digests)))
    hour_ms = 3_600_000
    another = CheckpointWriter(
        site.state.services.database, lambda: site.state.services.clock() + hour_ms
    )
    later = games.update().where(games.c.id == busy.id).values(updated_ms=2**50)
    await site.state.services.database.write(lambda connection: connection.execute(later))
    await another.scan()
    found = [await versions(site, game.id) for game in (resting, ended, busy, untouched)]
    assert found == [[2], [68], [], []]
    assert (await report_of(site, resting.id, ended.id)).faults == {}


async def test_two_processes_can_write_the_same_checkpoints(site, play, anna):
    database = site.state.services.database
    game = await rounds(play, await play.start(anna, "bristol", CODE), 1)

    def owed(connection):
        row = find_game(connection, game.id)
        assert row
        return missing_checkpoints(connection, row)

    both = [await database.read(owed) for _ in range(2)]
    for one in both:
        await database.write(partial(add_checkpoints, checkpoints=one))
    assert both[0] == both[1]
    assert await versions(site, game.id) == [2]


@contextmanager
def listening(database: Database, statements: list[str]) -> Iterator[None]:
    """Record all SQL statements of writes; on SQLite the driver reports them."""
    if isinstance(database._writer, GroupWriter):
        connection = database._writer._commits._connection
        driver = connection and connection.connection.driver_connection
        assert driver
        driver.set_trace_callback(statements.append)
        yield
        driver.set_trace_callback(None)
        return

    def note(_connection, _cursor, statement, *_rest):
        statements.append(statement)

    event.listen(database.engine, "before_cursor_execute", note)
    yield
    event.remove(database.engine, "before_cursor_execute", note)


async def test_an_ordinary_move_writes_its_event_and_its_game_and_nothing_else(site, play, anna):
    game = await acting(play, await play.start(anna, "bristol", CODE), "deal")
    statements: list[str] = []
    with listening(site.state.services.database, statements):
        await acting(play, game, "undo")
    # On PostgreSQL they are one statement.
    written = re.findall(r"UPDATE \w+|INSERT INTO \w+|DELETE FROM \w+", " ".join(statements))
    assert written == ["UPDATE games", "INSERT INTO events"]
