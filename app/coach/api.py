"""The JSON face of help at open tables, under ``/api/v1``."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from app.coach.service import CoachService
from app.play.api import State, Turn, answer
from app.players.identity import CurrentPlayer, Seated

router = APIRouter(prefix="/api/v1", tags=["coach"])


class HintInfo(BaseModel):
    """A hint, from what lies in sight."""

    version: int = Field(description="Of the table that it is about.")
    move: str | None = Field(description="Null when nothing more is worth naming.")
    why: str
    next: int | None = Field(description="Ask with this as `after` for the next best one.")


@router.get("/games/{game_id}/hint")
async def hint(
    request: Request,
    game_id: str,
    player: CurrentPlayer,
    after: Annotated[int, Query(ge=0, le=1000)] = 0,
) -> HintInfo:
    """What might be good to play, the best first. There is none in ranked play: 403 ``no_help``."""
    table, advice = await _coach(request).hint(game_id, player.id if player else None, after)
    return HintInfo(
        version=table.version,
        move=str(advice.action) if advice.action else None,
        why=advice.why,
        next=advice.number if advice.has_next else None,
    )


@router.post("/games/{game_id}/finish", responses={200: {"model": State}}, response_class=Response)
async def finish(
    request: Request, game_id: str, player: Seated, turn: Annotated[Turn, Body()]
) -> Response:
    """Play all the rest home where ``can_finish`` holds: each card a move, so the version rises by as many."""
    return answer((await _coach(request).finish(game_id, player.id, turn.version)).outcome)


def _coach(request: Request) -> CoachService:
    service: CoachService = request.app.state.coach
    return service
