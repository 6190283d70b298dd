"""Which browser begins a deal: a token of its own, so that another name in it is no second first look."""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import Final

from starlette.requests import Request

from app.http.cookies import YEAR_SECONDS, read_cookie, set_cookie
from app.identity.dependencies import session_token

COOKIE: Final = "fd_browser"
_FORM: Final = re.compile(r"[A-Za-z0-9_-]{22}")


def browser_of(request: Request) -> bytes | None:
    """The hash of the browser's token, which it is given now if it has none. Programs with a bearer token have none."""
    _, is_bearer = session_token(request)
    if is_bearer:
        return None
    token = read_cookie(request, COOKIE)
    if token is None or not _FORM.fullmatch(token):
        token = secrets.token_urlsafe(16)
        set_cookie(request, COOKIE, token, YEAR_SECONDS)
    return hashlib.sha256(token.encode()).digest()
