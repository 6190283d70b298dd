"""Recovery codes as JSON."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends
from pydantic import BaseModel, Field
from starlette.requests import Request

from app.http.dependencies import never_stored, service_of
from app.identity.api import ConfirmBody, NewPlayerBody, SignInBody, new_session_body
from app.identity.dependencies import (
    CurrentPlayer,
    client_info,
    require_api_player,
)
from app.identity.device_labels import clean_label
from app.identity.model import ClientInfo
from app.identity.recovery.service import RecoveryService

router = APIRouter(prefix="/api/v1", tags=["players"], dependencies=[Depends(never_stored)])


class RecoveryStatusBody(BaseModel):
    """How many codes are unused, and when they were made; null if never."""

    left: int
    made_ms: int | None


class RecoveryCodesBody(BaseModel):
    """New codes. They are shown this once."""

    codes: list[str]


class RecoverBody(SignInBody):
    """A name, one of its recovery codes, and the new password."""

    code: Annotated[str, Field(min_length=1, max_length=200, repr=False)]


@router.get("/me/recovery-codes", summary="Your recovery codes, counted")
async def count(request: Request, player: CurrentPlayer) -> RecoveryStatusBody:
    """The codes themselves are not stored."""
    status = await service_of(request, RecoveryService).status(require_api_player(player))
    return RecoveryStatusBody(left=status.left, made_ms=status.made_ms)


@router.post("/me/recovery-codes", status_code=201, summary="Make recovery codes")
async def make(request: Request, body: ConfirmBody, player: CurrentPlayer) -> RecoveryCodesBody:
    """Ten codes, each of which works once if you forget your password. Earlier codes stop working."""
    codes = await service_of(request, RecoveryService).make(
        require_api_player(player), body.password, client_info(request), show_again=False
    )
    return RecoveryCodesBody(codes=codes)


@router.post("/recovery", status_code=201, summary="Sign in by a recovery code")
async def recover(request: Request, body: RecoverBody, player: CurrentPlayer) -> NewPlayerBody:
    """Sets a new password, ends every session of the account, and answers with a new token. Uses the code up."""
    client = client_info(request)
    guest, token = (player, client.token) if body.bring else (None, None)
    signed_in = await service_of(request, RecoveryService).recover(
        body.name,
        body.code,
        body.password,
        ClientInfo(client.address, clean_label(body.label) or client.label, token),
        guest,
        keep_games=body.bring,
    )
    return new_session_body(signed_in.player, signed_in.token)
