"""Which browser begins a deal: a token of its own, so that another name in it is no second first look."""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import Final

from starlette.requests import Request

from app.http.cookies import cookie_of
from app.http.dependencies import service_of
from app.http.middleware.security import owe_header
from app.identity.dependencies import shown_token
from app.settings import Settings

COOKIE: Final = "fd_browser"
_FORM: Final = re.compile(r"[A-Za-z0-9_-]{22}")
_YEAR_SECONDS: Final = 365 * 86_400


def browser_of(request: Request) -> bytes | None:
    """The hash of the browser's token, which it is given now if it has none. Programs with a bearer token have none."""
    _, is_bearer = shown_token(request)
    if is_bearer:
        return None
    token = cookie_of(request, COOKIE)
    if token is None or not _FORM.fullmatch(token):
        token = secrets.token_urlsafe(16)
        settings = service_of(request, Settings)
        secure = "; Secure" if settings.https_only or request.scope["scheme"] == "https" else ""
        value = f"{COOKIE}={token}; Max-Age={_YEAR_SECONDS}; Path=/; HttpOnly; SameSite=Lax{secure}"
        owe_header(request, "set-cookie", value)
    return hashlib.sha256(token.encode()).digest()
