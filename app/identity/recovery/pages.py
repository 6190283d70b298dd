"""The pages of recovery codes: new codes to save, their section on the page of an account, and signing in by one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Form
from markupsafe import Markup
from pydantic import Field
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from app.clock import day_of
from app.errors import AppError, MalformedError
from app.http.dependencies import never_stored, service_of
from app.http.preferences import local_path
from app.http.templates import NO_STORE, page, render_markup, see_other
from app.i18n.formats import long_date
from app.i18n.speaking import say
from app.identity.account_page import AccountPagePart, account_page
from app.identity.accounts import Accounts
from app.identity.dependencies import (
    CurrentPlayer,
    client_info,
    require_player,
    session_token,
    set_session,
)
from app.identity.model import Player
from app.identity.recovery.codes import COUNT
from app.identity.recovery.service import SHOWN_MINUTES, RecoveryService
from app.identity.sign_in import Back, SignInForm, Text, guest_of
from app.identity.typed_twice import TypedTwice
from app.text import gettext

router = APIRouter(include_in_schema=False, dependencies=[Depends(never_stored)])

FORM: Final = "recovery"
_FILE_NAME: Final = "fairdeal-recovery-codes.txt"


@dataclass(frozen=True, slots=True)
class CodesView:
    """New codes, and where to go afterwards; no codes when they were shown already.

    ``games`` is how many a new account has, and ``minutes`` how long the codes can be shown again.
    """

    path: str
    name: str
    codes: list[str]
    back: str
    games: int
    minutes: int


@dataclass(frozen=True, slots=True)
class CodesSectionView:
    """The codes on the page of an account."""

    name: str
    left: int
    count: int
    made: str
    is_invited: bool
    are_few: bool
    has_password: bool
    error: str


@dataclass(frozen=True, slots=True)
class RecoverView:
    """The form to sign in by a code: what was typed before, and where to go afterwards."""

    path: str
    guest: Player | None
    games: int
    name: str
    back: str
    error: str


class RecoverForm(SignInForm, TypedTwice):
    """A name, a code and the new password."""

    code: Annotated[str, Field(max_length=200, repr=False)] = ""
    bring: Text = ""


# --- new codes


@router.post("/me/recovery-codes")
async def make_codes(
    request: Request, player: CurrentPlayer, password: Annotated[str, Form(max_length=1000)] = ""
) -> Response:
    """Make new codes, which voids the old ones."""
    try:
        await service_of(request, RecoveryService).make(
            require_player(player), password, client_info(request), show_again=True
        )
    except AppError as error:
        return await account_page(request, player, FORM, error)
    return see_other("/me/recovery-codes")


@router.get("/me/recovery-codes")
async def show_codes(request: Request, player: CurrentPlayer, back: Back = "") -> HTMLResponse:
    """The codes that were just made, until they have been saved; behind a welcome, after an account was created."""
    player = require_player(player)
    view = CodesView(
        path="/me/recovery-codes",
        name=player.name,
        codes=await _codes(request, player),
        back=local_path(back) if back else "",
        games=await service_of(request, Accounts).count_games(player) if back else 0,
        minutes=SHOWN_MINUTES,
    )
    return page(request, "identity/recovery_codes.html", view, headers=NO_STORE)


@router.get("/me/recovery-codes.txt")
async def download_codes(request: Request, player: CurrentPlayer) -> Response:
    """The same codes as a text file."""
    player = require_player(player)
    codes = await _codes(request, player)
    if not codes:
        return see_other("/me/recovery-codes")
    lines = [
        gettext(
            "Recovery codes for %(name)s at %(site)s", name=player.name, site=request.url.hostname
        ),
        gettext(
            "Each works once, if you forget your password. Keep them where only you can find them."
        ),
        "",
        *codes,
        "",
    ]
    disposition = f'attachment; filename="{_FILE_NAME}"'
    return PlainTextResponse(
        "\n".join(map(say, lines)), headers={**NO_STORE, "Content-Disposition": disposition}
    )


@router.post("/me/recovery-codes/saved")
async def codes_are_saved(
    request: Request, player: CurrentPlayer, back: Annotated[str, Form(max_length=200)] = ""
) -> RedirectResponse:
    """Note that the codes have been saved; they can't be shown again."""
    await service_of(request, RecoveryService).answer(require_player(player))
    return see_other(local_path(back) if back else "/me/account?done=saved")


@router.post("/me/recovery-codes/later")
async def no_codes(request: Request, player: CurrentPlayer) -> RedirectResponse:
    """Note that the player wants no codes for now, so that the page stops asking."""
    await service_of(request, RecoveryService).answer(require_player(player))
    return see_other("/me")


async def _codes(request: Request, player: Player) -> list[str]:
    token, _ = session_token(request)
    return await service_of(request, RecoveryService).shown(player, token or "")


async def section(request: Request, part: AccountPagePart) -> Markup:
    """The section of the page of an account."""
    return render_markup("identity/_recovery.html", view=await _section_view(request, part))


async def invitation(request: Request, part: AccountPagePart) -> Markup:
    """At the top of the page, once: a player without codes is asked to make some."""
    view = await _section_view(request, part)
    return render_markup("identity/_recovery_invitation.html", view=view)


async def _section_view(request: Request, part: AccountPagePart) -> CodesSectionView:
    status = await service_of(request, RecoveryService).status(part.player)
    return CodesSectionView(
        name=part.player.name,
        left=status.left,
        count=COUNT,
        made=long_date(day_of(status.made_ms)) if status.made_ms is not None else "",
        is_invited=status.is_invited,
        are_few=status.are_few,
        has_password=part.has_password,
        error=part.error_of(FORM),
    )


# --- signing in by a code


@router.get("/recover")
async def recover_form(request: Request, player: CurrentPlayer, back: Back = "") -> Response:
    if player and player.is_named:
        return see_other("/me")
    return await _form(request, player, RecoverForm(back=back))


@router.post("/recover")
async def recover(
    request: Request, player: CurrentPlayer, form: Annotated[RecoverForm, Form()]
) -> Response:
    """Set a new password and sign in, and merge the guest of this browser into the account."""
    try:
        if form.is_mistyped(form.password):
            raise MalformedError(
                gettext("The two passwords are not the same. Please type them again.")
            )
        signed_in = await service_of(request, RecoveryService).recover(
            form.name,
            form.code,
            form.password,
            client_info(request),
            guest_of(request, player),
            keep_games=form.bring == "yes",
        )
    except AppError as error:
        return await _form(request, player, form, error)
    set_session(request, signed_in)
    return see_other(local_path(form.back) if form.back else "/me?done=recovered")


async def _form(
    request: Request, player: Player | None, form: RecoverForm, error: AppError | None = None
) -> HTMLResponse:
    guest = guest_of(request, player)
    view = RecoverView(
        path="/recover",
        guest=guest,
        games=await service_of(request, Accounts).count_games(guest) if guest else 0,
        name=form.name,
        back=local_path(form.back) if form.back else "",
        error=error.detail if error else "",
    )
    return page(request, "identity/recover.html", view, error=error)
