"""Reading and setting cookies.

Over HTTPS their names have a prefix that browsers enforce: `__Host-` for a cookie of the whole site, which then no
other host can have set, and `__Secure-` for a cookie of one folder, which may not have the former. Cookies of earlier
releases are read until they are replaced, but never those of one folder, which live for minutes.
"""

from __future__ import annotations

from typing import Final

from starlette.requests import Request

from app.http.dependencies import add_response_header, service_of
from app.settings import Settings

YEAR_SECONDS: Final = 365 * 86_400


_WHOLE_SITE: Final = "/"


def read_cookie(request: Request, name: str, *, path: str = _WHOLE_SITE) -> str | None:
    """The value of the first cookie with this name, unchecked. ``path`` is the one that it was set with."""
    if not _is_secure(request):
        return _read(request, name)
    value = _read(request, _prefix(path) + name)
    return _read(request, name) if value is None and path == _WHOLE_SITE else value


def is_from_before(request: Request, name: str) -> bool:
    """Whether a cookie of the whole site came only under its name of earlier releases, so it has to be set again."""
    return (
        _is_secure(request)
        and _read(request, name) is not None
        and _read(request, _prefix(_WHOLE_SITE) + name) is None
    )


def set_cookie(
    request: Request,
    name: str,
    value: str,
    max_age: int,
    *,
    path: str = _WHOLE_SITE,
    same_site: str = "Lax",
) -> None:
    """Set a cookie with the response to this request, even if that is an error. Scripts cannot read it."""
    attributes = f"Path={path}; HttpOnly; SameSite={same_site}"
    if not _is_secure(request):
        _add(request, f"{name}={value}; Max-Age={max_age}; {attributes}")
        return
    if _read(request, name) is not None:
        _add(request, f"{name}=; Max-Age=0; {attributes}; Secure")  # its name in earlier releases
    _add(request, f"{_prefix(path)}{name}={value}; Max-Age={max_age}; {attributes}; Secure")


def delete_cookie(
    request: Request, name: str, *, path: str = _WHOLE_SITE, same_site: str = "Lax"
) -> None:
    """Have the browser drop a cookie."""
    set_cookie(request, name, "", 0, path=path, same_site=same_site)


def _is_secure(request: Request) -> bool:
    return request.scope["scheme"] == "https" or service_of(request, Settings).https_only


def _prefix(path: str) -> str:
    return "__Host-" if path == _WHOLE_SITE else "__Secure-"


def _read(request: Request, name: str) -> str | None:
    """Cheaper than parsing all cookies."""
    prefix = name.encode() + b"="
    for header, value in request.scope["headers"]:
        if header == b"cookie":
            for part in value.split(b";"):
                pair: bytes = part.strip()
                if pair.startswith(prefix):
                    return pair[len(prefix) :].decode("latin-1")
    return None


def _add(request: Request, cookie: str) -> None:
    add_response_header(request, "set-cookie", cookie)
