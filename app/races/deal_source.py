"""Where races get their deals: sealed, proven winnable, and unknown to everyone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from app.deals.repository import Kind
from app.deals.service import DealStock, SearchState
from app.engine.ruleset import Ruleset
from app.errors import UnavailableError

DrawSeed = Callable[[Ruleset, str], Awaitable[bytes]]
"""Draws the seed of a proven deal for a player's room; raises ``UnavailableError``."""

_TIMEOUT: Final = 10.0  # seconds that a request may take when the stock is empty
_RETRY_AFTER: Final = 0.25


class StockDealSource:
    """Draws from the stock. When it is empty, a search for a deal starts in the player's name."""

    def __init__(self, stock: DealStock) -> None:
        self._stock = stock

    async def __call__(self, rules: Ruleset, player_id: str) -> bytes:
        """A deal from the stock, or one that is found within a few seconds."""
        waited = 0.0
        while (seed := await self._stock.draw_sealed(rules)) is None:
            state = await self._search_state(rules, player_id)
            if state is SearchState.FAILED:
                raise UnavailableError(f"No winnable deal of {rules.title} is available right now.")
            if waited >= _TIMEOUT:
                raise UnavailableError(
                    f"We are still looking for a winnable deal of {rules.title}. "
                    "Please try again in a few seconds."
                )
            await asyncio.sleep(_RETRY_AFTER)
            waited += _RETRY_AFTER
        return seed

    async def _search_state(self, rules: Ruleset, player_id: str) -> SearchState:
        return (
            await self._stock.find_or_search(player_id, Kind.SEALED, rules)
            if self._stock.can_prove
            else SearchState.FAILED
        )
