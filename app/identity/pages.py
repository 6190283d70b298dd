"""A player's own page: their name, their devices, their data, and the ways out."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Form, Query
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse

from app.db.engine import Database
from app.errors import AppError, ForbiddenError, MalformedError
from app.http.dependencies import service_of
from app.http.errors import headers_of, status_of
from app.http.rate_limits import client_address
from app.http.templates import page
from app.identity.account_changes import AccountChanges
from app.identity.dependencies import CurrentPlayer, enter, forget_cookie, place_of, shown_token
from app.identity.service import Player, PlayerService
from app.identity.views import MeView, Trouble, session_lines
from app.profiles import export

router = APIRouter(include_in_schema=False)

_SAID: Final = {
    "joined": "The name is yours, and every game you have played here with it.",
    "welcome": "Welcome back.",
    "brought": "Welcome back. The games of this browser are yours now.",
    "name": "Your name is changed.",
    "password": "Your password is changed, and every other device is logged out.",
    "ended": "That session is over.",
    "others": "Every other device is logged out.",
}

Text = Annotated[str, Form(max_length=1000)]


@router.get("/me")
async def me(
    request: Request, player: CurrentPlayer, done: Annotated[str, Query()] = ""
) -> HTMLResponse:
    """Who you are, if anybody yet."""
    return await _me(request, player, said=_SAID.get(done, ""))


@router.post("/me/another-name")
async def another_name(request: Request, player: CurrentPlayer) -> RedirectResponse:
    """Give a guest another friendly name."""
    await _players(request).another_name(_somebody(player))
    return RedirectResponse("/me", 303)


@router.post("/me/name")
async def change_name(request: Request, player: CurrentPlayer, name: Text = "") -> Response:
    """Bear another name."""
    try:
        await _keeping(request).change_name(_somebody(player), name)
    except AppError as error:
        return await _me(request, player, Trouble("name", error.detail), error)
    return RedirectResponse("/me?done=name", 303)


@router.post("/me/password")
async def change_password(
    request: Request, player: CurrentPlayer, current: Text = "", new: Text = "", again: Text = ""
) -> Response:
    """Another password; every other device is logged out."""
    try:
        if new != again:
            raise MalformedError("The two new passwords are not the same. Please type them again.")
        entered = await _keeping(request).change_password(
            _somebody(player), current, new, place_of(request)
        )
    except AppError as error:
        return await _me(request, player, Trouble("password", error.detail), error)
    enter(request, entered)
    return RedirectResponse("/me?done=password", 303)


@router.post("/me/sessions/others/end")
async def end_others(request: Request, player: CurrentPlayer) -> RedirectResponse:
    """Log every other device out."""
    token, _ = shown_token(request)
    await _players(request).sign_out_elsewhere(_somebody(player), token or "")
    return RedirectResponse("/me?done=others", 303)


@router.post("/me/sessions/{session_id}/end")
async def end_session(request: Request, session_id: str, player: CurrentPlayer) -> RedirectResponse:
    """Log one device out."""
    await _players(request).revoke(_somebody(player), session_id)
    return RedirectResponse("/me?done=ended", 303)


@router.post("/me/sign-out")
async def sign_out(request: Request, player: CurrentPlayer) -> RedirectResponse:
    """Forget the player in this browser."""
    token, is_bearer = shown_token(request)
    if player is not None and token is not None and not is_bearer:
        await _players(request).sign_out(token)
    forget_cookie(request)
    return RedirectResponse("/", 303)


@router.get("/me/export")
async def export_all(request: Request, player: CurrentPlayer) -> StreamingResponse:
    """Everything that is kept of the player, as a file."""
    return exported(request, _somebody(player))


@router.post("/me/delete")
async def delete(
    request: Request,
    player: CurrentPlayer,
    password: Text = "",
    sure: Annotated[str, Form(max_length=10)] = "",
) -> Response:
    """Forget the player for good."""
    try:
        if sure != "yes":
            raise MalformedError("Please tick the box: this cannot be taken back.")
        somebody = _somebody(player)
        await _keeping(request).delete(somebody, password, client_address(request))
    except AppError as error:
        return await _me(request, player, Trouble("delete", error.detail), error)
    forget_cookie(request)
    return RedirectResponse("/", 303)


def exported(request: Request, player: Player) -> StreamingResponse:
    """Everything that is kept of somebody, as a download."""
    database = service_of(request, Database)
    return StreamingResponse(
        export.document(database, player.id),
        media_type="application/json",
        headers={
            "Cache-Control": "no-store",
            "Content-Disposition": 'attachment; filename="fairdeal-my-data.json"',
        },
    )


async def _me(
    request: Request,
    player: Player | None,
    trouble: Trouble | None = None,
    error: AppError | None = None,
    said: str = "",
) -> HTMLResponse:
    players = _players(request)
    sessions = await players.sessions(player) if player else []
    token, _ = shown_token(request)
    view = MeView(
        path="/me",
        player=player,
        sessions=session_lines(sessions, token, players.now_ms()),
        said=said,
        trouble=trouble,
        notices=await players.notices(player) if player else [],
    )
    status, headers = (status_of(type(error)), headers_of(error)) if error else (200, None)
    return page(request, "identity/me.html", view, status, headers)


def _somebody(player: Player | None) -> Player:
    if player is None:
        raise ForbiddenError("You are nobody here yet: log in, or start a game.")
    return player


def _players(request: Request) -> PlayerService:
    return service_of(request, PlayerService)


def _keeping(request: Request) -> AccountChanges:
    return service_of(request, AccountChanges)
