"""How the deals of today lie for one viewer: as far as they have played them, else as they were dealt."""

from __future__ import annotations

from fastapi import Request

from app.daily.model import PlayerDeal
from app.daily.views import opening_of
from app.engine.position import Position
from app.games.event_log import EventLog
from app.http.dependencies import service_of


async def position_of(request: Request, found: PlayerDeal) -> Position:
    """The table of the viewer's own attempt, or of the deal before the first move."""
    if found.attempt is None:
        return opening_of(found)
    return (await service_of(request, EventLog).load(found.attempt.game_id)).position
