"""Removals: what was taken off the leaderboards or put back, when and why, but never whose."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from sqlalchemy import Connection, func, select, text

from app.admin.audit_log import AuditAction
from app.admin.moderation.actions import PUBLIC_TEXTS
from app.clock import day_begins_ms
from app.db.schema import audit, daily_attempts, daily_deals
from app.errors import NotFoundError
from app.identity.moderators_reasons import REASON_TEXTS, Reason
from app.rulesets import ruleset_title
from app.text import gettext, ngettext

_MONTH: Final = re.compile(r"(\d{4})-(0[1-9]|1[0-2])", re.ASCII)
_FAILED_REPLAY: Final = gettext(
    "Its moves didn't lead to the stored result when they were replayed."
)
_a = daily_attempts.c


@dataclass(frozen=True, slots=True, order=True)
class Removal:
    """Something removed or put back; ``day`` and ``ruleset`` are empty if it was not on a leaderboard."""

    at_ms: int
    what: str
    reason: str
    title: str = ""
    day: str = ""
    ruleset: str = ""


def list_removals(connection: Connection, first: date) -> list[Removal]:
    """The removals of the month that begins with ``first``, the latest first."""
    begins_ms = day_begins_ms(first)
    ends_ms = day_begins_ms(next_month(first))
    return sorted(
        [
            *_list_moderated(connection, begins_ms, ends_ms),
            *_list_failed_replays(connection, first, begins_ms, ends_ms),
        ],
        reverse=True,
    )


def _list_moderated(connection: Connection, begins_ms: int, ends_ms: int) -> list[Removal]:
    """What moderators removed or put back."""
    query = (
        select(audit.c.at_ms, audit.c.act, audit.c.reason, _a.day, _a.ruleset)
        .select_from(audit.outerjoin(daily_attempts, _a.game_id == audit.c.subject))
        .where(
            text("audit.reason IS NOT NULL"),  # literal, so that the partial index is used
            audit.c.at_ms >= begins_ms,
            audit.c.at_ms < ends_ms,
            audit.c.act.in_(PUBLIC_TEXTS),
        )
    )
    return [
        Removal(
            row.at_ms,
            PUBLIC_TEXTS[AuditAction(row.act)],
            REASON_TEXTS[Reason(row.reason)],
            ruleset_title(row.ruleset) if row.ruleset else "",
            row.day or "",
            row.ruleset or "",
        )
        for row in connection.execute(query)
    ]


def _list_failed_replays(
    connection: Connection, first: date, begins_ms: int, ends_ms: int
) -> list[Removal]:
    """What was removed automatically when the days of this month closed, one row for each leaderboard."""
    d = daily_deals.c
    query = (
        select(d.closed_ms, _a.day, _a.ruleset, func.count().label("removed"))
        .select_from(daily_attempts.join(daily_deals))
        .where(
            text("daily_attempts.verdict = 'removed'"),  # as above
            _a.day < next_month(first).isoformat(),
            d.closed_ms >= begins_ms,
            d.closed_ms < ends_ms,
        )
        .group_by(d.closed_ms, _a.day, _a.ruleset)
    )
    return [
        Removal(
            row.closed_ms,
            ngettext("A result was removed", "%(n)s results were removed", row.removed),
            _FAILED_REPLAY,
            ruleset_title(row.ruleset),
            row.day,
            row.ruleset,
        )
        for row in connection.execute(query)
    ]


def find_first_month(connection: Connection) -> date | None:
    """The month of the first daily deal; nothing was removed before that."""
    day = connection.scalar(select(func.min(daily_deals.c.day)))
    return date.fromisoformat(day).replace(day=1) if day else None


def parse_month(month: str, oldest: date, today: date) -> date:
    """The first day of a month such as ``2026-11``, this one if none is named; raises ``NotFoundError``."""
    parts = _MONTH.fullmatch(month or f"{today:%Y-%m}")
    first = date(int(parts[1]), int(parts[2]), 1) if parts and int(parts[1]) else None
    if first is None or not min(oldest, today.replace(day=1)) <= first <= today:
        raise NotFoundError(gettext("There is nothing for this month. Months look like 2026-11."))
    return first


def next_month(first: date) -> date:
    """The month after one, each by its first day."""
    return (first + timedelta(days=31)).replace(day=1)
