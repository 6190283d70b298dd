"""Preparing deals a week ahead: draws proven seeds, and publishes commitments to them before the deals open."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from functools import partial
from itertools import product
from typing import Final, Protocol

from app.clock import Clock, day_of
from app.daily import repository
from app.daily.model import DailyDeal
from app.db.engine import Database
from app.db.leases import Lease, LeaseLostError, new_holder
from app.deals import commitment as commitments
from app.deals.model import DealKind
from app.deals.service import DealStock
from app.engine.ruleset import Ruleset
from app.games.lookup import random_seed, stored_rules
from app.jobs.queue import JobFailedError, Urgency
from app.logs import logger_of
from app.rulesets import DAILY_RULESETS


def commitment(ruleset: str, day: date, seed: bytes) -> str:
    """The commitment to a seed: a SHA-256 hash of 64 hexadecimal digits."""
    return commitments.commitment(f"fairdeal/daily/1/{ruleset}/{day.isoformat()}/", seed)


class SeedSource(Protocol):
    """Where seeds come from: ``ProvenSeeds``, or a fake in tests."""

    async def draw(self, rules: Ruleset, *, is_urgent: bool) -> bytes | None:
        """A seed whose deal is proven winnable, or ``None`` if none was found in time."""

    async def is_proven(self, rules: Ruleset, seed: bytes) -> bool | None:
        """Whether the deal of a seed is proven winnable; ``None`` if that is not known."""


DAYS_AHEAD: Final = timedelta(days=7)
"""How far ahead deals are made and their commitments published."""

_MAX_FAILURES: Final = 8  # for one rule set in one run
_OWNER: Final = "daily"
_LEASE: Final = "daily/prepare"
_LEASE_MS: Final = 180_000  # longer than the longest search for a proof; renewed after each

_log: Final = logger_of("daily")


def new_deal(
    rules: Ruleset,
    day: date,
    at_ms: int,
    seed: bytes | None = None,
    *,
    verified: bool | None = None,
) -> DailyDeal:
    """A deal with the given seed, or a new random one."""
    seed = seed or random_seed(rules)
    return DailyDeal(
        day=day,
        ruleset=rules.id,
        revision=rules.revision,
        seed=seed,
        commitment=commitment(rules.id, day, seed),
        verified=verified,
        created_ms=at_ms,
    )


class DealPreparation:
    """Makes missing deals. Runs are idempotent and may be concurrent: a deal is never replaced."""

    def __init__(self, database: Database, clock: Clock, seeds: SeedSource | None = None) -> None:
        """Without ``seeds``, for development and tests, deals are not proven winnable."""
        self._database = database
        self._clock = clock
        self._seeds = seeds
        self._lease = Lease(database, _LEASE, clock, _LEASE_MS, new_holder())

    async def run(self) -> int:
        """Make the missing deals of today and the next seven days, unless another process is doing so.

        The earliest days come first. Returns how many deals are still missing because no proof was found
        after several tries; the next run tries them again.
        """
        if not await self._lease.hold():
            return 0
        try:
            await self._prove_again()
            return await self._make_missing()
        except LeaseLostError:
            return 0
        finally:
            await self._lease.release()

    async def _make_missing(self) -> int:
        if self._seeds is None:
            await self._make_unproven()
            return 0
        failures: Counter[str] = Counter()
        today = day_of(self._clock())

        def priority(missing_deal: tuple[date, Ruleset]) -> tuple[int, date]:
            # After each failure a rule set is tried again with those of the following day.
            day, rules = missing_deal
            return (day - today).days + failures[rules.id], day

        while missing := await self._list_missing():
            wanted = [key for key in missing if failures[key[1].id] < _MAX_FAILURES]
            if not wanted:
                _log.warning("%d upcoming deals could not be proven winnable yet", len(missing))
                return len(missing)
            day, rules = min(wanted, key=priority)
            deal = await self._make_deal(self._seeds, rules, day)
            if not await self._lease.hold():
                raise LeaseLostError
            if deal is None:
                failures[rules.id] += 1
            else:
                await self._database.write(partial(repository.add_deal, deal=deal))
        return 0

    async def _list_missing(self) -> list[tuple[date, Ruleset]]:
        today = day_of(self._clock())
        days = [today + timedelta(days=n) for n in range(DAYS_AHEAD.days + 1)]
        deals = await self._database.read(
            lambda connection: repository.list_deals(connection, days[0], days[-1])
        )
        existing = {(deal.day, deal.ruleset) for deal in deals}
        return [
            (day, rules)
            for day, rules in product(days, DAILY_RULESETS)
            if (day, rules.id) not in existing
        ]

    async def _make_unproven(self) -> None:
        """Make all at once: without a search for proofs they take no time, and many writes would take most of it."""
        now_ms = self._clock()
        deals = [new_deal(rules, day, now_ms) for day, rules in await self._list_missing()]
        if deals:
            await self._database.write(partial(repository.add_deals, deals=deals))

    async def _make_deal(self, seeds: SeedSource, rules: Ruleset, day: date) -> DailyDeal | None:
        seed = await seeds.draw(rules, is_urgent=day == day_of(self._clock()))
        return new_deal(rules, day, self._clock(), seed, verified=True) if seed else None

    async def _prove_again(self) -> None:
        """Try to prove the deals that are not proven. They are kept anyway: their commitments are public."""
        if self._seeds is None:
            return
        today = day_of(self._clock())
        deals = await self._database.read(
            lambda connection: repository.list_deals(connection, today, today + DAYS_AHEAD)
        )
        for deal in deals:
            if deal.verified is None:
                rules = stored_rules(deal.ruleset, deal.revision)
                verified = await self._seeds.is_proven(rules, deal.seed)
                if not await self._lease.hold():
                    raise LeaseLostError
                if verified is not None:
                    await self._database.write(
                        partial(repository.set_verified, deal=deal, verified=verified)
                    )


class ProvenSeeds:
    """Draws seeds of proven deals from the stock."""

    def __init__(self, stock: DealStock) -> None:
        self._stock = stock

    async def draw(self, rules: Ruleset, *, is_urgent: bool) -> bytes | None:
        """An unused seed; ``None`` if none was proven in time. ``is_urgent`` if players are waiting for the deal."""
        seed = await self._stock.draw_sealed(rules)
        if seed is None and self._stock.can_prove:
            urgency = Urgency.INTERACTIVE if is_urgent else Urgency.BACKGROUND
            try:
                await self._stock.prove(DealKind.SEALED, rules, _OWNER, urgency)
            except JobFailedError as error:
                if error.failure is None:  # the server is shutting down
                    raise
            seed = await self._stock.draw_sealed(rules)
        return seed

    async def is_proven(self, rules: Ruleset, seed: bytes) -> bool | None:
        """Whether the deal of a seed is proven winnable; ``None`` without a solver, or if it failed."""
        if not self._stock.can_prove:
            return None
        try:
            return await self._stock.is_proven(rules, seed, _OWNER)
        except JobFailedError as error:
            if error.failure is None:  # the server is shutting down
                raise
            return None
