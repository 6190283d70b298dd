"""The way past the server's packing, on a connection of the server that the site runs on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import uvicorn
from httpx import AsyncClient
from starlette.types import Receive, Scope, Send

from app.http.connection import Connection, chunk_writer, packed

pytestmark = pytest.mark.anyio

_MEGABYTE = b"x" * 2**20
_START = {"type": "http.response.start", "status": 200, "headers": []}


def piece(body: bytes, *, more: bool = True) -> dict[str, object]:
    return {"type": "http.response.body", "body": body, "more_body": more}


async def tell(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers in three pieces, of which the second goes past the server where there is a way."""
    await send(_START)
    await send(piece(b"one,"))
    write = chunk_writer(scope)
    if write:
        assert write(packed(b"two and a half,"))
    await send(piece(b"three", more=False))


async def pour(scope: Scope, receive: Receive, send: Send) -> None:
    """Writes to somebody who does not read, until there is no room."""
    await send(_START)
    write = chunk_writer(scope)
    assert write
    written = 0
    while write(packed(_MEGABYTE)):
        written += 1
        assert written < 100
        await asyncio.sleep(0)
    await send(piece(b"full after %d" % written, more=False))


@asynccontextmanager
async def served(app: object) -> AsyncIterator[int]:
    config = uvicorn.Config(app, port=0, http=Connection, lifespan="off", log_level="error")  # type: ignore[arg-type]
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 - it has no event for that
        await asyncio.sleep(0.01)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        await serving


async def test_pieces_of_both_ways_come_in_their_order():
    async with served(tell) as port, AsyncClient() as client:
        for _ in range(2):  # the second on the same connection
            answer = await client.get(f"http://127.0.0.1:{port}/")
            assert answer.text == "one,two and a half,three"


async def test_whoever_asks_for_no_body_gets_none():
    async with served(tell) as port, AsyncClient() as client:
        assert (await client.head(f"http://127.0.0.1:{port}/")).text == ""
        assert (await client.get(f"http://127.0.0.1:{port}/")).text == "one,two and a half,three"


async def test_there_is_no_room_while_the_other_side_does_not_read():
    async with served(pour) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
        writer.write(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
        await asyncio.sleep(0.5)
        end = b""
        async with asyncio.timeout(20):
            while more := await reader.read(2**20):
                end = (end + more)[-100:]
                if end.endswith(b"0\r\n\r\n"):
                    break
        assert b"full after" in end
        writer.close()


def test_other_servers_offer_no_such_way():
    assert chunk_writer({"type": "http", "method": "GET"}) is None
