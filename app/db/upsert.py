"""Insertions that may meet a row which is there already: each database has its own."""

from __future__ import annotations

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def insertion_into(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """An insertion that knows ``on_conflict_do_update`` and ``excluded``."""
    is_postgres = connection.dialect.name == "postgresql"
    return (postgresql.insert if is_postgres else sqlite.insert)(table)


def insertion_unless_there(
    connection: Connection, table: Table
) -> postgresql.Insert | sqlite.Insert:
    """An insertion that lets a row which is there already be."""
    return insertion_into(connection, table).on_conflict_do_nothing()
