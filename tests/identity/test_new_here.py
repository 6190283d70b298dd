"""A visitor without a name finds how to make one, and what it adds, wherever they could sign in."""

from __future__ import annotations

import re

import pytest
from httpx import AsyncClient

pytestmark = pytest.mark.anyio


async def test_the_page_for_signing_in_says_what_a_name_adds_and_leads_to_one(visitor: AsyncClient):
    page = (await visitor.get("/login?back=/daily")).text
    section = page[page.index('class="new-here"') :].partition("</section>")[0]
    assert "keep your games on every device" in section
    assert "You don't need an email address." in section
    assert re.search(r'href="/join\?back=/daily">\s*Create account', section)


async def test_the_line_above_offers_both_until_somebody_plays(visitor: AsyncClient):
    page = (await visitor.get("/")).text
    assert re.search(r'href="/login"[^>]*>Sign in</a>', page)
    assert re.search(r'<a class="sign-in claim-name"\s+href="/join">Create account</a>', page)
    await visitor.post("/play", data={"ruleset": "bristol"})
    assert 'href="/join"' not in (await visitor.get("/")).text


@pytest.mark.parametrize("path", ["/", "/me", "/login", "/join", "/me/name", "/daily", "/leagues"])
async def test_a_name_is_claimed_and_one_signs_in_and_nothing_is_called_otherwise(
    visitor: AsyncClient, path: str
):
    page = (await visitor.get(path)).text
    words = re.sub(r"<[^>]*>", " ", page)  # without addresses
    words = words.replace("No sign-up needed", "")
    assert not re.search(r"sign[- ]?up|register\b|registration|log[- ]?in\b", words, re.IGNORECASE)
    assert "Create account" in page
