"""Security headers (CSP, HSTS), protection against cross-site request forgery (CSRF), a body limit."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.errors import AppError, MalformedError, NotFoundError
from app.http.dependencies import added_headers, is_htmx_scope
from app.http.error_handlers import error_response
from app.http.errors import BODY_TOO_LARGE, NUL_CHARACTER, CrossSiteError, TooLargeError
from app.http.hosts import AllowedHosts
from app.text import gettext

_POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "connect-src": "'self'",
    "font-src": "'self' data:",  # within style sheets
    "manifest-src": "'self'",
    "object-src": "'none'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}
CONTENT_SECURITY_POLICY = "; ".join(f"{what} {where}" for what, where in _POLICY.items())

_POLICY_HEADER = b"content-security-policy"
# For responses that are not pages. If a browser shows one, such as a picture opened by its link, nothing in it runs.
_NOTHING_RUNS = b"default-src 'none'; frame-ancestors 'none'"
# An SVG has its own style. Not "sandbox": pages refer to cards in one, and browsers may take that for another origin.
_IN_A_PICTURE = _NOTHING_RUNS + b"; style-src 'unsafe-inline'"

_ALWAYS = [(b"x-content-type-options", b"nosniff")]
_FOR_ALL = [*_ALWAYS, (b"referrer-policy", b"same-origin")]
# A response that other sites may embed sets this header itself.
_RESOURCE_POLICY = b"cross-origin-resource-policy"
_FOR_FRAGMENTS = [*_ALWAYS, (_POLICY_HEADER, _NOTHING_RUNS)]
_FOR_OTHERS = [*_FOR_ALL, (_POLICY_HEADER, _NOTHING_RUNS)]
_FOR_PICTURES = [*_FOR_ALL, (_POLICY_HEADER, _IN_A_PICTURE)]
# What a browser never shows as a document of its own. A first visit has forty, so their headers count.
_PARTS = (b"text/css", b"text/javascript", b"font/")
_FOR_DOCUMENTS = [
    *_FOR_ALL,
    (_POLICY_HEADER, CONTENT_SECURITY_POLICY.encode()),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
]
_HSTS = b"strict-transport-security"
_HSTS_AGE = b"max-age=63072000"
# Personal responses may be cached by the browser only, and revalidated each time.
_PERSONAL = [(b"cache-control", b"private, no-cache")]

_NUL = b"%00"  # a query can hold a NUL only in this form: no address contains the byte itself
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_SAME_SITE = frozenset({b"same-origin", b"none"})


def cross_site_refusal(method: str, headers: Mapping[bytes, bytes]) -> CrossSiteError | None:
    """Protect against CSRF: refuse requests that another site made a browser send.

    Browsers state the origin of a request in ``Sec-Fetch-Site``, older ones in ``Origin``. A client that sends neither
    is not a browser; and browsers do not send bearer tokens on their own.
    """
    if method in _SAFE_METHODS or headers.get(b"authorization", b"")[:7].lower() == b"bearer ":
        return None
    site = headers.get(b"sec-fetch-site")
    if site is not None:
        is_same_site = site in _SAME_SITE
    else:
        origin = headers.get(b"origin")
        # Without the scheme: behind a proxy it may be http here and https in the browser.
        is_same_site = origin is None or origin.partition(b"://")[2] == headers.get(b"host", b"")
    if is_same_site:
        return None
    return CrossSiteError(
        gettext(
            "This request came from another site, so nothing was changed. Use this site's own pages."
        )
    )


async def require_same_site(request: Request) -> None:
    """For a GET whose answer is counted: refuse it from other sites, as if it were a POST."""
    if refused := cross_site_refusal("POST", dict(request.scope["headers"])):
        raise refused


class SecurityMiddleware:
    """Adds security headers, and refuses cross-site requests and those for other hosts."""

    def __init__(
        self, app: ASGIApp, *, https_only: bool, hosts: AllowedHosts, hsts_subdomains: bool = False
    ) -> None:
        """With ``hsts_subdomains``, browsers use HTTPS for all names below this one, too."""
        self._hsts = [(_HSTS, _HSTS_AGE + b"; includeSubDomains" if hsts_subdomains else _HSTS_AGE)]
        self._app = app
        self._hosts = hosts
        self._https_only = https_only

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = self._add_headers(scope, message["headers"])
            await send(message)

        refused: AppError | None = cross_site_refusal(scope["method"], dict(scope["headers"]))
        if "\0" in scope["path"]:
            # No path contains a NUL, and some databases reject it.
            refused = NotFoundError()
        elif _NUL in scope["query_string"]:
            refused = MalformedError(NUL_CHARACTER)
        refused = self._hosts.refusal(scope) or refused
        if refused is not None:
            await error_response(Request(scope), refused)(scope, receive, send_with_headers)
        else:
            await self._app(scope, receive, send_with_headers)

    def _add_headers(
        self, scope: Scope, given: list[tuple[bytes, bytes]]
    ) -> list[tuple[bytes, bytes]]:
        added = [header for header in added_headers(scope) if header not in given]
        hsts = self._hsts if self._https_only or scope["scheme"] == "https" else []
        if _is_fragment(scope):
            return [*given, *_FOR_FRAGMENTS, *hsts, *added]
        names = dict(given)
        stricter = {name for name, _ in added}
        usual = _usual_headers(names.get(b"content-type", b""))
        complete = [*given, *(header for header in usual if header[0] not in stricter)]
        if _RESOURCE_POLICY not in names:
            complete.append((_RESOURCE_POLICY, b"same-origin"))
        if b"cache-control" not in names and b"cache-control" not in stricter:
            complete += _PERSONAL
        return [*complete, *hsts, *added]


def _usual_headers(content_type: bytes) -> list[tuple[bytes, bytes]]:
    if content_type.startswith(b"text/html"):
        return _FOR_DOCUMENTS
    if content_type.startswith(_PARTS):
        return _ALWAYS
    return _FOR_PICTURES if content_type.startswith(b"image/svg") else _FOR_OTHERS


def _is_fragment(scope: Scope) -> bool:
    """Whether this is an htmx POST for a fragment of a page; navigation never has that header.

    Such a response is not a document, is not embedded and is not cached. The whole policy and the other headers would
    be more than half a kilobyte, which took the browser 0.3 ms to read at each click.
    """
    return scope["method"] == "POST" and is_htmx_scope(scope)


class BodyLimitMiddleware:
    """Refuses bodies above the limit, with or without a Content-Length."""

    def __init__(self, app: ASGIApp, max_bytes: int, max_bytes_of: Mapping[str, int]) -> None:
        """``max_bytes_of`` has the limits of paths with a limit of their own."""
        self._app = app
        self._max_bytes = max_bytes
        self._max_bytes_of = max_bytes_of

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        declared = dict(scope["headers"]).get(b"content-length")
        max_bytes = self._max_bytes_of.get(scope["path"], self._max_bytes)
        if declared is None:
            await self._app(scope, _counting(receive, max_bytes), send)
        elif declared.isdigit() and int(declared) <= max_bytes:
            # The server reads no more than the declared length.
            await self._app(scope, receive, send)
        else:
            await error_response(Request(scope), TooLargeError(BODY_TOO_LARGE))(
                scope, receive, send
            )


def _counting(receive: Receive, max_bytes: int) -> Receive:
    size = 0

    async def counted() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > max_bytes:
            # FastAPI passes on this exception while it reads a body, and turns all others into a 400.
            raise HTTPException(413, BODY_TOO_LARGE)
        return message

    return counted
