"""Remembers that a visitor plays a game to challenge a friend with it: its end then leads there first."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request

from app.games.model import Game, Kind
from app.http.cookies import delete_cookie, read_cookie, set_cookie

_COOKIE: Final = "fd_challenge"
_SECONDS: Final = 2 * 3600


def note_wish(request: Request, ruleset: str) -> None:
    """Remember, for as long as a game may take, which game the visitor plays for a challenge."""
    set_cookie(request, _COOKIE, ruleset, _SECONDS)


def forget_wish(request: Request) -> None:
    """Forget it: the challenge is made."""
    if read_cookie(request, _COOKIE):
        delete_cookie(request, _COOKIE)


def has_wish(request: Request, game: Game) -> bool:
    """Whether the visitor plays this game for a challenge."""
    return game.kind is Kind.OPEN and read_cookie(request, _COOKIE) == game.rules.id
