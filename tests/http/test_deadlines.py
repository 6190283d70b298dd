"""Bounds on connections, over real sockets: half-sent requests, too many connections, clients that do not read."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic

import pytest
import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.http.connection import HttpProtocol
from app.http.deadlines import STATE, ConnectionLimits
from app.main import create_app
from app.settings import Settings
from tests.support.patience import PATIENCE, until

pytestmark = pytest.mark.anyio

HEAD = b"GET / HTTP/1.1\r\nHost: here\r\n"
BODY = b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 10\r\n\r\n"
_START = {"type": "http.response.start", "status": 200, "headers": []}
Peer = tuple[asyncio.StreamReader, asyncio.StreamWriter]


def limits(**more: float) -> ConnectionLimits:
    return ConnectionLimits(**{"head_seconds": 0.3, "body_seconds": 0.6, **more})  # type: ignore[arg-type]


def site(bounds: ConnectionLimits) -> ASGIApp:
    """Reads the body, then answers; at `/stream`, it sends a piece every tenth of a second for two seconds."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            scope["state"][STATE] = bounds
            for step in ("startup", "shutdown"):
                await receive()
                await send({"type": f"lifespan.{step}.complete"})
            return
        message: Message = {"more_body": True}
        while message.get("more_body"):
            message = await receive()
            if message["type"] == "http.disconnect":
                return
        await send(_START)
        pieces = 20 if scope["path"] == "/stream" else 1
        for number in range(pieces):
            await asyncio.sleep(0.1 if pieces > 1 else 0)
            more = number + 1 < pieces
            await send({"type": "http.response.body", "body": b"piece", "more_body": more})

    return app


@asynccontextmanager
async def served(app: ASGIApp) -> AsyncIterator[int]:
    config = uvicorn.Config(app, port=0, http=HttpProtocol, log_level="error")
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:
        assert not serving.done()
        await asyncio.sleep(0.01)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = server.force_exit = True
        await serving


async def connect(port: int, sent: bytes = b"") -> Peer:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(sent)
    await writer.drain()
    return reader, writer


async def until_closed(peer: Peer) -> bytes:
    """Everything that the server still sends."""
    try:
        async with asyncio.timeout(PATIENCE):
            return await peer[0].read()
    except ConnectionResetError:
        return b""
    finally:
        peer[1].close()


def problem(answer: bytes) -> tuple[int, str]:
    head, _, body = answer.partition(b"\r\n\r\n")
    document = json.loads(body)
    assert f"HTTP/1.1 {document['status']} ".encode() in head
    assert b"application/problem+json" in head
    return document["status"], document["code"]


async def test_requests_that_are_never_finished_are_ended():
    """Half of the clients stop in the head, half in the body; all 45 go on holding their connection."""
    async with served(site(limits())) as port:
        peers = [await connect(port, BODY + b"x" if n % 2 else HEAD) for n in range(45)]
        answers = await asyncio.gather(*map(until_closed, peers))
        assert {problem(answer) for answer in answers} == {(408, "request_timeout")}


@pytest.mark.parametrize("start", [HEAD, BODY, b"\r\n"])
async def test_one_byte_at_a_time_does_not_extend_the_time(start):
    async with served(site(limits())) as port:
        reader, writer = await connect(port, start)
        began = monotonic()
        trickle = b"\r\n" if start == b"\r\n" else b"x"
        while not reader.at_eof():
            assert monotonic() - began < PATIENCE
            with_data = asyncio.create_task(reader.read(1000))
            await asyncio.wait([with_data], timeout=0.1)
            if with_data.done():
                break
            with_data.cancel()
            await asyncio.gather(with_data, return_exceptions=True)
            if start != BODY or monotonic() - began < 0.5:  # the tenth byte would complete it
                writer.write(trickle)
        writer.close()


async def test_a_connection_that_sends_nothing_is_closed_without_a_word():
    """Browsers open connections that they may need later; an answer there would be read as one to the next request."""
    async with served(site(limits())) as port:
        assert await until_closed(await connect(port)) == b""


