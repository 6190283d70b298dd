"""The explorer as pages: a position of a deal, where its games went from there, and links to step through them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from starlette.responses import HTMLResponse

from app.daily.dependencies import read_day, wake_if_due
from app.explorer.service import ExplorerService
from app.explorer.views import daily_view, open_view
from app.http.dependencies import service_of
from app.http.templates import NO_STORE, page, see_other
from app.identity.dependencies import ViewerId

router = APIRouter(include_in_schema=False, dependencies=[Depends(wake_if_due)])

Line = Annotated[str, Query()]


@router.get("/daily/{day}/{ruleset}/explorer")
async def explore_daily(
    request: Request, day: str, ruleset: str, viewer_id: ViewerId, line: Line = ""
) -> HTMLResponse:
    """A closed daily deal after a line."""
    service = service_of(request, ExplorerService)
    found = await service.explore_daily(viewer_id, read_day(day), ruleset, line)
    view = daily_view(found, is_player=viewer_id is not None)
    return page(request, "explorer/explorer.html", view, headers=NO_STORE)


@router.get("/deal/{ruleset}/{code}/explorer")
async def explore_open(
    request: Request, ruleset: str, code: str, viewer_id: ViewerId, line: Line = ""
) -> HTMLResponse:
    """An open deal that the viewer has finished, after a line."""
    service = service_of(request, ExplorerService)
    view = open_view(await service.explore_open(viewer_id, ruleset, code, line))
    return page(request, "explorer/explorer.html", view, headers=NO_STORE)


@router.get("/games/{game_id}/explorer")
async def of_game(request: Request, game_id: str, viewer_id: ViewerId) -> Response:
    """From a game to the explorer of its deal."""
    return see_other(await service_of(request, ExplorerService).find_address(game_id, viewer_id))
