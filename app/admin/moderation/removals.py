"""The public page of removals: what moderators took off the boards or put back, when and why; never who."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from typing import Final, NamedTuple

from fastapi import APIRouter
from sqlalchemy import Connection, func, select, text
from starlette.requests import Request
from starlette.responses import Response

from app.admin.audit_log import Act
from app.admin.moderation.actions import TOLD, WORDS, Reason
from app.clock import Clock, day_begins_ms, day_of
from app.db.engine import Database
from app.db.schema import audit, daily_attempts, daily_deals
from app.errors import NotFoundError
from app.http.dependencies import service_of
from app.http.formats import long_date
from app.http.templates import page
from app.identity.dependencies import CurrentPlayer
from app.rulesets import ruleset_title

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
            ruleset_title(row.ruleset) if row.ruleset else "",
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
            ruleset_title(row.ruleset),
            row.day,
            row.ruleset,
        )
        for row in connection.execute(query)
    ]


router = APIRouter(include_in_schema=False)

_PATH: Final = "/removals"
_MONTH: Final = re.compile(r"(\d{4})-(0[1-9]|1[0-2])", re.ASCII)


class Line(NamedTuple):
    """A removal as it is printed."""

    when: str
    what: str
    reason: str
    title: str
    board: str
    day: str


@dataclass(frozen=True, slots=True)
class RemovalsView:
    """A month of removals."""

    path: str
    title: str
    lines: list[Line]
    before: str
    after: str


@router.get(_PATH)
async def removals(request: Request, _player: CurrentPlayer, month: str = "") -> Response:
    """What was taken off the boards in a month."""
    now_ms = service_of(request, Clock)()
    now = day_of(now_ms)
    asked = _MONTH.fullmatch(month or f"{now:%Y-%m}")
    database = service_of(request, Database)
    oldest = await database.read(first_month) or now.replace(day=1)
    first = date(int(asked[1]), int(asked[2]), 1) if asked and int(asked[1]) else None
    if first is None or not min(oldest, now.replace(day=1)) <= first <= now:
        raise NotFoundError("A month is written like 2026-11; there is nothing of that one.")
    found = await database.read(partial(read_removals, first=first))
    before, following = (first - timedelta(days=1)).replace(day=1), after(first)
    view = RemovalsView(
        path=_PATH,
        title=f"{first:%B %Y}",
        lines=[_line(removal) for removal in found],
        before=f"{before:%Y-%m}" if before >= oldest else "",
        after=f"{following:%Y-%m}" if following <= now else "",
    )
    return page(request, "removals.html", view, headers={"Cache-Control": "no-store"})


def _line(removal: Removal) -> Line:
    return Line(
        when=long_date(day_of(removal.at_ms)),
        what=removal.what,
        reason=removal.reason,
        title=removal.title,
        board=f"/daily/{removal.day}/{removal.ruleset}" if removal.day else "",
        day=long_date(date.fromisoformat(removal.day)) if removal.day else "",
    )
