"""How a route gets hold of a service: by the service's own type, from the one set that the application holds."""

from __future__ import annotations

from typing import Protocol, TypeVar, cast

from starlette.requests import Request

T = TypeVar("T")


class ServiceSet(Protocol):
    """What `app.state.services` must be able to do; the real one is built in `app.main`."""

    def of(self, kind: type[T], /) -> T:
        """The service that is declared with this type; raises ``LookupError``."""
        ...


def service_of(request: Request, kind: type[T]) -> T:
    """The service of a type, for routes and their helpers."""
    services = cast(ServiceSet, request.app.state.services)
    return services.of(kind)
