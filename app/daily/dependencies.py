"""How a request finds the daily deal, and wakes the work that has become due."""

from __future__ import annotations

from starlette.requests import Request

from app.daily.container import DailyDesk


def desk_of(request: Request) -> DailyDesk:
    """The daily deal of this process."""
    desk: DailyDesk = request.app.state.daily
    return desk


async def glance(request: Request) -> None:
    """The first request after midnight, or after a day has settled, starts what is due."""
    desk_of(request).caretaker.glance()
