"""Authentication of a request: the player of its session cookie or bearer token.

Visitors become guests with the first change they ask for, never by viewing a page.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from fastapi import Depends
from starlette.requests import Request

from app.errors import NotFoundError, NotSignedInError, UnknownTokenError
from app.http.cookies import delete_cookie, is_from_before, read_cookie, set_cookie
from app.http.dependencies import add_response_header, service_of
from app.http.language import CHOSEN_BY_ADDRESS
from app.http.rate_limits import RateLimits, client_address
from app.http.templates import PLAYER
from app.i18n.languages import find
from app.i18n.speaking import ENGLISH_INFO
from app.i18n.wording import speak
from app.identity.device_labels import device_label
from app.identity.model import ClientInfo, Player, SignedIn
from app.identity.sessions import Sessions
from app.jobs.queue import Origin, current_origin
from app.networks import network_of
from app.settings import Settings
from app.text import gettext

COOKIE = "fd_session"
_BEARER = b"bearer "
_DAY_SECONDS = 86_400


async def current_player(request: Request) -> Player | None:
    """The player who makes a request, if there is one; raises ``UnknownTokenError``."""
    token, is_bearer = session_token(request)
    if token is None:
        return None
    sessions = service_of(request, Sessions)
    found = await sessions.find(token)
    if found is None:
        if is_bearer:
            raise UnknownTokenError(
                gettext("This token is unknown, or its session has ended or expired.")
            )
        return None
    if not is_bearer and (found.is_first_this_hour or is_from_before(request, COOKIE)):
        _set_session_cookie(request, token)
    _remember(request, found.player)
    return found.player


async def acting_player(request: Request) -> Player:
    """The player who makes a request, or a new guest. Counts as one action against the rate limit.

    Raises ``SuspendedError``.
    """
    return await player_or_guest(request, await current_player(request))


async def player_or_guest(request: Request, player: Player | None) -> Player:
    """As ``acting_player``, for a route that looks first whether the request makes sense: else it creates no guest."""
    if player:
        player.check_not_suspended()
    else:
        player, token = await create_guest(request)
        _set_session_cookie(request, token)
        _remember(request, player)
    limits = service_of(request, RateLimits)
    limits.action(player.id)
    return player


def _remember(request: Request, player: Player) -> None:
    """Note who makes this request: for the parts of its page, and for the jobs that it starts."""
    request.scope[PLAYER] = player
    if player.language and CHOSEN_BY_ADDRESS not in request.scope:
        speak(find(player.language) or ENGLISH_INFO)
    current_origin.set(Origin(network_of(client_address(request)), player.is_named))


CurrentPlayer = Annotated[Player | None, Depends(current_player)]
"""For pages that everybody may view."""


async def _viewer_id(player: CurrentPlayer) -> str | None:
    return player.id if player else None


ViewerId = Annotated[str | None, Depends(_viewer_id)]
"""The id of the current player, for routes that need only that."""

ActingPlayer = Annotated[Player, Depends(acting_player)]
"""For routes that change something."""


def require_player(player: Player | None) -> Player:
    """For pages of the player's own; raises ``NotSignedInError``."""
    if player is None:
        raise NotSignedInError(gettext("Sign in first, or play a game as a guest."))
    return player


def require_api_player(player: Player | None) -> Player:
    """The same for the API; raises ``NotFoundError``."""
    if player is None:
        raise NotFoundError(
            gettext("You aren't signed in. Start a game, or POST to /api/v1/players.")
        )
    return player


def player_of(request: Request) -> Player | None:
    """The player that the route's own dependencies have found, for parts of the site that add to a page."""
    found: Player | None = request.scope.get(PLAYER)
    return found


async def create_guest(request: Request) -> tuple[Player, str]:
    """A new guest with a session token, within the rate limit of the address."""
    limits = service_of(request, RateLimits)
    await limits.new_guest(client_address(request))
    sessions = service_of(request, Sessions)
    return await sessions.new_guest(device_label(request.headers.get("user-agent", "")))


def session_token(request: Request) -> tuple[str | None, bool]:
    """The session token of a request, and whether it is a bearer token instead of a cookie."""
    for name, value in request.scope["headers"]:
        if name == b"authorization" and value[: len(_BEARER)].lower() == _BEARER:
            return value[len(_BEARER) :].strip().decode("latin-1"), True
    return read_cookie(request, COOKIE), False


@dataclass(frozen=True, slots=True)
class SessionIsOpen:
    """Whether the session of a request is still open, for responses that take longer than a session may."""

    sessions: Sessions
    player_id: str
    token: str = field(repr=False)

    async def __call__(self) -> bool:
        return await self.sessions.is_open(self.token, self.player_id)


def session_guard(request: Request, player_id: str) -> SessionIsOpen:
    """The guard of the session with which a player makes this request."""
    token, _ = session_token(request)
    return SessionIsOpen(service_of(request, Sessions), player_id, token or "")


def client_info(request: Request) -> ClientInfo:
    """Where a request comes from, for a new session."""
    label = device_label(request.headers.get("user-agent", ""))
    return ClientInfo(client_address(request), label, session_token(request)[0])


def set_session(request: Request, signed_in: SignedIn) -> None:
    """Give the browser the cookie of a new session."""
    _set_session_cookie(request, signed_in.token)
    request.scope[PLAYER] = signed_in.player


def clear_session(request: Request) -> None:
    """Delete the session cookie in the browser, and what pages stored there."""
    delete_cookie(request, COOKIE)
    # Not "cache": pages of accounts are never stored, and browsers take long to clear it.
    add_response_header(request, "clear-site-data", '"storage"')


def _set_session_cookie(request: Request, token: str) -> None:
    settings = service_of(request, Settings)
    set_cookie(request, COOKIE, token, settings.session_days * _DAY_SECONDS)
