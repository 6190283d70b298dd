"""Making the coming days' deals ahead of time, so that their commitments can be published before they open."""

from __future__ import annotations

import logging
import secrets
from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from functools import partial
from itertools import product
from typing import Final, Protocol

from app.clock import day_of
from app.daily import repository
from app.daily.model import Deal
from app.db import leases
from app.db.engine import Database
from app.deals import commitment as promises
from app.deals.repository import Kind
from app.deals.service import DealStock
from app.engine.ruleset import Ruleset
from app.engine.shuffle import new_seed
from app.games.model import stored_rules
from app.jobs.job import JobFailedError, Urgency
from app.rulesets import RULESETS


def commitment(ruleset: str, day: date, seed: bytes) -> str:
    """The promise for a seed, as 64 hexadecimal digits."""
    return promises.commitment(f"fairdeal/daily/1/{ruleset}/{day.isoformat()}/", seed)


class SeedSource(Protocol):
    """Where seeds come from: see app.daily.seed_source."""

    async def draw(self, rules: Ruleset, *, awaited: bool) -> bytes | None:
        """A seed of a deal that is proven winnable, if one can be had now."""

    async def is_proven(self, rules: Ruleset, seed: bytes) -> bool | None:
        """Whether the deal of a seed is proven winnable, if that can be found out."""


AHEAD: Final = timedelta(days=7)
"""How far ahead deals are made and promised."""


_MOST_MISSES: Final = 8  # for one game in one run


_ONE: Final = timedelta(days=1)


_LEASE: Final = "daily/prepare"


_LEASE_MS: Final = 180_000  # longer than the longest search for a proof; prolonged after each


_log = logging.getLogger("fairdeal.daily")


class _LeaseLostError(Exception):
    """Our lease ran out and somebody else has taken over."""


def fresh_deal(
    rules: Ruleset,
    day: date,
    at_ms: int,
    seed: bytes | None = None,
    *,
    verified: bool | None = None,
) -> Deal:
    """A deal for a day, of a new secret seed unless one is given."""
    seed = seed or new_seed()
    return Deal(
        day=day,
        ruleset=rules.id,
        revision=rules.revision,
        seed=seed,
        commitment=commitment(rules.id, day, seed),
        verified=verified,
        created_ms=at_ms,
    )


class DealPreparation:
    """A job that may run at any time, any number of times and in several processes: no deal is ever replaced."""

    def __init__(
        self, database: Database, clock: Callable[[], int], seeds: SeedSource | None = None
    ) -> None:
        """Without ``seeds`` deals are made unproven, which is for development and tests."""
        self._database = database
        self._clock = clock
        self._seeds = seeds
        self._holder = secrets.token_hex(8)

    async def run(self) -> int:
        """Make what is missing of today and of the coming seven days, unless another process is at it.

        First all of today, then all of tomorrow. Answers how many deals could not be had although each was tried
        for several times: for those it is to be run again.
        """
        if not await self._hold():
            return 0
        try:
            await self._look_again()
            return await self._provide_all()
        except _LeaseLostError:
            return 0
        finally:
            await self._database.write(
                lambda connection: leases.release(connection, _LEASE, self._holder)
            )

    async def _provide_all(self) -> int:
        misses: Counter[str] = Counter()
        today = day_of(self._clock())

        def due(want: tuple[date, Ruleset]) -> tuple[int, date]:
            # A game without a proof so far is tried again beside the other games of the next day, and so on.
            day, rules = want
            return (day - today).days + misses[rules.id], day

        while missing := await self._missing():
            wanted = [want for want in missing if misses[want[1].id] < _MOST_MISSES]
            if not wanted:
                _log.warning("%d coming deals could not be proven winnable yet", len(missing))
                return len(missing)
            day, rules = min(wanted, key=due)
            deal = await self._draw(rules, day)
            if not await self._hold():
                raise _LeaseLostError
            if deal is None:
                misses[rules.id] += 1
            else:
                await self._database.write(partial(repository.add_deal, deal=deal))
        return 0

    async def _missing(self) -> list[tuple[date, Ruleset]]:
        today = day_of(self._clock())
        days = [today + n * _ONE for n in range(AHEAD.days + 1)]
        found = await self._database.read(
            lambda connection: repository.deals_between(connection, days[0], days[-1])
        )
        made = {(deal.day, deal.ruleset) for deal in found}
        return [
            (day, rules) for day, rules in product(days, RULESETS) if (day, rules.id) not in made
        ]

    async def _draw(self, rules: Ruleset, day: date) -> Deal | None:
        if self._seeds is None:
            return fresh_deal(rules, day, self._clock())
        seed = await self._seeds.draw(rules, awaited=day == day_of(self._clock()))
        return fresh_deal(rules, day, self._clock(), seed, verified=True) if seed else None

    async def _look_again(self) -> None:
        """Deals that were made unproven are promised, so they stay; but they may turn out to be winnable."""
        if self._seeds is None:
            return
        today = day_of(self._clock())
        found = await self._database.read(
            lambda connection: repository.deals_between(connection, today, today + AHEAD)
        )
        for deal in found:
            if deal.verified is None:
                rules = stored_rules(deal.ruleset, deal.revision)
                verified = await self._seeds.is_proven(rules, deal.seed)
                if not await self._hold():
                    raise _LeaseLostError
                if verified is not None:
                    await self._database.write(
                        partial(repository.note_verified, deal=deal, verified=verified)
                    )

    async def _hold(self) -> bool:
        now = self._clock()
        return await self._database.write(
            lambda connection: leases.acquire(
                connection, _LEASE, self._holder, now, now + _LEASE_MS
            )
        )


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
        if seed is None and self._pool.can_prove:
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
        if not self._pool.can_prove:
            return None
        return await self._pool.is_proven(rules, seed, _OWNER)
