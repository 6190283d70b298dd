"""Keeps the stock filled: first with shipped deals, then by proving more, one process at a time by a lease."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import product
from typing import Final

from sqlalchemy import Connection

from app.clock import DAY_MS, Clock
from app.db.engine import Database
from app.db.leases import Lease, new_holder
from app.deals import repository
from app.deals.model import DealKind, Proven
from app.deals.service import DealStock
from app.deals.starters import read_shipped
from app.engine.ruleset import Ruleset
from app.games.levels import Level
from app.jobs.scheduler import FirstRun, PeriodicTask
from app.logs import logger_of
from app.rulesets import DAILY_RULESETS, RULESETS

_CHECK_SECONDS: Final = 60.0  # other processes draw too
_LEASE: Final = "pool/fill"
_LEASE_MS: Final = 180_000  # longer than the longest search for a deal
_MOST_MISSES: Final = 5
_LATELY_MS: Final = 14 * DAY_MS

_log: Final = logger_of("deals")

Want = tuple[DealKind, Ruleset]


class StockRefill:
    """Fills the stock; safe to run at any time and in several processes."""

    def __init__(
        self,
        database: Database,
        stock: DealStock,
        clock: Clock,
        target: int,
        per_level: int = 0,
    ) -> None:
        """Keep ``target`` deals of each kind for each rule set, and ``per_level`` open ones of each difficulty.

        In some games nearly all deals are of one difficulty: the search for others ends at twice the target.
        """
        self._database = database
        self._stock = stock
        self._clock = clock
        self._target = target
        self._per_level = per_level
        self._lease = Lease(database, _LEASE, clock, _LEASE_MS, new_holder())
        self._has_starters = False

    def tasks(self) -> list[PeriodicTask]:
        """The periodic task; none if proofs are turned off."""
        if not self._stock.can_prove:
            return []
        return [
            PeriodicTask(
                name="fill the stock of deals",
                seconds=_CHECK_SECONDS,
                run=self.run,
                first=FirstRun.AT_ONCE,
                wake=self._stock.drawn,
            )
        ]

    async def run(self) -> None:
        """Fill the stock; the first time with the deals that are shipped."""
        if not self._has_starters:
            self._has_starters = True
            try:
                await self._add_starters()
            except Exception:  # noqa: BLE001 - the stock works without them
                _log.exception("Could not add the shipped deals")
        await self.fill()

    async def _add_starters(self) -> None:
        deals = await asyncio.to_thread(read_shipped)
        most, at_ms = self._target, self._clock()
        await self._database.write(lambda connection: add_starters(connection, deals, most, at_ms))

    async def fill(self) -> None:
        """Fill the stock, unless another process is doing it."""
        if not await self._lease.hold():
            return
        try:
            misses: Counter[Want] = Counter()
            while (want := await self._next(misses)) and await self._lease.hold():
                if not await self._stock.prove(*want, owner="pool"):
                    misses[want] += 1
        finally:
            await self._lease.release()

    async def _next(self, misses: Counter[Want]) -> Want | None:
        played = await self._played()
        return await self._most_wanted(misses, played) or await self._lacking_a_level(
            misses, played
        )

    async def _most_wanted(self, misses: Counter[Want], played: Sequence[Ruleset]) -> Want | None:
        """The kind and game with the fewest deals; after misses others come first, and after many it is left out."""
        wants = [*product(DealKind, DAILY_RULESETS), *product([DealKind.OPEN], played)]
        have = await self._database.read(
            lambda connection: {want: repository.count(connection, *want) for want in wants}
        )
        open_wants = [
            want for want in wants if have[want] < self._target and misses[want] < _MOST_MISSES
        ]
        return min(open_wants, key=lambda want: have[want] + misses[want], default=None)

    async def _played(self) -> list[Ruleset]:
        """The games without a daily deal that were dealt lately. Those that nobody plays take no room and no time."""
        since_ms = self._clock() - _LATELY_MS
        drawn = await self._database.read(
            lambda connection: repository.list_drawn(connection, since_ms)
        )
        others = (rules for rules in RULESETS if rules not in DAILY_RULESETS)
        return [rules for rules in others if rules.id in drawn]

    async def _lacking_a_level(
        self, misses: Counter[Want], played: Sequence[Ruleset]
    ) -> Want | None:
        """The game with the fewest open deals among those that lack deals of some difficulty."""
        if not self._per_level:
            return None
        lacking: dict[Want, int] = {}
        for rules in (*DAILY_RULESETS, *played):
            want = (DealKind.OPEN, rules)
            have = await self._stock.count(*want)
            if misses[want] >= _MOST_MISSES or have >= 2 * self._target:
                continue
            of_level = [await self._stock.count(*want, level) for level in Level]
            if min(of_level) < self._per_level:
                lacking[want] = have
        return min(lacking, key=lambda want: lacking[want], default=None)


def add_starters(
    connection: Connection, deals: Iterable[tuple[Ruleset, Proven]], most: int, at_ms: int
) -> None:
    """Add at most ``most`` deals of each game to the stock, if it never had an open deal of that game."""
    new: dict[str, int] = {}
    for rules, deal in deals:
        if rules.id not in new:
            new[rules.id] = 0 if repository.ever_had(connection, DealKind.OPEN, rules) else most
        if new[rules.id] > 0 and repository.add(connection, deal, at_ms):
            new[rules.id] -= 1
