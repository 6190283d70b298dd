"""The daily deal for whoever runs the site: close a day, or make the coming ones, without a server."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import date
from typing import TypeVar

from app.clock import now_ms
from app.daily.closing import Closing, Report
from app.daily.days import parse_day
from app.daily.preparing import Preparing
from app.daily.seed_source import ProvenSeeds
from app.db.engine import Database
from app.deals.service import DealStock
from app.errors import MalformedError, UnavailableError
from app.jobs.service import Jobs
from app.settings import Settings

T = TypeVar("T")


def close(settings: Settings, text: str) -> str:
    """Close a day, and tell what was done; raises ``AppError`` when it cannot be closed."""
    day = _read(text)
    report = _with(settings, lambda database: Closing(database, now_ms).close(day))
    return told(report)


def prepare(settings: Settings) -> str:
    """Make and promise the deals of the coming days; raises ``AppError`` when some cannot be proven."""

    async def prepare_all(database: Database) -> int:
        jobs = Jobs(1)
        pool = DealStock(database, jobs, now_ms, settings.proof_seconds)
        seeds = None if settings.unproven_deals else ProvenSeeds(pool)
        try:
            return await Preparing(database, now_ms, seeds).run()
        finally:
            await jobs.close()

    missing = _with(settings, prepare_all)
    if missing:
        raise UnavailableError(
            f"{missing} of the coming deals are missing: they could not be proven winnable in time. Try again."
        )
    return "The deals of today and of the coming days are there."


def told(report: Report) -> str:
    """What closing a day did, in a sentence."""
    if not report.deals:
        return f"{report.day} was closed before."
    removed = f", {report.removed} of them removed" if report.removed else ""
    return f"{report.day} is closed: {report.deals} deals, {report.runs} runs replayed{removed}."


def _with(settings: Settings, work: Callable[[Database], Awaitable[T]]) -> T:
    async def run() -> T:
        database = Database(settings.database_url)
        try:
            return await work(database)
        finally:
            await database.close()

    return asyncio.run(run())


def _read(text: str) -> date:
    try:
        return parse_day(text)
    except ValueError as error:
        raise MalformedError(str(error)) from error
