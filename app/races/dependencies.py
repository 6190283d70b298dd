"""How a request finds a race room, and what becomes of whoever only guesses at codes."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.requests import Request

from app.http.rate_limits import RateLimits, client_address
from app.races.container import RaceDesk
from app.races.errors import RaceNotFoundError
from app.races.service import RaceService
from app.races.snapshot import Scene


def races_of(request: Request) -> RaceService:
    """The races of this process."""
    return desk_of(request).service


def desk_of(request: Request) -> RaceDesk:
    """Everything about races in this process."""
    desk: RaceDesk = request.app.state.races
    return desk


async def scene_of(request: Request, code: str) -> Scene:
    """The room of an address; raises ``RaceNotFoundError``, and ``RateLimitedError`` after some wrong ones."""
    limits: RateLimits = request.app.state.rate_limits
    address = client_address(request)
    limits.may_guess(address)
    try:
        return await races_of(request).look(code)
    except RaceNotFoundError:
        limits.wrong_guess(address)
        raise


Entered = Annotated[Scene, Depends(scene_of)]
"""The room of an address that holds its code."""
