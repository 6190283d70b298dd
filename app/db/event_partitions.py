"""The event log on PostgreSQL, in a partition for each month in which games began.

The month is stored with every event, so that numbers and keys are unique within a game. A game keeps its month
forever, so a whole month of games can be taken out and put back. Events of a month without a partition go to
``events_other``. SQLite has one table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from sqlalchemy import Connection, delete, insert, select, text

from app.clock import first_day_of
from app.db.schema import detached_months

TABLE: Final = "events"
_NAME: Final = re.compile(r"events_(\d{4}_\d\d|other)", re.ASCII)
_AHEAD: Final = 3  # months that are made beforehand
_BRIEFLY: Final = "SET LOCAL lock_timeout = '5s'"  # or moves would wait in line behind this
_LIST: Final = text(
    "SELECT child.relname FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid"
    " WHERE inhparent = CAST(:parent AS regclass)"
)


def partition_of(month: int) -> str:
    """The name of the partition of a month, counted from January 1970."""
    return f"{TABLE}_{first_day_of(month):%Y_%m}"


def is_partition(table: str) -> bool:
    """Whether a table is a partition of the event log by its name, whether it is attached or not."""
    return bool(_NAME.fullmatch(table))


def list_detached(connection: Connection) -> set[int]:
    """The months that were taken out of the event log. They are noted, since their tables may be gone."""
    return set(connection.scalars(select(detached_months.c.month)))


def list_partitions(connection: Connection) -> list[str]:
    """The partitions of the event log, by name; none on SQLite."""
    if connection.dialect.name == "sqlite":
        return []
    return sorted(connection.scalars(_LIST, {"parent": TABLE}))


def add_partitions(connection: Connection, months: Iterable[int]) -> None:
    """Make the partitions of some months that have none, and of which no events were stored yet.

    A month whose table was taken out gets no other one: its events go to ``events_other`` if they come back.
    """
    for month in months:
        name = partition_of(month)
        if not connection.scalar(text("SELECT to_regclass(:name)"), {"name": name}):
            connection.exec_driver_sql(
                f"CREATE TABLE {name} PARTITION OF {TABLE} FOR VALUES IN ({month:d})"
            )


def prepare_months(connection: Connection, month: int) -> None:
    """Make the partitions of a month and of the next ones."""
    if connection.dialect.name == "sqlite":
        return
    connection.exec_driver_sql(_BRIEFLY)
    taken = set(connection.scalars(text("SELECT DISTINCT month FROM events_other")))
    add_partitions(connection, [m for m in range(month, month + _AHEAD + 1) if m not in taken])


def detach_month(connection: Connection, month: int, events: int, at_ms: int) -> bool:
    """Take a month out of the event log; its partition stays as a table of its own.

    ``False``, and nothing is changed, if the month does not have this number of events any more.
    """
    name = partition_of(month)
    connection.exec_driver_sql(_BRIEFLY)
    connection.exec_driver_sql(f"LOCK TABLE {name} IN SHARE MODE")
    if connection.scalar(text(f"SELECT count(*) FROM {name}")) != events:  # noqa: S608 - made of a number
        return False
    connection.exec_driver_sql(f"ALTER TABLE {TABLE} DETACH PARTITION {name}")
    # Games of guests who stay away are deleted as before.
    connection.exec_driver_sql(f"ALTER TABLE {name} DROP CONSTRAINT fk_{TABLE}_game_id")
    connection.execute(insert(detached_months), {"month": month, "at_ms": at_ms})
    return True


def attach_month(connection: Connection, month: int) -> None:
    """Put a month that was taken out back into the event log, without the games that were deleted since."""
    name = partition_of(month)
    connection.exec_driver_sql(_BRIEFLY)
    connection.exec_driver_sql(
        f"DELETE FROM {name} WHERE NOT EXISTS (SELECT 1 FROM games WHERE games.id = {name}.game_id)"  # noqa: S608 - made of a number
    )
    # One that was taken out before a release added this column.
    connection.exec_driver_sql(
        f"ALTER TABLE {name} ADD COLUMN IF NOT EXISTS automatic BOOLEAN DEFAULT false NOT NULL"
    )
    connection.exec_driver_sql(
        f"ALTER TABLE {TABLE} ATTACH PARTITION {name} FOR VALUES IN ({month:d})"
    )
    connection.execute(delete(detached_months).where(detached_months.c.month == month))
