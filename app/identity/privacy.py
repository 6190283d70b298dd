"""The privacy page: what the site keeps about visitors and for how long, rendered from the settings."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse

from app.http.dependencies import service_of
from app.http.templates import page
from app.identity.dependencies import CurrentPlayer
from app.settings import Settings

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class PrivacyView:
    """How long things are kept, in days; guests are kept for good if ``guest_days`` is 0."""

    path: str
    guest_days: int
    session_days: int
    session_max_days: int
    address_days: int
    refused_days: int


@router.get("/privacy")
async def privacy(request: Request, _player: CurrentPlayer) -> HTMLResponse:
    """What the site keeps, and for how long."""
    settings = service_of(request, Settings)
    view = PrivacyView(
        path="/privacy",
        guest_days=settings.guest_days,
        session_days=settings.session_days,
        session_max_days=settings.session_max_days,
        address_days=settings.address_days,
        refused_days=settings.refused_days,
    )
    return page(request, "identity/privacy.html", view)
