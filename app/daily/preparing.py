"""Making the coming days' deals ahead of time, so that their promises can be published before they open."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Awaitable, Callable
from datetime import date, timedelta
from functools import partial
from typing import Final

from app.daily import deals
from app.daily.days import day_of
from app.daily.deals import Deal
from app.daily.seeds import commitment
from app.engine.shuffle import new_seed
from app.engine.spec import GameSpec
from app.games import GAMES
from app.play.table import stored_spec
from app.storage import leases
from app.storage.database import Database

Winnable = Callable[[GameSpec, bytes], Awaitable[bool]]
"""Whether the deal of a seed is proven winnable. No is an answer, and so is not knowing."""

AHEAD: Final = timedelta(days=7)
"""How far ahead deals are made and promised."""

_ONE: Final = timedelta(days=1)
_LEASE: Final = "daily/prepare"
_LEASE_MS: Final = 120_000
_TRIES: Final = 24

_log = logging.getLogger("fairdeal.daily")


def fresh_deal(
    spec: GameSpec,
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
        ruleset=spec.id,
        revision=spec.revision,
        seed=seed,
        commitment=commitment(spec.id, day, seed),
        verified=verified,
        created_ms=at_ms,
    )


class Preparing:
    """A job that may run at any time, any number of times and in several processes: no deal is ever replaced."""

    def __init__(
        self, database: Database, clock: Callable[[], int], winnable: Winnable | None = None
    ) -> None:
        self._database = database
        self._clock = clock
        self._winnable = winnable
        self._holder = secrets.token_hex(8)

    async def run(self) -> None:
        """Make what is missing of today and of the coming seven days, unless another process is at it."""
        today = day_of(self._clock())
        if not await self._hold():
            return
        try:
            for offset in range(AHEAD.days + 1):
                for spec in GAMES:
                    await self._provide(spec, today + offset * _ONE)
        finally:
            await self._database.write(
                lambda connection: leases.drop(connection, _LEASE, self._holder)
            )

    async def _provide(self, spec: GameSpec, day: date) -> None:
        deal = await self._database.read(partial(deals.find_deal, day=day, ruleset=spec.id))
        if deal is None:
            fresh = await self._draw(spec, day)
            await self._database.write(partial(deals.add_deal, deal=fresh))
        elif deal.verified is None and self._winnable is not None:
            # It was made in a hurry and is promised, so it stays what it is; but it may turn out to be winnable.
            verified = await self._winnable(stored_spec(deal.ruleset, deal.revision), deal.seed)
            await self._database.write(partial(deals.note_verified, deal=deal, verified=verified))
        await self._hold()

    async def _draw(self, spec: GameSpec, day: date) -> Deal:
        """A deal that is proven winnable, or after many tries one that is not."""
        if self._winnable is None:
            return fresh_deal(spec, day, self._clock())
        for _ in range(_TRIES):
            seed = new_seed()
            if await self._winnable(spec, seed):
                return fresh_deal(spec, day, self._clock(), seed, verified=True)
            await self._hold()
        _log.warning("No deal of %s for %s could be proven winnable", spec.id, day)
        return fresh_deal(spec, day, self._clock(), verified=False)

    async def _hold(self) -> bool:
        now = self._clock()
        return await self._database.write(
            lambda connection: leases.take(connection, _LEASE, self._holder, now, now + _LEASE_MS)
        )
