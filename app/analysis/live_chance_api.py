"""The chance to win, for those who watch a game, in the JSON API, under ``/api/v1``."""

from __future__ import annotations

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from app.analysis.live_chances import LiveChances
from app.http.dependencies import service_of
from app.identity.dependencies import ActingPlayer, ViewerId

router = APIRouter(prefix="/api/v1", tags=["watch"])


class LiveChanceBody(BaseModel):
    """The chance to win, for those who watch."""

    version: int = Field(description="The version of the game that the chance is of.")
    chance: float | None = Field(
        description="From 0 to 1, judged from the cards that the players have seen. Null if it is not known in time:"
        " ask again."
    )


@router.get("/games/{game_id}/chance", summary="Get the chance to win, as a spectator")
async def read_chance(request: Request, game_id: str, viewer_id: ViewerId) -> LiveChanceBody:
    """The chance to win, for those who watch a game whose owner lets them see it; players are `forbidden`.

    Ranked games have none: 403 `no_help`.
    """
    found = await service_of(request, LiveChances).find(game_id, viewer_id)
    chance = None if found.chance is None else round(found.chance, 4)
    return LiveChanceBody(version=found.version, chance=chance)


@router.put("/games/{game_id}/chance", status_code=204, summary="Show spectators the chance to win")
async def allow(request: Request, game_id: str, player: ActingPlayer) -> None:
    """Let spectators of your game see the chance to win, for good. The game then counts as assisted.

    Only before the first move (409 `conflict`), and not in ranked play (403 `no_help`).
    """
    await service_of(request, LiveChances).show(game_id, player.id)
