"""Staff sign-in pages: re-authentication, signing out, and the answer to unknown admin addresses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Depends, Form, Query
from markupsafe import Markup
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from app.admin.auth.dependencies import (
    COOKIE,
    PREFIX,
    SignedInStaff,
    Staff,
    StaffIdentity,
    clear_step_up_cookie,
    require_role,
    return_path,
    set_step_up_cookie,
)
from app.admin.auth.service import STEP_UP_MINUTES, StaffService
from app.admin.auth.step_up import StepUpService
from app.errors import AppError, NotFoundError
from app.http.cookies import read_cookie
from app.http.dependencies import service_of
from app.http.templates import page, render_markup, see_other
from app.identity.account_page import AccountPagePart
from app.identity.dependencies import client_info
from app.identity.passkeys.dependencies import ConfirmForm
from app.identity.second_factor.confirmation import ConfirmationMethods, Confirmations
from app.text import gettext

router = APIRouter(prefix=PREFIX, include_in_schema=False)


@dataclass(frozen=True, slots=True)
class StepUpView:
    """Who signs in, which proofs they need, and where they want to go."""

    role: str
    name: str
    minutes: int
    back: str
    methods: ConfirmationMethods
    error: str


class DoorForm(ConfirmForm):
    """What proves that it is the staff member, and the page to go to."""

    back: Annotated[str, Field(max_length=2000)] = ""


@router.get("")
async def show_start_page(_staff: Staff) -> Response:
    """The admin area starts with the list of games."""
    return see_other(f"{PREFIX}/games")


@router.get("/enter")
async def show_password_form(
    request: Request, identity: SignedInStaff, back: Annotated[str, Query(max_length=2000)] = ""
) -> Response:
    return await _form(request, identity, back)


@router.post("/enter")
async def reauthenticate(
    request: Request, identity: SignedInStaff, form: Annotated[DoorForm, Form()]
) -> Response:
    """Check the password and the second factor, and start a step-up session; or begin to set up a second factor."""
    try:
        token = await service_of(request, StepUpService).reauthenticate(
            identity.player, identity.session, form.proof(request), client_info(request)
        )
    except AppError as error:
        return await _form(request, identity, form.back, error)
    back = return_path(form.back)
    if token is None:
        return see_other(f"{PREFIX}/second-factor?back={quote(back)}")
    set_step_up_cookie(request, token)
    return see_other(back)


@router.post("/leave")
async def end_step_up_session(request: Request, identity: SignedInStaff) -> Response:
    token = read_cookie(request, COOKIE, path=PREFIX)
    if token:
        await service_of(request, StaffService).end_step_up_session(identity.player, token)
    clear_step_up_cookie(request)
    return see_other("/")


async def account_section(request: Request, part: AccountPagePart) -> Markup:
    """For the page of a staff member's own account: the way to the admin area."""
    role = await service_of(request, StaffService).find_role(part.player.id)
    return render_markup("admin/_account_section.html", role=role) if role else Markup()


# Included last in the application, so that unknown addresses under the prefix look the same to everyone.
catch_all = APIRouter(include_in_schema=False)


@catch_all.api_route(
    PREFIX + "/{path:path}",
    methods=["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
    dependencies=[Depends(require_role)],
)
async def answer_unknown_address(path: str) -> Response:
    """Raises ``NotFoundError``."""
    raise NotFoundError(
        gettext("There is no page at %(prefix)s/%(value)s.", prefix=PREFIX, value=path[:60])
    )


async def _form(
    request: Request, identity: StaffIdentity, back: str, error: AppError | None = None
) -> Response:
    view = StepUpView(
        role=identity.role,
        name=identity.player.name,
        minutes=STEP_UP_MINUTES,
        back=return_path(back),
        methods=await service_of(request, Confirmations).methods_of(identity.player.id),
        error=error.detail if error else "",
    )
    return page(request, "admin/enter.html", view, error=error)
