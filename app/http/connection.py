"""Sending at low cost: a response in one piece, pre-encoded chunks, and sends without a task.

A thousand spectators of a game get the same bytes. Encoding a chunk once for all of them saves a sixth of the cost.
"""

from __future__ import annotations

from asyncio import AbstractEventLoop, BaseTransport
from collections.abc import Awaitable, Callable, Generator, Mapping
from functools import lru_cache
from typing import Any, cast

from starlette.types import Scope

from app.http.deadlines import DeadlineProtocol

WriteChunk = Callable[[bytes], bool]
"""Writes an encoded chunk at once, unless the write buffer is full; returns whether it did."""

_EXTENSION = "fairdeal.chunks"


class JoiningTransport:
    """A transport that writes the head and the body of a response at once.

    The server writes them one after the other: two system calls, and two packets, the first of which
    wakes the client up for nothing. A lone write waits at most until the next turn of the event loop.
    """

    def __init__(self, transport: Any, loop: AbstractEventLoop) -> None:  # noqa: ANN401 - of asyncio or uvloop
        self._transport = transport
        self._loop = loop
        self._waiting = b""

    def write(self, data: bytes) -> None:
        """Write the waiting bytes together with ``data``, or let ``data`` wait."""
        if self._waiting:
            waiting, self._waiting = self._waiting, b""
            self._transport.write(waiting + data)
        else:
            self._waiting = data
            self._loop.call_soon(self.flush)

    def flush(self) -> None:
        """Write the waiting bytes."""
        if self._waiting:
            waiting, self._waiting = self._waiting, b""
            if not self._transport.is_closing():
                self._transport.write(waiting)

    def close(self) -> None:
        """Write the waiting bytes, then close."""
        self.flush()
        self._transport.close()

    def write_eof(self) -> None:
        """Write the waiting bytes, then end the stream."""
        self.flush()
        self._transport.write_eof()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - all else is the transport's
        return getattr(self._transport, name)


class HttpProtocol(DeadlineProtocol):
    """Adds an ASGI extension that writes chunks of a body that has started and has no length."""

    def connection_made(self, transport: BaseTransport) -> None:
        """Called once for each connection."""
        self._joining = JoiningTransport(transport, self.loop)
        super().connection_made(cast("BaseTransport", self._joining))

    def on_message_begin(self) -> None:
        """Called by the parser at each request."""
        super().on_message_begin()
        self.scope["extensions"] = {_EXTENSION: {"write": self.write_chunk}}

    def write_chunk(self, chunk: bytes) -> bool:
        """See ``WriteChunk``. When the client has gone, the chunk is lost, as in any connection that ends."""
        if self.transport.is_closing():
            return (
                True  # writing would raise in uvloop, and end the loop that tells all subscribers
            )
        if self.flow.write_paused:
            return False
        self.transport.write(chunk)
        self._joining.flush()
        return True


def chunk_writer(scope: Scope) -> WriteChunk | None:
    """The extension, if the server has it and the request wants a body."""
    extensions: Mapping[str, Mapping[str, WriteChunk]] = scope.get("extensions") or {}
    return (
        extensions[_EXTENSION]["write"]
        if _EXTENSION in extensions and scope["method"] == "GET"
        else None
    )


@lru_cache(maxsize=64)
def encode_chunk(piece: bytes) -> bytes:
    """A chunk as in RFC 9112, section 7.1."""
    return b"%x\r\n%b\r\n" % (len(piece), piece)


class _Remainder(Awaitable[None]):
    """The rest of an awaitable that was started and now awaits ``waiting``."""

    def __init__(self, steps: Generator[Any, Any, None], waiting: object) -> None:
        self._steps = steps
        self._waiting = waiting

    def __await__(self) -> Generator[Any, Any, None]:
        waiting = self._waiting
        try:
            while True:
                try:
                    result = yield waiting
                except GeneratorExit:
                    self._steps.close()
                    raise
                except BaseException as error:  # noqa: BLE001 - such as a cancellation
                    waiting = self._steps.throw(error)
                else:
                    waiting = self._steps.send(result)
        except StopIteration:
            return


def start_eagerly(work: Awaitable[None]) -> Awaitable[None] | None:
    """Run ``work`` without a task until it has to wait; return the rest to await, or ``None`` when it is done.

    Most sends finish without waiting.
    """
    steps: Generator[Any, Any, None] = work.__await__()
    try:
        waiting = steps.send(None)
    except StopIteration:
        return None
    return _Remainder(steps, waiting)
