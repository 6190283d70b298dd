"""A player's passkeys: list, add, rename, remove. Adding and signing in need a script; the rest does not."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Depends, Form, Query
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from app.errors import AppError
from app.http.dependencies import never_stored, service_of
from app.http.templates import page, render_markup, see_other
from app.identity.account_page import AccountPagePart
from app.identity.dependencies import CurrentPlayer, client_info, require_player
from app.identity.model import NoAccountError, Player
from app.identity.passkeys.dependencies import (
    Answer,
    ConfirmForm,
    Typed,
    answering_browser,
    are_passkeys_here,
)
from app.identity.passkeys.model import Passkey
from app.identity.passkeys.service import PasskeyService
from app.identity.passkeys.views import PasskeysView, PasskeyView, passkey_line
from app.identity.second_factor.confirmation import Confirmations
from app.text import gettext

router = APIRouter(
    prefix="/me/passkeys", include_in_schema=False, dependencies=[Depends(never_stored)]
)

_PATH: Final = "/me/passkeys"
_MESSAGES: Final = {
    "added": gettext("You have added a passkey. You can sign in with it from now on."),
    "renamed": gettext("You have renamed the passkey."),
    "removed": gettext("You have removed the passkey. You can no longer sign in with it."),
}


@router.get("")
async def list_passkeys(
    request: Request, player: CurrentPlayer, done: Annotated[str, Query()] = ""
) -> HTMLResponse:
    return await _list(request, _require_named(player), message=_MESSAGES.get(done, ""))


@router.post("")
async def add(
    request: Request,
    player: CurrentPlayer,
    label: Annotated[Typed, Form()] = "",
    credential: Annotated[Answer, Form()] = "",
) -> Response:
    """Store the passkey that the browser has just made."""
    player = _require_named(player)
    device = client_info(request).label
    try:
        await service_of(request, PasskeyService).register(
            player, credential, answering_browser(request), label, device
        )
    except AppError as error:
        return await _list(request, player, error)
    return see_other(f"{_PATH}?done=added")


@router.get("/{passkey_id}")
async def show(request: Request, passkey_id: str, player: CurrentPlayer) -> HTMLResponse:
    player = _require_named(player)
    passkey = await service_of(request, PasskeyService).find(player.id, passkey_id)
    return await _one(request, player, passkey)


@router.post("/{passkey_id}/name")
async def rename(
    request: Request, passkey_id: str, player: CurrentPlayer, label: Annotated[Typed, Form()] = ""
) -> Response:
    player = _require_named(player)
    passkeys = service_of(request, PasskeyService)
    passkey = await passkeys.find(player.id, passkey_id)
    try:
        await passkeys.rename(player.id, passkey_id, label)
    except AppError as error:
        return await _one(request, player, passkey, error)
    return see_other(f"{_PATH}?done=renamed")


@router.post("/{passkey_id}/remove")
async def remove(
    request: Request,
    passkey_id: str,
    player: CurrentPlayer,
    form: Annotated[ConfirmForm, Form()],
) -> Response:
    """Revoke a passkey, after re-authentication."""
    player = _require_named(player)
    passkeys, client = service_of(request, PasskeyService), client_info(request)
    passkey = await passkeys.find(player.id, passkey_id)
    try:
        await service_of(request, Confirmations).check(player.id, form.proof(request), client)
        await passkeys.revoke(player.id, passkey_id, client.address)
    except AppError as error:
        return await _one(request, player, passkey, error)
    return see_other(f"{_PATH}?done=removed")


def _require_named(player: Player | None) -> Player:
    player = require_player(player)
    if not player.is_named:
        raise NoAccountError(gettext("Create an account first: a passkey signs you in to it."))
    return player


async def _list(
    request: Request, player: Player, error: AppError | None = None, message: str = ""
) -> HTMLResponse:
    passkeys = await service_of(request, PasskeyService).list_passkeys(player.id)
    view = PasskeysView(
        path=_PATH,
        name=player.name,
        passkeys=[passkey_line(passkey) for passkey in passkeys],
        methods=await service_of(request, Confirmations).methods_of(player.id),
        are_here=are_passkeys_here(request),
        message=message,
        error=error.detail if error else "",
    )
    return page(request, "identity/passkeys.html", view, error=error)


async def _one(
    request: Request, player: Player, passkey: Passkey, error: AppError | None = None
) -> HTMLResponse:
    view = PasskeyView(
        path=_PATH,
        name=player.name,
        passkey=passkey_line(passkey),
        methods=await service_of(request, Confirmations).methods_of(player.id),
        error=error.detail if error else "",
    )
    return page(request, "identity/passkey.html", view, error=error)


async def section(_request: Request, _part: AccountPagePart) -> Markup:
    """The section of the page of an account."""
    return render_markup("identity/_passkeys.html")
