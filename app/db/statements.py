"""Statements that SQLAlchemy has no portable form for: prepared once for speed, and upserts."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import cast

from sqlalchemy import Connection, Insert, Table, Update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine.interfaces import Compiled


class PreparedStatement:
    """An INSERT or UPDATE that SQLAlchemy compiles once for each database.

    This saves a third of the cost of a move on SQLite. Values go to the driver unchanged, so the columns must not
    need conversion.
    """

    def __init__(self, statement: Insert | Update) -> None:
        self._statement = statement
        self._compiled: dict[str, tuple[str, list[str] | None]] = {}

    def __call__(self, connection: Connection, values: Mapping[str, object]) -> int:
        """Execute it with a value for each parameter; return the number of rows changed."""
        dialect = connection.dialect
        compiled_text = self._compiled.get(dialect.name)
        if compiled_text is None:
            compiled = self._statement.compile(dialect=dialect)
            compiled_text = (str(compiled), _order(compiled))
            self._compiled[dialect.name] = compiled_text
        text, order = compiled_text
        if order is None:  # the driver takes parameters by name
            return connection.exec_driver_sql(text, dict(values)).rowcount
        return execute(connection, text, tuple([values[name] for name in order]))


def execute(connection: Connection, text: str, values: tuple[object, ...] = ()) -> int:
    """Execute a statement without result rows directly on SQLite's driver; return the number of rows changed."""
    driver = cast("sqlite3.Connection", connection.connection.driver_connection)
    try:
        return driver.execute(text, values).rowcount
    except sqlite3.Error:
        # Nothing was done. Run it again through SQLAlchemy, for the exception that callers expect.
        return connection.exec_driver_sql(text, values).rowcount


def _order(compiled: Compiled) -> list[str] | None:
    order: list[str] | None = getattr(compiled, "positiontup", None)
    return order


def insert_into(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """An INSERT with ``on_conflict_do_update`` and ``excluded``."""
    is_postgres = connection.dialect.name == "postgresql"
    return (postgresql.insert if is_postgres else sqlite.insert)(table)


def insert_or_ignore(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """An INSERT that does nothing if the row exists."""
    return insert_into(connection, table).on_conflict_do_nothing()
