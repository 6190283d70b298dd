"""The sign-in pages: claim a name, and sign in with it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Query
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from app.errors import AppError, MalformedError
from app.http.dependencies import service_of
from app.http.preferences import local_path
from app.http.templates import page, see_other
from app.identity.accounts import Accounts
from app.identity.dependencies import CurrentPlayer, client_info, session_token, set_session
from app.identity.model import Player
from app.identity.views import SignInView

router = APIRouter(include_in_schema=False)

Text = Annotated[str, Field(max_length=1000)]
Password = Annotated[str, Field(max_length=1000, repr=False)]
Back = Annotated[str, Query(max_length=200)]


class SignInForm(BaseModel):
    """The fields that both forms have, and where to go afterwards."""

    name: Text = ""
    password: Password = ""
    back: Text = ""


class ClaimForm(SignInForm):
    """The password twice, because a forgotten one can't be recovered."""

    again: Password = ""


class LoginForm(SignInForm):
    """Whether to move the guest's games into the account."""

    bring: Text = ""


@router.get("/join")
async def claim_form(request: Request, player: CurrentPlayer, back: Back = "") -> Response:
    if player and player.is_named:
        return see_other("/me")
    return await _form(request, "identity/claim.html", player, SignInForm(back=back))


@router.post("/join")
async def claim(
    request: Request, player: CurrentPlayer, form: Annotated[ClaimForm, Form()]
) -> Response:
    try:
        if form.password != form.again:
            raise MalformedError("The two passwords are not the same. Please type them again.")
        signed_in = await service_of(request, Accounts).claim(
            player, form.name, form.password, client_info(request)
        )
    except AppError as error:
        return await _form(request, "identity/claim.html", player, form, error)
    set_session(request, signed_in)
    return see_other(local_path(form.back) if form.back else "/me?done=joined")


@router.get("/login")
async def sign_in_form(request: Request, player: CurrentPlayer, back: Back = "") -> Response:
    if player and player.is_named:
        return see_other("/me")
    return await _form(request, "identity/sign_in.html", player, SignInForm(back=back))


@router.post("/login")
async def sign_in(
    request: Request, player: CurrentPlayer, form: Annotated[LoginForm, Form()]
) -> Response:
    """Sign in, and merge the guest of this browser into the account."""
    guest = player if player and not player.is_named and not session_token(request)[1] else None
    try:
        signed_in = await service_of(request, Accounts).sign_in(
            form.name, form.password, client_info(request), guest, keep_games=form.bring == "yes"
        )
    except AppError as error:
        return await _form(request, "identity/sign_in.html", player, form, error)
    set_session(request, signed_in)
    done = "brought" if signed_in.merged_games else "welcome"
    return see_other(local_path(form.back) if form.back else f"/me?done={done}")


async def _form(
    request: Request,
    template: str,
    player: Player | None,
    form: SignInForm,
    error: AppError | None = None,
) -> HTMLResponse:
    guest = player if player and not player.is_named else None
    view = SignInView(
        path=request.url.path,
        guest=guest,
        games=await service_of(request, Accounts).count_games(guest) if guest else 0,
        name=form.name,
        back=local_path(form.back) if form.back else "",
        error=error.detail if error else "",
    )
    return page(request, template, view, error=error)
