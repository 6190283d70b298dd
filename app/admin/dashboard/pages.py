"""The overview: how the site does, for everybody behind the door."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app.admin.auth.dependencies import PREFIX, Admitted
from app.admin.dashboard.repository import read_overview
from app.admin.dashboard.views import SPANS, overview_view
from app.clock import Clock
from app.db.engine import Database
from app.http.dependencies import service_of
from app.http.templates import page

router = APIRouter(prefix=PREFIX, include_in_schema=False)


@router.get("/overview")
async def overview(request: Request, _officer: Admitted, days: int = SPANS[0]) -> Response:
    """The last days, and the last day and night hour by hour."""
    shown = days if days in SPANS else SPANS[0]
    now_ms = service_of(request, Clock)()
    database = service_of(request, Database)
    today = datetime.fromtimestamp(now_ms / 1000, UTC).date()
    first = today - timedelta(days=shown - 1)
    found = await database.read(partial(read_overview, first=first, now_ms=now_ms))
    return page(request, "admin/overview.html", overview_view(found, today, shown, now_ms))
