"""Staff sign-in pages: the password form, signing out, and the answer to unknown admin addresses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Query
from starlette.requests import Request
from starlette.responses import Response

from app.admin.auth.dependencies import (
    COOKIE,
    PREFIX,
    SignedInStaff,
    Staff,
    clear_step_up_cookie,
    require_role,
    set_step_up_cookie,
)
from app.admin.auth.service import STEP_UP_MINUTES, StaffService
from app.errors import AppError, NotFoundError
from app.http.cookies import read_cookie
from app.http.dependencies import service_of
from app.http.preferences import local_path
from app.http.rate_limits import client_address
from app.http.templates import page, see_other

router = APIRouter(prefix=PREFIX, include_in_schema=False)


@dataclass(frozen=True, slots=True)
class PasswordFormView:
    role: str
    name: str
    minutes: int
    back: str
    error: str


@router.get("")
async def show_start_page(_staff: Staff) -> Response:
    """The admin area starts with the list of games."""
    return see_other(f"{PREFIX}/games")


@router.get("/enter")
async def show_password_form(
    request: Request, identity: SignedInStaff, back: Annotated[str, Query(max_length=2000)] = ""
) -> Response:
    return page(request, "admin/enter.html", _form(identity, back, ""))


@router.post("/enter")
async def reauthenticate(
    request: Request,
    identity: SignedInStaff,
    password: Annotated[str, Form(max_length=1000)] = "",
    back: Annotated[str, Form(max_length=2000)] = "",
) -> Response:
    """Check the password and start a step-up session."""
    staff = service_of(request, StaffService)
    try:
        token = await staff.reauthenticate(
            identity.player, identity.session, password, client_address(request)
        )
    except AppError as error:
        view = _form(identity, back, error.detail)
        return page(request, "admin/enter.html", view, error=error)
    set_step_up_cookie(request, token)
    return see_other(_return_path(back))


@router.post("/leave")
async def end_step_up_session(request: Request, _identity: SignedInStaff) -> Response:
    token = read_cookie(request, COOKIE)
    if token:
        await service_of(request, StaffService).end_step_up_session(token)
    clear_step_up_cookie(request)
    return see_other("/")


# Included last in the application, so that unknown addresses under the prefix look the same to everyone.
catch_all = APIRouter(include_in_schema=False)


@catch_all.api_route(
    PREFIX + "/{path:path}",
    methods=["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
    dependencies=[Depends(require_role)],
)
async def answer_unknown_address(path: str) -> Response:
    """Raises ``NotFoundError``."""
    raise NotFoundError(f"There is no page at {PREFIX}/{path[:60]}.")


def _form(identity: SignedInStaff, back: str, error: str) -> PasswordFormView:
    return PasswordFormView(
        identity.role, identity.player.name, STEP_UP_MINUTES, _return_path(back), error
    )


def _return_path(back: str) -> str:
    """Where to go after the password form: an admin page, and nowhere else."""
    path = local_path(back)
    return path if path.startswith(f"{PREFIX}/") else f"{PREFIX}/games"
