"""A page of the admin game list among a million games, with many filters, and the dashboard.

``python -m bench.admin_list`` prints the query plans too, ``python -m bench.admin_list 100000`` for fewer games.
``--logs`` gives every game an event log, of fifty events on average (some four gigabytes for a million games, and
twice that on PostgreSQL); ``--sqlite`` and ``--postgres`` select one database. admin_list.md has the results.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from functools import partial

from sqlalchemy import Connection, func, insert, select, text

from app.admin.conflict_of_interest import Reader
from app.admin.dashboard.counters import count_day
from app.admin.dashboard.repository import load_overview
from app.admin.game_log.filters import Flag, GameFilter, Sort
from app.admin.game_log.repository import find_page
from app.clock import DAY_MS
from app.db.cursors import ListCursor
from app.db.engine import Database
from app.db.schema import events, game_days, games
from app.games.model import Kind, Status
from app.games.repository import find_game, read_log
from app.rulesets import RULESETS
from bench.queries import Query, databases, explain, median_ms
from bench.report import Figure, at_most

GAMES_AT_ALL = 1_000_000
_PLAYERS = 50_000
# Games with a log, unless all have one: events are looked up by game, so other logs hardly matter.
_LONG_LOGS = 20_000
_LONGEST = 80
_FIRST_MS = 1_735_689_600_000  # 2025-01-01
_APART_MS = 60_000
_ROWS = 50
_ROUNDS = 5
_LIMIT_MS = 100.0
_READER = Reader("staff", date(2026, 11, 20))


def run() -> Iterator[Figure]:
    """Measure on SQLite, and on PostgreSQL if it is installed."""
    for kind, database in databases(partial(_fill, size=GAMES_AT_ALL)):
        for query in _queries(GAMES_AT_ALL):
            taken = median_ms(database, query, _ROUNDS)
            detail = f"{GAMES_AT_ALL} games"
            yield at_most(f"{query.name}, {kind}", taken, _LIMIT_MS, detail, " ms")


def explain_all(size: int, kinds: Sequence[str], *, whole_logs: bool) -> None:
    """Print the plan of every statement."""
    for kind, database in databases(partial(_fill, size=size, whole_logs=whole_logs), kinds):
        print(f"{kind}: {', '.join(_sizes(database))}", flush=True)
        explain(kind, database, _queries(size), _ROUNDS)


def _queries(size: int) -> list[Query]:
    middle = ListCursor(_FIRST_MS + size // 2 * _APART_MS, "g")
    rare = RULESETS[-1].id
    now_ms = _FIRST_MS + size * _APART_MS
    first = date(2025, 1, 1) + timedelta(days=size * _APART_MS // DAY_MS - 364)

    def listed(name: str, criteria: GameFilter, cursor: ListCursor | None = None) -> Query:
        return Query(
            name, partial(find_page, criteria=criteria, cursor=cursor, limit=_ROWS, reader=_READER)
        )

    return [
        listed("first page", GameFilter()),
        listed("a page in the middle", GameFilter(), middle),
        listed("oldest first", GameFilter(is_ascending=True)),
        listed("a rare game", GameFilter(ruleset=rare)),
        listed("deals of the day", GameFilter(kind=Kind.DAILY), middle),
        listed("won, of one game", GameFilter(ruleset=rare, status=Status.WON), middle),
        listed(
            "three that seldom meet",
            GameFilter(ruleset=rare, kind=Kind.DAILY, status=Status.RESIGNED),
        ),
        listed("with a signal", GameFilter(flag=Flag.ANY), middle),
        listed("with one rare signal", GameFilter(flag=Flag.DUPLICATE_GAME)),
        listed("nothing at all", GameFilter(min_moves=900_000)),
        listed("of one player", GameFilter(search="player 777")),
        listed("of one who sat at many tables", GameFilter(search="p9")),
        listed(
            "of one player, won, shared",
            GameFilter(search="p9", status=Status.WON, kind=Kind.SHARED),
        ),
        listed("by the id of a game", GameFilter(search="g0000777")),
        listed("by the code of a deal", GameFilter(code="7KQ4M-2XWTP")),
        listed("one day", GameFilter(first_day=date(2025, 3, 1), last_day=date(2025, 3, 1))),
        listed("the longest", GameFilter(sort=Sort.LENGTH)),
        listed(
            "the longest of the day", GameFilter(sort=Sort.LENGTH, kind=Kind.DAILY, max_moves=60)
        ),
        listed("last ended, won", GameFilter(sort=Sort.ENDED, status=Status.WON)),
        Query("the log of one game", _read_log),
        Query("the overview of a year", partial(load_overview, first=first, now_ms=now_ms)),
        Query("counting the games of a day", partial(count_day, day=date(2025, 3, 1))),
    ]


def _sizes(database: Database) -> Iterator[str]:
    with database.engine.connect() as connection:
        for table in (games, events):
            count = connection.scalar(select(func.count()).select_from(table))
            yield f"{count:,} {table.name}"


def _fill(connection: Connection, size: int, *, whole_logs: bool = False) -> None:
    """Let the database generate games: one per minute, by all players in turn."""
    is_sqlite = connection.dialect.name == "sqlite"

    def numbers(most: int) -> str:
        if is_sqlite:
            return (
                "(WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted"
                f" WHERE n < {most}) SELECT n FROM counted) AS numbers"
            )
        return f"generate_series(1, {most}) AS numbers(n)"

    # Each rule set is half as frequent as the one before. One game in fifty is a daily deal and one is shared, one in
    # eight is won, one in a hundred unfinished. One in 300 has a signal.
    rulesets = " ".join(
        f"WHEN n % {2**place} = 0 THEN '{rules.id}'"
        for place, rules in reversed([*enumerate(RULESETS)])
    )
    connection.execute(
        text(
            "INSERT INTO players (id, name, created_ms)"
            f" SELECT 'p' || n, 'player ' || n, 0 FROM {numbers(_PLAYERS)}"
        )
    )
    # Ids sort as text in the order of their numbers, so that logs are appended at the end of their table.
    game = "substr('g0000000', 1, 8 - length(CAST(n AS TEXT))) || n"
    started = f"{_FIRST_MS} + CAST(n AS BIGINT) * {_APART_MS}"
    spread = "CAST(n AS BIGINT) * 7919"
    connection.execute(
        text(
            "INSERT INTO games (id, ruleset, revision, deal_version, kind, code, owner_id, started_ms,"
            f" updated_ms, version, moves, status, flags) SELECT {game}, CASE {rulesets} END, 1, 1,"
            " CASE WHEN n % 50 = 0 THEN 'daily' WHEN n % 50 = 8 THEN 'shared' ELSE 'open' END,"
            " CASE WHEN n % 20000 = 0 THEN '7KQ4M-2XWTP' ELSE 'C' || n END,"
            f" 'p' || (n % {_PLAYERS} + 1), {started}, {started} + {spread} % 900000, 20 + {spread} % 61,"
            f" 20 + {spread} % 61,"
            " CASE WHEN n % 100 = 1 THEN 'playing' WHEN n % 8 = 0 THEN 'won'"
            f" WHEN n % 3 = 0 THEN 'resigned' ELSE 'lost' END,"
            " CASE WHEN n % 300000 = 0 THEN 8 WHEN n % 300 = 0 THEN 1 ELSE 0 END"
            f" FROM {numbers(size)}"
        )
    )
    connection.execute(
        text(
            "INSERT INTO seats (game_id, player_id, state, since_ms, moved)"
            " SELECT id, 'p9', 'seated', started_ms, true FROM games WHERE kind = 'shared' AND owner_id <> 'p9'"
            f" AND started_ms < {_FIRST_MS + 60_000 * _APART_MS}"
        )
    )
    some = "" if whole_logs else f" AND games.id <= 'g{_LONG_LOGS:07}'"
    connection.execute(
        text(
            "INSERT INTO events (game_id, seq, action, actor_id, at_ms, month)"
            " SELECT games.id, n, 'deal', owner_id, started_ms + n * 1000, 0"
            f" FROM games CROSS JOIN {numbers(_LONGEST)} WHERE n <= version{some}"
        )
    )
    _fill_counters(connection, numbers, size)


def _fill_counters(connection: Connection, numbers: Callable[[int], str], size: int) -> None:
    """Insert counters: per day and rule set, and per ten minutes and route for the last two days."""
    first, days = date(2025, 1, 1), size * _APART_MS // DAY_MS
    row = {"begun": 180, "ended": 170, "won": 22, "players": 150, "counted_ms": 0}
    connection.execute(
        insert(game_days),
        [
            {"day": (first + timedelta(days=day)).isoformat(), "ruleset": ruleset, **row}
            for day in range(days + 1)
            for ruleset in ("", *(rules.id for rules in RULESETS))
        ],
    )
    minute = f"{(_FIRST_MS + size * _APART_MS) // 600_000 * 600_000} - (n / 40) * 600000"
    connection.execute(
        text(
            "INSERT INTO traffic SELECT"
            f" {minute}, 'GET /route/' || (n % 40), 30, n % 997 / 996, 30, 90000, n % 4000, 'a', 'b'"
            f" FROM {numbers(40 * 2 * 144 - 1)}"
        )
    )


if __name__ == "__main__":
    traffic = argparse.ArgumentParser(description="Print times and query plans.")
    traffic.add_argument("games", nargs="?", type=int, default=GAMES_AT_ALL)
    traffic.add_argument("--logs", action="store_true")
    traffic.add_argument("--sqlite", dest="kinds", action="append_const", const="SQLite")
    traffic.add_argument("--postgres", dest="kinds", action="append_const", const="PostgreSQL")
    said = traffic.parse_args()
    explain_all(said.games, said.kinds or ("SQLite", "PostgreSQL"), whole_logs=said.logs)


def _read_log(connection: Connection) -> object:
    row = find_game(connection, "g0000007")
    assert row
    return read_log(connection, row)
