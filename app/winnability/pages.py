"""The page of winnability."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse

from app.http.templates import page
from app.identity.dependencies import CurrentPlayer
from app.winnability.service import find_tallies
from app.winnability.views import winnability_view

router = APIRouter(include_in_schema=False)


@router.get("/winnability")
async def show(request: Request, _player: CurrentPlayer) -> HTMLResponse:
    """How many deals of each game can be won."""
    return page(request, "winnability/winnability.html", winnability_view(await find_tallies()))
