"""The pages to create an account and to sign in."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Depends, Form, Query
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from app.errors import AppError, MalformedError
from app.http.dependencies import never_stored, service_of
from app.http.preferences import local_path
from app.http.templates import leave_page, page, see_other
from app.identity.accounts import Accounts
from app.identity.dependencies import CurrentPlayer, client_info, session_token, set_session
from app.identity.model import Player, SignedIn
from app.identity.openid.service import OpenIdService
from app.identity.passkeys.dependencies import Answer, are_passkeys_here, binding_of
from app.identity.passkeys.service import PasskeyService
from app.identity.recovery.service import RecoveryService
from app.identity.typed_twice import Password, TypedTwice
from app.identity.views import SignInView
from app.text import gettext

router = APIRouter(include_in_schema=False, dependencies=[Depends(never_stored)])

Text = Annotated[str, Field(max_length=1000)]
Back = Annotated[str, Query(max_length=200)]


class SignInForm(BaseModel):
    """The fields that both forms have, and where to go afterwards."""

    name: Text = ""
    password: Password = ""
    back: Text = ""


class AccountForm(SignInForm, TypedTwice):
    """A name and a password for a new account."""


class CredentialsForm(SignInForm):
    """Whether to move the guest's games into the account; and instead of name and password, a passkey's answer."""

    bring: Text = ""
    credential: Answer = ""


@router.get("/join")
async def account_form(request: Request, player: CurrentPlayer, back: Back = "") -> Response:
    if player and player.is_named:
        return see_other("/me")
    return await _form(request, "identity/create_account.html", player, SignInForm(back=back))


@router.post("/join")
async def create_account(
    request: Request, player: CurrentPlayer, form: Annotated[AccountForm, Form()]
) -> Response:
    """Create an account; everything that is wrong with the form is said at once, each at its field."""
    accounts, client = service_of(request, Accounts), client_info(request)
    faults = await accounts.account_faults(player, form.name, form.password, client)
    if form.is_mistyped(form.password):
        faults["again"] = MalformedError(
            gettext("The two passwords are not the same. Please type them again.")
        )
    if faults:
        first = next(iter(faults.values()))
        return await _form(
            request, "identity/create_account.html", player, form, first, faults=faults
        )
    try:
        signed_in = await accounts.create_account(player, form.name, form.password, client)
    except AppError as error:
        return await _form(request, "identity/create_account.html", player, form, error)
    set_session(request, signed_in)
    await service_of(request, RecoveryService).make_first(signed_in.player, signed_in.token)
    address = recovery_codes_path(local_path(form.back) if form.back else "")
    return leave_page(request, address)


@router.get("/login")
async def sign_in_form(request: Request, player: CurrentPlayer, back: Back = "") -> Response:
    if player and player.is_named:
        return see_other("/me")
    return await _form(request, "identity/sign_in.html", player, SignInForm(back=back))


@router.post("/login")
async def sign_in(
    request: Request, player: CurrentPlayer, form: Annotated[CredentialsForm, Form()]
) -> Response:
    """Sign in, and merge the guest of this browser into the account."""
    try:
        signed_in = await service_of(request, Accounts).sign_in(
            form.name,
            form.password,
            client_info(request),
            guest_of(request, player),
            keep_games=form.bring == "yes",
        )
    except AppError as error:
        return await _form(request, "identity/sign_in.html", player, form, error)
    return welcome(request, signed_in, form.back)


@router.post("/login/passkey")
async def sign_in_with_passkey(
    request: Request, player: CurrentPlayer, form: Annotated[CredentialsForm, Form()]
) -> Response:
    """The same with a passkey; the name is not needed."""
    try:
        signed_in = await service_of(request, PasskeyService).sign_in(
            form.credential,
            binding_of(request),
            client_info(request),
            guest_of(request, player),
            keep_games=form.bring == "yes",
        )
    except AppError as error:
        return await _form(request, "identity/sign_in.html", player, form, error)
    return welcome(request, signed_in, form.back)


def welcome(request: Request, signed_in: SignedIn, back: str) -> Response:
    """Give the browser its session, and go ``back``, or to the player's own page."""
    set_session(request, signed_in)
    done = "brought" if signed_in.merged_games else "welcome"
    return see_other(local_path(back) if back else f"/me?done={done}")


def recovery_codes_path(back: str) -> str:
    """Where a player who has just created an account goes, and from there ``back``."""
    return f"/me/recovery-codes?back={quote(back or '/me?done=joined', safe='/')}"


def guest_of(request: Request, player: Player | None) -> Player | None:
    """The guest of this browser, whose games can move into the account that signs in."""
    _, is_bearer = session_token(request)
    return player if player and not player.is_named and not is_bearer else None


async def _form(
    request: Request,
    template: str,
    player: Player | None,
    form: SignInForm,
    error: AppError | None = None,
    *,
    faults: Mapping[str, AppError] = MappingProxyType({}),
) -> HTMLResponse:
    guest = guest_of(request, player)
    view = SignInView(
        path=request.url.path,
        guest=guest,
        games=await service_of(request, Accounts).count_games(guest) if guest else 0,
        name=form.name,
        back=local_path(form.back) if form.back else "",
        error=error.detail if error and not faults else "",
        faults={name: fault.detail for name, fault in faults.items()},
        has_passkeys=are_passkeys_here(request),
        openid=service_of(request, OpenIdService).label,
    )
    return page(request, template, view, error=error)
