"""Bounds on connections: how many there are, how long a request may take to arrive, and how large its head may be.

The server has none of its own: requests that were begun and never finished would be held forever (Slowloris), until
nobody else could connect. Responses have no time limit, so event streams are not cut.
"""

from __future__ import annotations

import json
from asyncio import AbstractEventLoop, BaseTransport, TimerHandle
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from http import HTTPStatus
from typing import Any, Final, cast

import prometheus_client
from uvicorn.config import Config
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from app.errors import AppError, UnavailableError
from app.http.errors import (
    BODY_TOO_LARGE,
    HeadTooLargeError,
    RequestTimeoutError,
    TooLargeError,
    problem_document,
    status_of,
)
from app.logs import logger_of
from app.networks import network_of
from app.settings import Settings
from app.text import gettext

STATE: Final = "connection_limits"
"""The name of the limits in the lifespan state, which the server gives to each connection."""

_MAX_HEAD: Final = 65_536  # bytes; browsers and proxies stay far below
_LINGER_SECONDS: Final = 1.0  # for the client to read why its connection ends
_LEEWAY: Final = 100  # refusals that may linger at once

_log: Final = logger_of("connections")
_refused = prometheus_client.Counter(
    "fairdeal_connections_refused", "Connections that were ended early.", ("reason",)
)


@dataclass(slots=True)
class ConnectionLimits:
    """The limits of one server process, and its count of open connections by network."""

    most: int = 4000
    most_per_network: int = 600
    head_seconds: float = 10.0
    body_seconds: float = 30.0
    max_bytes: int = 8 * 65_536
    """The limit for a body as sent: in the smallest chunks it takes six times the bytes of its content."""
    is_proxy: Callable[[str], bool] = field(default=lambda _address: False)
    """Whether an address sends the requests of many networks."""
    by_network: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, settings: Settings) -> ConnectionLimits:
        """The limits that the operator has set."""
        return cls(
            settings.connections,
            settings.connections_per_network,
            settings.head_seconds,
            settings.body_seconds,
            8 * max(settings.max_body_bytes, settings.max_record_bytes),
            # Read as the server itself reads it, so that both take the same addresses for proxies.
            ProxyHeadersMiddleware(
                cast(Any, None), settings.trusted_proxies
            ).trusted_hosts.__contains__,
        )


class _Awaiting(Enum):
    """The part of a request that the client has to send next."""

    NOTHING = auto()
    HEAD = auto()
    BODY = auto()


