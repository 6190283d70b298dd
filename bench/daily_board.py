"""A page of a daily ranking with 100,000 runs, compared with sorting all of them for each request.

``python -m bench.daily_board`` prints the query plans too.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from datetime import date
from functools import partial

from sqlalchemy import Connection, text

from app.daily import leaderboard
from app.daily.leaderboard import Cursor, ResultList, cursor_after
from app.daily.model import Attempt
from app.db.engine import Database
from app.rulesets import RULESETS
from bench.daily_data import insert_attempts
from bench.queries import Query, databases, explain
from bench.report import Figure, at_most, side_by_side

RUNS = 100_000
DAY = date(2026, 11, 20)
GAME = RULESETS[1]
_ROWS = 50
_ROUNDS = 15
_LIMIT = 0.6

_RANK_ALL = text(
    "SELECT game_id, rank() OVER (ORDER BY actions, seconds) AS place FROM daily_attempts WHERE day = :day"
    " AND ruleset = :game AND verdict = 'solved' AND listed ORDER BY place, game_id LIMIT 50 OFFSET 25000"
)


def run() -> Iterator[Figure]:
    """Measure on SQLite, and on PostgreSQL if it is installed."""
    for kind, database in databases(_fill):
        for query in _queries(database):
            with database.engine.connect() as connection:
                ours, all_ranked = side_by_side(
                    [partial(query.ask, connection), partial(_rank_all, connection)], _ROUNDS
                )
            detail = f"{ours / 1000:.1f} ms, all ranked {all_ranked / 1000:.1f} ms"
            yield at_most(f"{query.name}, {kind}", ours / all_ranked, query.limit, detail)


def explain_all() -> None:
    """Print the plan of every statement."""
    for kind, database in databases(_fill):
        explain(kind, database, _queries(database), _ROUNDS)


def _fill(connection: Connection) -> None:
    for rules in RULESETS[:2]:
        insert_attempts(connection, rules, DAY, RUNS if rules is GAME else RUNS // 10)


def _queries(database: Database) -> list[Query]:
    deal = (DAY, GAME.id)
    with database.engine.connect() as connection:
        middle = _nth(connection, RUNS * 4 // 15)
        last = _nth(connection, leaderboard.count_ranked(connection, *deal) - _ROWS)

    def page(which: ResultList, after: Cursor | None) -> Callable[[Connection], object]:
        return lambda connection: leaderboard.list_results(
            connection, which, *deal, after=after, limit=_ROWS
        )

    return [
        Query("first page", page(ResultList.SOLVED, None), _LIMIT),
        Query("a page in the middle", page(ResultList.SOLVED, _cursor(middle)), _LIMIT),
        Query("last page", page(ResultList.SOLVED, _cursor(last)), _LIMIT),
        Query(
            "a page of the unsolved",
            page(ResultList.UNSOLVED, (GAME.cards // 2, "g")),
            _LIMIT,
        ),
        # Compares with all players, guests and unsolved attempts included, which the baseline leaves out.
        Query(
            "where one stands",
            lambda connection: leaderboard.find_standing(connection, middle),
            2.0,
        ),
        Query("how many", lambda connection: leaderboard.count_ranked(connection, *deal), _LIMIT),
    ]


def _rank_all(connection: Connection) -> object:
    """The baseline: a page in the middle of the ranking without keyset pagination."""
    return connection.execute(_RANK_ALL, {"day": DAY.isoformat(), "game": GAME.id}).all()


def _nth(connection: Connection, place: int) -> Attempt:
    """The attempt at a place in the ranking, found the slow way."""
    row = connection.execute(
        text(
            "SELECT actions, seconds, game_id FROM daily_attempts WHERE day = :day AND ruleset = :game"
            " AND verdict = 'solved' AND listed ORDER BY actions, seconds, game_id LIMIT 1 OFFSET :n"
        ),
        {"day": DAY.isoformat(), "game": GAME.id, "n": place},
    ).one()
    cursor = (row[0], row[1], row[2])
    [result] = leaderboard.list_results(
        connection, ResultList.SOLVED, DAY, GAME.id, after=cursor, limit=1
    )
    return result.attempt


def _cursor(attempt: Attempt) -> Cursor:
    return cursor_after(ResultList.SOLVED, attempt)


if __name__ == "__main__":
    explain_all()
    sys.exit()
