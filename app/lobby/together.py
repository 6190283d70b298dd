"""The page of ways to play together."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import HTMLResponse

from app.http.dependencies import service_of
from app.http.templates import NO_STORE, page
from app.identity.dependencies import CurrentPlayer
from app.lobby.open_now import count_open
from app.lobby.sections import LobbySections

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class TogetherView:
    """A section for each way to play with friends, the races of strangers, and how many of those can be joined."""

    path: str
    sections: list[Markup]
    open_races: Markup
    races: int


@router.get("/together")
async def together(request: Request, player: CurrentPlayer) -> HTMLResponse:
    """Ways to play with others, and what the viewer has open there."""
    sections = service_of(request, LobbySections)
    view = TogetherView(
        "/together",
        sections=[await section(request, player) for section in sections.together],
        open_races=await sections.open_races(request, player),
        races=(await count_open(request, player.id if player else None)).races,
    )
    return page(request, "lobby/together.html", view, headers=NO_STORE)
