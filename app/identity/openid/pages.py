"""The pages of signing in with an account elsewhere. Without a provider they do not exist.

The way to the provider is a link, not a form: browsers apply our ``form-action`` policy to redirects after a form.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Form, Query
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.clock import day_of
from app.errors import AppError, NotFoundError
from app.http.cookies import delete_cookie, read_cookie, set_cookie
from app.http.dependencies import never_stored, origin_of, service_of
from app.http.preferences import local_path
from app.http.templates import NO_STORE, page, render_markup, see_other
from app.i18n.formats import long_date
from app.identity.account_page import AccountPagePart, account_page
from app.identity.dependencies import CurrentPlayer, client_info, require_player, set_session
from app.identity.openid.provider import OpenIdRefusedError
from app.identity.openid.service import FLOW_MINUTES, OpenIdService
from app.identity.recovery.service import RecoveryService
from app.identity.sign_in import Back, recovery_codes_path, welcome
from app.text import gettext

router = APIRouter(include_in_schema=False, dependencies=[Depends(never_stored)])

COOKIE: Final = "fd_openid"
PATH: Final = "/login/openid"
FORM: Final = "openid"

Word = Annotated[str, Query(max_length=4000)]
Password = Annotated[str, Form(max_length=1000)]


@dataclass(frozen=True, slots=True)
class OpenIdView:
    """A page during sign-in: the provider's name, a sentence, a name typed before, and where to go."""

    path: str
    label: str
    error: str = ""
    name: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class ConnectionSectionView:
    """The connection on the page of an account."""

    label: str
    name: str
    linked: str
    has_password: bool
    error: str


@router.get(PATH)
async def start(request: Request, player: CurrentPlayer, back: Back = "") -> Response:
    """To the provider, to sign in; but another site only leads to the page that asks for it.

    A provider that knows the browser asks nothing, so a link alone would sign people in without their knowing.
    """
    service = service_of(request, OpenIdService)
    if player and player.is_named:
        return see_other("/me")
    if request.headers.get("sec-fetch-site", "none") not in {"none", "same-origin"}:
        return see_other("/login")
    try:
        departure = await service.start_sign_in(
            _redirect_uri(request), local_path(back) if back else "", client_info(request)
        )
    except AppError as error:
        return _failed(request, error)
    _set_cookie(request, departure.token)
    return RedirectResponse(departure.url, 303, headers=dict(NO_STORE))


@router.get(f"{PATH}/callback")
async def callback(
    request: Request, player: CurrentPlayer, state: Word = "", code: Word = "", error: Word = ""
) -> Response:
    """Back from the provider."""
    service = service_of(request, OpenIdService)
    try:
        if not state or read_cookie(request, COOKIE, path=PATH) != state:
            service.log_refusal(client_info(request).address)
            raise OpenIdRefusedError(
                gettext(
                    "This sign-in was started in another browser, or too long ago. Please start again."
                )
            )
        delete_cookie(request, COOKIE, path=PATH)
        if error or not code:
            service.log_refusal(client_info(request).address)
            await service.take(state)
            raise OpenIdRefusedError(
                gettext(
                    "%(label)s did not sign you in, so nothing was changed.", label=service.label
                )
            )
        arrival = await service.finish(
            state,
            code,
            _redirect_uri(request),
            client_info(request),
            player,
            issuer=request.query_params.get("iss"),
        )
    except AppError as refusal:
        return _failed(request, refusal)
    if arrival.name_token:
        _set_cookie(request, arrival.name_token)
        return see_other(f"{PATH}/name")
    if arrival.signed_in is None:
        return see_other(arrival.back)
    return welcome(request, arrival.signed_in, arrival.back)


@router.get(f"{PATH}/name")
async def name_form(request: Request) -> HTMLResponse:
    """A new player chooses a name."""
    service = service_of(request, OpenIdService)
    try:
        await service.find_newcomer(read_cookie(request, COOKIE, path=PATH) or "")
    except AppError as error:
        return _failed(request, error)
    view = OpenIdView(f"{PATH}/name", service.label)
    return page(request, "identity/openid_name.html", view, headers=NO_STORE)


@router.post(f"{PATH}/name")
async def create_account(
    request: Request, player: CurrentPlayer, name: Annotated[str, Form(max_length=1000)] = ""
) -> Response:
    """Claim the name; the guest of this browser keeps every game."""
    service = service_of(request, OpenIdService)
    try:
        signed_in, back = await service.create_account(
            read_cookie(request, COOKIE, path=PATH) or "", name, client_info(request), player
        )
    except OpenIdRefusedError as error:
        return _failed(request, error)
    except AppError as error:
        view = OpenIdView(f"{PATH}/name", service.label, error.detail, name)
        return page(request, "identity/openid_name.html", view, error=error)
    delete_cookie(request, COOKIE, path=PATH)
    set_session(request, signed_in)
    await service_of(request, RecoveryService).make_first(signed_in.player, signed_in.token)
    return see_other(recovery_codes_path(back))


# --- on the page of an account


@router.post("/me/openid")
async def start_linking(
    request: Request, player: CurrentPlayer, password: Password = ""
) -> Response:
    """Connect an account elsewhere: a page with the link to the provider."""
    service = service_of(request, OpenIdService)
    try:
        departure = await service.start_linking(
            require_player(player), password, _redirect_uri(request), client_info(request)
        )
    except AppError as error:
        return await account_page(request, player, FORM, error)
    _set_cookie(request, departure.token)
    view = OpenIdView("/me/account", service.label, url=departure.url)
    return page(request, "identity/openid_continue.html", view, headers=NO_STORE)


@router.post("/me/openid/remove")
async def unlink(request: Request, player: CurrentPlayer, password: Password = "") -> Response:
    """Disconnect the account elsewhere."""
    try:
        await service_of(request, OpenIdService).unlink(
            require_player(player), password, client_info(request)
        )
    except AppError as error:
        return await account_page(request, player, FORM, error)
    return see_other("/me/account?done=disconnected")


async def section(request: Request, part: AccountPagePart) -> Markup:
    """The section of the page of an account; empty without a provider."""
    service = service_of(request, OpenIdService)
    if not service.label:
        return Markup()
    linked_ms = await service.linked_ms(part.player)
    view = ConnectionSectionView(
        label=service.label,
        name=part.player.name,
        linked="" if linked_ms is None else long_date(day_of(linked_ms)),
        has_password=part.has_password,
        error=part.error_of(FORM),
    )
    return render_markup("identity/_openid.html", view=view)


def _failed(request: Request, error: AppError) -> HTMLResponse:
    service = service_of(request, OpenIdService)
    if not service.label:
        raise NotFoundError from error
    view = OpenIdView(PATH, service.label, error.detail)
    return page(request, "identity/openid_failed.html", view, error=error)


def _redirect_uri(request: Request) -> str:
    return f"{origin_of(request)}{PATH}/callback"


def _set_cookie(request: Request, token: str) -> None:
    set_cookie(request, COOKIE, token, FLOW_MINUTES * 60, path=PATH)
