"""How a database would run the queries of some code."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from sqlalchemy import Connection, event

from app.db.engine import Database


async def plans_of(
    database: Database, run: Callable[[], Awaitable[object]], table: str
) -> list[str]:
    """The plans of the queries on ``table`` that are run, in order."""
    found: list[tuple[str, Any]] = []

    def note(_connection: object, _cursor: object, query: str, values: Any, *_: object) -> None:
        if f"FROM {table}" in query and query.startswith("SELECT"):
            found.append((query, values))

    def explain(connection: Connection) -> list[str]:
        return [_plan(connection, query, values) for query, values in found]

    event.listen(database.engine, "before_cursor_execute", note)
    try:
        await run()
    finally:
        event.remove(database.engine, "before_cursor_execute", note)
    return await database.read(explain)


def _plan(connection: Connection, query: str, values: Any) -> str:
    if connection.dialect.name == "sqlite":
        rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}", values)
        return " ".join(row.detail for row in rows)
    # The tables are so small that reading all of them is less work.
    connection.exec_driver_sql("SET enable_seqscan = off")
    return " ".join(connection.exec_driver_sql(f"EXPLAIN {query}", values).scalars())
