"""FastAPI dependencies of challenges: the service, and the link in the address, checked before anything is created."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.requests import Request

from app.challenges.service import ChallengeService
from app.http.dependencies import service_of
from app.identity.dependencies import ViewerId


def challenges_of(request: Request) -> ChallengeService:
    """The challenge service."""
    return service_of(request, ChallengeService)


async def _known_token(request: Request, token: str, _viewer_id: ViewerId) -> str:
    await challenges_of(request).find(token)
    return token


KnownToken = Annotated[str, Depends(_known_token)]
"""The token of a challenge. Declare it before the player: a wrong one must not create a guest."""
