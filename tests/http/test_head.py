"""HEAD requests: the headers of GET, and a connection that stays usable."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.http.middleware.head import HeadMiddleware

if TYPE_CHECKING:
    from httpx import AsyncClient
    from starlette.types import Message, Receive, Scope, Send

pytestmark = pytest.mark.anyio


async def test_head_is_like_get_without_the_body(visitor: AsyncClient):
    plain = {"Accept-Encoding": "identity"}
    head, page = await visitor.head("/", headers=plain), await visitor.get("/", headers=plain)
    assert head.status_code == 200
    assert head.content == b""
    assert head.headers["content-length"] == str(len(page.content))


async def test_the_server_sees_head_when_it_checks_the_length():
    seen = []

    async def page(scope: Scope, _receive: Receive, send: Send) -> None:
        seen.append(scope["method"])
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"a page"})

    async def receive() -> Message:
        raise AssertionError

    scope = {"type": "http", "method": "HEAD", "path": "/"}

    async def send(message: Message) -> None:
        seen.append((scope["method"], message.get("body")))

    await HeadMiddleware(page)(scope, receive, send)
    assert seen == ["GET", ("HEAD", None), ("HEAD", b"")]
