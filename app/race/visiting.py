"""How a request finds a race room, and what becomes of whoever only guesses at codes."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.requests import Request

from app.race.desk import RaceDesk
from app.race.errors import RaceNotFoundError
from app.race.scene import Scene
from app.race.service import RaceService
from app.web.limits import RateLimits, client_address


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
