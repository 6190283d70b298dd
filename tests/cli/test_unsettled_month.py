"""A month is archived only when nothing of it is still to be closed, judged or reviewed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import pytest

from app.cli.unsettled_month import find_unsettled
from app.clock import DAY_MS, day_begins_ms, month_of
from app.daily.closing import DayClosing
from app.daily.model import settled_ms
from app.daily.verification import AttemptToVerify, Verification
from app.db.engine import Database
from app.jobs.queue import Failure, JobFailedError
from tests.support.dailies import DAY, MINUTE, DailyServer
from tests.support.races import RaceServer

pytestmark = pytest.mark.anyio

MARCH = month_of(day_begins_ms(DAY))
LATER = day_begins_ms(date(2026, 4, 8))


async def why_not(database: Database, now_ms: int = LATER, month: int = MARCH) -> str:
    found = await database.read(lambda connection: find_unsettled(connection, month, now_ms))
    return found or ""


async def test_the_first_week_is_for_reviews(database: Database):
    assert "from 2026-04-08 on" in await why_not(database, LATER - 1)
    assert await why_not(database) == ""


async def test_days_are_closed_and_attempts_judged_first(database: Database):
    daily = DailyServer(database)
    await daily.add_players("anna")
    await daily.deal_winnable()
    await daily.solve("anna")
    assert "2026-03-10 of this month is not closed" in await why_not(database)
    assert await why_not(database, month=MARCH - 1) == ""

    async def never(_attempts: Sequence[AttemptToVerify]) -> list[Verification]:
        raise JobFailedError(Failure.TOO_LONG)

    daily.clock.now = settled_ms(DAY)
    await DayClosing(database, daily.clock, never).close(DAY)
    assert "2026-03-10 are not judged" in await why_not(database)
    await daily.closing.judge_set_aside(DAY)
    assert await why_not(database) == ""


async def test_races_have_ended_a_week_ago(database: Database):
    server = RaceServer(database)
    await server.add_players("anna", "ben")
    server.clock.now = day_begins_ms(date(2026, 4, 1)) - MINUTE  # its time is up in April
    code = await server.race("anna", "ben")
    assert (
        await why_not(database) == f"The race {code}, with games of this month, has not ended yet."
    )
    server.clock.now = LATER
    await server.settle()
    assert "ended less than a week ago" in await why_not(database)
    assert await why_not(database, LATER + DAY_MS) == ""
