"""Reading and setting cookies."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request

from app.http.dependencies import add_response_header, service_of
from app.settings import Settings

YEAR_SECONDS: Final = 365 * 86_400


def read_cookie(request: Request, name: str) -> str | None:
    """The value of the first cookie with this name, unchecked. Cheaper than parsing all cookies."""
    prefix = name.encode() + b"="
    for header, value in request.scope["headers"]:
        if header == b"cookie":
            for part in value.split(b";"):
                pair: bytes = part.strip()
                if pair.startswith(prefix):
                    return pair[len(prefix) :].decode("latin-1")
    return None


def set_cookie(
    request: Request,
    name: str,
    value: str,
    max_age: int,
    *,
    path: str = "/",
    same_site: str = "Lax",
) -> None:
    """Set a cookie with the response to this request, even if that is an error. Scripts cannot read it."""
    settings = service_of(request, Settings)
    secure = "; Secure" if settings.https_only or request.scope["scheme"] == "https" else ""
    attributes = f"Max-Age={max_age}; Path={path}; HttpOnly; SameSite={same_site}{secure}"
    add_response_header(request, "set-cookie", f"{name}={value}; {attributes}")


def delete_cookie(request: Request, name: str, *, path: str = "/", same_site: str = "Lax") -> None:
    """Have the browser drop a cookie."""
    set_cookie(request, name, "", 0, path=path, same_site=same_site)
