"""Access control of ``/admin``: pages exist only for staff, and open only after re-authentication.

Two cookies are required together: the session cookie, and one that browsers send to ``/admin`` only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final
from urllib.parse import quote

from fastapi import Depends, FastAPI
from starlette.requests import Request
from starlette.responses import Response

from app.admin.auth.repository import Role
from app.admin.auth.service import (
    STEP_UP_MINUTES,
    AdministratorsOnlyError,
    StaffMember,
    StaffService,
)
from app.admin.conflict_of_interest import Reader
from app.clock import Clock, day_of
from app.errors import NotFoundError
from app.http.cookies import delete_cookie, read_cookie, set_cookie
from app.http.dependencies import add_response_header, service_of
from app.http.preferences import local_path
from app.http.templates import see_other
from app.identity.dependencies import current_player, session_token
from app.identity.model import Player
from app.text import gettext

COOKIE: Final = "fd_admin"
PREFIX: Final = "/admin"


class ReauthenticationRequiredError(Exception):
    """A staff member must re-authenticate before they see this page."""

    def __init__(self, return_path: str) -> None:
        """``return_path`` is where to go afterwards."""
        super().__init__(return_path)
        self.return_path = return_path


def install(app: FastAPI) -> None:
    """Add the redirect to the password form."""
    app.add_exception_handler(ReauthenticationRequiredError, _redirect_to_form)


async def _redirect_to_form(_request: Request, error: Exception) -> Response:
    back = error.return_path if isinstance(error, ReauthenticationRequiredError) else PREFIX
    return see_other(f"{PREFIX}/enter?back={quote(back)}")


@dataclass(frozen=True, slots=True)
class StaffIdentity:
    """A player with a role, re-authenticated or not, and their session token."""

    player: Player
    role: Role
    session: str


async def require_role(request: Request) -> StaffIdentity:
    """The signed-in staff member; raises ``NotFoundError`` for everyone else."""
    add_response_header(request, "cache-control", "no-store")
    # An injected script could open an admin page in a window, which is an ordinary navigation, and read it there.
    # With this policy the browser cuts the link to that window, even on the same site.
    add_response_header(request, "cross-origin-opener-policy", "noopener-allow-popups")
    token, is_bearer = session_token(request)
    # It could also fetch an admin page, with all cookies; but the browser does not call that a navigation.
    mode = request.headers.get("sec-fetch-mode", "navigate")
    if token is None or is_bearer or mode != "navigate":
        raise NotFoundError
    player = await current_player(request)
    staff = service_of(request, StaffService)
    role = await staff.find_role(player.id) if player and player.is_named else None
    if player is None or role is None:
        raise NotFoundError
    return StaffIdentity(player, role, token)


async def require_reauthentication(
    request: Request, identity: Annotated[StaffIdentity, Depends(require_role)]
) -> StaffMember:
    """The staff member, if their step-up session is open; raises ``ReauthenticationRequiredError``."""
    token = read_cookie(request, COOKIE, path=PREFIX)
    member = token and await service_of(request, StaffService).find_staff_member(
        identity.player, identity.role, identity.session, token
    )
    if not member:
        path = request.url.path
        query = f"?{request.url.query}" if request.url.query else ""
        raise ReauthenticationRequiredError(path + query if request.method == "GET" else PREFIX)
    return member


async def require_administrator(
    member: Annotated[StaffMember, Depends(require_reauthentication)],
) -> StaffMember:
    """The staff member, if they are an administrator; raises ``AdministratorsOnlyError``."""
    if not member.is_administrator:
        raise AdministratorsOnlyError(gettext("Only administrators can do this."))
    return member


SignedInStaff = Annotated[StaffIdentity, Depends(require_role)]
"""For the form that starts a step-up session, and for setting up what it asks for."""

Staff = Annotated[StaffMember, Depends(require_reauthentication)]
"""For pages that moderators may see."""

Administrator = Annotated[StaffMember, Depends(require_administrator)]
"""For pages that only administrators may see."""


def reader_of(request: Request, member: StaffMember) -> Reader:
    """The staff member as a reader of games, from whom some games are withheld today."""
    return Reader(member.player.id, day_of(service_of(request, Clock)()))


def set_step_up_cookie(request: Request, token: str) -> None:
    """Have the browser keep the token of a step-up session until it expires."""
    set_cookie(request, COOKIE, token, STEP_UP_MINUTES * 60, path=PREFIX, same_site="Strict")


def clear_step_up_cookie(request: Request) -> None:
    """Have the browser drop its token."""
    delete_cookie(request, COOKIE, path=PREFIX, same_site="Strict")


def return_path(back: str) -> str:
    """Where to go once the step-up session has started: an admin page, and nowhere else."""
    path = local_path(back)
    return path if path.startswith(f"{PREFIX}/") else f"{PREFIX}/games"
