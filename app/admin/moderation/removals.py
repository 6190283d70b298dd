"""What was taken off the boards, for everybody to read: when, what, and what kind of reason; never who."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from sqlalchemy import Connection, func, select, text

from app.admin.game_log.views import TITLES
from app.admin.moderation.audit import Act
from app.admin.moderation.reasons import TOLD, WORDS, Reason
from app.db.schema import audit, daily_attempts, daily_deals
from app.http.formats import day_begins_ms

_REPLAYED: Final = "Its moves did not bear it out when it was played again."
_a = daily_attempts.c


@dataclass(frozen=True, slots=True, order=True)
class Removal:
    """One thing that was taken away or given back; ``day`` and ``ruleset`` are empty when no board is concerned."""

    at_ms: int
    what: str
    reason: str
    title: str = ""
    day: str = ""
    ruleset: str = ""


def read_removals(connection: Connection, first: date) -> list[Removal]:
    """Everything of the month that begins with ``first``, the latest first."""
    begins_ms = day_begins_ms(first)
    ends_ms = day_begins_ms(after(first))
    return sorted(
        [*_acts(connection, begins_ms, ends_ms), *_replayed(connection, first, begins_ms, ends_ms)],
        reverse=True,
    )


def first_month(connection: Connection) -> date | None:
    """The month of the first deal, before which nothing can have been taken away."""
    day = connection.scalar(select(func.min(daily_deals.c.day)))
    return date.fromisoformat(day).replace(day=1) if day else None


def after(first: date) -> date:
    """The month after one that begins with ``first``."""
    return (first + timedelta(days=31)).replace(day=1)


def _acts(connection: Connection, begins_ms: int, ends_ms: int) -> list[Removal]:
    query = (
        select(audit.c.at_ms, audit.c.act, audit.c.reason, _a.day, _a.ruleset)
        .select_from(audit.outerjoin(daily_attempts, _a.game_id == audit.c.subject))
        .where(
            text("audit.reason IS NOT NULL"),  # written out for the partial index
            audit.c.at_ms >= begins_ms,
            audit.c.at_ms < ends_ms,
            audit.c.act.in_(TOLD),
        )
    )
    return [
        Removal(
            row.at_ms,
            TOLD[Act(row.act)],
            WORDS[Reason(row.reason)],
            TITLES.get(row.ruleset, row.ruleset or ""),
            row.day or "",
            row.ruleset or "",
        )
        for row in connection.execute(query)
    ]


def _replayed(connection: Connection, first: date, begins_ms: int, ends_ms: int) -> list[Removal]:
    """What closing the days of this month removed by itself, one line for each board."""
    d = daily_deals.c
    query = (
        select(d.closed_ms, _a.day, _a.ruleset, func.count().label("removed"))
        .select_from(daily_attempts.join(daily_deals))
        .where(
            text("daily_attempts.verdict = 'removed'"),  # as above
            _a.day < after(first).isoformat(),
            d.closed_ms >= begins_ms,
            d.closed_ms < ends_ms,
        )
        .group_by(d.closed_ms, _a.day, _a.ruleset)
    )
    return [
        Removal(
            row.closed_ms,
            "A result was removed" if row.removed == 1 else f"{row.removed} results were removed",
            _REPLAYED,
            TITLES.get(row.ruleset, row.ruleset),
            row.day,
            row.ruleset,
        )
        for row in connection.execute(query)
    ]
