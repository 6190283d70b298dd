"""What people count as moves."""

from __future__ import annotations

import pytest
from httpx import AsyncClient

from tests.games.playing import post, start_game

pytestmark = pytest.mark.anyio


async def test_resigning_leaves_the_number_of_moves_as_it_was(visitor: AsyncClient):
    game = await start_game(visitor, ruleset="klondike")
    await post(visitor, f"{game}/move", version=0, move="deal")
    assert '<p id="status"><span>1<' in (await visitor.get(game)).text
    await post(visitor, f"{game}/resign", version=1)
    page = (await visitor.get(game)).text
    assert "You resigned" in page
    assert '<p id="status"><span>1<' in page
    # In the API an action is an action.
    assert (await visitor.get(f"/api/v1{game}")).json()["actions"] == 2
    assert "1 move," in (await visitor.get(f"{game}/replay")).text
