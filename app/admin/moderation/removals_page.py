"""The public page of removals, month by month."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from typing import Final, NamedTuple

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app.admin.moderation.removals import (
    Removal,
    find_first_month,
    list_removals,
    next_month,
    parse_month,
)
from app.clock import Clock, day_of
from app.db.engine import Database
from app.http.dependencies import service_of
from app.http.templates import NO_STORE, page
from app.i18n.formats import long_date
from app.identity.dependencies import CurrentPlayer
from app.text import date_text

router = APIRouter(include_in_schema=False)

_PATH: Final = "/removals"


class RemovalRow(NamedTuple):
    when: str
    what: str
    reason: str
    title: str
    board: str
    day: str


@dataclass(frozen=True, slots=True)
class RemovalsView:
    path: str
    title: str
    rows: list[RemovalRow]
    previous: str
    next: str


@router.get(_PATH)
async def show_removals(request: Request, _player: CurrentPlayer, month: str = "") -> Response:
    now_ms = service_of(request, Clock)()
    today = day_of(now_ms)
    database = service_of(request, Database)
    oldest = await database.read_elsewhere(find_first_month) or today.replace(day=1)
    first = parse_month(month, oldest, today)
    found = await database.read_elsewhere(partial(list_removals, first=first))
    previous, following = (first - timedelta(days=1)).replace(day=1), next_month(first)
    view = RemovalsView(
        path=_PATH,
        title=date_text(first, "month"),
        rows=[_row(removal) for removal in found],
        previous=f"{previous:%Y-%m}" if previous >= oldest else "",
        next=f"{following:%Y-%m}" if following <= today else "",
    )
    return page(request, "removals.html", view, headers=NO_STORE)


def _row(removal: Removal) -> RemovalRow:
    return RemovalRow(
        when=long_date(day_of(removal.at_ms)),
        what=removal.what,
        reason=removal.reason,
        title=removal.title,
        board=f"/daily/{removal.day}/{removal.ruleset}" if removal.day else "",
        day=long_date(date.fromisoformat(removal.day)) if removal.day else "",
    )
