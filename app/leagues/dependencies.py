"""FastAPI dependencies of leagues: the service, and the link in the address, checked before anything is created."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.requests import Request

from app.http.dependencies import depends, service_of
from app.identity.dependencies import ViewerId
from app.leagues.service import LeagueService


def leagues_of(request: Request) -> LeagueService:
    """The league service."""
    return service_of(request, LeagueService)


Leagues = Annotated[LeagueService, depends(leagues_of)]


async def _known_link(link: str, leagues: Leagues, _viewer_id: ViewerId) -> str:
    await leagues.find(link)
    return link


KnownLink = Annotated[str, Depends(_known_link)]
"""The link of a league. Declare it before the player: a wrong one must not create a guest."""
