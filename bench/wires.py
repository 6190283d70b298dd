"""Plain HTTP over sockets, for a load of many clients that shall cost the machine little."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from typing import NamedTuple

LOST = (OSError, asyncio.IncompleteReadError, TimeoutError)
"""How a request ends whose server was killed."""

_PATIENCE = 10.0  # seconds


class Answer(NamedTuple):
    """What a server said."""

    status: int
    cookie: str
    body: bytes


class PostgresNotifier:
    """A connection to a server, made when it is needed and again when it is gone."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._open: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._turn = asyncio.Lock()

    async def ask(
        self, method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Send a request and wait for its answer; raises one of ``LOST``."""
        async with self._turn:
            try:
                async with asyncio.timeout(_PATIENCE):
                    return await self._ask(method, path, body, headers or {})
            except BaseException:
                self.cut()
                raise

    def cut(self) -> None:
        """Let go of the connection."""
        if self._open:
            self._open[1].transport.abort()
            self._open = None

    async def _ask(
        self, method: str, path: str, body: object, headers: Mapping[str, str]
    ) -> Answer:
        if self._open is None or self._open[0].at_eof():
            self.cut()
            self._open = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._open
        writer.write(_request(method, path, body, headers))
        head = (await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")
        said = dict(line.lower().split(b": ", 1) for line in head[1:] if line)
        text = await reader.readexactly(int(said.get(b"content-length", b"0")))
        cookie = next((line[12:] for line in head if line.lower().startswith(b"set-cookie: ")), b"")
        return Answer(int(head[0].split()[1]), cookie.partition(b";")[0].decode(), text)


async def lines(port: int, path: str) -> AsyncGenerator[bytes, None]:
    """What a stream of events says, line by line, until it ends."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(_request("GET", path, None, {}))
        while line := await reader.readline():
            yield line
    finally:
        writer.transport.abort()


def _request(method: str, path: str, body: object, headers: Mapping[str, str]) -> bytes:
    head = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1"]
    head += [f"{name}: {value}" for name, value in headers.items()]
    text = b""
    if body is not None:
        text = json.dumps(body).encode()
        head += ["Content-Type: application/json", f"Content-Length: {len(text)}"]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + text


def value(line: bytes, name: bytes) -> int:
    """A number in a line of JSON, without reading all of it."""
    start = line.index(b'"%s": ' % name) + len(name) + 4
    end = start
    while line[end : end + 1].isdigit():
        end += 1
    return int(line[start:end])
