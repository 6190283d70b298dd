"""The doors of ``/admin``: nobody learns that there is anything, unless they have a role and give their password.

Two cookies must come together: that of the session, and one that is sent to ``/admin`` alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Final
from urllib.parse import quote

from fastapi import Depends, FastAPI
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from app.admin.auth.repository import Role
from app.admin.auth.service import FRESH_MINUTES, Officer, StaffAccess
from app.admin.errors import AdministratorsOnlyError
from app.errors import NotFoundError
from app.http.cookies import delete_cookie, read_cookie, set_cookie
from app.http.dependencies import service_of
from app.http.headers import add_response_header
from app.identity.dependencies import current_player, session_token
from app.identity.model import Player

COOKIE: Final = "fd_admin"
PREFIX: Final = "/admin"


class PasswordDueError(Exception):
    """Somebody with a role has to give their password before they see what they asked for."""

    def __init__(self, back: str) -> None:
        """``back`` is where they wanted to go."""
        super().__init__(back)
        self.back = back


def install(app: FastAPI) -> None:
    """Let the application ask for a password where one is due."""
    app.add_exception_handler(PasswordDueError, _ask_for_password)


async def _ask_for_password(_request: Request, error: Exception) -> Response:
    back = error.back if isinstance(error, PasswordDueError) else PREFIX
    return RedirectResponse(f"{PREFIX}/enter?back={quote(back)}", HTTPStatus.SEE_OTHER)


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody with a role, whether or not they have given their password, and the token of their session."""

    player: Player
    role: Role
    session: str


async def visitor(request: Request) -> Visitor:
    """Whoever has a role; for everybody else there is nothing here."""
    add_response_header(request, "cache-control", "no-store")
    # A script in some page of ours could also open an admin page in a window, which is a visit like any other, and
    # look into that. The browser lets go of a window with this policy, even one that is of the same site.
    add_response_header(request, "cross-origin-opener-policy", "noopener-allow-popups")
    token, is_bearer = session_token(request)
    # A script that got into some page of ours could ask for an admin page and read it, cookies and all; the browser
    # says that it was not a person who went there.
    mode = request.headers.get("sec-fetch-mode", "navigate")
    if token is None or is_bearer or mode != "navigate":
        raise _nothing()
    player = await current_player(request)
    role = await _office(request).role_of(player.id) if player and player.is_named else None
    if player is None or role is None:
        raise _nothing()
    return Visitor(player, role, token)


async def officer(request: Request, came: Annotated[Visitor, Depends(visitor)]) -> Officer:
    """Whoever has a role and has given their password lately; raises ``PasswordDueError``."""
    token = read_cookie(request, COOKIE)
    admitted = token and await _office(request).admitted(
        came.player, came.role, came.session, token
    )
    if not admitted:
        path = request.url.path
        query = f"?{request.url.query}" if request.url.query else ""
        raise PasswordDueError(path + query if request.method == "GET" else PREFIX)
    return admitted


async def administrator(found: Annotated[Officer, Depends(officer)]) -> Officer:
    """The same, for what moderators may not do."""
    if not found.is_administrator:
        raise AdministratorsOnlyError("This is for administrators.")
    return found


WithRole = Annotated[Visitor, Depends(visitor)]
"""For the door itself."""

Admitted = Annotated[Officer, Depends(officer)]
"""For every page behind the door."""

Administrator = Annotated[Officer, Depends(administrator)]
"""For what moderators may not do."""


def give_cookie(request: Request, token: str) -> None:
    """Let the browser show a token at the door, until the password is due again."""
    set_cookie(request, COOKIE, token, FRESH_MINUTES * 60, path=PREFIX, same_site="Strict")


def take_cookie(request: Request) -> None:
    """Have the browser drop its token."""
    delete_cookie(request, COOKIE, path=PREFIX, same_site="Strict")


def _nothing() -> NotFoundError:
    return NotFoundError("Nothing is known under this address.")


def _office(request: Request) -> StaffAccess:
    return service_of(request, StaffAccess)
