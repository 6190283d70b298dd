"""Everything of the pool that a server process needs, put together."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

from app.db.engine import Database
from app.deals import starters
from app.deals.difficulty import Grades
from app.deals.refill import Keeper
from app.deals.service import PoolService
from app.jobs.service import Jobs
from app.settings import Settings

_log = logging.getLogger("fairdeal.pool")


class Stockroom:
    """The stock, what is known of how hard deals are, and the job that keeps the stock filled."""

    def __init__(
        self, database: Database, jobs: Jobs, clock: Callable[[], int], settings: Settings
    ) -> None:
        self.pool = PoolService(database, jobs, clock, settings.proof_seconds)
        self.grades = Grades(database, jobs if self.pool.proves else None)
        self._database = database
        self._clock = clock
        self._size = settings.pool_size
        self._keeper = Keeper(database, self.pool, clock, settings.pool_size)
        self._keeping: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Keep the stock filled from now on, where deals are proven at all."""
        if self.pool.proves:
            self._keeping = asyncio.create_task(self._keep(), name="stock of proven deals")

    async def _keep(self) -> None:
        try:
            deals = await asyncio.to_thread(starters.from_file)
            size, at_ms = self._size, self._clock()
            await self._database.write(lambda found: starters.lay_out(found, deals, size, at_ms))
        except Exception:  # noqa: BLE001 - the stock gets on without
            _log.exception("The deals that come with the program could not be laid out")
        await self._keeper.run()

    async def close(self) -> None:
        """Leave it as it is."""
        if self._keeping:
            self._keeping.cancel()
            with suppress(asyncio.CancelledError):
                await self._keeping
        await self.pool.close()
        await self.grades.close()
