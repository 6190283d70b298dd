"""The page that the service worker keeps for when there is no network. It has nothing of a visitor's in it."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse

from app.http.templates import page

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class OfflineView:
    """The page has nothing but its address: a script fills in the last table."""

    path: str = "/offline"


@router.get("/offline")
async def offline(request: Request) -> HTMLResponse:
    """The page without a network."""
    return page(request, "lobby/offline.html", OfflineView())
