"""The page of a player's own account, put together from sections, each with its own forms."""

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
from app.identity.sessions import PlayerService
from app.identity.views import FormError, MeView, session_lines


@dataclass(frozen=True, slots=True)
class OwnPagePart:
    """What a section is made from."""

    player: Player
    has_password: bool
    error: FormError | None

    def error_of(self, form: str) -> str:
        """What was wrong with a form, if it is the one that was sent."""
        return self.error.sentence if self.error and self.error.form == form else ""


OwnPageSection = Callable[[Request, OwnPagePart], Awaitable[Markup]]
"""Renders one way to sign in: a ``section`` with a heading. Empty where there is nothing to show."""


@dataclass(frozen=True, slots=True)
class OwnPageSections:
    """The ways to sign in besides the password, in their order on the page. Only players with a name see them."""

    sections: Sequence[OwnPageSection]
    invitations: Sequence[OwnPageSection] = ()
    """At the top of the page, each until the player has answered it."""


async def own_page(
    request: Request,
    player: Player | None,
    form: str = "",
    error: AppError | None = None,
    message: str = "",
) -> HTMLResponse:
    """The page of a player, or of a visitor; with what was wrong with a form that was sent."""
    players = service_of(request, PlayerService)
    sessions = await players.list_sessions(player) if player else []
    token, _ = session_token(request)
    form_error = FormError(form, error.detail) if error else None
    has_password = True
    sections: list[Markup] = []
    invitations: list[Markup] = []
    if player and player.is_named:
        has_password = await service_of(request, Accounts).has_password(player)
        part = OwnPagePart(player, has_password, form_error)
        added = service_of(request, OwnPageSections)
        sections = [await render(request, part) for render in added.sections]
        invitations = [await render(request, part) for render in added.invitations]
    view = MeView(
        path="/me",
        player=player,
        sessions=session_lines(sessions, token, players.now_ms()),
        message=message,
        error=form_error,
        has_password=has_password,
        sections=sections,
        invitations=invitations,
        notices=await players.list_notices(player) if player else [],
    )
    return page(request, "identity/me.html", view, error=error)
