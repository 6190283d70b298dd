"""The boards in the database: read a page at a time from where the reader is, never from the top.

A cursor names the attempt that a page begins behind. The conditions spell out what the partial
indexes of the table are made for: a planner does not look for them behind a parameter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    func,
    literal,
    select,
    true,
    tuple_,
)

from app.daily.model import Attempt, Rivals, Score, Standing, Verdict, ahead_of, shared_ranks
from app.daily.repository import ATTEMPT_COLUMNS, to_attempt
from app.db.schema import daily_attempts, players
from app.errors import MalformedError

_a = daily_attempts.c


_ORDER: Final = (_a.actions, _a.seconds, _a.game_id)


class SolvedAfter(NamedTuple):
    """A cursor on the ranked board."""

    score: Score
    game_id: str


class UnsolvedAfter(NamedTuple):
    """A cursor on the list of unsolved attempts."""

    cards_home: int
    game_id: str


class Placed(NamedTuple):
    """An attempt on a board, with its player's name; unranked ones have no rank."""

    rank: int | None
    name: str
    attempt: Attempt


def solved_page(
    connection: Connection, day: date, ruleset: str, after: SolvedAfter | None, most: int
) -> list[Placed]:
    """Solved attempts of players with names, best first, ``most`` of them behind a cursor."""
    query = _page(day, ruleset, Verdict.SOLVED).order_by(*_ORDER)
    if after:
        query = query.where(_behind(after))
    rows = connection.execute(query.limit(most)).all()
    attempts = [to_attempt(row) for row in rows]
    if not attempts:
        return []
    place = _place(connection, attempts[0])
    rank = place - _ties_before(connection, attempts[0])
    ranks = shared_ranks(rank, place, [_score(attempt) for attempt in attempts])
    return [
        Placed(rank, row.name, attempt)
        for rank, row, attempt in zip(ranks, rows, attempts, strict=True)
    ]


def unsolved_page(
    connection: Connection, day: date, ruleset: str, after: UnsolvedAfter | None, most: int
) -> list[Placed]:
    """Unsolved attempts of players with names, most cards home first."""
    query = _page(day, ruleset, Verdict.UNSOLVED)
    query = query.order_by(_a.cards_home.desc(), _a.game_id.desc())
    if after:
        query = query.where(tuple_(_a.cards_home, _a.game_id) < tuple_(*map(literal, after)))
    return [
        Placed(None, row.name, to_attempt(row)) for row in connection.execute(query.limit(most))
    ]


def removed_page(
    connection: Connection, day: date, ruleset: str, after: str | None, most: int
) -> list[Placed]:
    """Attempts that did not stand up to being replayed, guests' included."""
    query = _with_names(day, ruleset).where(_is(Verdict.REMOVED)).order_by(_a.game_id)
    if after:
        query = query.where(_a.game_id > after)
    return [
        Placed(None, row.name, to_attempt(row)) for row in connection.execute(query.limit(most))
    ]


def count_solved(connection: Connection, day: date, ruleset: str) -> int:
    """How many have a rank."""
    return _count(connection, day, ruleset, Verdict.SOLVED, _a.listed == true())


def standing(connection: Connection, attempt: Attempt) -> Standing:
    """Where an ended attempt stands, or would stand if its player had a name."""
    if attempt.verdict is not Verdict.SOLVED:
        return Standing(None, ahead_of(_rivals_of_unsolved(connection, attempt)))

    def count(*conditions: ColumnElement[bool]) -> int:
        return _count(connection, attempt.day, attempt.ruleset, Verdict.SOLVED, *conditions)

    above = count(_beats(attempt, listed=True))
    better = above + count(_beats(attempt, listed=False))
    level = sum(count(_equals(attempt, listed=listed)) for listed in (True, False)) - 1
    unsolved = _count(connection, attempt.day, attempt.ruleset, Verdict.UNSOLVED)
    return Standing(
        1 + above, ahead_of(Rivals(better, level, count() - better - level - 1 + unsolved))
    )


def _rivals_of_unsolved(connection: Connection, attempt: Attempt) -> Rivals:
    """Any solution beats an attempt that is none; among those, cards home decide."""

    def count(*conditions: ColumnElement[bool]) -> int:
        return _count(connection, attempt.day, attempt.ruleset, Verdict.UNSOLVED, *conditions)

    home = attempt.cards_home or 0
    more, same = count(_a.cards_home > home), count(_a.cards_home == home)
    itself = 1 if attempt.verdict is Verdict.UNSOLVED else 0
    solved = _count(connection, attempt.day, attempt.ruleset, Verdict.SOLVED)
    return Rivals(solved + more, same - itself, count() - more - same)


