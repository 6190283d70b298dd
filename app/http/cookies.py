"""Reading one cookie of a request, at less cost than parsing them all."""

from __future__ import annotations

from starlette.requests import Request


def cookie_of(request: Request, name: str) -> str | None:
    """The value of the first cookie of this name, as it was sent: trust nothing about it."""
    starts = name.encode() + b"="
    for header, value in request.scope["headers"]:
        if header == b"cookie":
            for part in value.split(b";"):
                pair: bytes = part.strip()
                if pair.startswith(starts):
                    return pair[len(starts) :].decode("latin-1")
    return None
