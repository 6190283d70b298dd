"""The page that finds a deal by its code, and what a wrong one leads to."""

from __future__ import annotations

import re

import pytest
from httpx import AsyncClient

pytestmark = pytest.mark.anyio


async def test_a_code_is_found_whatever_its_spelling(visitor: AsyncClient):
    found = await visitor.get("/deal", params={"ruleset": "bristol", "code": " 7kq4m2xwtp "})
    assert (found.status_code, found.headers["location"]) == (303, "/deal/bristol/7KQ4M-2XWTP")
    wrong = await visitor.get("/deal", params={"ruleset": "bristol", "code": "ZZZ"})
    assert wrong.status_code == 404
    assert "isn't a deal code" in wrong.text.replace("&#39;", "'")


async def test_without_a_code_there_is_a_form_for_it(visitor: AsyncClient):
    for path, chosen in (
        ("/deal", ""),
        ("/deal/spider", "spider"),
        ("/deal?ruleset=spider", "spider"),
    ):
        found = await visitor.get(path)
        assert found.status_code == 200, path
        assert '<h1 id="by-code">Open a deal</h1>' in found.text
        assert (
            re.findall(r'<option value="([^"]+)" selected>', found.text)[:1]
            == [chosen][: len(chosen)]
        )
        assert "is missing" not in found.text
    assert 'value="7KQ4M-2XWTP"' in (await visitor.get("/deal?code=7KQ4M-2XWTP")).text


@pytest.mark.parametrize("path", ["/deal?ruleset=spider&code=ZZZ", "/deal/spider/ZZZ"])
async def test_a_wrong_code_can_be_mended_where_it_was_typed(visitor: AsyncClient, path: str):
    page = await visitor.get(path)
    assert page.status_code == 404
    assert '<option value="spider" selected>' in page.text
    (field,) = re.findall(r'<input id="code"[^>]*>', page.text)
    assert 'value="ZZZ"' in field
    assert 'aria-invalid="true" aria-describedby="code-fault"' in field


async def test_a_name_that_is_no_game_keeps_the_code_and_offers_the_nearest(visitor: AsyncClient):
    page = await visitor.get("/deal", params={"ruleset": "spidre", "code": "7KQ4M-2XWTP"})
    assert page.status_code == 404
    assert "There is no game called “spidre”." in page.text
    assert '<option value="spider" selected>' in page.text
    assert 'value="7KQ4M-2XWTP"' in page.text


async def test_a_link_without_a_code_and_with_a_wrong_name_offers_the_nearest_game(
    visitor: AsyncClient,
):
    page = await visitor.get("/deal/spidre")
    assert page.status_code == 404
    assert "There is no game called “spidre”." in page.text
    assert '<option value="spider" selected>' in page.text
    assert 'action="/deal"' in (await visitor.get("/deal/UNKNOWN")).text
