"""Sending many small pieces at low cost: pre-encoded chunks, and sends without a task.

A thousand spectators of a game get the same bytes. Encoding a chunk once for all of them saves a sixth of the cost.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator, Mapping
from functools import lru_cache
from typing import Any

from starlette.types import Scope

from app.http.deadlines import DeadlineProtocol

WriteChunk = Callable[[bytes], bool]
"""Writes an encoded chunk at once, unless the write buffer is full; returns whether it did."""

_EXTENSION = "fairdeal.chunks"


class HttpProtocol(DeadlineProtocol):
    """Adds an ASGI extension that writes chunks of a body that has started and has no length."""

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
