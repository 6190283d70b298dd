"""How a request finds a race room, and what becomes of whoever only guesses at codes."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.requests import Request

from app.http.dependencies import service_of
from app.http.rate_limits import RateLimits, client_address
from app.races.errors import RaceNotFoundError
from app.races.service import RaceService
from app.races.snapshot import Scene


def races_of(request: Request) -> RaceService:
    """The races of this process."""
    return service_of(request, RaceService)


async def scene_of(request: Request, code: str) -> Scene:
    """The room of an address; raises ``RaceNotFoundError``, and ``RateLimitedError`` after some wrong ones."""
    limits = service_of(request, RateLimits)
    address = client_address(request)
    limits.may_guess(address)
    try:
        return await races_of(request).look(code)
    except RaceNotFoundError:
        limits.wrong_guess(address)
        raise


Entered = Annotated[Scene, Depends(scene_of)]
"""The room of an address that holds its code."""
