"""How well the attempts of closed days were played, from their stored reviews.

Functions run in their caller's transaction.

Nothing is stored of an attempt before its day is closed: the statement that stores it says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final, NamedTuple

from sqlalchemy import Connection, Double, case, exists, func, literal, select, true

from app.analysis.repository import JUDGED_REVIEW
from app.db.engine import insert_into
from app.db.schema import daily_attempts, daily_deals, games, judgements, questions
from app.games.attempt_verdicts import COUNTED, AttemptVerdict

BEST_FIRST: Final = 100
"""So many of the best attempts of each deal are judged before all others."""

_a, _d, _j, _q = daily_attempts.c, daily_deals.c, judgements.c, questions.c


class Unjudged(NamedTuple):
    """An attempt to judge, with the number of its actions."""

    game_id: str
    actions: int


class ClosedDeals(NamedTuple):
    """How many deals of the days since ``first`` are closed, and when the last one was."""

    first: date
    closed: int
    last_ms: int


class Answered(NamedTuple):
    """An attempt with a review that a player has asked for."""

    game_id: str
    answer: str


def list_unjudged(connection: Connection, first: date, limit: int) -> list[Unjudged]:
    """Listed attempts of closed days since ``first``, the next to judge first: the best of a deal, the latest day."""
    is_solved = _a.verdict == AttemptVerdict.SOLVED
    place = func.row_number().over(
        partition_by=(_a.day, _a.ruleset),
        order_by=(
            case((is_solved, 0), else_=1),
            case((is_solved, _a.actions), else_=-_a.cards_home),
            case((is_solved, _a.seconds), else_=0),
            _a.game_id,
        ),
    )
    ranked = (
        select(_a.game_id, _a.day, place.label("place"), _j.game_id.label("judged"))
        .select_from(daily_attempts.join(daily_deals).outerjoin(judgements))
        .where(
            _d.closed_ms.is_not(None),
            _a.day >= first.isoformat(),
            _a.listed == true(),
            _a.verdict.in_(COUNTED),
        )
        .subquery()
    )
    r = ranked.c
    query = (
        select(r.game_id, games.c.version)
        .join_from(ranked, games, games.c.id == r.game_id)
        .where(r.judged.is_(None))
        .order_by(case((r.place <= BEST_FIRST, 0), else_=1), r.day.desc(), r.place, r.game_id)
    )
    return [Unjudged(*row) for row in connection.execute(query.limit(limit))]


def list_answered(connection: Connection, limit: int) -> list[Answered]:
    """Attempts of closed days, however old, whose reviews have not been noted yet, or asked for again since."""
    query = (
        select(_q.game_id, _q.answer)
        .select_from(
            questions.join(daily_attempts, _a.game_id == _q.game_id)
            .join(daily_deals, (_d.day == _a.day) & (_d.ruleset == _a.ruleset))
            .join(games, games.c.id == _q.game_id)
        )
        .where(
            _q.topic == JUDGED_REVIEW,
            _q.version == games.c.version,
            _q.answer.is_not(None),
            _d.closed_ms.is_not(None),
            ~exists().where(_j.game_id == _q.game_id, _j.judged_ms >= _q.asked_ms),
        )
    )
    return [Answered(*row) for row in connection.execute(query.limit(limit))]


def find_closed_deals(connection: Connection, first: date) -> ClosedDeals:
    """The closed daily deals since ``first``."""
    closed = select(func.count(), func.max(_d.closed_ms)).where(
        _d.day >= first.isoformat(), _d.closed_ms.is_not(None)
    )
    count, last_ms = connection.execute(closed).one()
    return ClosedDeals(first, count, last_ms or 0)


def is_day_waiting(connection: Connection, today: date) -> bool:
    """Whether a day is over that is not closed yet."""
    waiting = select(literal(1)).where(_d.day < today.isoformat(), _d.closed_ms.is_(None))
    return connection.scalar(waiting.limit(1)) is not None


class Figures(NamedTuple):
    """What boards and profiles tell of a review, as shares of the chance to win; both ``None`` without one."""

    accuracy: float | None = None
    luck: float | None = None


def note(connection: Connection, game_id: str, figures: Figures, at_ms: int) -> None:
    """Store the figures of an attempt if its day is closed."""
    values = (literal(figures.accuracy, Double), literal(figures.luck, Double), literal(at_ms))
    closed = (
        select(_a.game_id, *values)
        .select_from(daily_attempts.join(daily_deals))
        .where(_a.game_id == game_id, _d.closed_ms.is_not(None))
    )
    columns = ["game_id", "accuracy", "luck", "judged_ms"]
    row = insert_into(connection, judgements).from_select(columns, closed)
    replaced = {name: row.excluded[name] for name in columns[1:]}
    connection.execute(row.on_conflict_do_update(index_elements=["game_id"], set_=replaced))


def list_own(connection: Connection, player_id: str, first: date) -> Sequence[tuple[date, float]]:
    """The accuracy of a player's confirmed attempts of closed days since ``first``, with their days."""
    query = (
        select(_a.day, _j.accuracy)
        .select_from(daily_attempts.join(judgements))
        .where(
            _a.player_id == player_id,
            _a.day >= first.isoformat(),
            _a.listed == true(),
            _a.unconfirmed.is_(None),
            _a.verdict.in_(COUNTED),
            _j.accuracy.is_not(None),
        )
        .order_by(_a.day)
    )
    return [(date.fromisoformat(day), accuracy) for day, accuracy in connection.execute(query)]
