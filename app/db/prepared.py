"""Statements that are translated once, for where every fraction of a millisecond is waited for."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import cast

from sqlalchemy import Connection, Insert, Update
from sqlalchemy.engine.interfaces import Compiled


class Prepared:
    """An INSERT or UPDATE, sent to the driver as SQLAlchemy would write it for that database.

    What it would look up again for each execution is kept: a third of what a move costs on SQLite. Values
    go to the driver as they are, so columns must need no conversion.
    """

    def __init__(self, statement: Insert | Update) -> None:
        self._statement = statement
        self._translated: dict[str, tuple[str, list[str] | None]] = {}

    def __call__(self, connection: Connection, values: Mapping[str, object]) -> int:
        """Execute it; ``values`` has one for each parameter. Gives the number of rows that it touched."""
        dialect = connection.dialect
        translated = self._translated.get(dialect.name)
        if translated is None:
            compiled = self._statement.compile(dialect=dialect)
            translated = (str(compiled), _order(compiled))
            self._translated[dialect.name] = translated
        text, order = translated
        if order is None:  # the driver takes parameters by name
            return connection.exec_driver_sql(text, dict(values)).rowcount
        return execute(connection, text, tuple([values[name] for name in order]))


def execute(connection: Connection, text: str, values: tuple[object, ...] = ()) -> int:
    """Have SQLite execute a statement without rows, past what SQLAlchemy sets up for each; the rows touched."""
    driver = cast("sqlite3.Connection", connection.connection.driver_connection)
    try:
        return driver.execute(text, values).rowcount
    except sqlite3.Error:
        # Nothing of it was done. What fails is said by SQLAlchemy, in the words that callers know.
        return connection.exec_driver_sql(text, values).rowcount


def _order(compiled: Compiled) -> list[str] | None:
    order: list[str] | None = getattr(compiled, "positiontup", None)
    return order
