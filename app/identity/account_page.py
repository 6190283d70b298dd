"""The page of a player's account, put together from sections, each with its own forms."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse

from app.errors import AppError
from app.http.dependencies import service_of
from app.http.templates import page
from app.identity.accounts import Accounts
from app.identity.dependencies import session_token
from app.identity.model import Player
from app.identity.own_news import read_news
from app.identity.sessions import Sessions
from app.identity.views import AccountView, FormError, session_lines


@dataclass(frozen=True, slots=True)
class AccountPagePart:
    """The data for a section."""

    player: Player
    has_password: bool
    error: FormError | None

    def error_of(self, form: str) -> str:
        """The fault of a form, if that form was sent."""
        return self.error.sentence if self.error and self.error.form == form else ""


AccountPageSection = Callable[[Request, AccountPagePart], Awaitable[Markup]]
"""Renders one way to sign in: a ``section`` with a heading. Empty where there is nothing to show."""


@dataclass(frozen=True, slots=True)
class AccountPageSections:
    """The ways to sign in besides the password, in their order on the page. Only players with an account see them."""

    sections: Sequence[AccountPageSection]
    invitations: Sequence[AccountPageSection] = ()
    """At the top of the player's own page, each until the player has answered it."""


async def account_page(
    request: Request,
    player: Player | None,
    form: str = "",
    error: AppError | None = None,
    done: str = "",
) -> HTMLResponse:
    """The page of a player's account, with what was wrong with a form that was sent."""
    sessions = service_of(request, Sessions)
    open_sessions = await sessions.list_sessions(player) if player else []
    token, _ = session_token(request)
    form_error = FormError(form, error.detail) if error else None
    has_password = True
    sections: list[Markup] = []
    if player and player.is_named:
        part = await _part(request, player, form_error)
        has_password = part.has_password
        added = service_of(request, AccountPageSections).sections
        sections = [await render(request, part) for render in added]
    view = AccountView(
        path="/me/account",
        player=player,
        sessions=session_lines(open_sessions, token, sessions.now_ms()),
        news=await read_news(request, player, done),
        error=form_error,
        has_password=has_password,
        sections=sections,
    )
    return page(request, "identity/account.html", view, error=error)


async def list_invitations(request: Request, player: Player | None) -> list[Markup]:
    """The questions to a player with an account on their own page."""
    if player is None or not player.is_named:
        return []
    part = await _part(request, player)
    invitations = service_of(request, AccountPageSections).invitations
    return [await render(request, part) for render in invitations]


async def _part(
    request: Request, player: Player, error: FormError | None = None
) -> AccountPagePart:
    has_password = await service_of(request, Accounts).has_password(player)
    return AccountPagePart(player, has_password, error)
