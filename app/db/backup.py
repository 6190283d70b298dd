"""Backing up a database that is in use, and restoring it: everything, as of one moment, or nothing.

SQLite and PostgreSQL both give a transaction a snapshot: what was committed before it began is in the backup, what came
later is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from itertools import chain, islice
from typing import Any, BinaryIO, Final

from sqlalchemy import (
    Connection,
    LargeBinary,
    MetaData,
    Table,
    delete,
    false,
    func,
    literal,
    select,
)

from app.clock import DAY_MS, month_of
from app.db import migrate
from app.db.backup_file import BackupError, BackupHeader, BackupReader, BackupWriter, TableHeader
from app.db.engine import Database
from app.db.event_partitions import add_partitions, is_partition
from app.db.schema import games
from app.errors import first_line

# Only valid while processes run or staff are signed in. The header has the revision of Alembic's table.
_NOT_KEPT: Final = frozenset(
    {
        *("alembic_version", "leases", "admin_entries", "live_processes", "presence"),
        "passkey_ceremonies",
    }
)
_ROWS_PER_READ: Final = 500
_ROWS_PER_COPY: Final = 50_000  # PostgreSQL keeps foreign key checks in memory during a statement


def back_up(database: Database, file: BinaryIO, now_ms: int) -> Mapping[str, int]:
    """Write a backup of the database; return the number of rows in each table."""
    engine = database.engine
    if not database.is_sqlite:
        engine = engine.execution_options(isolation_level="REPEATABLE READ")
    with engine.connect() as connection, connection.begin():
        if not database.is_sqlite:
            connection.exec_driver_sql("SET TRANSACTION READ ONLY")
        head = BackupHeader(migrate.current_revision(connection) or "", version("fairdeal"), now_ms)
        writer = BackupWriter(file, head)
        for table in list_tables(connection):
            writer.table(_table_header(table), _read_rows(connection, table))
        return writer.end()


def list_tables(connection: Connection) -> list[Table]:
    """The tables of a backup, as they are in this database, in the order of their foreign keys."""
    found = MetaData()
    found.reflect(connection)
    # The rows of partitions are in the table as a whole, unless their month was archived.
    return [
        table
        for table in found.sorted_tables
        if table.name not in _NOT_KEPT and not is_partition(table.name)
    ]


def _table_header(table: Table) -> TableHeader:
    binary = (column.name for column in table.columns if isinstance(column.type, LargeBinary))
    return TableHeader(table.name, tuple(table.columns.keys()), frozenset(binary))


def _read_rows(connection: Connection, table: Table) -> Iterator[Sequence[Sequence[Any]]]:
    # In the order of the primary key, in which they are also restored fastest.
    query = select(table).order_by(*table.primary_key)
    rows = connection.execution_options(yield_per=_ROWS_PER_READ).execute(query)
    yield from rows.partitions()


class NotEmptyError(Exception):
    """The database is not empty; the message names the tables with rows."""


async def restore(
    database: Database, file: BinaryIO, *, replace: bool, keep_guests: bool = False
) -> Mapping[str, int]:
    """Restore a backup and migrate it to the schema of this release; return the number of rows in each table.

    All sessions end: those that were ended after the backup, such as that of a lost phone, must not come back. With
    ``keep_guests``, guests stay signed in, because they have no other way back to their games.

    ``replace`` deletes all rows first. Raises ``BackupError`` and ``NotEmptyError``; then nothing has changed.
    """
    file.seek(0)
    revision = BackupReader(file).header.revision
    if not migrate.is_known(revision):
        raise BackupError("The backup was made by a newer release than this one.")
    if await database.read(migrate.current_revision) is None:
        migrate.upgrade(database, revision)

    def work(connection: Connection) -> Mapping[str, int]:
        file.seek(0)
        counts = _restore_rows(connection, BackupReader(file), replace=replace)
        return counts | {"sessions": _end_sessions(connection, keep_guests=keep_guests)}

    counts = await database.write(work)
    migrate.upgrade(database)
    return counts


def _end_sessions(connection: Connection, *, keep_guests: bool) -> int:
    """End sessions in a database of any release; return how many are left."""
    found = MetaData()
    found.reflect(connection)
    sessions, accounts = found.tables["sessions"], found.tables.get("accounts")
    ending = delete(sessions)
    if keep_guests:  # the first release had no others
        named = (
            false() if accounts is None else sessions.c.player_id.in_(select(accounts.c.player_id))
        )
        ending = ending.where(named)
    connection.execute(ending)
    return connection.execute(select(func.count()).select_from(sessions)).scalar_one()


def _restore_rows(connection: Connection, backup: BackupReader, *, replace: bool) -> dict[str, int]:
    present = migrate.current_revision(connection)
    if present != backup.header.revision:
        raise BackupError(
            f"The backup has schema {backup.header.revision}, the database has {present}. Restore it into "
            "a database without tables, which is then migrated."
        )
    tables = {table.name: table for table in list_tables(connection)}
    _lock(connection, tables)
    filled = [table for table in tables.values() if _has_rows(connection, table)]
    if filled and not replace:
        raise NotEmptyError(", ".join(table.name for table in filled))
    if filled:
        _delete_rows(connection, tables)
    counts: dict[str, int] = {}
    for head, rows in backup.tables():
        table = tables.get(head.name)
        if table is None or set(head.columns) - set(table.columns.keys()):
            raise BackupError(
                f"The database has no table {head.name!r} with the columns in the backup."
            )
        if head.name == "events" and "month" in table.columns:
            _make_partitions(connection)
        counts[head.name] = _insert_rows(connection, head, rows)
        _advance_sequences(connection, table)
    return counts


def _make_partitions(connection: Connection) -> None:
    """Partitions for the months of the games that were restored."""
    if connection.dialect.name != "sqlite":
        days = connection.scalars(select(games.c.started_ms // DAY_MS).distinct())
        add_partitions(connection, sorted({month_of(int(day) * DAY_MS) for day in days}))


def _lock(connection: Connection, tables: Mapping[str, Table]) -> None:
    if connection.dialect.name == "sqlite":
        # The transaction already holds the only lock. Rows may refer to rows that come later.
        connection.exec_driver_sql("PRAGMA defer_foreign_keys=ON")
    else:
        names = ", ".join(_quoted(connection, table) for table in tables)
        connection.exec_driver_sql(f"LOCK TABLE {names} IN ACCESS EXCLUSIVE MODE")


def _has_rows(connection: Connection, table: Table) -> bool:
    found = select(literal(1)).select_from(table).limit(1)
    return connection.execute(found).first() is not None


def _delete_rows(connection: Connection, tables: Mapping[str, Table]) -> None:
    """Delete every row, in append-only tables too; their triggers are kept."""
    if connection.dialect.name == "sqlite":
        triggers = connection.exec_driver_sql(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        ).all()
        for name, _ in triggers:
            connection.exec_driver_sql(f"DROP TRIGGER {_quoted(connection, name)}")
        connection.exec_driver_sql("DELETE FROM admin_entries")
        for table in reversed([*tables.values()]):
            connection.execute(table.delete())
        for _, statement in triggers:
            connection.exec_driver_sql(statement)
        return
    names = [_quoted(connection, table) for table in tables]
    for name in names:
        connection.exec_driver_sql(f"ALTER TABLE {name} DISABLE TRIGGER USER")
    connection.exec_driver_sql(f"TRUNCATE {', '.join([*names, 'admin_entries'])}")
    for name in names:
        connection.exec_driver_sql(f"ALTER TABLE {name} ENABLE TRIGGER USER")


def _insert_rows(connection: Connection, head: TableHeader, rows: Iterator[list[Any]]) -> int:
    """Add rows in the fastest way that each driver has; return their number."""
    count = 0

    def counted() -> Iterator[list[Any]]:
        nonlocal count
        for row in rows:
            count += 1
            yield row

    table = _quoted(connection, head.name)
    columns = ", ".join(_quoted(connection, name) for name in head.columns)
    cursor = connection.connection.cursor()
    try:
        if connection.dialect.name == "sqlite":
            marks = ", ".join("?" * len(head.columns))
            insertion = f"INSERT INTO {table} ({columns}) VALUES ({marks})"  # noqa: S608 - quoted names
            cursor.executemany(insertion, counted())  # type: ignore[arg-type]  # it takes any iterable
        else:
            source = counted()
            for first in source:
                with cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
                    for row in chain([first], islice(source, _ROWS_PER_COPY)):
                        copy.write_row(row)
    except connection.dialect.loaded_dbapi.Error as error:
        reason = first_line(error)
        raise BackupError(f"The rows of {head.name!r} cannot be restored: {reason}") from error
    finally:
        cursor.close()
    return count


def _advance_sequences(connection: Connection, table: Table) -> None:
    """Let sequences continue after the restored numbers; SQLite does so automatically."""
    if connection.dialect.name == "sqlite":
        return
    for column in table.primary_key:
        sequence = connection.scalar(select(func.pg_get_serial_sequence(table.name, column.name)))
        if sequence:
            last = select(func.coalesce(func.max(column), 0) + 1)
            connection.execute(select(func.setval(sequence, last.scalar_subquery(), False)))  # noqa: FBT003 - not SQLAlchemy's


def _quoted(connection: Connection, name: str) -> str:
    return connection.dialect.identifier_preparer.quote(name)
