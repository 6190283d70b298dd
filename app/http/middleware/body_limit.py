"""Limits the size of request bodies."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.http.error_handlers import error_response
from app.http.errors import TooLargeError

_TOO_LARGE = "The request body is too large."


class BodyLimitMiddleware:
    """Refuses bodies above the limit, with or without a Content-Length."""

    def __init__(self, app: ASGIApp, max_bytes: int) -> None:
        self._app = app
        self._max_bytes = max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        declared = dict(scope["headers"]).get(b"content-length")
        if declared is None:
            await self._app(scope, self._counting(receive), send)
        elif declared.isdigit() and int(declared) <= self._max_bytes:
            # The server reads no more than the declared length.
            await self._app(scope, receive, send)
        else:
            await error_response(Request(scope), TooLargeError(_TOO_LARGE))(scope, receive, send)

    def _counting(self, receive: Receive) -> Receive:
        size = 0

        async def counted() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > self._max_bytes:
                # FastAPI passes on this exception while it reads a body, and turns all others into a 400.
                raise HTTPException(413, _TOO_LARGE)
            return message

        return counted
