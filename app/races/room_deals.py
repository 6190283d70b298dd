"""The secret deals of race rooms, limited for each network: all races and the daily deals share one stock."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from app.deals.service import DealStock, SealedDeal
from app.engine.ruleset import Ruleset
from app.jobs.queue import current_origin

CountDeal = Callable[[str], Awaitable[None]]
"""Counts a deal for a network. Raises ``RateLimitedError``."""


class RoomDeals:
    """Draws the deals of rooms from the stock."""

    def __init__(self, stock: DealStock, count_deal: CountDeal) -> None:
        self._stock = stock
        self._count_deal = count_deal

    async def draw(self, rules: Ruleset, player_id: str) -> SealedDeal:
        """The deal of a player's room. Raises ``RateLimitedError`` and ``TooManyJobsError``."""
        await self._count_deal(current_origin.get().network)
        return await self._stock.draw_or_find_sealed(rules, player_id)