def _place(connection: Connection, attempt: Attempt) -> int:
    key = (*_score(attempt), attempt.game_id)
    before = and_(_a.listed == true(), tuple_(*_ORDER) < tuple_(*map(literal, key)))
    return 1 + _count(connection, attempt.day, attempt.ruleset, Verdict.SOLVED, before)


def _ties_before(connection: Connection, attempt: Attempt) -> int:
    """How many equal attempts a board shows above this one."""
    equal = and_(_equals(attempt, listed=True), _a.game_id < attempt.game_id)
    return _count(connection, attempt.day, attempt.ruleset, Verdict.SOLVED, equal)


def _beats(attempt: Attempt, *, listed: bool) -> ColumnElement[bool]:
    score = tuple_(*map(literal, _score(attempt)))
    return and_(_a.listed == literal(listed), tuple_(_a.actions, _a.seconds) < score)


def _equals(attempt: Attempt, *, listed: bool) -> ColumnElement[bool]:
    actions, seconds = _score(attempt)
    return and_(_a.listed == literal(listed), _a.actions == actions, _a.seconds == seconds)


def _behind(after: SolvedAfter) -> ColumnElement[bool]:
    return tuple_(*_ORDER) > tuple_(*map(literal, (*after.score, after.game_id)))


def _score(attempt: Attempt) -> Score:
    return attempt.score or Score(0, 0)


def _is(verdict: Verdict) -> ColumnElement[bool]:
    return _a.verdict == literal(verdict.value, literal_execute=True)


def _of(day: date, ruleset: str) -> Sequence[ColumnElement[bool]]:
    return (_a.day == day.isoformat(), _a.ruleset == ruleset)


def _with_names(day: date, ruleset: str) -> Select[Any]:
    query = select(*ATTEMPT_COLUMNS, players.c.name).join_from(daily_attempts, players)
    return query.where(*_of(day, ruleset))


def _page(day: date, ruleset: str, verdict: Verdict) -> Select[Any]:
    return _with_names(day, ruleset).where(_is(verdict), _a.listed == true())


def _count(
    connection: Connection,
    day: date,
    ruleset: str,
    verdict: Verdict,
    *conditions: ColumnElement[bool],
) -> int:
    query = select(func.count()).select_from(daily_attempts)
    return connection.scalar(query.where(*_of(day, ruleset), _is(verdict), *conditions)) or 0


_SOLVED: Final = re.compile(r"(\d{1,9})\.(\d{1,9})\.([\w-]{1,40})", re.ASCII)


_UNSOLVED: Final = re.compile(r"(\d{1,9})\.([\w-]{1,40})", re.ASCII)


_REMOVED: Final = re.compile(r"[\w-]{1,40}", re.ASCII)


def solved_after(text: str | None) -> SolvedAfter | None:
    """Read a cursor of the ranked board; raises ``MalformedError``."""
    if not text:
        return None
    actions, seconds, game_id = _read(_SOLVED, text).groups()
    return SolvedAfter(Score(int(actions), int(seconds)), game_id)


def unsolved_after(text: str | None) -> UnsolvedAfter | None:
    """Read a cursor of the unsolved attempts; raises ``MalformedError``."""
    if not text:
        return None
    cards_home, game_id = _read(_UNSOLVED, text).groups()
    return UnsolvedAfter(int(cards_home), game_id)


def removed_after(text: str | None) -> str | None:
    """Read a cursor of the removed attempts; raises ``MalformedError``."""
    return _read(_REMOVED, text).group() if text else None


def after_solved(attempt: Attempt) -> str:
    """The cursor behind an attempt on the ranked board."""
    actions, seconds = attempt.score or Score(0, 0)
    return f"{actions}.{seconds}.{attempt.game_id}"


def after_unsolved(attempt: Attempt) -> str:
    """The cursor behind an unsolved attempt."""
    return f"{attempt.cards_home or 0}.{attempt.game_id}"


def _read(form: re.Pattern[str], text: str) -> re.Match[str]:
    found = form.fullmatch(text)
    if found is None:
        raise MalformedError(
            "'after' is not where a page of this board begins: take it from 'next'."
        )
    return found
