"""Players as JSON: guests, names, sessions."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import Response

from app.errors import AppError
from app.http.dependencies import never_stored, service_of
from app.identity.account_changes import AccountChanges
from app.identity.accounts import Accounts
from app.identity.dependencies import (
    CurrentPlayer,
    clear_session,
    client_info,
    create_guest,
    require_api_player,
    session_token,
    set_session,
)
from app.identity.device_labels import clean_label
from app.identity.model import ClientInfo, Player, SignedIn, hash_token
from app.identity.sessions import Sessions

router = APIRouter(prefix="/api/v1", tags=["players"], dependencies=[Depends(never_stored)])

Name = Annotated[str, Field(min_length=1, max_length=200, examples=["Anna"])]
Password = Annotated[str, Field(min_length=1, max_length=1000, repr=False)]


class NameBody(BaseModel):
    """The name that a player wants."""

    name: Name


class AccountBody(NameBody):
    """A name and its password."""

    password: Password


class SignInBody(AccountBody):
    """A name and its password.

    `label` is the name of the session in the list of sessions. With `bring`, the games of the guest whose token is
    sent move into the account.
    """

    label: Annotated[str, Field(max_length=200)] = ""
    bring: bool = False


class PasswordBody(BaseModel):
    """The current password and the new one."""

    current: Password
    new: Password


class ConfirmBody(BaseModel):
    """The password, to confirm. A guest has none and sends an empty object."""

    password: Annotated[str, Field(max_length=1000, repr=False)] = ""


class PlayerBody(BaseModel):
    """A player. A guest has not created an account."""

    id: str
    name: str
    guest: bool


class NewPlayerBody(PlayerBody):
    """A player and the only copy of the session token; null when the token was set as a cookie."""

    token: str | None


class SessionBody(BaseModel):
    """A device or a program that is signed in."""

    id: str
    device: str
    created_ms: int
    seen_ms: int
    current: bool


class AvailableBody(BaseModel):
    """Whether an account can have a name, and if not, why."""

    name: str
    available: bool
    reason: str | None


@router.post("/players", status_code=201, summary="Become a new guest")
async def create(request: Request) -> NewPlayerBody:
    """For programs: send the token as `Authorization: Bearer TOKEN`. Browsers get a cookie automatically."""
    player, token = await create_guest(request)
    return new_session_body(player, token)


@router.get("/me", summary="Your player")
async def me(player: CurrentPlayer) -> PlayerBody:
    """Returns `not_found` if you have no session yet."""
    return _player(require_api_player(player))


@router.post("/me/claim", summary="Create an account")
async def create_account(
    request: Request, body: AccountBody, player: CurrentPlayer
) -> NewPlayerBody:
    """A guest keeps everything. The previous token stops working: use the new one."""
    accounts = service_of(request, Accounts)
    return _new_session(
        request,
        await accounts.create_account(player, body.name, body.password, client_info(request)),
    )


@router.patch("/me", summary="Change your name")
async def rename(request: Request, body: NameBody, player: CurrentPlayer) -> PlayerBody:
    """Only with an account. The old name is free for others at once."""
    changes = service_of(request, AccountChanges)
    return _player(await changes.change_name(require_api_player(player), body.name))


@router.put("/me/password", summary="Change your password")
async def change_password(
    request: Request, body: PasswordBody, player: CurrentPlayer
) -> NewPlayerBody:
    """Ends every other session. This one gets a new token."""
    changes = service_of(request, AccountChanges)
    return _new_session(
        request,
        await changes.change_password(
            require_api_player(player), body.current, body.new, client_info(request)
        ),
    )


@router.delete("/me", status_code=204, response_class=Response, summary="Delete your account")
async def delete(request: Request, body: ConfirmBody, player: CurrentPlayer) -> Response:
    """Deletes name, password and sessions for good. Results stay under the name "deleted player"."""
    changes = service_of(request, AccountChanges)
    await changes.delete(require_api_player(player), body.password, client_info(request))
    clear_session(request)
    return Response(status_code=204)


@router.post("/sessions", status_code=201, summary="Sign in")
async def sign_in(request: Request, body: SignInBody, player: CurrentPlayer) -> NewPlayerBody:
    """For programs: a token for `Authorization: Bearer TOKEN`. Too many wrong passwords are answered with 429."""
    accounts = service_of(request, Accounts)
    client = client_info(request)
    label = clean_label(body.label) or client.label
    # Without games to move, the caller's own session goes on.
    guest, token = (player, client.token) if body.bring else (None, None)
    signed_in = await accounts.sign_in(
        body.name,
        body.password,
        ClientInfo(client.address, label, token),
        guest,
        keep_games=body.bring,
    )
    return new_session_body(signed_in.player, signed_in.token)


@router.get("/me/sessions", summary="Your sessions")
async def sessions(request: Request, player: CurrentPlayer) -> list[SessionBody]:
    """Every device and program that is signed in, the most recently used first. Use is recorded once an hour."""
    token, _ = session_token(request)
    current = hash_token(token or "")
    return [
        SessionBody(
            id=session.id,
            device=session.label,
            created_ms=session.created_ms,
            seen_ms=session.seen_ms,
            current=session.token_hash == current,
        )
        for session in await service_of(request, Sessions).list_sessions(require_api_player(player))
    ]


@router.delete(
    "/me/sessions", status_code=204, response_class=Response, summary="Sign out other devices"
)
async def end_others(request: Request, player: CurrentPlayer) -> Response:
    """Ends every session but this one. Other server processes notice within five seconds."""
    token, _ = session_token(request)
    await service_of(request, Sessions).end_other_sessions(require_api_player(player), token or "")
    return Response(status_code=204)


@router.delete(
    "/me/sessions/{session_id}", status_code=204, response_class=Response, summary="End a session"
)
async def end_session(request: Request, session_id: str, player: CurrentPlayer) -> Response:
    """To sign out, a program ends its own session."""
    await service_of(request, Sessions).end_session(require_api_player(player), session_id)
    return Response(status_code=204)


@router.get("/names/{name}", summary="Check whether a name is free")
async def name_is_free(request: Request, name: str) -> AvailableBody:
    """Names that look alike count as the same name."""
    accounts = service_of(request, Accounts)
    try:
        shown = await accounts.check_name(name)
    except AppError as error:
        return AvailableBody(name=name, available=False, reason=error.detail)
    return AvailableBody(name=shown, available=True, reason=None)


def _new_session(request: Request, signed_in: SignedIn) -> NewPlayerBody:
    """The new token goes the way the old one came: in the answer for a bearer, or as a cookie."""
    _, is_bearer = session_token(request)
    if not is_bearer:
        set_session(request, signed_in)
    return new_session_body(signed_in.player, signed_in.token if is_bearer else None)


def new_session_body(player: Player, token: str | None) -> NewPlayerBody:
    """The answer to a request that created a session."""
    return NewPlayerBody(id=player.id, name=player.name, guest=not player.is_named, token=token)


def _player(player: Player) -> PlayerBody:
    return PlayerBody(id=player.id, name=player.name, guest=not player.is_named)
