"""The ways in: claiming a name, and logging in by it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Form, Query
from markupsafe import Markup
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.db.engine import Database
from app.errors import AppError, MalformedError
from app.http.dependencies import service_of
from app.http.errors import headers_of, status_of
from app.http.preferences import local_path
from app.http.templates import page
from app.identity.accounts import Accounts
from app.identity.dependencies import CurrentPlayer, enter, place_of, shown_token
from app.identity.service import Player, PlayerService
from app.identity.views import EntryView, profile_view
from app.profiles.statistics import read_profile

router = APIRouter(include_in_schema=False)

ProfileSection = Callable[[Request, str], Awaitable[Markup]]
"""Renders what another room says of a player, by the player's id."""


@dataclass(frozen=True, slots=True)
class ProfileSections:
    """What other rooms add to a profile."""

    others: Sequence[ProfileSection]


Text = Annotated[str, Field(max_length=1000)]
Back = Annotated[str, Query(max_length=200)]


class EntryForm(BaseModel):
    """What both ways in ask for, and where to go afterwards."""

    name: Text = ""
    password: Annotated[str, Field(max_length=1000, repr=False)] = ""
    back: Text = ""


class JoinForm(EntryForm):
    """The password twice: nobody could send a forgotten one."""

    again: Annotated[str, Field(max_length=1000, repr=False)] = ""


class LoginForm(EntryForm):
    """Whether the games of the guest who sat here come along."""

    bring: Text = ""


@router.get("/join")
async def join_form(request: Request, player: CurrentPlayer, back: Back = "") -> Response:
    """The form to claim a name with."""
    if player and player.is_named:
        return RedirectResponse("/me", 303)
    return await _form(request, "identity/join.html", player, EntryForm(back=back))


@router.post("/join")
async def join(
    request: Request, player: CurrentPlayer, form: Annotated[JoinForm, Form()]
) -> Response:
    """Claim a name."""
    try:
        if form.password != form.again:
            raise MalformedError("The two passwords are not the same. Please type them again.")
        entered = await _accounts(request).claim(
            player, form.name, form.password, place_of(request)
        )
    except AppError as error:
        return await _form(request, "identity/join.html", player, form, error)
    enter(request, entered)
    return RedirectResponse(local_path(form.back) if form.back else "/me?done=joined", 303)


@router.get("/login")
async def login_form(request: Request, player: CurrentPlayer, back: Back = "") -> Response:
    """The form to log in with."""
    if player and player.is_named:
        return RedirectResponse("/me", 303)
    return await _form(request, "identity/login.html", player, EntryForm(back=back))


@router.post("/login")
async def login(
    request: Request, player: CurrentPlayer, form: Annotated[LoginForm, Form()]
) -> Response:
    """Log in; the games of the guest who sat here come along if they want to."""
    guest = player if player and not player.is_named and not shown_token(request)[1] else None
    try:
        entered = await _accounts(request).log_in(
            form.name, form.password, place_of(request), guest, bring=form.bring == "yes"
        )
    except AppError as error:
        return await _form(request, "identity/login.html", player, form, error)
    enter(request, entered)
    done = "brought" if entered.brought else "welcome"
    return RedirectResponse(local_path(form.back) if form.back else f"/me?done={done}", 303)


@router.get("/players/{name}")
async def profile(request: Request, name: str, _player: CurrentPlayer) -> Response:
    """What everybody may know of somebody with a name."""
    database = service_of(request, Database)
    players = service_of(request, PlayerService)
    found = await database.read(lambda connection: read_profile(connection, name))
    if found.name != name:
        return RedirectResponse(f"/players/{quote(found.name)}", 303)
    sections = service_of(request, ProfileSections)
    said = [await render(request, found.player_id) for render in sections.others]
    view = profile_view(found, f"/players/{quote(name)}", players.now_ms(), said)
    return page(request, "identity/profile.html", view)


async def _form(
    request: Request,
    template: str,
    player: Player | None,
    form: EntryForm,
    error: AppError | None = None,
) -> HTMLResponse:
    guest = player if player and not player.is_named else None
    view = EntryView(
        path=request.url.path,
        guest=guest,
        games=await _accounts(request).count_games(guest) if guest else 0,
        name=form.name,
        back=local_path(form.back) if form.back else "",
        trouble=error.detail if error else "",
    )
    status, headers = (status_of(type(error)), headers_of(error)) if error else (200, None)
    return page(request, template, view, status, headers)


def _accounts(request: Request) -> Accounts:
    return service_of(request, Accounts)
