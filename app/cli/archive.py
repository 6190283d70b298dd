"""``fairdeal archive``: the event log of a month, written to a file and taken out of the database."""

from __future__ import annotations

import argparse
import gzip
import re
import sys
from datetime import date
from functools import partial
from pathlib import Path
from typing import Final

from sqlalchemy import Connection

from app.admin.integrity import month_archive
from app.admin.integrity.month_archive import ArchiveReport
from app.admin.integrity.verify import print_report
from app.cli import CommandFailedError
from app.cli.database import add_database_option, run_with_current_schema, settings_of
from app.cli.new_file import new_file
from app.cli.unsettled_month import find_unsettled
from app.clock import day_begins_ms, month_of, now_ms
from app.db.engine import Database
from app.db.event_partitions import (
    attach_month,
    detach_month,
    list_detached,
    list_partitions,
    partition_of,
)
from app.errors import MalformedError
from app.text import sentence_of

_MONTH: Final = re.compile(r"[1-9]\d{3}-(0[1-9]|1[0-2])", re.ASCII)


def add_archive(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("month", metavar="YYYY-MM", help="the month in which the games began (UTC)")
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--output", metavar="FILE", help="a new file, such as 2026-11.jsonl.gz")
    which.add_argument("--check", metavar="FILE", help="compare an archive with the database")
    which.add_argument(
        "--put-back", action="store_true", help="put the month back, if its table is still there"
    )
    parser.add_argument(
        "--also-in-play", action="store_true", help="even if games of the month are still in play"
    )
    add_database_option(parser)
    parser.set_defaults(run=_archive)


def _archive(args: argparse.Namespace) -> int:
    if not _MONTH.fullmatch(args.month):
        raise MalformedError(f"{args.month!r} is no month. Write it as 2026-11.")
    month = month_of(day_begins_ms(date.fromisoformat(f"{args.month}-01")))

    async def run(database: Database) -> int:
        if args.check:
            return await _check(database, month, Path(args.check))
        if database.is_sqlite:
            raise MalformedError("Only PostgreSQL keeps the event log by months.")
        if args.put_back:
            return await _put_back(database, month)
        return await _take_out(
            database, month, Path(args.output), even_in_play=bool(args.also_in_play)
        )

    return run_with_current_schema(settings_of(args), run)


async def _take_out(database: Database, month: int, path: Path, *, even_in_play: bool) -> int:
    if month >= month_of(now_ms()):
        raise MalformedError("This month is not over yet.")
    if partition_of(month) not in await database.read(list_partitions):
        raise MalformedError("The database has no partition for this month.")
    unsettled = partial(find_unsettled, month=month, now_ms=now_ms())
    if why := await database.read(unsettled):
        raise CommandFailedError(why)
    playing = await month_archive.count_playing(database, month)
    if playing and not even_in_play:
        raise CommandFailedError(
            f"{playing} games of this month are still in play, and could not be played on. "
            "Add --also-in-play to archive them."
        )
    with new_file(path) as raw:
        with gzip.open(raw, "wt", encoding="utf-8") as file:
            report = await month_archive.write_archive(database, month, file)
        if print_report(report, sys.stdout.write):
            raise CommandFailedError("The month stays in the database, because games of it differ.")

    def detach(connection: Connection) -> bool:
        return detach_month(connection, month, report.events, now_ms())

    if not await database.write(detach):
        raise CommandFailedError(
            "Games of this month were played or deleted meanwhile. Delete the file, and try again."
        )
    print(
        f"The month is in {path}, and its table {partition_of(month)} is no part of the event log any more. "
        "Check the file, then drop the table."
    )
    return 0


async def _put_back(database: Database, month: int) -> int:
    if month not in await database.read(list_detached):
        raise MalformedError("This month was not taken out.")
    await database.write(lambda connection: attach_month(connection, month))
    print(f"The table {partition_of(month)} is part of the event log again.")
    return 0


async def _check(database: Database, month: int, path: Path) -> int:
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            report: ArchiveReport = await month_archive.verify_archive(database, file)
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise MalformedError(f"Can't read the file: {error}.") from error
    except month_archive.ArchiveError as error:
        raise MalformedError(sentence_of(error)) from error
    if report.month != month:
        raise MalformedError("This is the archive of another month.")
    if report.gone:
        print(f"{report.gone} games are in no database any more: guests who stay away are deleted.")
    return print_report(report, sys.stdout.write)
