"""Why a month cannot be archived yet: its moves are still needed to close days, and to judge and review results."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, Select, or_, select

from app.analysis.day_reviews import DAYS
from app.clock import DAY_MS, day_begins_ms, first_day_of
from app.daily.attempt_logs import SET_ASIDE, UNVERIFIED
from app.db.schema import daily_attempts, daily_deals, games, race_seats, races

_REVIEWS_MS: Final = DAYS.days * DAY_MS
_a, _d, _r = daily_attempts.c, daily_deals.c, races.c


def find_unsettled(connection: Connection, month: int, now_ms: int) -> str | None:
    """What of a month is still to be settled, in a sentence; ``None`` if nothing is."""
    first, next_month = first_day_of(month), first_day_of(month + 1)
    until = next_month + DAYS
    if now_ms < day_begins_ms(until):
        return f"The games of this month are reviewed until then: archive it from {until} on."
    unclosed = select(_d.day).where(
        _d.day >= first.isoformat(), _d.day < next_month.isoformat(), _d.closed_ms.is_(None)
    )
    if day := connection.scalar(unclosed.order_by(_d.day).limit(1)):
        return f"The day {day} of this month is not closed. Run 'fairdeal daily close {day}'."
    began = games.c.started_ms.between(day_begins_ms(first), day_begins_ms(next_month) - 1)
    unjudged = select(_a.day).join_from(daily_attempts, games)
    unjudged = unjudged.where(began, or_(SET_ASIDE, UNVERIFIED))
    if day := connection.scalar(unjudged.order_by(_a.day).limit(1)):
        return f"Games of {day} are not judged yet. Run 'fairdeal daily close {day}'."
    raced: Select[tuple[str]] = (
        select(_r.code)
        .select_from(races.join(race_seats).join(games, games.c.id == race_seats.c.game_id))
        .where(began, _r.void_ms.is_(None))
    )
    if code := connection.scalar(raced.where(_r.ended_ms.is_(None)).limit(1)):
        return f"The race {code}, with games of this month, has not ended yet."
    if code := connection.scalar(raced.where(_r.ended_ms > now_ms - _REVIEWS_MS).limit(1)):
        return f"The race {code}, with games of this month, ended less than a week ago."
    return None
