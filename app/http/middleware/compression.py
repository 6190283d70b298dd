"""Compresses responses with brotli or gzip, except streams and small responses."""

from __future__ import annotations

import zlib

import brotli
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# For small responses zlib spends most time clearing its memory, so it gets little, for slightly more bytes. Measured in
# docs/decisions/0005-own-middleware.md.
_LEVEL = 3
_GZIP_FORMAT = 16
_WINDOW = 14
_MEMORY = 4
# From some kilobytes on, brotli is as quick and a tenth smaller; below, zlib with so little memory is quicker.
_BROTLI_FROM = 8 * 1024
_BROTLI_QUALITY = 4
_COMPRESSIBLE = (
    b"text/html",
    b"application/json",
    b"application/problem+json",
    b"text/plain",
    b"image/svg+xml",
)


class CompressionMiddleware:
    """Compresses responses that are sent in one piece and have at least ``min_bytes``."""

    def __init__(self, app: ASGIApp, min_bytes: int) -> None:
        self._app = app
        self._min_bytes = min_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        accepted = _accept_encoding(scope) if scope["type"] == "http" else b""
        if not accepts_encoding(accepted, b"gzip"):
            await self._app(scope, receive, send)
            return
        held: Message | None = None

        async def compressed(message: Message) -> None:
            nonlocal held
            if message["type"] == "http.response.start":
                if self._is_candidate(message):
                    held = message  # until the body comes
                else:
                    await send(message)
                return
            if held is not None:
                start, held = held, None
                if not message.get("more_body", False):
                    start, message = _compress(start, message, accepted)
                await send(start)
            await send(message)

        await self._app(scope, receive, compressed)

    def _is_candidate(self, start: Message) -> bool:
        headers = dict(start["headers"])
        return (
            int(headers.get(b"content-length", b"0")) >= self._min_bytes
            and b"content-encoding" not in headers
            and headers.get(b"content-type", b"").startswith(_COMPRESSIBLE)
        )


def accepts_encoding(accept_encoding: bytes, encoding: bytes) -> bool:
    """Whether a client that sends this ``Accept-Encoding`` can read ``encoding``; weight 0 means that it can't."""
    for item in accept_encoding.split(b","):
        coding, _, weight = item.partition(b";")
        if coding.strip().lower() == encoding:
            return weight.replace(b" ", b"").rstrip(b"0.") != b"q="
    return False


def _accept_encoding(scope: Scope) -> bytes:
    return next((value for name, value in scope["headers"] if name == b"accept-encoding"), b"")


def _compress(start: Message, message: Message, accepted: bytes) -> tuple[Message, Message]:
    plain: bytes = message["body"]
    if len(plain) >= _BROTLI_FROM and accepts_encoding(accepted, b"br"):
        encoding, body = b"br", brotli.compress(plain, quality=_BROTLI_QUALITY)
    else:
        compressor = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP_FORMAT + _WINDOW, _MEMORY)
        encoding, body = b"gzip", compressor.compress(plain) + compressor.flush()
    headers = [(name, value) for name, value in start["headers"] if name != b"content-length"]
    headers += [
        (b"content-length", str(len(body)).encode()),
        (b"content-encoding", encoding),
        (b"vary", b"Accept-Encoding"),
    ]
    return {**start, "headers": headers}, {**message, "body": body}
