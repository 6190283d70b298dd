"""The JSON face of watching, under ``/api/v1``."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Query, Request
from pydantic import BaseModel, Field

from app.http.dependencies import service_of
from app.identity.dependencies import ActingPlayer
from app.spectating.cursors import read_cursor, written
from app.spectating.repository import Audience
from app.spectating.service import SpectatingService

router = APIRouter(prefix="/api/v1", tags=["watch"])


class Watching(BaseModel):
    """Who may watch a table: nobody, whoever has its link, or everybody by the list of live tables."""

    audience: Audience


class PublicTable(BaseModel):
    """A table that is played in public."""

    id: str
    ruleset: str
    player: str
    version: int
    viewers: int


class PublicTables(BaseModel):
    """A page of live tables, the last shown first."""

    tables: list[PublicTable]
    next: str | None = Field(description="What to ask for with `after`; null on the last page.")


@router.put("/games/{game_id}/audience")
async def choose(
    request: Request, game_id: str, player: ActingPlayer, watching: Annotated[Watching, Body()]
) -> Watching:
    """Choose who may watch one's table. Whoever watches and may not any more is let go at once."""
    service = service_of(request, SpectatingService)
    await service.choose(game_id, player.id, watching.audience)
    return watching


@router.get("/watch")
async def live_tables(
    request: Request, after: Annotated[str, Query(max_length=80)] = ""
) -> PublicTables:
    """The tables that are played in public now."""
    service = service_of(request, SpectatingService)
    found = await service.live_tables(read_cursor(after))
    return PublicTables(
        tables=[
            PublicTable(
                id=table.game.game_id,
                ruleset=table.game.ruleset,
                player=table.game.player,
                version=table.game.actions,
                viewers=table.viewers,
            )
            for table in found.tables
        ],
        next=written(found.after) if found.after else None,
    )
