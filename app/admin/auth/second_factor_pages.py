"""The page of a staff member's second factor: setting up an authenticator app, replacing and removing it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Form, Query
from starlette.requests import Request
from starlette.responses import Response

from app.admin.auth.dependencies import (
    PREFIX,
    ReauthenticationRequiredError,
    SignedInStaff,
    Staff,
    StaffIdentity,
    require_reauthentication,
    return_path,
    set_step_up_cookie,
)
from app.admin.auth.step_up import StepUpService
from app.clock import day_of
from app.errors import AppError
from app.http.dependencies import service_of
from app.http.qr import qr_data_uri
from app.http.rate_limits import client_address
from app.http.templates import page, see_other
from app.i18n.formats import long_date
from app.identity.dependencies import client_info
from app.identity.passkeys.dependencies import ConfirmForm
from app.identity.second_factor.confirmation import ConfirmationMethods, Confirmations
from app.identity.second_factor.service import SET_UP_MINUTES, Authenticators, PendingSecret

PATH = f"{PREFIX}/second-factor"

router = APIRouter(prefix=PATH, include_in_schema=False)


@dataclass(frozen=True, slots=True)
class SetUpView:
    """A new secret, as text and as a QR code, and the form for its first code."""

    role: str
    secret: str
    qr: str
    minutes: int
    back: str
    error: str


@dataclass(frozen=True, slots=True)
class SecondFactorView:
    """The second factors of a staff member, and the forms to change them."""

    name: str
    methods: ConfirmationMethods
    since: str
    error: str


@router.get("")
async def show(
    request: Request, identity: SignedInStaff, back: Annotated[str, Query(max_length=2000)] = ""
) -> Response:
    """The set-up that was begun in this session; else what is set up, after re-authentication."""
    authenticators = service_of(request, Authenticators)
    pending = await authenticators.find_pending(identity.player, identity.session)
    if pending:
        return _set_up_page(request, identity, pending, back)
    await require_reauthentication(request, identity)
    return await _state_page(request, identity)


@router.post("/confirm")
async def confirm(
    request: Request,
    identity: SignedInStaff,
    code: Annotated[str, Form(max_length=1000)] = "",
    back: Annotated[str, Form(max_length=2000)] = "",
) -> Response:
    """Finish with the first code, which starts a step-up session."""
    authenticators = service_of(request, Authenticators)
    pending = await authenticators.find_pending(identity.player, identity.session)
    if not pending:
        raise ReauthenticationRequiredError(return_path(back))
    try:
        token = await service_of(request, StepUpService).set_up(
            identity.player, identity.session, code, client_address(request)
        )
    except AppError as error:
        return _set_up_page(request, identity, pending, back, error)
    set_step_up_cookie(request, token)
    return see_other(return_path(back))


@router.post("/replace")
async def replace(
    request: Request,
    identity: SignedInStaff,
    _staff: Staff,
    form: Annotated[ConfirmForm, Form()],
) -> Response:
    """Begin to set up an app, or another one."""
    try:
        await service_of(request, StepUpService).begin_replacement(
            identity.player, identity.session, form.proof(request), client_info(request)
        )
    except AppError as error:
        return await _state_page(request, identity, error)
    return see_other(f"{PATH}?back={PATH}")


@router.post("/remove")
async def remove(
    request: Request,
    identity: SignedInStaff,
    _staff: Staff,
    form: Annotated[ConfirmForm, Form()],
) -> Response:
    """Remove the app; a passkey must remain."""
    try:
        await service_of(request, StepUpService).remove_authenticator(
            identity.player, form.proof(request), client_info(request)
        )
    except AppError as error:
        return await _state_page(request, identity, error)
    return see_other(PATH)


def _set_up_page(
    request: Request,
    identity: StaffIdentity,
    pending: PendingSecret,
    back: str,
    error: AppError | None = None,
) -> Response:
    view = SetUpView(
        role=identity.role,
        # In groups of four, as apps and people read it.
        secret=" ".join(pending.secret[at : at + 4] for at in range(0, len(pending.secret), 4)),
        qr=qr_data_uri(pending.link),
        minutes=SET_UP_MINUTES,
        back=return_path(back),
        error=error.detail if error else "",
    )
    return page(request, "admin/set_up.html", view, error=error)


async def _state_page(
    request: Request, identity: StaffIdentity, error: AppError | None = None
) -> Response:
    found = await service_of(request, Authenticators).find(identity.player.id)
    since_ms = found.confirmed_ms if found else None
    view = SecondFactorView(
        name=identity.player.name,
        methods=await service_of(request, Confirmations).methods_of(identity.player.id),
        since=long_date(day_of(since_ms)) if since_ms else "",
        error=error.detail if error else "",
    )
    return page(request, "admin/second_factor.html", view, error=error)
