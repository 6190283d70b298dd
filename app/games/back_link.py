"""Where the arrow of a table leads: to the page of games that its player came from, else home."""

from __future__ import annotations

from typing import Final

from fastapi import Request

from app.http.cookies import delete_cookie, read_cookie, set_cookie
from app.http.dependencies import path_before

_COOKIE: Final = "fd_from"
_SECONDS: Final = 86_400
_HOME: Final = "/"
_LISTS: Final = {"/games", "/together", "/me"}


def back_path_of(request: Request) -> str:
    """The last page of games that the visitor was on. It stays through new deals, moves without a script and rules."""
    known, came_from = read_cookie(request, _COOKIE), path_before(request)
    if came_from in _LISTS:
        if came_from != known:
            set_cookie(request, _COOKIE, came_from, _SECONDS)
        return came_from
    if came_from == _HOME and known:
        delete_cookie(request, _COOKIE)
    return known if known in _LISTS and came_from != _HOME else _HOME
