"""What the commands for those who look after a site do."""

from __future__ import annotations

import argparse
import asyncio
import getpass
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from app.admin.auth.repository import Role
from app.admin.auth.service import StaffService
from app.admin.game_log.export import ExportFormat, exported
from app.admin.game_log.filters import read_filter
from app.admin.game_log.repository import find_one
from app.admin.integrity.verify import tell_verified
from app.cli import backup as backups
from app.cli.admin_parser import FILTERS
from app.clock import now_ms
from app.db.engine import Database
from app.db.migrate import is_current
from app.errors import GameNotFoundError, MalformedError, UnavailableError
from app.http.formats import date_time
from app.identity.accounts import Accounts
from app.identity.passwords import Passwords
from app.identity.service import PlayerService
from app.settings import Settings

Say = Callable[[str], object]
Work = Callable[[argparse.Namespace, Database, Settings, Say], Coroutine[None, None, int]]


def run(asked: argparse.Namespace, settings: Settings, say: Say) -> int:
    """Do the work that was asked for; answers the exit code. Raises ``AppError``."""
    return asyncio.run(_run(asked, settings, say))


async def _run(asked: argparse.Namespace, settings: Settings, say: Say) -> int:
    database = Database(settings.database_url)
    try:
        if asked.work != "restore" and not await database.read(is_current):
            raise UnavailableError("The database is not up to date: run `fairdeal migrate` first.")
        return await _WORKS[asked.work](asked, database, settings, say)
    except (SQLAlchemyError, OSError) as error:
        reason = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
        raise UnavailableError(f"The database cannot be used: {reason}") from error
    finally:
        await database.close()


async def _create(
    asked: argparse.Namespace, database: Database, settings: Settings, say: Say
) -> int:
    password = _read_password()
    async with _staff_service(database, settings) as staff:
        player = await staff.create_account(asked.name, password, Role(asked.role))
    say(f"{player.name} can log in and is {asked.role}.\n")
    return 0


async def _grant(
    asked: argparse.Namespace, database: Database, settings: Settings, say: Say
) -> int:
    async with _staff_service(database, settings) as staff:
        say(f"{await staff.grant_role(asked.name, Role(asked.role))} is {asked.role}.\n")
    return 0


async def _revoke(
    asked: argparse.Namespace, database: Database, settings: Settings, say: Say
) -> int:
    async with _staff_service(database, settings) as staff:
        say(f"{await staff.revoke_role(asked.name)} has no role any more.\n")
    return 0


async def _list(
    _asked: argparse.Namespace, database: Database, settings: Settings, say: Say
) -> int:
    async with _staff_service(database, settings) as staff:
        for holder in await staff.list_role_grants():
            say(f"{holder.role:<13}  since {date_time(holder.granted_ms)} UTC  {holder.name}\n")
    return 0


async def _export(
    asked: argparse.Namespace, database: Database, _settings: Settings, say: Say
) -> int:
    words = {word: getattr(asked, f"filter_{word}") or "" for word in FILTERS}
    wanted = read_filter({**words, "q": asked.game or words["player"]})
    if asked.game and await database.read(partial(find_one, game_id=asked.game)) is None:
        raise GameNotFoundError(f"There is no game {asked.game!r}.")
    form = ExportFormat(asked.format)
    if asked.output is None:
        async for portion in exported(database, wanted, form):
            say(portion)
        return 0
    try:
        # Nothing else runs in this process: it may wait for the disk.
        file = Path(asked.output).open("w", encoding="utf-8", newline="")  # noqa: ASYNC230, SIM115
    except OSError as error:
        raise MalformedError(f"The file cannot be written: {error}.") from error
    with file:
        async for portion in exported(database, wanted, form):
            file.write(portion)
    return 0


async def _verify(
    asked: argparse.Namespace, database: Database, _settings: Settings, say: Say
) -> int:
    return await tell_verified(database, None if asked.all else asked.games, say)


async def _backup(
    asked: argparse.Namespace, database: Database, _settings: Settings, say: Say
) -> int:
    return backups.backup(database, Path(asked.file), say)


async def _restore(
    asked: argparse.Namespace, database: Database, _settings: Settings, say: Say
) -> int:
    await backups.restore(database, Path(asked.file), say, replace=asked.replace)
    return 0 if asked.unverified else await tell_verified(database, None, say)


_WORKS: Final[Mapping[str, Work]] = {
    "create": _create,
    "grant": _grant,
    "revoke": _revoke,
    "list": _list,
    "export": _export,
    "verify": _verify,
    "backup": _backup,
    "restore": _restore,
}


@asynccontextmanager
async def _staff_service(database: Database, settings: Settings) -> AsyncIterator[StaffService]:
    passwords = Passwords()
    players = PlayerService(database, settings.session_days)
    try:
        yield StaffService(database, players, Accounts(database, players, passwords), now_ms)
    finally:
        passwords.close()


def _read_password() -> str:
    """From a person who does not see it, or the first line of a pipe."""
    if sys.stdin.isatty():
        password = getpass.getpass("Password: ")
        if getpass.getpass("Once more: ") != password:
            raise MalformedError("These were two different passwords.")
        return password
    return sys.stdin.readline().rstrip("\r\n")
