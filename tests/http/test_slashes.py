"""Addresses of pages with a slash at their end lead to the page, and never to another site."""

from __future__ import annotations

import pytest
from httpx import URL, AsyncClient

pytestmark = pytest.mark.anyio


def ask(visitor: AsyncClient, raw: str) -> URL:
    """An address exactly as it is written: joined to the site, two slashes would name a host."""
    return visitor.base_url.copy_with(raw_path=raw.encode())


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize(
    ("asked", "leads_to"),
    [
        ("/games/", "/games"),
        ("/daily/", "/daily"),
        ("/daily//", "/daily"),
        ("/watch/", "/watch"),
        ("/together/", "/together"),
        ("/me/", "/me"),
        ("/rules/klondike/", "/rules/klondike"),
        ("/games/?q=a%20b&x=%2F%2Fevil.example", "/games?q=a%20b&x=%2F%2Fevil.example"),
        ("/players/A%C3%A9%20b/", "/players/A%C3%A9%20b"),
    ],
)
async def test_a_slash_at_the_end_leads_to_the_page(
    visitor: AsyncClient, method: str, asked: str, leads_to: str
):
    answer = await visitor.request(method, ask(visitor, asked))
    assert (answer.status_code, answer.headers["location"]) == (308, leads_to)


@pytest.mark.parametrize(
    "asked",
    [
        "//evil.example/",
        "//evil.example//",
        "/%2Fevil.example/",
        "/%5Cevil.example/",
        "/\\evil.example/",
        "///",
        "/no-such-page/",
        "/games/a/b/c/d/",
        "/static/css/",
        "/api/v1/games/",
        "/admin/no-such-page/",
    ],
)
async def test_nothing_else_is_redirected(visitor: AsyncClient, asked: str):
    answer = await visitor.get(ask(visitor, asked))
    assert answer.status_code == 404
    assert "location" not in answer.headers


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
async def test_only_reading_is_redirected(visitor: AsyncClient, method: str):
    answer = await visitor.request(method, "/games/", headers={"Sec-Fetch-Site": "same-origin"})
    assert answer.status_code in {404, 405}
    assert "location" not in answer.headers
