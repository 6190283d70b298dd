"""Leases: work that any process may do and only one does, until it is done or its time runs out."""

from __future__ import annotations

from sqlalchemy import Connection
from sqlalchemy.dialects import postgresql, sqlite

from app.db.schema import leases


def take(connection: Connection, name: str, holder: str, now_ms: int, until_ms: int) -> bool:
    """Take or prolong a lease; ``False`` while somebody else holds it."""
    postgres = connection.dialect.name == "postgresql"
    insertion = (postgresql.insert if postgres else sqlite.insert)(leases)
    free = (leases.c.until_ms <= now_ms) | (leases.c.holder == holder)
    taken = insertion.values(name=name, holder=holder, until_ms=until_ms).on_conflict_do_update(
        index_elements=["name"], set_={"holder": holder, "until_ms": until_ms}, where=free
    )
    return connection.execute(taken.returning(leases.c.name)).first() is not None


def drop(connection: Connection, name: str, holder: str) -> None:
    """Let somebody else have a lease at once."""
    connection.execute(leases.delete().where(leases.c.name == name, leases.c.holder == holder))
