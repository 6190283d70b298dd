"""Taking a name: looked up first for a kind answer, and decided by the database, where one of several wins."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, select
from sqlalchemy.exc import IntegrityError

from app.db.engine import Database
from app.db.schema import withdrawn_names
from app.identity.account_repository import find_account
from app.identity.errors import NameTakenError


def check_free(connection: Connection, key: str, shown: str, but: str | None = None) -> None:
    """Raise ``NameTakenError`` when somebody bears a name, ``but`` perhaps one player."""
    found = find_account(connection, key)
    is_borne = found is not None and found.player_id != but
    if is_borne or is_withdrawn(connection, key):
        raise NameTakenError(_taken(shown))


def is_withdrawn(connection: Connection, key: str) -> bool:
    """Whether a name was taken from its bearer, so that nobody can have it."""
    w = withdrawn_names.c
    return connection.execute(select(w.name_key).where(w.name_key == key)).first() is not None


async def write_name(database: Database, work: Callable[[Connection], None], shown: str) -> None:
    """Do what makes somebody the bearer of a name; raises ``NameTakenError`` when another was faster."""
    try:
        await database.write(work)
    except IntegrityError as error:
        raise NameTakenError(_taken(shown)) from error


def _taken(shown: str) -> str:
    return f"{shown} is taken, or looks too much like a name that is. Please choose another."
