"""Everything of the pool that a server process needs, put together."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from app.jobs.jobs import Jobs
from app.pool.grades import Grades
from app.pool.keeper import Keeper
from app.pool.service import PoolService
from app.settings import Settings
from app.storage.database import Database


class Stockroom:
    """The stock, what is known of how hard deals are, and the job that keeps the stock filled."""

    def __init__(
        self, database: Database, jobs: Jobs, clock: Callable[[], int], settings: Settings
    ) -> None:
        self.pool = PoolService(database, jobs, clock, settings.proof_seconds)
        self.grades = Grades(database, jobs if self.pool.proves else None)
        self._keeper = Keeper(database, self.pool, clock, settings.pool_size)
        self._keeping: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Keep the stock filled from now on, where deals are proven at all."""
        if self.pool.proves:
            self._keeping = asyncio.create_task(self._keeper.run(), name="stock of proven deals")

    async def close(self) -> None:
        """Leave it as it is."""
        if self._keeping:
            self._keeping.cancel()
            with suppress(asyncio.CancelledError):
                await self._keeping
        await self.pool.close()
        await self.grades.close()
