"""The foresight of the best attempts of closed days, as stored. Functions run in their caller's transaction.

Nothing is stored of an attempt before its day is closed: the statement that stores it says so.
"""

from __future__ import annotations

from datetime import date
from typing import Final

from sqlalchemy import BigInteger, Connection, Double, Text, func, literal, select, true

from app.db.engine import insert_or_ignore
from app.db.schema import daily_attempts, daily_deals, foresights
from app.games.attempt_verdicts import AttemptVerdict
from app.solver.foresight import Foresight

BEST: Final = 10
"""So many of the best confirmed attempts of each deal are measured."""

_COLUMNS: Final = ("game_id", "z", "excess", "variance", "choices", "measured_ms")
_a, _d, _f = daily_attempts.c, daily_deals.c, foresights.c


def find_unmeasured(connection: Connection, first: date) -> str | None:
    """The attempt to measure next: one of the best solved and confirmed ones of a closed day since ``first``."""
    place = func.row_number().over(
        partition_by=(_a.day, _a.ruleset), order_by=(_a.actions, _a.seconds, _a.game_id)
    )
    ranked = (
        select(_a.game_id, _a.day, place.label("place"), _f.game_id.label("measured"))
        .select_from(daily_attempts.join(daily_deals).outerjoin(foresights))
        .where(
            _d.closed_ms.is_not(None),
            _a.day >= first.isoformat(),
            _a.listed == true(),
            _a.unconfirmed.is_(None),
            _a.verdict == AttemptVerdict.SOLVED,
        )
        .subquery()
    )
    r = ranked.c
    query = select(r.game_id).where(r.measured.is_(None), r.place <= BEST)
    return connection.scalar(query.order_by(r.day.desc(), r.place, r.game_id).limit(1))


def note(connection: Connection, game_id: str, found: Foresight | None, at_ms: int) -> None:
    """Store the foresight of an attempt, once, if its day is closed. ``None`` means that it could not be measured."""
    values = (
        literal(found.z if found else None, Double),
        literal(found.excess if found else None, Double),
        literal(found.variance if found else None, Double),
        literal(str(found) if found else None, Text),
        literal(at_ms, BigInteger),
    )
    closed = (
        select(_a.game_id, *values)
        .select_from(daily_attempts.join(daily_deals))
        .where(_a.game_id == game_id, _d.closed_ms.is_not(None))
    )
    connection.execute(insert_or_ignore(connection, foresights).from_select(_COLUMNS, closed))
