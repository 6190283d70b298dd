"""The FastAPI dependency of games: the service."""

from __future__ import annotations

from starlette.requests import Request

from app.games.service import GameService
from app.http.dependencies import service_of


def games_of(request: Request) -> GameService:
    """The game service."""
    return service_of(request, GameService)
