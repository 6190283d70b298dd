"""Leases: a time-limited right to do work, so that one process does it at a time."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from sqlalchemy import Connection

from app.clock import Clock
from app.db.engine import Database, insert_into
from app.db.schema import leases

T = TypeVar("T")


def acquire(connection: Connection, name: str, holder: str, now_ms: int, until_ms: int) -> bool:
    """Acquire or renew a lease; ``False`` while another process holds it."""
    is_free = (leases.c.until_ms <= now_ms) | (leases.c.holder == holder)
    insertion = insert_into(connection, leases)
    taken = insertion.values(name=name, holder=holder, until_ms=until_ms).on_conflict_do_update(
        index_elements=["name"], set_={"holder": holder, "until_ms": until_ms}, where=is_free
    )
    return connection.execute(taken.returning(leases.c.name)).first() is not None


def release(connection: Connection, name: str, holder: str) -> None:
    """Release a lease before its time is up."""
    connection.execute(leases.delete().where(leases.c.name == name, leases.c.holder == holder))


def new_holder() -> str:
    """A name for a process as the holder of leases."""
    return secrets.token_hex(8)


class LeaseLostError(Exception):
    """The lease of this process ran out, and another process has taken over."""


class Lease:
    """A lease for one holder, which takes it again and again while it works."""

    def __init__(
        self, database: Database, name: str, clock: Clock, lasts_ms: int, holder: str
    ) -> None:
        self._database = database
        self._name = name
        self._clock = clock
        self._lasts_ms = lasts_ms
        self._holder = holder

    def take(self, connection: Connection) -> bool:
        """Acquire or renew it in a transaction; ``False`` while another process holds it."""
        now_ms = self._clock()
        return acquire(connection, self._name, self._holder, now_ms, now_ms + self._lasts_ms)

    async def hold(self) -> bool:
        """As ``take``, in a transaction of its own."""
        return await self._database.write(self.take)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run a transaction that also renews it; raises ``LeaseLostError`` if another process holds it."""

        def write(connection: Connection) -> T:
            if not self.take(connection):
                raise LeaseLostError
            return work(connection)

        return await self._database.write(write)

    async def release(self) -> None:
        """Release it before its time is up."""
        await self._database.write(partial(release, name=self._name, holder=self._holder))
