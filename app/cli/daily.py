"""``fairdeal daily``: closes a day of the daily deal, or prepares the next deals."""

from __future__ import annotations

import argparse

from app.cli.database import add_database_option, run_with_current_schema, settings_of
from app.clock import now_ms
from app.daily.closing import ClosingReport, DayClosing
from app.daily.model import parse_day
from app.daily.preparing import DealPreparation, ProvenSeeds
from app.db.engine import Database
from app.deals.service import DealStock
from app.errors import MalformedError, UnavailableError
from app.jobs.service import Jobs
from app.text import sentence_of


def add_daily(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    close = actions.add_parser(
        "close",
        help="verify all games of a day without time limits, also those set aside, and publish its results",
    )
    close.add_argument("day", metavar="DATE", help="such as 2026-11-21")
    close.set_defaults(run=_close)
    prepare = actions.add_parser("prepare", help="make the deals of today and the next seven days")
    prepare.set_defaults(run=_prepare)
    for action in (close, prepare):
        add_database_option(action)


def _close(args: argparse.Namespace) -> int:
    settings = settings_of(args)
    try:
        day = parse_day(args.day)
    except ValueError as error:
        raise MalformedError(sentence_of(error)) from error

    async def close(database: Database) -> tuple[ClosingReport, ClosingReport]:
        closing = DayClosing(database, now_ms)
        return await closing.close(day), await closing.judge_set_aside(day)

    report, judged = run_with_current_schema(settings, close)
    if judged.attempts:
        print(
            f"Judged games of {day} that were set aside: {judged.attempts}, removed: {judged.removed}."
        )
        return 0
    if not report.deals:
        print(f"{report.day} is already closed.")
        return 0
    removed = f", removed: {report.removed}" if report.removed else ""
    print(
        f"Closed {report.day}. Deals: {report.deals}, games verified: {report.attempts}{removed}."
    )
    return 0


def _prepare(args: argparse.Namespace) -> int:
    settings = settings_of(args)

    async def prepare(database: Database) -> int:
        jobs = Jobs(1)
        deals = DealStock(database, jobs, now_ms, settings.proof_seconds)
        seeds = None if settings.unproven_deals else ProvenSeeds(deals)
        try:
            return await DealPreparation(database, now_ms, seeds).run()
        finally:
            await jobs.close()

    missing = run_with_current_schema(settings, prepare)
    if missing:
        raise UnavailableError(
            f"{missing} deals are missing: we couldn't prove in time that they can be won. Try again."
        )
    print("All deals of today and the next seven days are ready.")
    return 0