async def test_a_stream_outlives_every_deadline():
    async with served(site(limits())) as port:
        answer = await until_closed(
            await connect(port, b"GET /stream HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
        )
        assert answer.count(b"piece") == 20
        assert answer.endswith(b"0\r\n\r\n")


async def test_a_connection_is_kept_between_requests():
    async with served(site(limits())) as port:
        reader, writer = await connect(port)
        for _ in range(3):
            writer.write(BODY + b"0123456789")
            answer = await reader.readuntil(b"0\r\n\r\n")
            assert answer.startswith(b"HTTP/1.1 200 ")
            await asyncio.sleep(0.7)  # longer than both deadlines
        writer.close()


async def test_half_a_second_request_is_ended_too():
    async with served(site(limits())) as port:
        reader, writer = await connect(port, HEAD + b"\r\n")
        await reader.readuntil(b"0\r\n\r\n")
        writer.write(HEAD)
        assert problem(await until_closed((reader, writer))) == (408, "request_timeout")


async def test_an_endless_head_is_refused():
    async with served(site(limits(head_seconds=20))) as port:
        reader, writer = await connect(port, HEAD)
        for _ in range(9):
            writer.write(b"X-Long: " + b"x" * 10_000 + b"\r\n")
            await asyncio.sleep(0.02)
        assert problem(await until_closed((reader, writer))) == (431, "head_too_large")


async def test_an_endless_body_is_refused():
    chunked = b"POST / HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n"
    async with served(site(limits(body_seconds=20, max_bytes=1000))) as port:
        reader, writer = await connect(port, chunked)
        for _ in range(20):
            writer.write(b"1000\r\n" + b"x" * 4096 + b"\r\n")
            await asyncio.sleep(0.01)
        assert problem(await until_closed((reader, writer))) == (413, "too_large")


@pytest.mark.parametrize(
    "lengths",
    [
        b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n",
        b"Content-Length: 4\r\nContent-Length: 5\r\n",
        b"Content-Length: +4\r\n",
        b"Transfer-Encoding: xchunked\r\n",
    ],
)
async def test_a_request_of_two_lengths_is_refused(lengths):
    """Else a proxy might find another request in its body than we do (request smuggling)."""
    smuggled = b"GET /smuggled HTTP/1.1\r\nHost: here\r\n\r\n"
    async with served(site(limits())) as port:
        head = b"POST / HTTP/1.1\r\nHost: here\r\n" + lengths + b"\r\n"
        answer = await until_closed(await connect(port, head + b"0\r\n\r\n" + smuggled))
        assert answer.startswith(b"HTTP/1.1 400 ")
        assert answer.count(b"HTTP/1.1 ") == 1


async def test_connections_beyond_the_bound_are_refused_until_others_end():
    bounds = limits(most=5, head_seconds=20)
    async with served(site(bounds)) as port:
        held = [await connect(port, HEAD) for _ in range(5)]
        assert problem(await until_closed(await connect(port, HEAD + b"\r\n"))) == (
            503,
            "unavailable",
        )
        for _, writer in held[:2]:
            writer.close()
        await until(lambda: bounds.by_network.total() == 3)  # the refused one has lingered
        reader, writer = await connect(port, HEAD + b"\r\n")
        assert (await reader.readline()).startswith(b"HTTP/1.1 200 ")
        for _, other in (*held[2:], (reader, writer)):
            other.close()


@pytest.mark.parametrize("is_proxy", [False, True])
async def test_one_network_is_bounded_unless_it_is_a_proxy(is_proxy):
    bounds = limits(most_per_network=3, head_seconds=20)
    bounds.is_proxy = {"127.0.0.1" if is_proxy else "192.0.2.7"}.__contains__
    async with served(site(bounds)) as port:
        held = [await connect(port, HEAD) for _ in range(3)]
        await until(lambda: is_proxy or bounds.by_network.total() == 3)
        reader, writer = await connect(port, HEAD + b"\r\n")
        status = b"200" if is_proxy else b"503"
        assert (await reader.readline()).startswith(b"HTTP/1.1 " + status)
        for _, other in (*held, (reader, writer)):
            other.close()
        await until(lambda: not bounds.by_network)


async def test_the_site_takes_its_limits_from_the_settings(sqlite_url: str):
    settings = Settings(database_url=sqlite_url, head_seconds=0.3, body_seconds=0.6)
    assert ConnectionLimits.of(settings).head_seconds == 0.3
    assert ConnectionLimits.of(settings).body_seconds == 0.6
    async with served(create_app(settings)) as port:
        body = BODY.replace(b"POST /", b"POST /api/v1/games").replace(
            b"Host", b"Content-Type: application/json\r\nHost"
        )
        peers = [await connect(port, start) for start in (HEAD, body)]
        answers = await asyncio.gather(*map(until_closed, peers))
        assert [problem(answer) for answer in answers] == [(408, "request_timeout")] * 2
