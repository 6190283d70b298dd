"""From a request to the player who makes it: by cookie as browsers have it, or by bearer token.

A visitor becomes a guest with the first change they ask for, never by looking at a page.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.requests import Request

from app.errors import UnknownTokenError
from app.http.cookies import delete_cookie, read_cookie, set_cookie
from app.http.dependencies import service_of
from app.http.rate_limits import RateLimits, client_address
from app.http.templates import PLAYER
from app.identity.accounts import Entered, Place
from app.identity.devices import label_of
from app.identity.service import Player, PlayerService
from app.settings import Settings

COOKIE = "fd_session"
_BEARER = b"bearer "
_DAY_SECONDS = 86_400


async def current_player(request: Request) -> Player | None:
    """Whoever the request comes from, if they are anybody yet; raises ``UnknownTokenError``."""
    token, is_bearer = shown_token(request)
    if token is None:
        return None
    players = service_of(request, PlayerService)
    visit = await players.find(token)
    if visit is None:
        if is_bearer:
            raise UnknownTokenError(
                "This token opens no session: it was never given out, has ended, or has expired."
            )
        return None
    if visit.is_first_this_hour and not is_bearer:
        _set_session_cookie(request, token)
    request.scope[PLAYER] = visit.player
    return visit.player


async def seated(request: Request) -> Player:
    """Whoever the request comes from, made a guest when they are nobody yet. It counts as one action of theirs.

    Raises ``SuspendedError``.
    """
    player = await current_player(request)
    if player:
        player.check_not_suspended()
    else:
        player, token = await become_guest(request)
        _set_session_cookie(request, token)
        request.scope[PLAYER] = player
    limits = service_of(request, RateLimits)
    limits.action(player.id)
    return player


async def become_guest(request: Request) -> tuple[Player, str]:
    """A new guest and their token, within what one address may ask for."""
    limits = service_of(request, RateLimits)
    limits.new_guest(client_address(request))
    players = service_of(request, PlayerService)
    return await players.new_guest(label_of(request.headers.get("user-agent", "")))


CurrentPlayer = Annotated[Player | None, Depends(current_player)]
"""For pages that anybody may look at."""

Seated = Annotated[Player, Depends(seated)]
"""For routes that change something."""


def shown_token(request: Request) -> tuple[str | None, bool]:
    """The token that a request shows, and whether it does so as a bearer and not by cookie."""
    for name, value in request.scope["headers"]:
        if name == b"authorization" and value[: len(_BEARER)].lower() == _BEARER:
            return value[len(_BEARER) :].strip().decode("latin-1"), True
    return read_cookie(request, COOKIE), False


def forget_cookie(request: Request) -> None:
    """Have the browser drop its token."""
    delete_cookie(request, COOKIE)


def place_of(request: Request) -> Place:
    """Where a request comes from, for whoever comes in by it."""
    label = label_of(request.headers.get("user-agent", ""))
    return Place(client_address(request), label, shown_token(request)[0])


def enter(request: Request, entered: Entered) -> None:
    """Let the browser be somebody from now on."""
    _set_session_cookie(request, entered.token)
    request.scope[PLAYER] = entered.player


def _set_session_cookie(request: Request, token: str) -> None:
    settings = service_of(request, Settings)
    set_cookie(request, COOKIE, token, settings.session_days * _DAY_SECONDS)
