"""The last resort: an exception that nobody expected becomes an answer and a line in the log.

The answer names the id of the request and nothing else; the log carries the same id and the traceback.
"""

from __future__ import annotations

import logging

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.errors import InternalError
from app.http import error_handlers, logs

_log = logging.getLogger(f"{logs.ROOT}.crash")
_SENTENCE = "This is a fault of ours, and it has been noted."


class ErrorMiddleware:
    """Stands inside the layers that protect, count and log, so that they see the answer to a fault too."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        has_begun = False

        async def noted(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self._app(scope, receive, noted)
        except Exception:
            _log.exception("An exception that nobody expected")
            if has_begun or scope["type"] != "http":
                raise  # too late to apologise: the server cuts the connection
            await _apology(scope)(scope, receive, send)


def _apology(scope: Scope) -> Response:
    identity = logs.request_id.get() or "unknown"
    try:
        return error_handlers.answer(Request(scope), InternalError(_SENTENCE, identity))
    except Exception:  # noqa: BLE001 - whatever it is, the visitor is owed an answer
        # The fault may be in what every page is made of.
        _log.exception("The page about an exception could not be made")
        return PlainTextResponse(f"{_SENTENCE} Its number: {identity}", 500)
