"""The page of removals, which is for everybody."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from typing import Final, NamedTuple

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app.admin.moderation.removals import Removal, after, first_month, read_removals
from app.clock import Clock
from app.db.engine import Database
from app.errors import NotFoundError
from app.http.dependencies import service_of
from app.http.formats import DAY_MS
from app.http.templates import page
from app.identity.dependencies import CurrentPlayer

router = APIRouter(include_in_schema=False)

_PATH: Final = "/removals"
_MONTH: Final = re.compile(r"(\d{4})-(0[1-9]|1[0-2])", re.ASCII)
_EPOCH: Final = date(1970, 1, 1)


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
    now = _EPOCH + timedelta(days=now_ms // DAY_MS)
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
        when=_spoken(_EPOCH + timedelta(days=removal.at_ms // DAY_MS)),
        what=removal.what,
        reason=removal.reason,
        title=removal.title,
        board=f"/daily/{removal.day}/{removal.ruleset}" if removal.day else "",
        day=_spoken(date.fromisoformat(removal.day)) if removal.day else "",
    )


def _spoken(day: date) -> str:
    return f"{day.day} {day:%B %Y}"
