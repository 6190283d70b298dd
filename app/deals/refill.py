"""Keeps the stock filled: any process may, one does, with what the players leave of the machine."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import Callable
from itertools import product
from typing import Final

from app.db import leases
from app.db.engine import Database
from app.deals import repository, starters
from app.deals.repository import Kind
from app.deals.service import DealStock
from app.engine.ruleset import Ruleset
from app.jobs.scheduler import FirstRun, PeriodicTask
from app.rulesets import RULESETS

_LOOK_EVERY: Final = 60.0  # seconds: other processes draw too
_LEASE: Final = "pool/fill"
_LEASE_MS: Final = 180_000  # longer than the longest search for a deal
_MOST_MISSES: Final = 5

_log = logging.getLogger("fairdeal.pool")

Want = tuple[Kind, Ruleset]


class StockRefill:
    """A job that may run at any time and in several processes."""

    def __init__(
        self, database: Database, pool: DealStock, clock: Callable[[], int], target: int
    ) -> None:
        """Keep ``target`` deals of each kind for each game."""
        self._database = database
        self._pool = pool
        self._clock = clock
        self._target = target
        self._holder = secrets.token_hex(8)
        self._has_starters = False

    def tasks(self) -> list[PeriodicTask]:
        """What the scheduler repeats: nothing where no deals are proven."""
        if not self._pool.proves:
            return []
        return [
            PeriodicTask(
                name="fill the stock of deals",
                seconds=_LOOK_EVERY,
                run=self.run,
                first=FirstRun.AT_ONCE,
                wake=self._pool.drawn,
            )
        ]

    async def run(self) -> None:
        """Fill the stock, the first time with the deals that come with the program."""
        if not self._has_starters:
            self._has_starters = True
            try:
                await self._add_starters()
            except Exception:  # noqa: BLE001 - the stock gets on without
                _log.exception("The deals that come with the program could not be added")
        await self.fill()

    async def _add_starters(self) -> None:
        deals = await asyncio.to_thread(starters.from_file)
        most, at_ms = self._target, self._clock()
        await self._database.write(
            lambda connection: starters.lay_out(connection, deals, most, at_ms)
        )

    async def fill(self) -> None:
        """Fill the stock, unless another process is at it."""
        if not await self._hold():
            return
        try:
            misses: Counter[Want] = Counter()
            while (want := await self._most_wanted(misses)) and await self._hold():
                if not await self._pool.prove(*want, owner="pool"):
                    misses[want] += 1
        finally:
            await self._database.write(
                lambda connection: leases.release(connection, _LEASE, self._holder)
            )

    async def _most_wanted(self, misses: Counter[Want]) -> Want | None:
        """What there is least of, and after a miss something else first; a game that never gives any is left alone."""
        wants = list(product(Kind, RULESETS))
        have = await self._database.read(
            lambda connection: {want: repository.count(connection, *want) for want in wants}
        )
        open_wants = [
            want for want in wants if have[want] < self._target and misses[want] < _MOST_MISSES
        ]
        return min(open_wants, key=lambda want: have[want] + misses[want], default=None)

    async def _hold(self) -> bool:
        now = self._clock()
        return await self._database.write(
            lambda connection: leases.acquire(
                connection, _LEASE, self._holder, now, now + _LEASE_MS
            )
        )
