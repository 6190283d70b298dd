"""A minimal HTTP client over sockets, so that many clients cost little CPU time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from typing import NamedTuple

CONNECTION_LOST = (OSError, asyncio.IncompleteReadError, TimeoutError)
"""Exceptions of a request whose server was killed."""

_TIMEOUT = 10.0  # seconds


class Response(NamedTuple):
    """A response."""

    status: int
    cookie: str
    body: bytes


class HttpConnection:
    """A connection to a server, opened on demand and reopened if it is lost."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._open: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._lock = asyncio.Lock()

    async def request(
        self, method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None
    ) -> Response:
        """Send a request and wait for its response; raises one of ``CONNECTION_LOST``."""
        async with self._lock:
            try:
                async with asyncio.timeout(_TIMEOUT):
                    return await self._request(method, path, body, headers or {})
            except BaseException:
                self.close()
                raise

    def close(self) -> None:
        """Close the connection."""
        if self._open:
            self._open[1].transport.abort()
            self._open = None

    async def _request(
        self, method: str, path: str, body: object, headers: Mapping[str, str]
    ) -> Response:
        if self._open is None or self._open[0].at_eof():
            self.close()
            self._open = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._open
        writer.write(_encode(method, path, body, headers))
        head = (await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")
        said = dict(line.lower().split(b": ", 1) for line in head[1:] if line)
        text = await reader.readexactly(int(said.get(b"content-length", b"0")))
        cookie = next((line[12:] for line in head if line.lower().startswith(b"set-cookie: ")), b"")
        return Response(int(head[0].split()[1]), cookie.partition(b";")[0].decode(), text)


async def stream_lines(port: int, path: str) -> AsyncGenerator[bytes, None]:
    """The lines of an event stream, until it ends."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(_encode("GET", path, None, {}))
        while line := await reader.readline():
            yield line
    finally:
        writer.transport.abort()


def _encode(method: str, path: str, body: object, headers: Mapping[str, str]) -> bytes:
    head = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1"]
    head += [f"{name}: {value}" for name, value in headers.items()]
    text = b""
    if body is not None:
        text = json.dumps(body).encode()
        head += ["Content-Type: application/json", f"Content-Length: {len(text)}"]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + text


def read_number(line: bytes, name: bytes) -> int:
    """Read one number from a line of JSON without parsing all of it."""
    start = line.index(b'"%s": ' % name) + len(name) + 4
    end = start
    while line[end : end + 1].isdigit():
        end += 1
    return int(line[start:end])
