"""Retention: deletes data that is kept for a limited time only."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Select,
    Update,
    delete,
    exists,
    null,
    select,
    update,
)

from app import throttle
from app.clock import DAY_MS, Clock, day_of
from app.db.engine import Database
from app.db.schema import (
    accounts,
    admin_entries,
    daily_attempts,
    refused_actions,
    sessions,
    sightings,
)
from app.identity.recovery import repository as recovery_repository
from app.settings import Settings

_BATCH_SIZE: Final = 500  # rows in one transaction, so that no move waits long


class Retention:
    """Deletes expired rows; safe to run at any time."""

    def __init__(self, database: Database, clock: Clock, settings: Settings) -> None:
        self._database = database
        self._clock = clock
        self._settings = settings

    async def run(self) -> None:
        """Delete everything that has expired."""
        now_ms = self._clock()
        refused_ms = now_ms - self._settings.refused_days * DAY_MS
        unseen_ms = now_ms - self._settings.session_days * DAY_MS
        await self._delete(refused_actions.c.seq, refused_actions.c.at_ms < refused_ms)
        await self._delete(sightings.c.seq, sightings.c.at_ms < refused_ms)
        await self._delete(sessions.c.token_hash, sessions.c.seen_ms < unseen_ms)
        begun_ms = now_ms - self._settings.session_max_days * DAY_MS
        has_name = exists().where(accounts.c.player_id == sessions.c.player_id)
        await self._delete(sessions.c.token_hash, (sessions.c.created_ms < begun_ms) & has_name)
        await self._delete(admin_entries.c.token_hash, admin_entries.c.until_ms <= now_ms)
        await self._database.write(
            partial(recovery_repository.forget_secrets, made_before_ms=now_ms - DAY_MS)
        )
        await self._forget_networks(now_ms - self._settings.address_days * DAY_MS)
        await self._database.write(partial(throttle.delete_expired, now_ms=now_ms))

    async def _forget_networks(self, before_ms: int) -> None:
        """Forget the networks of daily attempts, in batches."""
        a = daily_attempts.c
        is_old = (a.day < day_of(before_ms).isoformat()) & a.network.is_not(None)
        query = select(a.game_id).where(is_old).limit(_BATCH_SIZE)
        while keys := await self._database.read(partial(_find_keys, query=query)):
            forget = update(daily_attempts).where(a.game_id.in_(keys)).values(network=null())
            await self._database.write(partial(_execute, statement=forget))

    async def _delete(self, key: Column[Any], is_expired: ColumnElement[bool]) -> None:
        """Delete rows in batches: found by a read, which blocks no one, and deleted by key."""
        query = select(key).where(is_expired).limit(_BATCH_SIZE)
        while keys := await self._database.read(partial(_find_keys, query=query)):
            await self._database.write(
                partial(_delete_rows, key=key, keys=keys, is_expired=is_expired)
            )
            if len(keys) < _BATCH_SIZE:
                return


def _find_keys(connection: Connection, query: Select[Any]) -> list[Any]:
    return list(connection.scalars(query))


def _execute(connection: Connection, statement: Update) -> None:
    connection.execute(statement)


def _delete_rows(
    connection: Connection, key: Column[Any], keys: list[Any], is_expired: ColumnElement[bool]
) -> None:
    # Checked again: a session may have been used in the meantime.
    connection.execute(delete(key.table).where(key.in_(keys), is_expired))
