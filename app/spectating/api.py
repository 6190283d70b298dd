"""The JSON API of spectating, under ``/api/v1``."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Query, Request
from pydantic import BaseModel, Field

from app.game_kinds import Audience
from app.http.dependencies import service_of
from app.identity.dependencies import ActingPlayer
from app.spectating.repository import parse_cursor
from app.spectating.service import SpectatingService

router = APIRouter(prefix="/api/v1", tags=["watch"])


class Watching(BaseModel):
    """Who may watch a game: nobody, anyone with the link, or everyone through the list of live games."""

    audience: Audience


class PublicTable(BaseModel):
    """A game that is played in public."""

    id: str
    ruleset: str
    player: str
    version: int
    viewers: int


class PublicTables(BaseModel):
    """A page of live games, the last listed first."""

    tables: list[PublicTable]
    next: str | None = Field(
        description="The value of `after` for the next page; null on the last page."
    )


@router.put("/games/{game_id}/audience", summary="Choose who may watch")
async def choose(
    request: Request, game_id: str, player: ActingPlayer, watching: Annotated[Watching, Body()]
) -> Watching:
    """Spectators who may no longer watch are disconnected at once."""
    service = service_of(request, SpectatingService)
    await service.choose_audience(game_id, player.id, watching.audience)
    return watching


@router.get("/watch", summary="List the games that are played in public")
async def live_tables(
    request: Request, after: Annotated[str, Query(max_length=80)] = ""
) -> PublicTables:
    """The games that are being played in public."""
    service = service_of(request, SpectatingService)
    found = await service.list_live_games(parse_cursor(after))
    return PublicTables(
        tables=[
            PublicTable(
                id=live.game.row.id,
                ruleset=live.game.row.ruleset,
                player=live.game.player,
                version=live.game.row.version,
                viewers=live.viewers,
            )
            for live in found.games
        ],
        next=str(found.after) if found.after else None,
    )
