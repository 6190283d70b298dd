"""Where the daily deal gets its seeds: from the stock of proven deals, which it has filled when that is empty."""

from __future__ import annotations

from app.deals.repository import Kind
from app.deals.service import DealStock
from app.engine.ruleset import Ruleset
from app.jobs.job import JobFailedError, Urgency

_OWNER = "daily"


class ProvenSeeds:
    """Gives seeds of deals that are proven winnable, and none other."""

    def __init__(self, pool: DealStock) -> None:
        self._pool = pool

    async def draw(self, rules: Ruleset, *, awaited: bool) -> bytes | None:
        """A seed that nothing else uses; ``None`` when none was proven in time, which is worth trying again.

        ``awaited`` says that somebody looks at a page without this deal.
        """
        seed = await self._pool.draw_sealed(rules)
        if seed is None and self._pool.proves:
            urgency = Urgency.INTERACTIVE if awaited else Urgency.BACKGROUND
            try:
                await self._pool.prove(Kind.SEALED, rules, _OWNER, urgency)
            except JobFailedError as error:
                if error.failure is None:  # the server stops
                    raise
            seed = await self._pool.draw_sealed(rules)
        return seed

    async def is_proven(self, rules: Ruleset, seed: bytes) -> bool | None:
        """Whether the deal of a seed is proven winnable in time; ``None`` where nothing is proven."""
        if not self._pool.proves:
            return None
        return await self._pool.is_proven(rules, seed, _OWNER)
