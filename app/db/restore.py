"""Putting a backup back: all of it, in one transaction, or nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, islice
from typing import Any, BinaryIO, Final

from sqlalchemy import Connection, Table, func, literal, select

from app.db import migrate
from app.db.archive import Archive, ArchiveError, TableHead
from app.db.backup import revision_of, tables_of
from app.db.engine import Database

# Postgres remembers every row of a statement until it has checked what the row refers to.
_ROWS_AT_ONCE: Final = 50_000


class NotEmptyError(Exception):
    """There is something in the database that the backup would replace; the message names the tables."""


async def restore(database: Database, file: BinaryIO, *, replace: bool) -> Mapping[str, int]:
    """Put a backup back, and bring the result to the schema of this release; how many rows there are of each table.

    ``replace`` drops what is there first. Raises ``ArchiveError`` and ``NotEmptyError``; then nothing has changed.
    """
    file.seek(0)
    revision = Archive(file).head.revision
    if not migrate.knows(revision):
        raise ArchiveError("The backup was made by a newer release than this one.")
    if await database.read(revision_of) is None:
        migrate.upgrade(database, revision)

    def put_back(connection: Connection) -> Mapping[str, int]:
        file.seek(0)
        return _put_back(connection, Archive(file), replace=replace)

    counts = await database.write(put_back)
    migrate.upgrade(database)
    return counts


def _put_back(connection: Connection, archive: Archive, *, replace: bool) -> Mapping[str, int]:
    present = revision_of(connection)
    if present != archive.head.revision:
        raise ArchiveError(
            f"The backup has schema {archive.head.revision}, the database has {present}. Restore it into "
            "a database without tables: it is then brought up to date."
        )
    tables = {table.name: table for table in tables_of(connection)}
    _keep_others_out(connection, tables)
    filled = [table for table in tables.values() if _has_rows(connection, table)]
    if filled and not replace:
        raise NotEmptyError(", ".join(table.name for table in filled))
    if filled:
        _empty(connection, tables)
    counts: dict[str, int] = {}
    for head, rows in archive.tables():
        table = tables.get(head.name)
        if table is None or set(head.columns) - set(table.columns.keys()):
            raise ArchiveError(f"The database has no table {head.name!r} like that of the backup.")
        counts[head.name] = _fill(connection, head, rows)
        _go_on_counting(connection, table)
    return counts


def _keep_others_out(connection: Connection, tables: Mapping[str, Table]) -> None:
    if connection.dialect.name == "sqlite":
        # The transaction began with the only lock there is. Rows may refer to rows that are still to come.
        connection.exec_driver_sql("PRAGMA defer_foreign_keys=ON")
    else:
        names = ", ".join(_quoted(connection, table) for table in tables)
        connection.exec_driver_sql(f"LOCK TABLE {names} IN ACCESS EXCLUSIVE MODE")


def _has_rows(connection: Connection, table: Table) -> bool:
    found = select(literal(1)).select_from(table).limit(1)
    return connection.execute(found).first() is not None


def _empty(connection: Connection, tables: Mapping[str, Table]) -> None:
    """Drop every row, also from tables that are append-only; their triggers stay."""
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


def _fill(connection: Connection, head: TableHead, rows: Iterator[list[Any]]) -> int:
    """Add rows by the quickest way that each driver has; how many there were."""
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
                    for row in chain([first], islice(source, _ROWS_AT_ONCE)):
                        copy.write_row(row)
    except connection.dialect.loaded_dbapi.Error as error:
        reason = str(error).strip().partition("\n")[0]
        raise ArchiveError(f"The rows of {head.name!r} do not fit: {reason}") from error
    finally:
        cursor.close()
    return count


def _go_on_counting(connection: Connection, table: Table) -> None:
    """Let numbers that the database gives go on behind those that were restored; SQLite does so by itself."""
    if connection.dialect.name == "sqlite":
        return
    for column in table.primary_key:
        sequence = connection.scalar(select(func.pg_get_serial_sequence(table.name, column.name)))
        if sequence:
            last = select(func.coalesce(func.max(column), 0) + 1)
            connection.execute(select(func.setval(sequence, last.scalar_subquery(), False)))  # noqa: FBT003 - not SQLAlchemy's


def _quoted(connection: Connection, name: str) -> str:
    return connection.dialect.identifier_preparer.quote(name)
