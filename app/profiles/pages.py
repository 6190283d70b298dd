"""A player's public page, and the download of a player's own data."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from fastapi import APIRouter
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from app.db.engine import Database
from app.errors import ForbiddenError
from app.http.dependencies import service_of
from app.http.templates import page
from app.identity.dependencies import CurrentPlayer
from app.identity.service import PlayerService
from app.profiles import export
from app.profiles.statistics import read_profile
from app.profiles.views import profile_view

router = APIRouter(include_in_schema=False)

ProfileSection = Callable[[Request, str], Awaitable[Markup]]
"""Renders what another slice adds to the page of the player with this id."""


@dataclass(frozen=True, slots=True)
class ProfileSections:
    """What other slices add to a player's public page."""

    sections: Sequence[ProfileSection]


@router.get("/players/{name}")
async def profile(request: Request, name: str, _player: CurrentPlayer) -> Response:
    """The public page of a player with a claimed name."""
    database = service_of(request, Database)
    found = await database.read(lambda connection: read_profile(connection, name))
    if found.name != name:
        return RedirectResponse(f"/players/{quote(found.name)}", 303)
    now_ms = service_of(request, PlayerService).now_ms()
    callbacks = service_of(request, ProfileSections).sections
    sections = [await render(request, found.player_id) for render in callbacks]
    view = profile_view(found, f"/players/{quote(name)}", now_ms, sections)
    return page(request, "profiles/profile.html", view)


@router.get("/me/export")
async def export_all(request: Request, player: CurrentPlayer) -> StreamingResponse:
    """Everything stored about the player, as a file."""
    if player is None:
        raise ForbiddenError("You aren't signed in. Sign in, or start a game.")
    return export.download(service_of(request, Database), player.id)
