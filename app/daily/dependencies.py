"""Dependencies of the daily routes: services, path parameters, week and tables of a viewer, browser tokens, tasks."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial
from typing import Annotated, Final

from starlette.requests import Request

from app.daily.model import DailyNotFoundError, PlayerDeal, parse_day
from app.daily.own_results import OwnWeek, own_week, read_own_week
from app.daily.results import DailyResults
from app.daily.schedule import DailySchedule
from app.daily.service import DailyService
from app.daily.views import opening_of
from app.db.engine import Database
from app.engine.position import Position
from app.games.event_log import EventLog
from app.http.cookies import YEAR_SECONDS, is_from_before, read_cookie, set_cookie
from app.http.dependencies import depends, service_of
from app.http.rate_limits import client_address
from app.identity.dependencies import session_token
from app.identity.model import Player
from app.networks import network_of
from app.text import sentence_of

COOKIE: Final = "fd_browser"

_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{22}")


def daily_of(request: Request) -> DailyService:
    """The daily deal service."""
    return service_of(request, DailyService)


def results_of(request: Request) -> DailyResults:
    """The service that reads results."""
    return service_of(request, DailyResults)


async def wake_if_due(request: Request) -> None:
    """Wake the periodic tasks if they are due: after midnight, and when yesterday can be closed."""
    service_of(request, DailySchedule).wake_if_due()


def browser_token_hash(request: Request) -> bytes | None:
    """The hash of the browser's token, which is created if necessary; ``None`` for clients with a bearer token."""
    _, is_bearer = session_token(request)
    if is_bearer:
        return None
    token = read_cookie(request, COOKIE)
    is_known = token is not None and _TOKEN.fullmatch(token) is not None
    if token is None or not is_known:
        token = secrets.token_urlsafe(16)
    if not is_known or is_from_before(request, COOKIE):
        set_cookie(request, COOKIE, token, YEAR_SECONDS)
    return hashlib.sha256(token.encode()).digest()


def client_network(request: Request) -> str:
    """The network of the client, browser or not."""
    return network_of(client_address(request))


def read_day(text: str) -> date:
    """A day in a path; raises ``DailyNotFoundError``."""
    try:
        return parse_day(text)
    except ValueError as error:
        raise DailyNotFoundError(sentence_of(error)) from error


async def read_week(request: Request, player: Player | None, today: date) -> OwnWeek:
    """The viewer's last seven days until ``today``."""
    if player is None:
        return own_week((), today)
    read = partial(read_own_week, player_id=player.id, today=today)
    return await service_of(request, Database).read(read)


async def positions_of(request: Request, found: Sequence[PlayerDeal]) -> Mapping[str, Position]:
    """How each deal lies for the viewer, by its rule set: as far as they have played it, else as it was dealt."""
    log = service_of(request, EventLog)
    begun = [each.attempt.game_id for each in found if each.attempt]
    games = await log.load_all(await log.list_rows(begun)) if begun else []
    reached = {game.id: game.position for game in games}
    return {
        each.rules.id: reached[each.attempt.game_id] if each.attempt else opening_of(each)
        for each in found
    }


Daily = Annotated[DailyService, depends(daily_of)]
Results = Annotated[DailyResults, depends(results_of)]
