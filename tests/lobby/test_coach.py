"""Who sees the bubbles of a first game, and dismissing them."""

from __future__ import annotations

import pytest

from app.lobby.coach import COOKIE
from app.rulesets import RULESETS
from tests.games.helpers import start_game

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
async def test_a_first_game_has_three_bubbles_until_they_are_dismissed(visitor, rules):
    path = await start_game(visitor, rules.id)
    page = (await visitor.get(path)).text
    assert page.count("<template data-topic") == 3
    assert "js/coach.js" in page
    answer = await visitor.post("/guided", data={"back": path})
    assert (answer.status_code, answer.headers["location"]) == (303, path)
    assert f"{COOKIE}=yes" in answer.headers["set-cookie"]
    page = (await visitor.get(path)).text
    assert "coach" not in page


async def test_dismissing_never_leads_to_another_site(visitor):
    answer = await visitor.post("/guided", data={"back": "//evil.example"})
    assert answer.headers["location"] == "/"
