"""Foresight is measured of the best confirmed attempts of closed days: never before, each once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import cast

import pytest
from sqlalchemy import Connection, select, update

from app.analysis import foresights, tasks
from app.analysis.day_foresight import DayForesight
from app.daily.model import closes_ms, settled_ms
from app.db.engine import Database
from app.db.schema import daily_attempts
from app.db.schema import foresights as foresight_rows
from app.errors import UnavailableError
from app.games.archived import ArchivedError
from app.games.lookup import UnknownRevisionError
from app.jobs.queue import Failure, JobFailedError
from app.jobs.service import Jobs
from app.solver.foresight import Foresight, JudgedTurn, measure
from tests.analysis.sample_games import close_day, refuse_to_load
from tests.support.dailies import DAY, HOUR, DailyServer
from tests.support.plans import plans_of

pytestmark = pytest.mark.anyio

FOUND = Foresight((JudgedTurn(3, agrees=True, expected=0.2, orders=25),))


@dataclass
class FakeJobs:
    """A worker that knows the answer, does the work, or fails."""

    is_real: bool = False
    fails: bool = False
    failure: Failure | None = Failure.TOO_LONG

    async def run(self, work: Callable[[], str], *, seconds: float) -> str:
        assert seconds
        if self.fails:
            raise JobFailedError(self.failure)
        return work() if self.is_real else str(FOUND)


def measuring(server: DailyServer, jobs: FakeJobs) -> DayForesight:
    return DayForesight(server.database, server.games.log, cast("Jobs", jobs), server.clock)


async def measured(database: Database) -> dict[str, str | None]:
    """The choices of the measured attempts, by the players."""
    query = select(daily_attempts.c.player_id, foresight_rows.c.choices).join_from(
        foresight_rows, daily_attempts
    )
    return await database.read(lambda connection: dict(map(tuple, connection.execute(query))))


async def test_nothing_is_measured_before_the_day_is_closed(server: DailyServer):
    for now in (server.clock.now, closes_ms(DAY), settled_ms(DAY)):
        server.clock.now = now
        assert not await measuring(server, FakeJobs()).run()

    def note(connection: Connection) -> None:  # even if it is tried
        for game_id in list(connection.scalars(select(daily_attempts.c.game_id))):
            foresights.note(connection, game_id, FOUND, 0)

    await server.database.write(note)
    assert await measured(server.database) == {}


async def test_the_best_solved_attempts_are_measured_once_each(
    server: DailyServer, monkeypatch: pytest.MonkeyPatch
):
    await close_day(server)
    monkeypatch.setattr(foresights, "BEST", 1)
    assert await measuring(server, FakeJobs()).run()
    assert await measured(server.database) == {"anna": str(FOUND)}
    assert not await measuring(server, FakeJobs()).run()
    monkeypatch.setattr(foresights, "BEST", 10)
    assert await measuring(server, FakeJobs()).run()
    assert not await measuring(server, FakeJobs()).run()
    assert set(await measured(server.database)) == {"anna", "ben"}


async def test_once_nothing_is_left_attempts_are_ranked_again_after_an_hour_or_another_day(
    server: DailyServer,
):
    await close_day(server)
    background = measuring(server, FakeJobs())
    while await background.run():
        pass
    assert await plans_of(server.database, background.run, "daily_attempts") == []
    server.clock.advance(HOUR)
    assert len(await plans_of(server.database, background.run, "daily_attempts")) == 1
    assert await plans_of(server.database, background.run, "daily_attempts") == []
    next_day = DAY + timedelta(days=1)
    await server.deal_winnable(next_day)
    server.clock.now = settled_ms(DAY)
    await server.solve("anna")
    server.clock.now = settled_ms(next_day)
    assert not await background.run()  # the day waits to be closed
    await server.closing.close(next_day)
    assert await background.run()
    assert not await background.run()


async def test_unconfirmed_attempts_are_left_out(server: DailyServer):
    doubted = update(daily_attempts).where(daily_attempts.c.player_id == "anna")
    await server.database.write(
        lambda connection: connection.execute(doubted.values(unconfirmed="guest"))
    )
    await close_day(server)
    while await measuring(server, FakeJobs()).run():
        pass
    assert set(await measured(server.database)) == {"ben"}


async def test_an_attempt_that_cannot_be_measured_is_not_tried_again(server: DailyServer):
    await close_day(server)
    assert not await measuring(server, FakeJobs(fails=True, failure=None)).run()
    assert await measured(server.database) == {}
    assert await measuring(server, FakeJobs(fails=True)).run()
    assert await measuring(server, FakeJobs()).run()
    assert await measured(server.database) == {"anna": None, "ben": str(FOUND)}


@pytest.mark.parametrize("error", [ArchivedError(), UnknownRevisionError(), ValueError()])
async def test_an_attempt_that_cannot_be_loaded_keeps_no_other_waiting(
    server: DailyServer, monkeypatch: pytest.MonkeyPatch, error: Exception
):
    await close_day(server)
    [best, *_] = await server.list_results(None)
    refuse_to_load(monkeypatch, server.games.log, best.attempt.game_id, error)
    assert await measuring(server, FakeJobs()).run()
    assert await measuring(server, FakeJobs()).run()
    assert await measured(server.database) == {"anna": None, "ben": str(FOUND)}


async def test_nothing_is_noted_while_the_database_is_away(
    server: DailyServer, monkeypatch: pytest.MonkeyPatch
):
    await close_day(server)
    [best, *_] = await server.list_results(None)
    away = UnavailableError("Away.")
    refuse_to_load(monkeypatch, server.games.log, best.attempt.game_id, away)
    with pytest.raises(UnavailableError):
        await measuring(server, FakeJobs()).run()
    assert await measured(server.database) == {}


async def test_an_attempt_that_follows_the_solver_agrees_with_it(
    server: DailyServer, monkeypatch: pytest.MonkeyPatch
):
    # Few orders: without compiled code each takes long.
    monkeypatch.setattr(tasks, "measure", partial(measure, worlds=4))
    await close_day(server)
    assert await measuring(server, FakeJobs(is_real=True)).run()
    text = (await measured(server.database))["anna"]
    found = Foresight.parse(text or "[]")
    assert found.choices
    assert found.z > 1
    assert str(found) == text
    assert all(choice.version < 200 for choice in found.choices)
