"""Winnable deals for new games, as playing asks for them: see app.games.callbacks."""

from __future__ import annotations

from contextlib import suppress

from app.deals.repository import Kind
from app.deals.service import DealStock
from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code
from app.games.callbacks import DealPending
from app.jobs.job import TooManyJobsError


class StockDealer:
    """Deals from the stock."""

    def __init__(self, pool: DealStock) -> None:
        self._pool = pool

    @property
    def proves(self) -> bool:
        """Whether there are winnable deals to choose at all."""
        return self._pool.proves

    async def draw(self, player_id: str, rules: Ruleset) -> Code | DealPending | None:
        """A winnable deal; where there is none one is looked for, unless nothing is proven on this site."""
        code = await self._pool.draw_open(rules)
        if code or not self._pool.proves:
            return code
        # With too much under way for this player already, the page that they are led to tries again.
        with suppress(TooManyJobsError):
            await self._pool.hope(player_id, Kind.OPEN, rules)
        return DealPending(f"/new/{rules.id}")
