"""Players as JSON: become a guest with a token, claim a name, log in, see who you are."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from app.db.engine import Database
from app.errors import AppError, NotFoundError
from app.http.dependencies import service_of
from app.http.rate_limits import client_address
from app.identity.account_changes import AccountChanges
from app.identity.accounts import Accounts, Entered, Place
from app.identity.dependencies import (
    CurrentPlayer,
    become_guest,
    enter,
    forget_cookie,
    place_of,
    shown_token,
)
from app.identity.devices import given_label
from app.identity.pages import exported
from app.identity.service import Player, PlayerService, hash_of
from app.profiles.bodies import ProfileBody, profile_body
from app.profiles.statistics import read_profile

router = APIRouter(prefix="/api/v1", tags=["players"])

Name = Annotated[str, Field(min_length=1, max_length=200, examples=["Anna"])]
Password = Annotated[str, Field(min_length=1, max_length=1000, repr=False)]


class NameBody(BaseModel):
    """The name that a player wants."""

    name: Name


class ClaimBody(NameBody):
    """A name, and the password that it is to be kept with."""

    password: Password


class LoginBody(ClaimBody):
    """A name and its password.

    `label` is what the session is called in the list of sessions. With `bring`, the games of the guest whose token
    is shown come along.
    """

    label: Annotated[str, Field(max_length=200)] = ""
    bring: bool = False


class PasswordBody(BaseModel):
    """The password as it is and as it is to be."""

    current: Password
    new: Password


class ConfirmBody(BaseModel):
    """The password, to make sure. A guest has none and sends an empty object."""

    password: Annotated[str, Field(max_length=1000, repr=False)] = ""


class PlayerBody(BaseModel):
    """A player; a guest has not claimed their name."""

    id: str
    name: str
    guest: bool


class NewPlayerBody(PlayerBody):
    """A player, and the token that only they will ever see; null where a browser got it as a cookie."""

    token: str | None


class SessionBody(BaseModel):
    """Something that can act for a player."""

    id: str
    device: str
    created_ms: int
    seen_ms: int
    current: bool


class AvailableBody(BaseModel):
    """Whether a name can be claimed, and if not, why."""

    name: str
    available: bool
    reason: str | None


@router.post("/players", status_code=201, summary="Become a new guest")
async def create(request: Request) -> NewPlayerBody:
    """For programs: the token goes into `Authorization: Bearer TOKEN`. Browsers are given a cookie by themselves."""
    player, token = await become_guest(request)
    return NewPlayerBody(id=player.id, name=player.name, guest=True, token=token)


@router.get("/me", summary="Who you are")
async def me(player: CurrentPlayer) -> PlayerBody:
    """A `not_found` problem for whoever has done nothing yet and so is nobody."""
    return _body(_somebody(player))


@router.post("/me/claim", summary="Claim a name")
async def claim(request: Request, body: ClaimBody, player: CurrentPlayer) -> NewPlayerBody:
    """Everything the guest has stays theirs. The token from before opens nothing any more: use the new one."""
    accounts = service_of(request, Accounts)
    entered = await accounts.claim(player, body.name, body.password, place_of(request))
    return _entered(request, entered)


@router.patch("/me", summary="Change your name")
async def rename(request: Request, body: NameBody, player: CurrentPlayer) -> PlayerBody:
    """For those who have claimed one. The old name is free for others at once."""
    return _body(await _keeping(request).change_name(_somebody(player), body.name))


@router.put("/me/password", summary="Change your password")
async def change_password(
    request: Request, body: PasswordBody, player: CurrentPlayer
) -> NewPlayerBody:
    """Every session ends but this one, which gets a new token."""
    entered = await _keeping(request).change_password(
        _somebody(player), body.current, body.new, place_of(request)
    )
    return _entered(request, entered)


@router.delete("/me", status_code=204, response_class=Response, summary="Delete yourself")
async def delete(request: Request, body: ConfirmBody, player: CurrentPlayer) -> Response:
    """Name, password and sessions are gone for good; results stay as those of a deleted player."""
    await _keeping(request).delete(_somebody(player), body.password, client_address(request))
    forget_cookie(request)
    return Response(status_code=204)


@router.get(
    "/me/export",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/json": {}}}},
    summary="Everything that is kept of you",
)
async def export_all(request: Request, player: CurrentPlayer) -> StreamingResponse:
    """Your player, sessions, attempts at deals of the day, and games with every action."""
    return exported(request, _somebody(player))


@router.post("/sessions", status_code=201, summary="Log in")
async def log_in(request: Request, body: LoginBody, player: CurrentPlayer) -> NewPlayerBody:
    """For programs: a token for `Authorization: Bearer TOKEN`. Too many wrong passwords are answered with 429."""
    accounts = service_of(request, Accounts)
    here = place_of(request)
    label = given_label(body.label) or here.label
    # Without anything to bring, whoever asks stays whoever they are.
    guest, token = (player, here.token) if body.bring else (None, None)
    entered = await accounts.log_in(
        body.name, body.password, Place(here.address, label, token), guest, bring=body.bring
    )
    return _new_player(entered.player, entered.token)


@router.get("/me/sessions", summary="Your sessions")
async def sessions(request: Request, player: CurrentPlayer) -> list[SessionBody]:
    """Every device and program that can act for you, the last used first. Use is noted once an hour."""
    token, _ = shown_token(request)
    this = hash_of(token or "")
    return [
        SessionBody(
            id=session.id,
            device=session.label,
            created_ms=session.created_ms,
            seen_ms=session.seen_ms,
            current=session.token_hash == this,
        )
        for session in await _players(request).sessions(_somebody(player))
    ]


@router.delete(
    "/me/sessions", status_code=204, response_class=Response, summary="Log out elsewhere"
)
async def end_others(request: Request, player: CurrentPlayer) -> Response:
    """Ends every session but this one; other server processes feel it within five seconds."""
    token, _ = shown_token(request)
    await _players(request).sign_out_elsewhere(_somebody(player), token or "")
    return Response(status_code=204)


@router.delete(
    "/me/sessions/{session_id}", status_code=204, response_class=Response, summary="End a session"
)
async def end_session(request: Request, session_id: str, player: CurrentPlayer) -> Response:
    """Your own current one too: that is how a program logs out."""
    await _players(request).revoke(_somebody(player), session_id)
    return Response(status_code=204)


@router.get("/names/{name}", summary="Whether a name is free")
async def name_is_free(request: Request, name: str) -> AvailableBody:
    """Names that look alike count as one name."""
    accounts = service_of(request, Accounts)
    try:
        shown = await accounts.check_name(name)
    except AppError as error:
        return AvailableBody(name=name, available=False, reason=error.detail)
    return AvailableBody(name=shown, available=True, reason=None)


@router.get("/players/{name}", summary="A player's profile")
async def profile(request: Request, name: str) -> ProfileBody:
    """Finished games that were dealt by the site; attempts at a deal of the day once that day is closed."""
    database = service_of(request, Database)
    found = await database.read(lambda connection: read_profile(connection, name))
    return profile_body(found, _players(request).now_ms())


def _entered(request: Request, entered: Entered) -> NewPlayerBody:
    """A new token goes the way the old one came: by cookie, or in the answer."""
    _, is_bearer = shown_token(request)
    if is_bearer:
        return _new_player(entered.player, entered.token)
    enter(request, entered)
    return _new_player(entered.player, None)


def _new_player(player: Player, token: str | None) -> NewPlayerBody:
    return NewPlayerBody(id=player.id, name=player.name, guest=not player.is_named, token=token)


def _body(player: Player) -> PlayerBody:
    return PlayerBody(id=player.id, name=player.name, guest=not player.is_named)


def _somebody(player: Player | None) -> Player:
    if player is None:
        raise NotFoundError("You are nobody here yet: start a game, or POST to /api/v1/players.")
    return player


def _players(request: Request) -> PlayerService:
    return service_of(request, PlayerService)


def _keeping(request: Request) -> AccountChanges:
    return service_of(request, AccountChanges)
