"""The outermost layer of the server: each request gets an id, is counted, timed and logged.

An exception that nobody expected ends here too: as a page or a problem document that names the id,
and as a line in the log that carries the same id and the traceback.
"""

from __future__ import annotations

import itertools
import logging
import re
import secrets
from time import perf_counter

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.web import logs, metrics
from app.web.errors import InternalError
from app.web.handlers import answer

_log = logging.getLogger(f"{logs.ROOT}.crash")

_ACCEPTABLE_ID = re.compile(rb"[A-Za-z0-9_-]{8,64}")
_PROBES = frozenset({"/healthz", "/readyz", "/metrics"})
_UNMATCHED = "(unmatched)"


class Observer:
    """Wraps the whole application."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        # Unique without asking the operating system for randomness each time.
        self._process = secrets.token_hex(5)
        self._numbers = itertools.count(1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = perf_counter()
        identity = self._identity(scope)
        header = (b"x-request-id", identity.encode())
        status = 0
        size = 0
        streaming = False

        async def observed(message: Message) -> None:
            nonlocal status, size, streaming
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], header]
                streaming = any(
                    value.startswith(b"text/event-stream") for _, value in message["headers"]
                )
            else:
                size += len(message.get("body", b""))
            await send(message)

        token = logs.request_id.set(identity)
        metrics.request_begins()
        try:
            await self._app(scope, receive, observed)
        except Exception:
            _log.exception("An exception that nobody expected")
            if status:  # Too late to say anything: let the server cut the connection.
                raise
            await _apology(scope, identity)(scope, receive, observed)
        finally:
            seconds = perf_counter() - began
            route = getattr(scope.get("route"), "path", _UNMATCHED)
            method = scope["method"]
            metrics.request_ends(method, route, status, None if streaming else seconds)
            client = scope.get("client")
            level = logging.DEBUG if scope["path"] in _PROBES else logging.INFO
            logs.log_request(
                level,
                {
                    "method": method,
                    "path": scope["path"],
                    "route": route,
                    "status": status,
                    "ms": round(seconds * 1000, 2),
                    "bytes": size,
                    "client": client[0] if client else None,
                },
            )
            logs.request_id.reset(token)

    def _identity(self, scope: Scope) -> str:
        for name, value in scope["headers"]:
            if name == b"x-request-id":
                if _ACCEPTABLE_ID.fullmatch(value):
                    return str(value, "ascii")
                break
        return f"{self._process}-{next(self._numbers):x}"


def _apology(scope: Scope, identity: str) -> Response:
    sentence = "This is a fault of ours, and it has been noted."
    try:
        return answer(Request(scope), InternalError(sentence, identity))
    except Exception:  # noqa: BLE001 - whatever it is, the visitor is owed an answer
        # The fault may be in what every page is made of.
        _log.exception("The page about an exception could not be made")
        return PlainTextResponse(f"{sentence} Its number: {identity}", 500)
