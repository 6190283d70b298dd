"""What the commands that use the database share: their settings, a connection, and errors as sentences."""

from __future__ import annotations

import argparse
import asyncio
import os
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from sqlalchemy.exc import SQLAlchemyError

from app.cli import CommandFailedError, OutputError
from app.db.engine import Database
from app.db.migrate import is_current
from app.errors import MalformedError, UnavailableError, first_line
from app.settings import Settings, SettingsError, load_settings, variable_of
from app.text import sentence_of

T = TypeVar("T")


def add_database_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--database-url`` to a command."""
    parser.add_argument("--database-url", help="sqlite:///path or postgresql://...")


def settings_of(args: argparse.Namespace, *options: str) -> Settings:
    """The settings of the environment, overridden by ``--database-url`` and these options.

    The options go into the environment, where worker processes read them too. Raises ``MalformedError``.
    """
    for option in ("database_url", *options):
        value = getattr(args, option)
        if value is not None:
            os.environ[variable_of(option)] = str(value)
    try:
        return load_settings()
    except SettingsError as error:
        raise MalformedError(sentence_of(error)) from error


@contextmanager
def database_errors(kind: Callable[[str], Exception] = CommandFailedError) -> Iterator[None]:
    """Turn errors of the database as a whole into an error with a sentence."""
    try:
        yield
    except (BrokenPipeError, OutputError):
        raise
    except (SQLAlchemyError, OSError) as error:
        reason = first_line(getattr(error, "orig", None) or error)
        raise kind(f"Can't use the database: {reason}") from error


def run_with_database(settings: Settings, work: Callable[[Database], Awaitable[T]]) -> T:
    """Run asynchronous work on the database; raises ``CommandFailedError`` when that cannot be used."""

    async def run() -> T:
        database = Database(settings.database_url)
        try:
            return await work(database)
        finally:
            await database.close()

    with database_errors():
        return asyncio.run(run())


def run_with_current_schema(settings: Settings, work: Callable[[Database], Awaitable[T]]) -> T:
    """Run asynchronous work on the database; raises ``UnavailableError`` unless its schema is up to date."""

    async def run(database: Database) -> T:
        with database_errors(UnavailableError):
            if not await database.read(is_current):
                raise UnavailableError(
                    "The database isn't up to date. Run `fairdeal migrate` first."
                )
            return await work(database)

    return run_with_database(settings, run)
