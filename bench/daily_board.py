"""A page of a board with 100,000 runs, beside ranking all of them each time.

``python -m bench.daily_board`` prints the query plans too.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import date
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

from sqlalchemy import Connection, event, text

from app.daily import boards
from app.daily.attempts import Attempt
from app.daily.boards import SolvedAfter, UnsolvedAfter
from app.daily.ranking import Effort
from app.games import GAMES
from app.storage.database import Database
from app.storage.migrate import upgrade
from bench.crowd import gather
from bench.report import Figure, at_most, side_by_side
from tests.postgres import NoServerError, fresh_database, running_server

RUNS = 100_000
DAY = date(2026, 11, 20)
GAME = GAMES[1]
_ROWS = 50
_ROUNDS = 15
_LIMIT = 0.6

_RANK_ALL = text(
    "SELECT game_id, rank() OVER (ORDER BY actions, seconds) AS place FROM daily_attempts WHERE day = :day"
    " AND ruleset = :game AND verdict = 'solved' AND listed ORDER BY place, game_id LIMIT 50 OFFSET 25000"
)


class Question(NamedTuple):
    """Something that a page asks of the database."""

    name: str
    ask: Callable[[Connection], object]
    limit: float = _LIMIT


def run() -> Iterator[Figure]:
    """Measure on SQLite, and on Postgres where the machine has one."""
    for kind, database in _databases():
        for question in _questions(database):
            with database.engine.connect() as connection:
                ours, all_ranked = side_by_side(
                    [partial(question.ask, connection), partial(_rank_all, connection)], _ROUNDS
                )
            detail = f"{ours / 1000:.1f} ms, all ranked {all_ranked / 1000:.1f} ms"
            yield at_most(f"{question.name}, {kind}", ours / all_ranked, question.limit, detail)


def explain() -> None:
    """Print the plan of every statement behind the questions."""
    for kind, database in _databases():
        for question in _questions(database):
            print(f"\n== {question.name}, {kind}: {_median_ms(database, question):.1f} ms")
            for statement, parameters in _statements(database, question):
                print("  --", " ".join(statement.split())[:160])
                for line in _plan(database, statement, parameters):
                    print("    ", line)


def _databases() -> Iterator[tuple[str, Database]]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        urls = {"SQLite": f"sqlite:///{folder / 'board.db'}"}
        try:
            server = stack.enter_context(running_server())
            urls["Postgres"] = stack.enter_context(fresh_database(server))
        except NoServerError as reason:
            print(f"without Postgres: {reason}")
        for kind, url in urls.items():
            database = Database(url)
            upgrade(database)
            with database.engine.begin() as connection:
                for spec in GAMES[:2]:
                    gather(connection, spec, DAY, RUNS if spec is GAME else RUNS // 10)
            with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as one:
                one.execute(text("ANALYZE" if database.is_sqlite else "VACUUM ANALYZE"))
            yield kind, database
            database.engine.dispose()


def _questions(database: Database) -> list[Question]:
    deal = (DAY, GAME.id)
    with database.engine.connect() as connection:
        middle = _nth(connection, RUNS * 4 // 15)
        last = _nth(connection, boards.count_solved(connection, *deal) - _ROWS)

    def solved(after: SolvedAfter | None) -> Callable[[Connection], object]:
        return lambda connection: boards.solved_page(connection, *deal, after, _ROWS)

    return [
        Question("first page", solved(None)),
        Question("a page in the middle", solved(_cursor(middle))),
        Question("last page", solved(_cursor(last))),
        Question(
            "a page of the unsolved",
            lambda connection: boards.unsolved_page(
                connection, *deal, UnsolvedAfter(GAME.cards // 2, "g"), _ROWS
            ),
        ),
        # Compares with everybody, guests and unsolved attempts included, which the yardstick leaves out.
        Question("where one stands", lambda connection: boards.standing(connection, middle), 2.0),
        Question("how many", lambda connection: boards.count_solved(connection, *deal)),
    ]


def _rank_all(connection: Connection) -> object:
    """The yardstick: what a board without keys does for a page in the middle."""
    return connection.execute(_RANK_ALL, {"day": DAY.isoformat(), "game": GAME.id}).all()


def _nth(connection: Connection, place: int) -> Attempt:
    """An attempt far down the board, found the slow way."""
    row = connection.execute(
        text(
            "SELECT actions, seconds, game_id FROM daily_attempts WHERE day = :day AND ruleset = :game"
            " AND verdict = 'solved' AND listed ORDER BY actions, seconds, game_id LIMIT 1 OFFSET :n"
        ),
        {"day": DAY.isoformat(), "game": GAME.id, "n": place},
    ).one()
    page = boards.solved_page(
        connection, DAY, GAME.id, SolvedAfter(Effort(row[0], row[1]), row[2]), 1
    )
    return page[0].attempt


def _cursor(attempt: Attempt) -> SolvedAfter:
    return SolvedAfter(attempt.effort or Effort(0, 0), attempt.game_id)


def _median_ms(database: Database, question: Question) -> float:
    times = []
    with database.engine.connect() as connection:
        for _ in range(_ROUNDS):
            begun = perf_counter()
            question.ask(connection)
            times.append((perf_counter() - begun) * 1000)
    return median(times)


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


if __name__ == "__main__":
    explain()
    sys.exit()
