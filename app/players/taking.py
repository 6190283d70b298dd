"""Taking a name: looked up first for a kind answer, and decided by the database, where one of several wins."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from app.players.errors import NameTakenError
from app.players.records import find_account
from app.storage.database import Database


def check_free(connection: Connection, key: str, shown: str, but: str | None = None) -> None:
    """Raise ``NameTakenError`` when somebody bears a name, ``but`` perhaps one player."""
    found = find_account(connection, key)
    if found and found.player_id != but:
        raise NameTakenError(_taken(shown))


async def write_name(database: Database, work: Callable[[Connection], None], shown: str) -> None:
    """Do what makes somebody the bearer of a name; raises ``NameTakenError`` when another was faster."""
    try:
        await database.write(work)
    except IntegrityError as error:
        raise NameTakenError(_taken(shown)) from error


def _taken(shown: str) -> str:
    return f"{shown} is taken, or looks too much like a name that is. Please choose another."
