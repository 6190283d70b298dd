"""Queries of the results of a deal: the leaderboard and the other lists, with keyset pagination, and standings.

The conditions repeat those of the partial indexes literally: the query planner does not recognize
them behind a bound parameter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date
from enum import StrEnum
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, false, func, literal, select, true, tuple_

from app.daily.model import Attempt, AttemptComparison, DailyStanding, Score, shared_ranks
from app.daily.repository import ATTEMPT_COLUMNS, to_attempt
from app.db.schema import daily_attempts, judgements, players
from app.errors import MalformedError
from app.games.attempt_verdicts import AttemptVerdict
from app.text import gettext

_a = daily_attempts.c


_RANKED: Final = (_a.listed == true(), _a.unconfirmed.is_(None))


class ResultList(StrEnum):
    """The lists of results of a deal: ``SOLVED`` is the leaderboard, the other ones have no ranks."""

    SOLVED = "solved"
    UNSOLVED = "unsolved"
    REMOVED = "removed"


class LeaderboardEntry(NamedTuple):
    """An attempt in a list, with its player's name and, on the leaderboard, its rank.

    ``accuracy`` and ``luck``, as shares of the chance to win, are known once the attempt is reviewed.
    """

    rank: int | None
    name: str
    attempt: Attempt
    accuracy: float | None = None
    luck: float | None = None


Cursor = tuple[int | str, ...]
"""The sort key of the last result of a page. The next page begins after it."""


class _Order(NamedTuple):
    """How a list is sorted."""

    columns: tuple[ColumnElement[Any], ...]
    is_descending: bool
    key: Callable[[Attempt], Cursor]


_ORDERS: Final = {
    ResultList.SOLVED: _Order(
        (_a.actions, _a.seconds, _a.game_id),
        is_descending=False,
        key=lambda attempt: (*_score(attempt), attempt.game_id),
    ),
    ResultList.UNSOLVED: _Order(
        (_a.cards_home, _a.game_id),
        is_descending=True,
        key=lambda attempt: (attempt.cards_home or 0, attempt.game_id),
    ),
    ResultList.REMOVED: _Order(
        (_a.game_id,), is_descending=False, key=lambda attempt: (attempt.game_id,)
    ),
}


def cursor_after(which: ResultList, attempt: Attempt) -> Cursor:
    """The cursor for the page that follows an attempt."""
    return _ORDERS[which].key(attempt)


def format_cursor(cursor: Cursor) -> str:
    """A cursor as text, such as ``93.412.GAME_ID``."""
    return ".".join(map(str, cursor))


def parse_cursor(which: ResultList, text: str | None) -> Cursor | None:
    """Read a cursor; raises ``MalformedError``."""
    if not text:
        return None
    numbers = len(_ORDERS[which].columns) - 1
    if not re.fullmatch(rf"(\d{{1,9}}\.){{{numbers}}}[\w-]{{1,40}}", text, re.ASCII):
        raise MalformedError(
            gettext("'after' isn't a cursor of this list. Use the value of 'next'.")
        )
    *key, game_id = text.split(".")
    return (*map(int, key), game_id)


def list_results(
    connection: Connection,
    which: ResultList,
    day: date,
    ruleset: str,
    *,
    after: Cursor | None,
    limit: int,
) -> list[LeaderboardEntry]:
    """A page of a list. Guests are left out, except from the removed attempts."""
    columns, is_descending, _ = _ORDERS[which]
    query = select(*ATTEMPT_COLUMNS, players.c.name, judgements.c.accuracy, judgements.c.luck)
    query = query.select_from(daily_attempts.join(players).outerjoin(judgements))
    query = query.where(*_of_deal(day, ruleset), _is(AttemptVerdict(which)))
    if which is not ResultList.REMOVED:
        query = query.where(_a.listed == true())
    if after:
        key, last = tuple_(*columns), tuple_(*map(literal, after))
        query = query.where(key < last if is_descending else key > last)
    query = query.order_by(*(column.desc() if is_descending else column for column in columns))
    rows = connection.execute(query.limit(limit)).all()
    attempts = [to_attempt(row) for row in rows]
    ranks: Sequence[int | None] = [None] * len(rows)
    if which is ResultList.SOLVED:
        ranks = _ranks(connection, attempts)
    return [
        LeaderboardEntry(rank, row.name, attempt, row.accuracy, row.luck)
        for rank, row, attempt in zip(ranks, rows, attempts, strict=True)
    ]


def count_ranked(connection: Connection, day: date, ruleset: str) -> int:
    """How many attempts have a rank."""
    return _count(connection, day, ruleset, AttemptVerdict.SOLVED, *_RANKED)


def count_unconfirmed(connection: Connection, day: date, ruleset: str) -> int:
    """How many attempts are on the leaderboard without a rank of their own."""
    conditions = (_a.listed == true(), _a.unconfirmed.is_not(None))
    return _count(connection, day, ruleset, AttemptVerdict.SOLVED, *conditions)


def count_unlisted(connection: Connection, day: date, ruleset: str) -> int:
    """How many guests have solved a deal: their attempts are not on the leaderboard."""
    return _count(connection, day, ruleset, AttemptVerdict.SOLVED, _a.listed == false())


def find_standing(connection: Connection, attempt: Attempt) -> DailyStanding:
    """The rank of an ended attempt, or the one it would have if it were listed and confirmed."""
    if attempt.verdict is not AttemptVerdict.SOLVED:
        return DailyStanding(None, _compare_unsolved(connection, attempt))

    def count(*conditions: ColumnElement[bool]) -> int:
        return _count(connection, attempt.day, attempt.ruleset, AttemptVerdict.SOLVED, *conditions)

    above = count(_is_better(attempt, listed=True), _a.unconfirmed.is_(None))
    better = sum(count(_is_better(attempt, listed=listed)) for listed in (True, False))
    equal = sum(count(_is_equal(attempt, listed=listed)) for listed in (True, False)) - 1
    unsolved = _count(connection, attempt.day, attempt.ruleset, AttemptVerdict.UNSOLVED)
    worse = count() - better - equal - 1 + unsolved
    return DailyStanding(1 + above, AttemptComparison(better, equal, worse))


def _compare_unsolved(connection: Connection, attempt: Attempt) -> AttemptComparison:
    """Every solved attempt is better; unsolved ones are compared by cards home."""

    def count(*conditions: ColumnElement[bool]) -> int:
        return _count(
            connection, attempt.day, attempt.ruleset, AttemptVerdict.UNSOLVED, *conditions
        )

    home = attempt.cards_home or 0
    more, same = count(_a.cards_home > home), count(_a.cards_home == home)
    itself = 1 if attempt.verdict is AttemptVerdict.UNSOLVED else 0
    solved = _count(connection, attempt.day, attempt.ruleset, AttemptVerdict.SOLVED)
    return AttemptComparison(solved + more, same - itself, count() - more - same)


def _ranks(connection: Connection, attempts: Sequence[Attempt]) -> list[int]:
    """The ranks of a page of the leaderboard. Only its first attempt has to be counted in the database."""
    if not attempts:
        return []
    first = attempts[0]

    def count_confirmed(*conditions: ColumnElement[bool]) -> int:
        is_confirmed = _a.unconfirmed.is_(None)
        return _count(
            connection, first.day, first.ruleset, AttemptVerdict.SOLVED, is_confirmed, *conditions
        )

    above = count_confirmed(_is_better(first, listed=True))
    tied = count_confirmed(_is_equal(first, listed=True), _a.game_id < first.game_id)
    return shared_ranks(
        above, tied, [(_score(attempt), attempt.is_confirmed) for attempt in attempts]
    )


def _is_better(attempt: Attempt, *, listed: bool) -> ColumnElement[bool]:
    score = tuple_(*map(literal, _score(attempt)))
    return and_(_a.listed == literal(listed), tuple_(_a.actions, _a.seconds) < score)


def _is_equal(attempt: Attempt, *, listed: bool) -> ColumnElement[bool]:
    actions, seconds = _score(attempt)
    return and_(_a.listed == literal(listed), _a.actions == actions, _a.seconds == seconds)


def _score(attempt: Attempt) -> Score:
    return attempt.score or Score(0, 0)


def _is(verdict: AttemptVerdict) -> ColumnElement[bool]:
    return _a.verdict == literal(verdict.value, literal_execute=True)


def _of_deal(day: date, ruleset: str) -> Sequence[ColumnElement[bool]]:
    return (_a.day == day.isoformat(), _a.ruleset == ruleset)


def _count(
    connection: Connection,
    day: date,
    ruleset: str,
    verdict: AttemptVerdict,
    *conditions: ColumnElement[bool],
) -> int:
    query = select(func.count()).select_from(daily_attempts)
    return connection.scalar(query.where(*_of_deal(day, ruleset), _is(verdict), *conditions)) or 0
