"""How a request finds the daily deal and its browser's token, and wakes the work that has become due."""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import Final

from starlette.requests import Request

from app.daily.results import DailyResults
from app.daily.schedule import DailySchedule
from app.daily.service import DailyService
from app.http.cookies import YEAR_SECONDS, read_cookie, set_cookie
from app.http.dependencies import service_of
from app.identity.dependencies import session_token

COOKIE: Final = "fd_browser"


_FORM: Final = re.compile(r"[A-Za-z0-9_-]{22}")


def browser_token_hash(request: Request) -> bytes | None:
    """The hash of the browser's token, which it is given now if it has none. Programs with a bearer token have none."""
    _, is_bearer = session_token(request)
    if is_bearer:
        return None
    token = read_cookie(request, COOKIE)
    if token is None or not _FORM.fullmatch(token):
        token = secrets.token_urlsafe(16)
        set_cookie(request, COOKIE, token, YEAR_SECONDS)
    return hashlib.sha256(token.encode()).digest()


def daily_of(request: Request) -> DailyService:
    """The daily deal of this process."""
    return service_of(request, DailyService)


def results_of(request: Request) -> DailyResults:
    """What players made of the daily deals."""
    return service_of(request, DailyResults)


async def wake_if_due(request: Request) -> None:
    """The first request after midnight, or after a day has settled, starts what is due."""
    service_of(request, DailySchedule).wake_if_due()
