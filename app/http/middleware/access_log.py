"""The outermost layer of the server: each request gets an id, is counted, timed and logged."""

from __future__ import annotations

import asyncio
import itertools
import logging
import re
import secrets
from contextlib import suppress
from time import perf_counter

from starlette.routing import Match, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.http import logs, metrics
from app.http.request_stats import RequestStats

RAW_SEND = "fairdeal.send"
"""Where a scope keeps the way to the server past all layers: for the pieces of a stream, which nobody counts."""

_ACCEPTABLE_ID = re.compile(rb"[A-Za-z0-9_-]{8,64}")
_PROBES = frozenset({"/healthz", "/readyz", "/metrics"})
_NO_ANSWER = 499  # as others log it: the client went away before there was one
_UNMATCHED = "(unmatched)"
_LAST_WORD = 1.0  # seconds


class KnownRoute(Route):
    """A plain route that counts and logs know by its path, as they know the framework's."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Say as well who matched."""
        match, found = super().matches(scope)
        return match, {**found, "route": self} if match is Match.FULL else found


class _Answer:
    """What is known of an answer so far."""

    __slots__ = ("is_complete", "is_stream", "size", "status")

    def __init__(self) -> None:
        self.status = _NO_ANSWER
        self.size = 0
        self.is_stream = False
        self.is_complete = False

    def note(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            kind = dict(message["headers"]).get(b"content-type", b"")
            self.is_stream = kind.startswith(b"text/event-stream")
        elif message["type"] == "http.response.body":
            self.size += len(message.get("body", b""))
            self.is_complete = not message.get("more_body", False)


class AccessLogMiddleware:
    """Wraps the whole application."""

    def __init__(self, app: ASGIApp, traffic: RequestStats) -> None:
        self._app = app
        self._traffic = traffic
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
        answer = _Answer()

        async def observed(message: Message) -> None:
            answer.note(message)
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], header]
            await send(message)

        scope[RAW_SEND] = send
        token = logs.request_id.set(identity)
        metrics.request_begins()
        try:
            await self._app(scope, receive, observed)
            if answer.is_stream and not answer.is_complete:
                # A stream that ends from our side: end it as HTTP wants it ended, if the other side still reads.
                with suppress(TimeoutError):
                    async with asyncio.timeout(_LAST_WORD):
                        await send({"type": "http.response.body", "body": b""})
        finally:
            seconds = perf_counter() - began
            try:
                await asyncio.sleep(0)  # the answer goes out when this task rests
            finally:
                self._tell(scope, answer, seconds, identity)
                logs.request_id.reset(token)

    def _identity(self, scope: Scope) -> str:
        for name, value in scope["headers"]:
            if name == b"x-request-id":
                if _ACCEPTABLE_ID.fullmatch(value):
                    return str(value, "ascii")
                break
        return f"{self._process}-{next(self._numbers):x}"

    def _tell(self, scope: Scope, answer: _Answer, seconds: float, identity: str) -> None:
        route = getattr(scope.get("route"), "path", _UNMATCHED)
        method: str = scope["method"]
        timed = None if answer.is_stream else seconds
        metrics.request_ends(method, route, answer.status, timed)
        self._traffic.note(method, route, answer.status, timed, identity)
        client = scope.get("client")
        logs.log_request(
            logging.DEBUG if scope["path"] in _PROBES else logging.INFO,
            {
                "method": method,
                "path": scope["path"],
                "route": route,
                "status": answer.status,
                "ms": round(seconds * 1000, 2),
                "bytes": answer.size,
                "client": client[0] if client else None,
            },
        )
