"""Writing a backup of a database in use: everything as it was at one moment, while others go on writing.

SQLite and Postgres both let a transaction read what was there when it began. What was acknowledged before that is in
the backup, what came later is not, and nothing is half in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import Any, BinaryIO, Final

from alembic.migration import MigrationContext
from sqlalchemy import Connection, LargeBinary, MetaData, Table, select

from app.db.archive import ArchiveWriter, Head, TableHead
from app.db.engine import Database

# What only holds while processes run or doors stand open. Alembic's own table is the revision in the head.
_PASSING: Final = frozenset(
    {"alembic_version", "leases", "admin_entries", "live_processes", "presence"}
)
_ROWS_AT_ONCE: Final = 500


def back_up(database: Database, file: BinaryIO, now_ms: int) -> Mapping[str, int]:
    """Write everything down; how many rows there are of each table."""
    engine = database.engine
    if not database.is_sqlite:
        engine = engine.execution_options(isolation_level="REPEATABLE READ")
    with engine.connect() as connection, connection.begin():
        if not database.is_sqlite:
            connection.exec_driver_sql("SET TRANSACTION READ ONLY")
        head = Head(revision_of(connection) or "", version("fairdeal"), now_ms)
        writer = ArchiveWriter(file, head)
        for table in tables_of(connection):
            writer.table(_head(table), _portions(connection, table))
        return writer.end()


def tables_of(connection: Connection) -> list[Table]:
    """The tables that a backup holds, as they are in this database; a table comes after those that it refers to."""
    found = MetaData()
    found.reflect(connection)
    return [table for table in found.sorted_tables if table.name not in _PASSING]


def revision_of(connection: Connection) -> str | None:
    """The revision of a database's schema; ``None`` when there is none."""
    return MigrationContext.configure(connection).get_current_revision()


def _head(table: Table) -> TableHead:
    binary = (column.name for column in table.columns if isinstance(column.type, LargeBinary))
    return TableHead(table.name, tuple(table.columns.keys()), frozenset(binary))


def _portions(connection: Connection, table: Table) -> Iterator[Sequence[Sequence[Any]]]:
    # In the order of the key, in which it is also quickest to put them back.
    query = select(table).order_by(*table.primary_key)
    rows = connection.execution_options(yield_per=_ROWS_AT_ONCE).execute(query)
    yield from rows.partitions()
