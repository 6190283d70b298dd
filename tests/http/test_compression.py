import gzip
from collections.abc import AsyncIterator

import pytest
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.types import Message

from app.http.middleware.compression import CompressionMiddleware

pytestmark = pytest.mark.anyio

LONG = "a card, " * 1000
GZIP = {"Accept-Encoding": "gzip, br"}


async def small() -> HTMLResponse:
    return HTMLResponse("a card")


async def large() -> HTMLResponse:
    return HTMLResponse(LONG)


async def whole_page() -> HTMLResponse:
    return HTMLResponse(2 * LONG)


async def picture() -> Response:
    return Response(LONG, media_type="image/png")


async def already_compressed() -> Response:
    headers = {"Content-Encoding": "gzip"}
    return Response(gzip.compress(LONG.encode()), 200, headers, "text/html")


async def events() -> StreamingResponse:
    async def notices() -> AsyncIterator[str]:
        for number in range(3):
            yield f"data: {number} {LONG}\n\n"

    return StreamingResponse(notices(), media_type="text/event-stream")


async def odd() -> StreamingResponse:
    """Declares its length, and is sent in two pieces."""

    async def halves() -> AsyncIterator[str]:
        yield LONG
        yield LONG

    headers = {"Content-Length": str(2 * len(LONG))}
    return StreamingResponse(halves(), 200, headers, "text/html")


@pytest.fixture
def reader() -> AsyncClient:
    app = FastAPI()
    for answer in (small, large, whole_page, picture, already_compressed, events, odd):
        app.add_api_route(f"/{answer.__name__}", answer, response_model=None)
    app.add_middleware(CompressionMiddleware, min_bytes=20)
    return AsyncClient(transport=ASGITransport(app), base_url="http://fairdeal.test")


@pytest.mark.parametrize("accepted", ["gzip, br", "br;q=1.0, gzip;q=0.8", "GZIP"])
async def test_a_large_page_is_compressed(reader: AsyncClient, accepted):
    response = await reader.get("/large", headers={"Accept-Encoding": accepted})
    assert response.headers["content-encoding"] == "gzip"
    assert response.headers["vary"] == "Accept-Encoding"
    assert int(response.headers["content-length"]) < 1000
    assert response.text == LONG


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [("gzip, deflate, br, zstd", "br"), ("gzip", "gzip"), ("gzip, br;q=0", "gzip")],
)
async def test_a_whole_page_is_sent_with_brotli_to_those_who_accept_it(
    reader: AsyncClient, accepted, encoding
):
    response = await reader.get("/whole_page", headers={"Accept-Encoding": accepted})
    assert response.headers["content-encoding"] == encoding
    assert int(response.headers["content-length"]) == response.num_bytes_downloaded < 1000
    assert response.text == 2 * LONG


@pytest.mark.parametrize("accepted", ["", "br", "identity", "gzip;q=0, br", "br, gzip; q=0.0"])
async def test_clients_without_gzip_get_the_page_uncompressed(reader: AsyncClient, accepted):
    response = await reader.get("/large", headers={"Accept-Encoding": accepted})
    assert "content-encoding" not in response.headers
    assert response.text == LONG


@pytest.mark.parametrize("path", ["/small", "/picture"])
async def test_small_and_incompressible_responses_are_unchanged(reader: AsyncClient, path):
    response = await reader.get(path, headers=GZIP)
    assert "content-encoding" not in response.headers


async def test_nothing_is_compressed_twice(reader: AsyncClient):
    response = await reader.get("/already_compressed", headers=GZIP)
    assert response.headers.get_list("content-encoding") == ["gzip"]
    assert response.text == LONG


async def test_a_response_in_pieces_is_passed_on(reader: AsyncClient):
    assert (await reader.get("/odd", headers=GZIP)).text == 2 * LONG


async def test_a_stream_is_neither_compressed_nor_buffered():
    sent: list[str] = []

    async def stream(scope, receive, send):
        start = {"type": "http.response.start", "status": 200}
        await send({**start, "headers": [(b"content-type", b"text/event-stream")]})
        for number in range(3):
            body = f"data: {number} {LONG}\n\n".encode()
            await send({"type": "http.response.body", "body": body, "more_body": True})
            assert sent[-1] == body.decode()  # before the next one is made

    async def receive() -> Message:
        raise AssertionError

    async def send(message: Message) -> None:
        sent.append(message.get("body", b"").decode())

    scope = {"type": "http", "headers": [(b"accept-encoding", b"gzip")]}
    await CompressionMiddleware(stream, min_bytes=1500)(scope, receive, send)
    assert len(sent) == 4
