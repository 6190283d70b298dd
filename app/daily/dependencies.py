"""How a request finds the daily deal, and wakes the work that has become due."""

from __future__ import annotations

from starlette.requests import Request

from app.daily.results import DailyResults
from app.daily.schedule import DailySchedule
from app.daily.service import DailyService
from app.http.dependencies import service_of


def daily_of(request: Request) -> DailyService:
    """The daily deal of this process."""
    return service_of(request, DailyService)


def results_of(request: Request) -> DailyResults:
    """What players made of the daily deals."""
    return service_of(request, DailyResults)


async def glance(request: Request) -> None:
    """The first request after midnight, or after a day has settled, starts what is due."""
    service_of(request, DailySchedule).glance()
