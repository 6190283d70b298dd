"""Questions to a database of each kind: how long an answer takes, and by which plan it is found."""

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


class Question(NamedTuple):
    """Something that a page asks of the database; ``limit`` is for the measurement that asks it."""

    name: str
    ask: Callable[[Connection], object]
    limit: float = 0.0


def databases(
    fill: Callable[[Connection], None], kinds: Sequence[str] = ("SQLite", "Postgres")
) -> Iterator[tuple[str, Database]]:
    """A filled database on SQLite, and one on Postgres where the machine has it, each with its name."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        urls = {"SQLite": f"sqlite:///{folder / 'questions.db'}"}
        if "Postgres" in kinds:
            try:
                server = stack.enter_context(running_server())
                urls["Postgres"] = stack.enter_context(fresh_database(server))
            except NoServerError as reason:
                print(f"without Postgres: {reason}")
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
    """Fill without a journal and without looking up what rows refer to: what goes wrong is simply made again."""
    if connection.dialect.name != "sqlite":
        connection.exec_driver_sql("SET LOCAL session_replication_role = replica")
        return
    connection.exec_driver_sql("COMMIT")
    for pragma in ("journal_mode=OFF", "synchronous=OFF", "foreign_keys=OFF", "cache_size=-300000"):
        connection.exec_driver_sql(f"PRAGMA {pragma}")
    connection.exec_driver_sql("BEGIN")


def median_ms(database: Database, question: Question, rounds: int) -> float:
    """How long an answer takes, in milliseconds."""
    times = []
    with database.engine.connect() as connection:
        for _ in range(rounds):
            begun = perf_counter()
            question.ask(connection)
            times.append((perf_counter() - begun) * 1000)
    return median(times)


def explain(kind: str, database: Database, questions: Iterable[Question], rounds: int) -> None:
    """Print the time of each question and the plan of every statement behind it."""
    for question in questions:
        print(f"\n== {question.name}, {kind}: {median_ms(database, question, rounds):.1f} ms")
        for statement, parameters in _statements(database, question):
            print("  --", " ".join(statement.split())[-160:])
            for line in _plan(database, statement, parameters):
                print("    ", line)


def _statements(database: Database, question: Question) -> list[tuple[str, object]]:
    seen: list[tuple[str, object]] = []

    def note(
        _connection: object, _cursor: object, statement: str, parameters: object, *_rest: object
    ) -> None:
        if statement.startswith("SELECT"):
            seen.append((statement, parameters))

    event.listen(database.engine, "before_cursor_execute", note)
    with database.engine.connect() as connection:
        question.ask(connection)
    event.remove(database.engine, "before_cursor_execute", note)
    return seen


def _plan(database: Database, statement: str, parameters: object) -> list[str]:
    word = (
        "EXPLAIN QUERY PLAN" if database.is_sqlite else "EXPLAIN (ANALYZE, COSTS OFF, SUMMARY OFF)"
    )
    with database.engine.connect() as connection:
        rows = connection.exec_driver_sql(f"{word} {statement}", parameters)  # type: ignore[arg-type]
        return [str(row[-1]) for row in rows]
