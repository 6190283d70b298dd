"""Dependencies of routes: services by type, whether htmx sent a request, its page, headers for its response."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, Literal, Protocol, TypeVar

from fastapi import params
from starlette.requests import Request
from starlette.types import Scope

from app.clock import Clock
from app.settings import Settings

T = TypeVar("T")

# Not //host or /\host, which browsers resolve to another site.
_PAGE = re.compile(r"https?://(?P<host>[^/?#]+)(?P<path>/(?![/\\])[^?#\\\s]*)")


class ServiceSet(Protocol):
    """The interface of `app.services`, which `app.composition` builds."""

    @property
    def clock(self) -> Clock:
        """The time in milliseconds since 1970, UTC."""
        ...

    def of(self, kind: type[T], /) -> T:
        """The service of this type; raises ``LookupError``."""
        ...


def service_of(request: Request, kind: type[T]) -> T:
    """The service of a type, for routes and the functions they call."""
    # Hot path: `state` would cost a failed look-up first.
    services: ServiceSet = request.scope["app"].services
    return services.of(kind)


def depends(find: Callable[[Request], object]) -> params.Depends:
    """A dependency that the request already holds.

    Asynchronous, since the framework runs synchronous dependencies in a thread, which takes longer than the look-up.
    """

    async def found(request: Request) -> object:
        return find(request)

    return params.Depends(found)


def now_ms_of(request: Request) -> int:
    """The time on the site's clock: milliseconds since 1970, UTC."""
    services: ServiceSet = request.scope["app"].services
    return services.clock()


_ADDED: Final = "fairdeal.headers"


def is_htmx(request: Request) -> bool:
    """Whether htmx sent this request and will swap fragments of the response into its page."""
    return is_htmx_scope(request.scope)


def is_htmx_scope(scope: Scope) -> bool:
    """The same, for middleware."""
    return (b"hx-request", b"true") in scope["headers"]


def is_api(path: str) -> bool:
    """Whether this is a path of the JSON API."""
    return path.startswith("/api/") and path != "/api/docs"


def path_before(request: Request) -> str | None:
    """The path of the page that linked here or has the form, if it is on this site."""
    came_from = _PAGE.match(request.headers.get("referer", ""))
    if came_from is None or came_from["host"] != request.headers.get("host"):
        return None
    return came_from["path"]


def comes_from_this_site(request: Request) -> bool:
    """Whether a page of this site led here; false where the browser does not say, or somebody typed the address."""
    return request.headers.get("sec-fetch-site") == "same-origin"


def is_navigation(request: Request) -> bool:
    """Whether a browser will show the response as a page, rather than a script of a page a part of it."""
    return request.headers.get("sec-fetch-mode") == "navigate"


def origin_of(request: Request) -> str:
    """The origin of this site as the visitor reached it: the beginning of every absolute URL."""
    return f"{request.url.scheme}://{request.url.netloc}"


def sharing_of_links(request: Request) -> Literal["public", "private"]:
    """Which caches may keep an answer that has absolute addresses, for ``Cache-Control``.

    Without a list of hosts, a shared cache could keep links to another site for everybody.
    """
    return "public" if service_of(request, Settings).allowed_hosts else "private"


def add_response_header(request: Request, name: str, value: str) -> None:
    """Add a header to the response to this request, errors included. It replaces a default."""
    request.scope.setdefault(_ADDED, []).append((name.encode(), value.encode("latin-1")))


def added_headers(scope: Scope) -> list[tuple[bytes, bytes]]:
    """The headers added so far; the security middleware sends them."""
    added: list[tuple[bytes, bytes]] = scope.get(_ADDED, [])
    return added


_REFUSAL: Final = "fairdeal.refusal"


def note_refusal(scope: Scope, code: str) -> None:
    """Note the error code with which a request is refused."""
    scope[_REFUSAL] = code


def refusal_of(scope: Scope) -> str | None:
    """The noted error code, for the access log."""
    found: str | None = scope.get(_REFUSAL)
    return found


async def never_stored(request: Request) -> None:
    """For routers whose responses no cache may store, the browser's own included."""
    add_response_header(request, "cache-control", "no-store")
