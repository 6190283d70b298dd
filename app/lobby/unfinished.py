"""All games that the viewer left unfinished, a page at a time, each with its table as it stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import HTMLResponse

from app.db.cursors import parse_cursor
from app.http.templates import NO_STORE, page
from app.identity.dependencies import CurrentPlayer
from app.identity.model import Player
from app.lobby.open_games import OpenGame, OpenPage, list_page
from app.lobby.open_now import list_together
from app.text import gettext

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class UnfinishedView:
    """One page of the list."""

    path: str
    player: Player | None
    games: list[OpenGame]
    is_first: bool
    following: str
    """The query of the next page; empty on the last one."""


@router.get("/me/unfinished")
async def unfinished(
    request: Request,
    player: CurrentPlayer,
    after: Annotated[str, Query(max_length=100)] = "",
) -> HTMLResponse:
    """A page of the viewer's unfinished games; those with others are on the first one."""
    cursor = parse_cursor(after, gettext("'after' must come from the link to the next page."))
    found = OpenPage([], following=None)
    if player:
        together = () if cursor else await list_together(request, player.id)
        found = await list_page(request, player.id, together, cursor)
    view = UnfinishedView(
        path="/me/unfinished",
        player=player,
        games=found.games,
        is_first=cursor is None,
        following=f"after={found.following}" if found.following else "",
    )
    return page(request, "lobby/unfinished.html", view, headers=NO_STORE)
