"""Leases: a time-limited right to do work, so that one process does it at a time."""

from __future__ import annotations

from sqlalchemy import Connection

from app.db.engine import insert_into
from app.db.schema import leases


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
