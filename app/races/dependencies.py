"""FastAPI dependencies of races: the service, and the room at an address, with a rate limit on guessing codes."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.requests import Request

from app.http.dependencies import depends, service_of
from app.http.rate_limits import RateLimits, client_address
from app.races.errors import RaceNotFoundError
from app.races.service import RaceService
from app.races.snapshot import RoomSnapshot


def races_of(request: Request) -> RaceService:
    """The race service of this process."""
    return service_of(request, RaceService)


async def find_room(request: Request, code: str) -> RoomSnapshot:
    """The room with a code; raises ``RaceNotFoundError``, and ``RateLimitedError`` after too many wrong codes."""
    limits = service_of(request, RateLimits)
    address = client_address(request)
    await limits.check_wrong_codes(address)
    try:
        return await races_of(request).snapshot(code)
    except RaceNotFoundError as error:
        await limits.wrong_code(address)
        error.typed = code
        raise


Races = Annotated[RaceService, depends(races_of)]

RequestedRoom = Annotated[RoomSnapshot, Depends(find_room)]
"""The room whose code is in the address. Declare it before the player: a wrong code must not create a guest."""
