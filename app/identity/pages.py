"""The page of a player's account: name, password, sessions, sign-out and deletion."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Form, Query
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.errors import AppError, MalformedError
from app.http.dependencies import never_stored, service_of
from app.http.rate_limits import RateLimits
from app.http.templates import see_other
from app.identity.account_changes import AccountChanges
from app.identity.account_page import account_page
from app.identity.dependencies import (
    CurrentPlayer,
    clear_session,
    client_info,
    require_player,
    session_token,
    set_session,
)
from app.identity.players import Players
from app.identity.sessions import Sessions
from app.identity.typed_twice import Password, TypedTwice
from app.text import gettext

router = APIRouter(include_in_schema=False, dependencies=[Depends(never_stored)])

Text = Annotated[str, Form(max_length=1000)]


class PasswordForm(TypedTwice):
    """The password so far, if there is one, and a new one."""

    current: Password = ""
    new: Password = ""


@router.get("/me/account")
async def show_account(
    request: Request, player: CurrentPlayer, done: Annotated[str, Query()] = ""
) -> HTMLResponse:
    """The player's account, or the ways to get one."""
    return await account_page(request, player, done=done)


@router.post("/me/another-name")
async def give_another_name(request: Request, player: CurrentPlayer) -> RedirectResponse:
    """Give a guest another random name. Counts as one action against the rate limit."""
    guest = require_player(player)
    service_of(request, RateLimits).action(guest.id)
    await service_of(request, Players).give_another_name(guest)
    return see_other("/me")


@router.post("/me/name")
async def change_name(request: Request, player: CurrentPlayer, name: Text = "") -> Response:
    try:
        await service_of(request, AccountChanges).change_name(require_player(player), name)
    except AppError as error:
        return await account_page(request, player, "name", error)
    return see_other("/me/account?done=name")


@router.post("/me/password")
async def change_password(
    request: Request, player: CurrentPlayer, form: Annotated[PasswordForm, Form()]
) -> Response:
    """Change the password, which signs out all other devices."""
    try:
        if form.is_mistyped(form.new):
            raise MalformedError(
                gettext("The two new passwords are not the same. Please type them again.")
            )
        signed_in = await service_of(request, AccountChanges).change_password(
            require_player(player), form.current, form.new, client_info(request)
        )
    except AppError as error:
        return await account_page(request, player, "password", error)
    set_session(request, signed_in)
    return see_other("/me/account?done=password")


@router.post("/me/sessions/others/end")
async def end_other_sessions(request: Request, player: CurrentPlayer) -> RedirectResponse:
    """Sign out all other devices."""
    token, _ = session_token(request)
    await service_of(request, Sessions).end_other_sessions(require_player(player), token or "")
    return see_other("/me/account?done=others")


@router.post("/me/sessions/{session_id}/end")
async def end_session(request: Request, session_id: str, player: CurrentPlayer) -> RedirectResponse:
    """Sign out one device."""
    await service_of(request, Sessions).end_session(require_player(player), session_id)
    return see_other("/me/account?done=ended")


@router.post("/me/sign-out")
async def sign_out(request: Request, player: CurrentPlayer) -> RedirectResponse:
    """Sign out this browser."""
    token, is_bearer = session_token(request)
    if player is not None and token is not None and not is_bearer:
        await service_of(request, Sessions).sign_out(player, token)
    clear_session(request)
    return see_other("/")


@router.post("/me/delete")
async def delete(
    request: Request,
    player: CurrentPlayer,
    password: Text = "",
    sure: Annotated[str, Form(max_length=10)] = "",
) -> Response:
    """Delete the player's account and data."""
    try:
        if sure != "yes":
            raise MalformedError(gettext("Please tick the box to confirm. This can't be undone."))
        await service_of(request, AccountChanges).delete(
            require_player(player), password, client_info(request)
        )
    except AppError as error:
        return await account_page(request, player, "delete", error)
    clear_session(request)
    return see_other("/")
