"""``fairdeal backup`` and ``fairdeal restore``: the whole database in one file."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Mapping
from pathlib import Path

from app.admin.integrity.verify import print_verification
from app.cli.database import (
    add_database_option,
    database_errors,
    run_with_current_schema,
    run_with_database,
    settings_of,
)
from app.cli.new_file import new_file
from app.clock import now_ms
from app.db.backup import NotEmptyError, back_up
from app.db.backup import restore as restore_database
from app.db.backup_file import BackupError
from app.db.engine import Database
from app.errors import MalformedError, UnavailableError


def add_backup(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a new file; keep it as safe as the database")
    add_database_option(parser)
    parser.set_defaults(run=_backup)


def add_restore(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE")
    parser.add_argument(
        "--replace", action="store_true", help="delete everything in the database first"
    )
    parser.add_argument(
        "--keep-guests",
        action="store_true",
        help="keep guests signed in, because they have no password; everyone else must sign in again",
    )
    parser.add_argument(
        "--unverified", action="store_true", help="do not verify every game afterwards"
    )
    add_database_option(parser)
    parser.set_defaults(run=_restore)


def _backup(args: argparse.Namespace) -> int:
    path = Path(args.file)

    async def run(database: Database) -> Mapping[str, int]:
        with new_file(path) as file:
            return back_up(database, file, now_ms())

    counts = run_with_current_schema(settings_of(args), run)
    print(f"Backup written to {path}: {_describe(counts)}.")
    return 0


def _restore(args: argparse.Namespace) -> int:
    async def run(database: Database) -> int:
        with database_errors(UnavailableError):
            counts = await _read_backup(
                database, Path(args.file), replace=args.replace, keep_guests=args.keep_guests
            )
            print(f"Restored: {_describe(counts)}. Sessions ended: please sign in again.")
            if args.unverified:
                return 0
            return await print_verification(database, None, sys.stdout.write)

    return run_with_database(settings_of(args), run)


async def _read_backup(
    database: Database, path: Path, *, replace: bool, keep_guests: bool
) -> Mapping[str, int]:
    """Restore a backup; raises ``MalformedError`` for a bad file, and for a database that is not empty."""
    try:
        file = await asyncio.to_thread(path.open, "rb")
    except OSError as error:
        raise MalformedError(f"Can't read the file: {error}.") from error
    with file:
        try:
            return await restore_database(database, file, replace=replace, keep_guests=keep_guests)
        except BackupError as error:
            raise MalformedError(f"{error} Nothing was restored.") from error
        except NotEmptyError as error:
            raise MalformedError(
                f"The database isn't empty ({error}). Use --replace to delete everything in it first."
            ) from error


def _describe(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in counts.items() if count)
