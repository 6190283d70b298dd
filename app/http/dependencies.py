"""What routes ask of a request: services by type, whether htmx sent it, headers for its response."""

from __future__ import annotations

from typing import Final, Protocol, TypeVar

from starlette.requests import Request
from starlette.types import Scope

T = TypeVar("T")


class ServiceSet(Protocol):
    """The interface of `app.state.services`, which `app.main` builds."""

    def of(self, kind: type[T], /) -> T:
        """The service of this type; raises ``LookupError``."""
        ...


def service_of(request: Request, kind: type[T]) -> T:
    """The service of a type, for routes and what they call."""
    services: ServiceSet = request.app.state.services
    return services.of(kind)


_ADDED: Final = "fairdeal.headers"


def is_htmx(request: Request) -> bool:
    """Whether htmx sent this request and will swap fragments of the response into its page."""
    return is_htmx_scope(request.scope)


def is_htmx_scope(scope: Scope) -> bool:
    """The same, for middleware."""
    return any(name == b"hx-request" and value == b"true" for name, value in scope["headers"])


def origin_of(request: Request) -> str:
    """The origin of this site as the visitor reached it: the beginning of every absolute URL."""
    return f"{request.url.scheme}://{request.url.netloc}"


def add_response_header(request: Request, name: str, value: str) -> None:
    """Add a header to the response to this request, errors included. It replaces a default."""
    request.scope.setdefault(_ADDED, []).append((name.encode(), value.encode("latin-1")))


def added_headers(scope: Scope) -> list[tuple[bytes, bytes]]:
    """What has been added so far; the security middleware sends it."""
    added: list[tuple[bytes, bytes]] = scope.get(_ADDED, [])
    return added
