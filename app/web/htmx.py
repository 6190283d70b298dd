"""How htmx speaks: the request headers that it sends."""

from __future__ import annotations

from starlette.requests import Request


def is_htmx(request: Request) -> bool:
    """Whether htmx sent this request and will swap fragments of the answer into its page."""
    return request.headers.get("hx-request") == "true"
