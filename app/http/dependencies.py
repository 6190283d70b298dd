"""How routes get services: by type, from the set that the application holds."""

from __future__ import annotations

from typing import Protocol, TypeVar, cast

from starlette.requests import Request

T = TypeVar("T")


class ServiceSet(Protocol):
    """The interface of `app.state.services`, which `app.main` builds."""

    def of(self, kind: type[T], /) -> T:
        """The service of this type; raises ``LookupError``."""
        ...


def service_of(request: Request, kind: type[T]) -> T:
    """The service of a type."""
    services = cast(ServiceSet, request.app.state.services)
    return services.of(kind)
