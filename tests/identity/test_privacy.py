from __future__ import annotations

import pytest
from httpx import AsyncClient

from app.settings import Settings
from tests.support.serving import running_site, visiting

pytestmark = pytest.mark.anyio


async def test_the_privacy_page_says_when_guests_expire(visitor: AsyncClient):
    text = (await visitor.get("/privacy")).text
    assert "don't come back for 90 days, we delete your guest name" in " ".join(text.split())
    assert 'href="/privacy"' in (await visitor.get("/")).text
    await visitor.post("/play", data={"ruleset": "bristol", "deal": "any"})
    assert 'href="/privacy"' in (await visitor.get("/me/account")).text


@pytest.mark.parametrize(
    ("days", "said"), [(7, "for 7 days"), (1, "for 1 day,"), (0, "keep guests' games, too")]
)
async def test_the_privacy_page_follows_the_setting(sqlite_url: str, days: int, said: str):
    settings = Settings(database_url=sqlite_url, guest_days=days)
    async with running_site(settings) as app, visiting(app) as visitor:
        text = " ".join((await visitor.get("/privacy")).text.split())
    assert said in text
    assert ("we delete your guest name" in text) is (days > 0)
