"""Pre-encoded chunks, which bypass the encoding of the server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

import pytest
import uvicorn
import uvloop
from httpx import AsyncClient, HTTPError
from starlette.types import Receive, Scope, Send

from app.http.connection import HttpProtocol, JoiningTransport, chunk_writer, encode_chunk
from tests.support.patience import PATIENCE

pytestmark = pytest.mark.anyio

_MEGABYTE = b"x" * 2**20
_START = {"type": "http.response.start", "status": 200, "headers": []}


def piece(body: bytes, *, more: bool = True) -> dict[str, object]:
    return {"type": "http.response.body", "body": body, "more_body": more}


async def three_pieces(scope: Scope, receive: Receive, send: Send) -> None:
    """Responds in three pieces; the second uses the extension if there is one."""
    await send(_START)
    await send(piece(b"one,"))
    write = chunk_writer(scope)
    if write:
        assert write(encode_chunk(b"two and a half,"))
    await send(piece(b"three", more=False))


async def fill_buffer(scope: Scope, receive: Receive, send: Send) -> None:
    """Writes to a client that does not read until the buffer is full."""
    await send(_START)
    write = chunk_writer(scope)
    assert write
    written = 0
    while write(encode_chunk(_MEGABYTE)):
        written += 1
        assert written < 100
        await asyncio.sleep(0)
    await send(piece(b"full after %d" % written, more=False))


@asynccontextmanager
async def served(app: object) -> AsyncIterator[int]:
    config = uvicorn.Config(app, port=0, http=HttpProtocol, lifespan="off", log_level="error")  # type: ignore[arg-type]
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 - it has no event for that
        await asyncio.sleep(0.01)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        await serving


async def test_pieces_sent_both_ways_arrive_in_order():
    async with served(three_pieces) as port, AsyncClient() as client:
        for _ in range(2):  # the second on the same connection
            answer = await client.get(f"http://127.0.0.1:{port}/")
            assert answer.text == "one,two and a half,three"


async def test_a_head_request_gets_no_body():
    async with served(three_pieces) as port, AsyncClient() as client:
        assert (await client.head(f"http://127.0.0.1:{port}/")).text == ""
        assert (await client.get(f"http://127.0.0.1:{port}/")).text == "one,two and a half,three"


async def test_writing_stops_while_the_client_does_not_read():
    async with served(fill_buffer) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
        writer.write(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
        await asyncio.sleep(0.5)
        end = b""
        async with asyncio.timeout(PATIENCE):
            while more := await reader.read(2**20):
                end = (end + more)[-100:]
                if end.endswith(b"0\r\n\r\n"):
                    break
        assert b"full after" in end
        writer.close()


def test_other_servers_have_no_such_extension():
    assert chunk_writer({"type": "http", "method": "GET"}) is None


def test_writing_to_a_client_who_has_gone_raises_nothing():
    """A write that raised would end the loop that tells all subscribers. The server's own event loop does raise."""
    outcomes: list[bool] = []

    async def write_after_the_end(scope: Scope, receive: Receive, send: Send) -> None:
        await send(_START)
        protocol = cast("HttpProtocol", scope["extensions"]["fairdeal.chunks"]["write"].__self__)
        protocol.transport.abort()
        await asyncio.sleep(0.05)
        outcomes.append(protocol.write_chunk(encode_chunk(b"too late")))

    async def visit() -> None:
        async with served(write_after_the_end) as port, AsyncClient() as client:
            with pytest.raises(HTTPError):
                await client.get(f"http://127.0.0.1:{port}/")

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(visit())
    assert outcomes == [True]


class RecordingTransport:
    """Keeps what is written, call by call."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.is_closed = False

    def write(self, data: bytes) -> None:
        assert not self.is_closed
        self.written.append(data)

    def close(self) -> None:
        self.is_closed = True

    def is_closing(self) -> bool:
        return self.is_closed


async def test_a_head_and_its_body_are_written_at_once():
    recorded = RecordingTransport()
    transport = JoiningTransport(recorded, asyncio.get_running_loop())
    transport.write(b"head ")
    transport.write(b"body")
    assert recorded.written == [b"head body"]
    await asyncio.sleep(0)
    assert recorded.written == [b"head body"]


async def test_what_is_written_alone_waits_for_one_turn_only():
    recorded = RecordingTransport()
    transport = JoiningTransport(recorded, asyncio.get_running_loop())
    transport.write(b"head")
    await asyncio.sleep(0)
    transport.write(b"late body")
    await asyncio.sleep(0)
    assert recorded.written == [b"head", b"late body"]


async def test_closing_writes_what_waits_and_nothing_after():
    recorded = RecordingTransport()
    transport = JoiningTransport(recorded, asyncio.get_running_loop())
    transport.write(b"goodbye")
    transport.close()
    assert recorded.written == [b"goodbye"]
    transport.write(b"too late")
    await asyncio.sleep(0)
    assert recorded.written == [b"goodbye"]
