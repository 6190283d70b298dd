"""News on a player's own pages: the last change, decisions of staff, and things to do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup
from starlette.requests import Request

from app.http.dependencies import service_of
from app.identity.model import Player
from app.identity.players import Players
from app.text import gettext

_MESSAGES: Final = {
    "joined": gettext("The name is yours. You have kept every game you played here."),
    "welcome": gettext("Welcome back."),
    "brought": gettext(
        "Welcome back. The games you played in this browser are now in your account."
    ),
    "name": gettext("You have changed your name."),
    "password": gettext("You have changed your password. All your other devices are signed out."),
    "saved": gettext("Your recovery codes are in use. Keep them where only you can find them."),
    "recovered": gettext("You have changed your password. All your other devices are signed out."),
    "connected": gettext("The accounts are connected. You can sign in with either."),
    "disconnected": gettext("The accounts are no longer connected."),
    "ended": gettext("That device is signed out."),
    "others": gettext("All your other devices are signed out."),
}


@dataclass(frozen=True, slots=True)
class OwnNews:
    """``message`` is empty if nothing was done; ``notices`` are of staff; ``invitations`` wait for an answer."""

    message: str
    notices: Sequence[str]
    invitations: Sequence[Markup] = ()


async def read_news(
    request: Request, player: Player | None, done: str, invitations: Sequence[Markup] = ()
) -> OwnNews:
    """The news for a player; ``done`` is the last change, a word in the address of the page."""
    notices = await service_of(request, Players).list_notices(player) if player else []
    return OwnNews(_MESSAGES.get(done, ""), notices, invitations)
