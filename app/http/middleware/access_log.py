"""The outermost middleware: gives each request an id, and measures, counts and logs it."""

from __future__ import annotations

import asyncio
import itertools
import logging
import re
import secrets
from contextlib import suppress
from functools import cache
from time import perf_counter

from starlette.routing import Match, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app import logs
from app.http import monitoring
from app.http.dependencies import refusal_of
from app.http.monitoring import RequestStats

RAW_SEND = "fairdeal.send"
"""The scope key of the server's own send function: streams use it to bypass all middleware."""

_VALID_ID = re.compile(rb"[A-Za-z0-9_-]{8,64}")
_CLIENT_CLOSED = 499  # as in nginx: the client disconnected before the response
_UNMATCHED = "(unmatched)"
_END_TIMEOUT = 1.0  # seconds


_PARAMETER = re.compile(r"{(\w+)")
# Only these path parameters are logged. Never add tokens, room codes or names.
_LOGGED_PARAMETERS = frozenset(
    {"day", "form", "game_id", "path", "player_id", "ruleset", "step", "topic", "word"}
)


@cache
def _is_loggable(route: str) -> bool:
    """Whether the paths of a route contain nothing that gives access to something."""
    return _LOGGED_PARAMETERS.issuperset(_PARAMETER.findall(route))


def _loggable_path(path: str, route: str) -> str:
    """The path of a request, or as much of it as may be logged."""
    if route == _UNMATCHED:  # it may be a link with a token, mistyped
        first, _, rest = path.removeprefix("/").partition("/")
        return f"/{first}/..." if rest else f"/{first}"
    return path if _is_loggable(route) else route


class LoggedRoute(Route):
    """A Starlette route that appears in metrics and logs by its path, like FastAPI's routes."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Add the route to the scope."""
        match, found = super().matches(scope)
        return match, {**found, "route": self} if match is Match.FULL else found


class _ResponseInfo:
    """The status and size of a response so far."""

    __slots__ = ("is_complete", "is_stream", "size", "status")

    def __init__(self) -> None:
        self.status = _CLIENT_CLOSED
        self.size = 0
        self.is_stream = False
        self.is_complete = False

    def update(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            kind = dict(message["headers"]).get(b"content-type", b"")
            self.is_stream = kind.startswith(b"text/event-stream")
        elif message["type"] == "http.response.body":
            self.size += len(message.get("body", b""))
            self.is_complete = not message.get("more_body", False)


class AccessLogMiddleware:
    """Measures, counts and logs every request."""

    def __init__(self, app: ASGIApp, stats: RequestStats) -> None:
        self._app = app
        self._stats = stats
        # Request ids are unique without randomness from the operating system for each.
        self._process = secrets.token_hex(5)
        self._numbers = itertools.count(1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = perf_counter()
        request_id = self._request_id(scope)
        header = (b"x-request-id", request_id.encode())
        response = _ResponseInfo()

        async def send_and_record(message: Message) -> None:
            response.update(message)
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], header]
            await send(message)

        scope[RAW_SEND] = send
        token = logs.request_id.set(request_id)
        monitoring.request_started()
        try:
            await self._app(scope, receive, send_and_record)
            if response.is_stream and not response.is_complete:
                # The server ends this stream: send the final chunk if the client still reads.
                with suppress(TimeoutError):
                    async with asyncio.timeout(_END_TIMEOUT):
                        await send({"type": "http.response.body", "body": b""})
        finally:
            seconds = perf_counter() - began
            try:
                await asyncio.sleep(0)  # lets the response be sent before it is logged
            finally:
                self._log(scope, response, seconds, request_id)
                logs.request_id.reset(token)

    def _request_id(self, scope: Scope) -> str:
        for name, value in scope["headers"]:
            if name == b"x-request-id":
                if _VALID_ID.fullmatch(value):
                    return str(value, "ascii")
                break
        return f"{self._process}-{next(self._numbers):x}"

    def _log(self, scope: Scope, response: _ResponseInfo, seconds: float, request_id: str) -> None:
        route = getattr(scope.get("route"), "path", _UNMATCHED)
        method: str = scope["method"]
        timed = None if response.is_stream else seconds
        monitoring.request_finished(method, route, response.status, timed)
        self._stats.record(method, route, response.status, timed, request_id)
        client = scope.get("client")
        code = refusal_of(scope)
        logs.log_request(
            logging.DEBUG if scope["path"] in monitoring.PROBES else logging.INFO,
            {
                "method": method,
                "path": _loggable_path(scope["path"], route),
                "route": route,
                "status": response.status,
                "ms": round(seconds * 1000, 2),
                "bytes": response.size,
                "client": client[0] if client else None,
                **({"code": code} if code else {}),
            },
        )
