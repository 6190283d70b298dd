"""How htmx speaks: the request headers that it sends."""

from __future__ import annotations

from starlette.requests import Request
from starlette.types import Scope


def is_htmx(request: Request) -> bool:
    """Whether htmx sent this request and will swap fragments of the answer into its page."""
    return asks_for_part(request.scope)


def asks_for_part(scope: Scope) -> bool:
    """The same, for layers around the routes."""
    return any(name == b"hx-request" and value == b"true" for name, value in scope["headers"])
