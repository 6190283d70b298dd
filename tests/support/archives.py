"""A month taken out of the event log on any database, as ``fairdeal archive`` does on PostgreSQL."""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert, select, text

from app.clock import month_of
from app.db.engine import Database
from app.db.schema import detached_months, events


class TakenMonth:
    """The month of a moment; its events can come back."""

    def __init__(self, database: Database, at_ms: int) -> None:
        self._database = database
        self._month = month_of(at_ms)
        self._events: list[dict[str, object]] = []

    async def take_out(self) -> None:
        def take(connection: Connection) -> None:
            taken = events.c.month == self._month
            rows = connection.execute(select(events).where(taken)).mappings()
            self._events = [dict(row) for row in rows]
            assert self._events
            _allow_deletion(connection)
            connection.execute(delete(events).where(taken))
            connection.execute(insert(detached_months), {"month": self._month, "at_ms": 0})

        await self._database.write(take)

    async def put_back(self) -> None:
        def put(connection: Connection) -> None:
            connection.execute(insert(events), self._events)
            connection.execute(delete(detached_months))

        await self._database.write(put)


def _allow_deletion(connection: Connection) -> None:
    """The event log can only be appended to, so drop the triggers, or pause them until the end of the transaction."""
    if connection.dialect.name != "sqlite":
        connection.execute(text("SET LOCAL session_replication_role = replica"))
        return
    query = "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'events'"
    for name in connection.scalars(text(query)).all():
        connection.exec_driver_sql(f"DROP TRIGGER {name}")
