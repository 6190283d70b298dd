"""The rules page of a game."""

import pytest
from httpx import AsyncClient

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(("ruleset", "deals"), [("klondike", True), ("freecell", False)])
async def test_only_games_with_a_stock_name_the_key_that_deals(
    visitor: AsyncClient, ruleset: str, *, deals: bool
):
    page = (await visitor.get(f"/rules/{ruleset}")).text
    assert ("deal from the stock" in page) == deals
    assert "hint; finish automatically" in page
