"""What is forgotten, and when: everything that is kept for a while only."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from sqlalchemy import Column, ColumnElement, Connection, Select, delete, select

from app.clock import DAY_MS
from app.db.engine import Database
from app.db.schema import admin_entries, refused_actions, sessions, sightings
from app.identity import throttle
from app.settings import Settings

_ROWS_AT_ONCE: Final = 500  # nobody who plays waits for more than these


class Retention:
    """A job that may be run at any time and any number of times."""

    def __init__(self, database: Database, clock: Callable[[], int], settings: Settings) -> None:
        """``clock`` gives milliseconds since 1970, UTC."""
        self._database = database
        self._clock = clock
        self._settings = settings

    async def run(self) -> None:
        """Forget what is too old."""
        now_ms = self._clock()
        refused_ms = now_ms - self._settings.refused_days * DAY_MS
        unseen_ms = now_ms - self._settings.session_days * DAY_MS
        await self._forget(refused_actions.c.seq, refused_actions.c.at_ms < refused_ms)
        await self._forget(sightings.c.seq, sightings.c.at_ms < refused_ms)
        await self._forget(sessions.c.token_hash, sessions.c.seen_ms < unseen_ms)
        await self._forget(admin_entries.c.token_hash, admin_entries.c.until_ms <= now_ms)
        await self._database.write(partial(throttle.delete_expired, now_ms=now_ms))

    async def _forget(self, key: Column[Any], is_old: ColumnElement[bool]) -> None:
        """Drop rows, some at a time: found beside the players, dropped by their keys."""
        find = select(key).where(is_old).limit(_ROWS_AT_ONCE)
        while found := await self._database.read(partial(_keys, query=find)):
            await self._database.write(partial(_drop, key=key, found=found, is_old=is_old))
            if len(found) < _ROWS_AT_ONCE:
                return


def _keys(connection: Connection, query: Select[Any]) -> list[Any]:
    return list(connection.scalars(query))


def _drop(
    connection: Connection, key: Column[Any], found: list[Any], is_old: ColumnElement[bool]
) -> None:
    # Once more whether it is old: somebody may have come back meanwhile.
    connection.execute(delete(key.table).where(key.in_(found), is_old))
