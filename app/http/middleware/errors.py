"""Unhandled exceptions become an error response and a log entry.

The response has only the request id; the log entry has the same id and the traceback.
"""

from __future__ import annotations

import logging

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.errors import InternalError
from app.http import error_handlers, logs

_log = logging.getLogger(f"{logs.ROOT}.http")
_SENTENCE = "Something went wrong on our side. We have logged the error."


class ErrorMiddleware:
    """Runs inside the security and logging middleware, so that they handle its responses too."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        has_started = False

        async def send_and_note(message: Message) -> None:
            nonlocal has_started
            has_started = True
            await send(message)

        try:
            await self._app(scope, receive, send_and_note)
        except Exception:
            _log.exception("Unhandled exception")
            if has_started or scope["type"] != "http":
                raise  # too late for a response: the server closes the connection
            await _fault_response(scope)(scope, receive, send)


def _fault_response(scope: Scope) -> Response:
    identity = logs.request_id.get() or "unknown"
    try:
        return error_handlers.error_response(Request(scope), InternalError(_SENTENCE, identity))
    except Exception:  # noqa: BLE001 - after any error there is a response
        # The error may be in the base template.
        _log.exception("The error page could not be rendered")
        return PlainTextResponse(f"{_SENTENCE} Error id: {identity}", 500)