class DeadlineProtocol(HttpToolsProtocol):
    """Ends connections that are too many, and requests that arrive too slowly or have too large a head."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._limits: ConnectionLimits = app_state.get(STATE) or ConnectionLimits()
        self._network: str | None = None
        self._is_refused = False
        self._awaiting = _Awaiting.HEAD
        self._has_begun = False
        self._received = 0
        self._timer: TimerHandle | None = None
        self._timed = _Awaiting.NOTHING

    def connection_made(self, transport: BaseTransport) -> None:
        """Refuse the connection if there are too many already."""
        super().connection_made(cast("Any", transport))
        address = self.client[0] if self.client else ""
        if address and not self._limits.is_proxy(address):
            self._network = network_of(address)
            self._limits.by_network[self._network] += 1
        open_ones = len(self.connections)
        if open_ones > self._limits.most + _LEEWAY:
            self._is_refused = True
            self.transport.abort()
        elif open_ones > self._limits.most:
            self._refuse("too_many", UnavailableError(_TOO_MANY))
        elif (
            self._network is not None
            and self._limits.by_network[self._network] > self._limits.most_per_network
        ):
            self._refuse("too_many_of_network", UnavailableError(_TOO_MANY_OF_NETWORK))
        else:
            self._start_timer(_Awaiting.HEAD)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting it."""
        self._stop_timer()
        if self._network is not None:
            self._limits.by_network[self._network] -= 1
            if not self._limits.by_network[self._network]:
                del self._limits.by_network[self._network]
            self._network = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse the bytes that arrived, then start or stop the clock for the missing part."""
        if self._is_refused:
            return
        super().data_received(data)
        awaiting = self._awaiting
        if awaiting is _Awaiting.NOTHING:
            self._has_begun = False
            if self._is_busy():
                if self._timer is not None:
                    self._stop_timer()
                return
            # Empty lines before a request: the server has already stopped its own clock for idle connections.
            awaiting = _Awaiting.HEAD
        self._has_begun = True
        self._received += len(data)
        if awaiting is _Awaiting.HEAD and self._received > _MAX_HEAD:
            self._end("head_too_large", HeadTooLargeError(_HEAD_TOO_LARGE))
        elif awaiting is _Awaiting.BODY and self._received > _MAX_HEAD + self._limits.max_bytes:
            self._end("body_too_large", TooLargeError(BODY_TOO_LARGE))
        elif self._timed is not awaiting:  # further bytes do not extend the time
            self._start_timer(awaiting)

    def on_message_begin(self) -> None:
        """Called by the parser at the first byte of a request."""
        super().on_message_begin()
        self._awaiting = _Awaiting.HEAD
        self._received = 0

    def on_headers_complete(self) -> None:
        """Called by the parser after the head of a request."""
        self._awaiting = _Awaiting.BODY
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Called by the parser after the last byte of a request."""
        self._awaiting = _Awaiting.NOTHING
        super().on_message_complete()

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection, even if the client does not read the end of the last response."""
        super().timeout_keep_alive_handler()
        self.loop.call_later(self._limits.body_seconds, self.transport.abort)

    def _start_timer(self, awaiting: _Awaiting) -> None:
        self._stop_timer()
        limits = self._limits
        seconds = limits.head_seconds if awaiting is _Awaiting.HEAD else limits.body_seconds
        self._timed = awaiting
        self._timer = self.loop.call_later(seconds, self._time_out)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._timed = _Awaiting.NOTHING

    def _time_out(self) -> None:
        if self.flow.read_paused:  # the site reads slowly; the client is not to blame
            self._start_timer(self._timed)
            return
        part = "head" if self._timed is _Awaiting.HEAD else "body"
        self._end(f"{part}_timeout", RequestTimeoutError(_TIMEOUTS[part]))

    def _end(self, reason: str, error: AppError) -> None:
        """End the connection, with an answer to the request that has begun if it can be told from other answers."""
        cycle, is_body = self.cycle, self._awaiting is _Awaiting.BODY
        is_busy = self._is_busy()
        has_answer = cycle.response_started if is_body else is_busy
        if has_answer or not self._has_begun:
            _refused.labels(reason).inc()
            self._is_refused = True
            self.transport.abort()
            return
        if is_busy:  # the route waits for the rest of the body
            cycle.disconnected = True
            cycle.message_event.set()
        self._refuse(reason, error)

    def _is_busy(self) -> bool:
        """Whether the response to the newest request is not complete."""
        cycle = cast("RequestResponseCycle | None", self.cycle)
        return cycle is not None and not cycle.response_complete

    def _refuse(self, reason: str, error: AppError) -> None:
        _refused.labels(reason).inc()
        _log.debug("A connection was ended: %s", reason)
        self._is_refused = True
        self._stop_timer()
        self.flow.resume_reading()  # unread bytes would reset the connection and lose the answer
        self.transport.write(_answer(error))
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.loop.call_later(_LINGER_SECONDS, self.transport.abort)


_TOO_MANY: Final = gettext("Too many people are connected. Try again in a moment.")
_TOO_MANY_OF_NETWORK: Final = gettext(
    "Too many connections from your network. Try again in a moment."
)
_HEAD_TOO_LARGE: Final = gettext("The address and headers of the request are too large.")
_TIMEOUTS: Final = {
    "head": gettext("The request did not arrive in time. Please try again."),
    "body": gettext("The body of the request did not arrive in time. Please try again."),
}


def _answer(error: AppError) -> bytes:
    """A complete response with the problem document of an error."""
    status = HTTPStatus(status_of(type(error)))
    body = json.dumps(problem_document(error)).encode()
    retry = "Retry-After: 5\r\n" if status is HTTPStatus.SERVICE_UNAVAILABLE else ""
    head = (
        f"HTTP/1.1 {status} {status.phrase}\r\nContent-Type: application/problem+json\r\n"
        f"Content-Length: {len(body)}\r\n{retry}Cache-Control: no-store\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body
