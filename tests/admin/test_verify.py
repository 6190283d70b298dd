from __future__ import annotations

import pytest
from sqlalchemy import text

from app.admin.integrity.verify import VerificationReport, verify_games
from tests.sharing.games import acting, golden, played

pytestmark = pytest.mark.anyio


@pytest.fixture
def play(site):
    return site.state.services.games


@pytest.fixture
async def anna(site):
    player, _ = await site.state.services.sessions.new_guest()
    return player.id


async def report_of(site, *ids) -> VerificationReport:
    report = VerificationReport()
    async for grown in verify_games(site.state.services.database, ids or None):
        report = grown
    return report


async def tampered(site, statement: str, **values):
    """Change what is stored, as someone with access to the database could."""
    database = site.state.services.database

    def change(connection):
        if database.is_sqlite:
            connection.exec_driver_sql("DROP TRIGGER events_no_update")
            connection.exec_driver_sql("DROP TRIGGER events_no_delete")
        else:
            connection.exec_driver_sql("DROP TRIGGER events_append_only ON events")
            connection.exec_driver_sql("DROP TRIGGER events_no_delete ON events")
        connection.execute(text(statement), values)

    await database.write(change)


async def test_honest_games_verify(site, play, anna):
    names = ("signora-won", "signora-lost", "rouge-et-noir-won")
    tables = [await played(play, anna, name) for name in names]
    tables.append(await acting(play, await play.start(anna, "bristol", None), "deal", "resign"))
    tables.append(await acting(play, await play.start(anna, "bristol", None), "deal"))
    report = await report_of(site)
    assert report.faults == {}
    assert report.games == 5
    assert report.events == sum(game.version for game in tables)
    assert report.with_checkpoints == 4


async def test_an_undone_loss_has_two_final_checkpoints(site, play, anna):
    game = await played(play, anna, "bristol-lost")
    await acting(play, game, "undo", "redo")
    report = await report_of(site, game.id)
    assert (report.faults, report.with_checkpoints) == ({}, 1)

    def count(connection):
        return connection.scalar(text("SELECT count(*) FROM digests"))

    assert await site.state.services.database.read(count) == 2


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (
            "UPDATE games SET status = 'lost' WHERE id = :g",
            "status is lost, but the log leads to won",
        ),
        ("UPDATE games SET version = version + 1 WHERE id = :g", "the log has 68 events"),
        ("UPDATE games SET updated_ms = 0 WHERE id = :g", "time of the last action"),
        (
            "UPDATE games SET played_ms = played_ms + 7 WHERE id = :g",
            "ms, but the log makes it",
        ),
        (
            "UPDATE games SET moves = moves + 1 WHERE id = :g",
            "moves is 69, but the log makes it 68",
        ),
        ("DELETE FROM events WHERE game_id = :g AND seq = 5", "not numbered from 1 without a gap"),
        ("DELETE FROM events WHERE game_id = :g AND seq = 68", "The log once had 68 events."),
        ("UPDATE events SET action = 'f1-t1' WHERE game_id = :g AND seq = 9", "Event 9, f1-t1"),
        (
            "UPDATE events SET at_ms = at_ms + 1 WHERE game_id = :g AND seq = 9",
            "does not match the checkpoint",
        ),
        (
            "UPDATE events SET automatic = true WHERE game_id = :g AND seq = 9",
            "does not match the checkpoint",
        ),
        ("UPDATE games SET started_ms = 5 WHERE id = :g", "checkpoint at version 68"),
        ("UPDATE games SET revision = 99 WHERE id = :g", "doesn't know revision 99"),
    ],
)
async def test_tampering_is_found(site, play, anna, statement, said):
    game = await played(play, anna, "bristol-won")
    other = await played(play, anna, "bristol-won")
    assert game.version == len(golden("bristol-won").moves) == 68
    await tampered(site, statement, g=game.id)
    report = await report_of(site)
    assert list(report.faults) == [game.id]
    assert any(said in fault for fault in report.faults[game.id]), report.faults
    assert (await report_of(site, other.id)).faults == {}


async def test_missing_games_are_reported(site):
    names = ("nothing", "a\0b", "\udcff")
    report = await report_of(site, *names)
    assert report.faults == {key: ["There is no such game."] for key in names}
