"""A page of the list of games among a million, by many filters.

``python -m bench.admin_list`` prints the query plans too, ``python -m bench.admin_list 100000`` for fewer games.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import date
from functools import partial

from sqlalchemy import Connection, text

from app.admin.filters import After, Filter, Sort
from app.admin.games import find_page
from app.games import GAMES
from app.play.repository import read_log
from app.play.table import Kind, Status
from bench.questions import Question, databases, explain, median_ms
from bench.report import Figure, at_most

GAMES_AT_ALL = 1_000_000
_PLAYERS = 50_000
_LONG_LOGS = (
    400  # games with events of their own: an entry is found by its game, whatever else is there
)
_EVENTS = 2_500
_FIRST_MS = 1_735_689_600_000  # 2025-01-01
_APART_MS = 60_000
_ROWS = 50
_ROUNDS = 5
_LIMIT_MS = 100.0


def run() -> Iterator[Figure]:
    """Measure on SQLite, and on Postgres where the machine has one."""
    for kind, database in databases(partial(_fill, size=GAMES_AT_ALL)):
        for question in _questions(GAMES_AT_ALL):
            taken = median_ms(database, question, _ROUNDS)
            detail = f"{GAMES_AT_ALL} games"
            yield at_most(f"{question.name}, {kind}", taken, _LIMIT_MS, detail, " ms")


def explain_all(size: int) -> None:
    """Print the plan of every statement behind the questions."""
    for kind, database in databases(partial(_fill, size=size)):
        explain(kind, database, _questions(size), _ROUNDS)


def _questions(size: int) -> list[Question]:
    middle = After(_FIRST_MS + size // 2 * _APART_MS, "g")
    rare = GAMES[-1].id

    def listed(name: str, wanted: Filter, after: After | None = None) -> Question:
        return Question(name, partial(find_page, wanted=wanted, after=after, most=_ROWS))

    return [
        listed("first page", Filter()),
        listed("a page in the middle", Filter(), middle),
        listed("oldest first", Filter(ascending=True)),
        listed("a rare game", Filter(ruleset=rare)),
        listed("deals of the day", Filter(kind=Kind.DAILY), middle),
        listed("won, of one game", Filter(ruleset=rare, status=Status.WON), middle),
        listed(
            "three that seldom meet", Filter(ruleset=rare, kind=Kind.DAILY, status=Status.RESIGNED)
        ),
        listed("nothing at all", Filter(shortest=900_000)),
        listed("of one player", Filter(q="player 777")),
        listed("by the id of a game", Filter(q="g777")),
        listed("by the code of a deal", Filter(code="7KQ4M-2XWTP")),
        listed("one day", Filter(first=date(2025, 3, 1), last=date(2025, 3, 1))),
        listed("the longest", Filter(sort=Sort.LENGTH)),
        listed("last ended, won", Filter(sort=Sort.ENDED, status=Status.WON)),
        Question("the log of one game", partial(read_log, game_id="g7")),
    ]


def _fill(connection: Connection, size: int) -> None:
    """Games made by the database itself: one a minute, by all players in turn."""
    is_sqlite = connection.dialect.name == "sqlite"

    def numbers(most: int) -> str:
        if is_sqlite:
            return (
                "(WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted"
                f" WHERE n < {most}) SELECT n FROM counted) AS numbers"
            )
        return f"generate_series(1, {most}) AS numbers(n)"

    # Rule sets seldomer and seldomer, one game in fifty of the day, one in eight won, one in a hundred under way.
    rulesets = " ".join(
        f"WHEN n % {2**place} = 0 THEN '{spec.id}'" for place, spec in reversed([*enumerate(GAMES)])
    )
    connection.execute(
        text(
            "INSERT INTO players (id, name, created_ms)"
            f" SELECT 'p' || n, 'player ' || n, 0 FROM {numbers(_PLAYERS)}"
        )
    )
    started = f"{_FIRST_MS} + CAST(n AS BIGINT) * {_APART_MS}"
    spread = "CAST(n AS BIGINT) * 7919"
    connection.execute(
        text(
            "INSERT INTO games (id, ruleset, revision, deal_version, kind, code, owner_id, started_ms,"
            f" updated_ms, version, status) SELECT 'g' || n, CASE {rulesets} END, 1, 1,"
            " CASE WHEN n % 50 = 0 THEN 'daily' ELSE 'open' END,"
            " CASE WHEN n % 20000 = 0 THEN '7KQ4M-2XWTP' ELSE 'C' || n END,"
            f" 'p' || (n % {_PLAYERS} + 1), {started}, {started} + {spread} % 900000, {spread} % 400,"
            " CASE WHEN n % 100 = 1 THEN 'playing' WHEN n % 8 = 0 THEN 'won'"
            f" WHEN n % 3 = 0 THEN 'resigned' ELSE 'lost' END FROM {numbers(size)}"
        )
    )
    connection.execute(
        text(
            "INSERT INTO events (game_id, seq, action, actor_id, at_ms)"
            f" SELECT 'g' || (n / {_EVENTS} + 1), n % {_EVENTS} + 1, 'deal', 'p1', {_FIRST_MS} + n"
            f" FROM {numbers(_LONG_LOGS * _EVENTS - 1)}"
        )
    )


if __name__ == "__main__":
    explain_all(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES_AT_ALL)
