"""Times database queries on SQLite and PostgreSQL, and prints their plans."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

from sqlalchemy import Connection, event, text

from app.db.engine import Database
from app.db.migrate import upgrade
from tests.support.postgres import NoServerError, fresh_database, running_server


class Query(NamedTuple):
    """A query of a page; ``limit`` is for the benchmark that runs it."""

    name: str
    ask: Callable[[Connection], object]
    limit: float = 0.0


def databases(
    fill: Callable[[Connection], None], kinds: Sequence[str] = ("SQLite", "PostgreSQL")
) -> Iterator[tuple[str, Database]]:
    """A filled SQLite database and, if installed, a PostgreSQL one, each with its name."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        urls = {"SQLite": f"sqlite:///{folder / 'queries.db'}"}
        if "PostgreSQL" in kinds:
            try:
                server = stack.enter_context(running_server())
                urls["PostgreSQL"] = stack.enter_context(fresh_database(server))
            except NoServerError as reason:
                print(f"without PostgreSQL: {reason}")
        for kind, url in urls.items():
            if kind not in kinds:
                continue
            database = Database(url)
            upgrade(database)
            with database.engine.begin() as connection:
                _let_go(connection)
                fill(connection)
            database.engine.dispose()
            with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as one:
                one.execute(text("ANALYZE" if database.is_sqlite else "VACUUM ANALYZE"))
            yield kind, database
            database.engine.dispose()


def _let_go(connection: Connection) -> None:
    """Fill without a journal or foreign key checks: a failed fill is simply repeated."""
    if connection.dialect.name != "sqlite":
        connection.exec_driver_sql("SET LOCAL session_replication_role = replica")
        return
    connection.exec_driver_sql("COMMIT")
    for pragma in ("journal_mode=OFF", "synchronous=OFF", "foreign_keys=OFF", "cache_size=-300000"):
        connection.exec_driver_sql(f"PRAGMA {pragma}")
    connection.exec_driver_sql("BEGIN")


def median_ms(database: Database, query: Query, rounds: int) -> float:
    """The median time of a query in milliseconds."""
    times = []
    with database.engine.connect() as connection:
        for _ in range(rounds):
            begun = perf_counter()
            query.ask(connection)
            times.append((perf_counter() - begun) * 1000)
    return median(times)


def explain(kind: str, database: Database, queries: Iterable[Query], rounds: int) -> None:
    """Print the time of each query and the plan of each of its statements."""
    for query in queries:
        print(f"\n== {query.name}, {kind}: {median_ms(database, query, rounds):.1f} ms")
        for statement, parameters in _statements(database, query):
            print("  --", " ".join(statement.split())[-160:])
            for line in _plan(database, statement, parameters):
                print("    ", line)


def _statements(database: Database, query: Query) -> list[tuple[str, object]]:
    seen: list[tuple[str, object]] = []

    def note(
        _connection: object, _cursor: object, statement: str, parameters: object, *_rest: object
    ) -> None:
        if statement.startswith("SELECT"):
            seen.append((statement, parameters))

    event.listen(database.engine, "before_cursor_execute", note)
    with database.engine.connect() as connection:
        query.ask(connection)
    event.remove(database.engine, "before_cursor_execute", note)
    return seen


def _plan(database: Database, statement: str, parameters: object) -> list[str]:
    word = (
        "EXPLAIN QUERY PLAN" if database.is_sqlite else "EXPLAIN (ANALYZE, COSTS OFF, SUMMARY OFF)"
    )
    with database.engine.connect() as connection:
        rows = connection.exec_driver_sql(f"{word} {statement}", parameters)  # type: ignore[arg-type]
        return [str(row[-1]) for row in rows]
