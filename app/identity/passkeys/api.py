"""The options of WebAuthn ceremonies as JSON, for ``static/js/passkeys.js``. The answers come back with forms."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form
from starlette.requests import Request
from starlette.responses import Response

from app.errors import ForbiddenError
from app.http.dependencies import service_of
from app.http.templates import NO_STORE
from app.identity.dependencies import CurrentPlayer, client_info, require_player, session_token
from app.identity.model import Player
from app.identity.passkeys.dependencies import ConfirmForm, asking_browser
from app.identity.passkeys.service import PasskeyService
from app.identity.second_factor.confirmation import Confirmations
from app.text import gettext

router = APIRouter(prefix="/api/v1/passkeys", include_in_schema=False)


@router.post("/sign-in-options")
async def sign_in_options(request: Request) -> Response:
    """For ``navigator.credentials.get``: any passkey of this site."""
    passkeys = service_of(request, PasskeyService)
    return _json(await passkeys.begin_sign_in(asking_browser(request)))


@router.post("/confirmation-options")
async def confirmation_options(request: Request, player: CurrentPlayer) -> Response:
    """For ``navigator.credentials.get``: the player's own passkeys."""
    player = _require_browser(request, player)
    passkeys = service_of(request, PasskeyService)
    return _json(await passkeys.begin_confirmation(player, asking_browser(request)))


@router.post("/registration-options")
async def registration_options(
    request: Request, player: CurrentPlayer, form: Annotated[ConfirmForm, Form()]
) -> Response:
    """For ``navigator.credentials.create``, after re-authentication."""
    player = _require_browser(request, player)
    passkeys = service_of(request, PasskeyService)
    passkeys.check_may_register(player)  # before a password or a code is used up for nothing
    await service_of(request, Confirmations).check(
        player.id, form.proof(request), client_info(request)
    )
    return _json(await passkeys.begin_registration(player, asking_browser(request)))


def _require_browser(request: Request, player: Player | None) -> Player:
    """The player of a browser: a bearer token must not be enough to add a way to sign in."""
    if session_token(request)[1]:
        raise ForbiddenError(gettext("Passkeys are for browsers. Sign in there."))
    return require_player(player)


def _json(options: str) -> Response:
    return Response(options, headers=NO_STORE, media_type="application/json")
