"""What every answer says to browsers, and which requests are not listened to at all."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.errors import AppError, NotFoundError
from app.http.error_handlers import answer
from app.http.errors import CrossSiteError
from app.http.headers import added_headers, is_htmx_scope

_POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "connect-src": "'self'",
    "font-src": "'self'",
    "manifest-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}
CONTENT_SECURITY_POLICY = "; ".join(f"{what} {where}" for what, where in _POLICY.items())

_ALWAYS = [(b"x-content-type-options", b"nosniff")]
_FOR_ALL = [*_ALWAYS, (b"referrer-policy", b"same-origin")]
# What other sites may show is said by the answer itself; the rest is for pages of ours.
_WHO_MAY_EMBED = b"cross-origin-resource-policy"
_FOR_DOCUMENTS = [
    *_FOR_ALL,
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
]
_OVER_HTTPS = [(b"strict-transport-security", b"max-age=63072000")]
# What depends on who asks may be kept by their browser, but not used again without asking.
_PERSONAL = [(b"cache-control", b"private, no-cache")]

_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_FROM_HERE = frozenset({b"same-origin", b"none"})


def cross_site_refusal(method: str, headers: Mapping[bytes, bytes]) -> CrossSiteError | None:
    """Refuse a change that another site had a browser ask for.

    A browser says where a request comes from in ``Sec-Fetch-Site``, older ones in ``Origin``. Whoever sends neither
    is not a browser that could be tricked; nor is whoever shows a token, which browsers never do by themselves.
    """
    if method in _SAFE_METHODS or headers.get(b"authorization", b"")[:7].lower() == b"bearer ":
        return None
    site = headers.get(b"sec-fetch-site")
    if site is not None:
        came_from_here = site in _FROM_HERE
    else:
        origin = headers.get(b"origin")
        # The scheme is left out: behind a proxy ours may be http while the browser's is https.
        came_from_here = origin is None or origin.partition(b"://")[2] == headers.get(b"host", b"")
    if came_from_here:
        return None
    return CrossSiteError(
        "This was sent from another site, so nothing was changed. Please do it from a page of ours."
    )


class SecurityMiddleware:
    """Adds the headers that protect visitors, and refuses what another site made their browser send."""

    def __init__(self, app: ASGIApp, *, https_only: bool) -> None:
        self._app = app
        self._https_only = https_only

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = self._complete(scope, message["headers"])
            await send(message)

        refused: AppError | None = cross_site_refusal(scope["method"], dict(scope["headers"]))
        if "\0" in scope["path"]:
            # No address of ours holds one, and some databases choke on it.
            refused = NotFoundError("Nothing is known under this address.")
        if refused is not None:
            await answer(Request(scope), refused)(scope, receive, protected)
        else:
            await self._app(scope, receive, protected)

    def _complete(
        self, scope: Scope, given: list[tuple[bytes, bytes]]
    ) -> list[tuple[bytes, bytes]]:
        added = added_headers(scope)
        if _is_part(scope):
            return [*given, *_ALWAYS, *added]
        names = dict(given)
        is_html = names.get(b"content-type", b"").startswith(b"text/html")
        stricter = {name for name, _ in added}
        usual = _FOR_DOCUMENTS if is_html else _FOR_ALL
        complete = [*given, *(header for header in usual if header[0] not in stricter)]
        if _WHO_MAY_EMBED not in names:
            complete.append((_WHO_MAY_EMBED, b"same-origin"))
        if b"cache-control" not in names:
            complete += _PERSONAL
        if self._https_only or scope["scheme"] == "https":
            complete += _OVER_HTTPS
        complete += added
        return complete


def _is_part(scope: Scope) -> bool:
    """Whether a script of ours posted, for part of a page: a browser that goes to an address never says so.

    Such an answer is no document, is embedded nowhere and is not kept. How those are to be treated would be more than
    half a kilobyte; to read that much took the browser 0.3 ms of each click.
    """
    return scope["method"] == "POST" and is_htmx_scope(scope)
