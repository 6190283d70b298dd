"""Drawing a deal for a race: sealed, proven winnable, seen by nobody."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from app.deals.repository import Kind
from app.deals.service import DealStock, Hope
from app.engine.ruleset import Ruleset
from app.errors import UnavailableError

Draw = Callable[[Ruleset, str], Awaitable[bytes]]
"""The seed of a deal for somebody's room; raises ``UnavailableError``. A deal that is not proven is never dealt."""

_PATIENCE: Final = 10.0  # seconds that a press of a button may take, where nothing is in stock
_AGAIN: Final = 0.25


class StockDealSource:
    """Takes from the stock. Where the shelf is empty, a deal is looked for, in the player's name."""

    def __init__(self, pool: DealStock) -> None:
        self._pool = pool

    async def __call__(self, rules: Ruleset, player_id: str) -> bytes:
        """A deal that is there, or that turns up in a moment."""
        waited = 0.0
        while (seed := await self._pool.draw_sealed(rules)) is None:
            hope = await self._hope(rules, player_id)
            if hope is Hope.NOTHING:
                raise UnavailableError(
                    f"No deal of {rules.title} could be proven winnable just now."
                )
            if waited >= _PATIENCE:
                raise UnavailableError(
                    f"A deal of {rules.title} that is proven winnable is being looked for. "
                    "Please try again in some seconds."
                )
            await asyncio.sleep(_AGAIN)
            waited += _AGAIN
        return seed

    async def _hope(self, rules: Ruleset, player_id: str) -> Hope:
        return (
            await self._pool.hope(player_id, Kind.SEALED, rules)
            if self._pool.proves
            else Hope.NOTHING
        )
