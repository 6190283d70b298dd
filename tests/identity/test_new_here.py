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
    assert re.search(r'href="/join\?back=/daily">\s*Claim a name', section)


async def test_the_line_above_offers_both_until_somebody_plays(visitor: AsyncClient):
    page = (await visitor.get("/")).text
    assert re.search(r'href="/login"[^>]*>Sign in</a>', page)
    assert re.search(r'<a class="sign-in sign-up"\s+href="/join">Sign up</a>', page)
    await visitor.post("/play", data={"ruleset": "bristol"})
    assert "Sign up" not in (await visitor.get("/")).text
