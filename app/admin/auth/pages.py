"""The door of the admin pages, what is first behind it, and the list of what was done there."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Form, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from app.admin.auth.dependencies import (
    COOKIE,
    PREFIX,
    Admitted,
    WithRole,
    give_cookie,
    take_cookie,
    visitor,
)
from app.admin.auth.service import FRESH_MINUTES, StaffAccess
from app.errors import AppError, NotFoundError
from app.http.cookies import read_cookie
from app.http.dependencies import service_of
from app.http.errors import headers_of, status_of
from app.http.preferences import local_path
from app.http.rate_limits import client_address
from app.http.templates import page

router = APIRouter(prefix=PREFIX, include_in_schema=False)

_LINES: Final = 100


@dataclass(frozen=True, slots=True)
class EnterView:
    """The form that asks for the password."""

    role: str
    name: str
    minutes: int
    back: str
    trouble: str


@router.get("")
async def first_page(_officer: Admitted) -> Response:
    """There is one thing to look at first."""
    return RedirectResponse(f"{PREFIX}/games", HTTPStatus.SEE_OTHER)


@router.get("/enter")
async def enter_form(
    request: Request, came: WithRole, back: Annotated[str, Query(max_length=2000)] = ""
) -> Response:
    """The form that asks for the password."""
    return page(request, "admin/enter.html", _form(came, back, ""))


@router.post("/enter")
async def enter(
    request: Request,
    came: WithRole,
    password: Annotated[str, Form(max_length=1000)] = "",
    back: Annotated[str, Form(max_length=2000)] = "",
) -> Response:
    """Let somebody in."""
    office = service_of(request, StaffAccess)
    try:
        token = await office.enter(came.player, came.session, password, client_address(request))
    except AppError as error:
        view = _form(came, back, error.detail)
        return page(request, "admin/enter.html", view, status_of(type(error)), headers_of(error))
    give_cookie(request, token)
    return RedirectResponse(_behind_the_door(back), HTTPStatus.SEE_OTHER)


@router.post("/leave")
async def leave(request: Request, _came: WithRole) -> Response:
    """Shut the door."""
    office = service_of(request, StaffAccess)
    token = read_cookie(request, COOKIE)
    if token:
        await office.leave(token)
    take_cookie(request)
    return RedirectResponse("/", HTTPStatus.SEE_OTHER)


# Last in the application: whatever else is asked for under the prefix is answered alike, to everybody.
nothing_else = APIRouter(include_in_schema=False)


@nothing_else.api_route(
    PREFIX + "/{path:path}",
    methods=["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
    dependencies=[Depends(visitor)],
)
async def nothing(path: str) -> Response:
    """There is nothing here."""
    raise NotFoundError(f"Nothing is known under {PREFIX}/{path[:60]}.")


def _form(came: WithRole, back: str, trouble: str) -> EnterView:
    return EnterView(came.role, came.player.name, FRESH_MINUTES, _behind_the_door(back), trouble)


def _behind_the_door(back: str) -> str:
    """Where to go after the door: some admin page, and nowhere else."""
    path = local_path(back)
    return path if path.startswith(f"{PREFIX}/") else f"{PREFIX}/games"
