"""The stock of proven deals: draw one, add one, and count them."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from functools import partial
from typing import Final, NamedTuple

from app.clock import Clock
from app.db.engine import Database
from app.deals import proving, repository
from app.deals.model import DealKind, Drawn, Proven, fingerprint_of
from app.deals.searches import DealSearches, SearchState
from app.deals.shipped import ShippedDeals, is_shipped
from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code, deck_of_code
from app.games.callbacks import DrawnDeal
from app.games.levels import Level
from app.games.lookup import random_seed
from app.jobs.queue import Urgency
from app.jobs.service import Jobs
from app.rulesets import DAILY_RULESETS
from app.solver.difficulty import Grade

_REQUEST_SECONDS: Final = 10.0  # that a request may wait for a deal when the stock is empty
_RETRY_SECONDS: Final = 0.25


class SealedDeal(NamedTuple):
    """The secret seed of a deal, used nowhere else, and whether it is proven winnable."""

    seed: bytes
    is_proven: bool


class DealStock:
    """Draws deals from the stock; proofs run in worker processes through ``jobs``."""

    def __init__(
        self,
        database: Database,
        jobs: Jobs,
        clock: Clock,
        seconds: float,
        reserve: int = 0,
    ) -> None:
        """``seconds`` are ``proof_seconds``.

        ``reserve`` is how many sealed deals of each game with a daily deal are kept for that: players can't draw them.
        """
        self._database = database
        self._jobs = jobs
        self._clock = clock
        self.proof_seconds = seconds
        """The time limit of a proof in the background; 0 while proofs are turned off."""
        self._reserve = reserve
        self.searches = DealSearches(jobs, clock, self._store)
        self.shipped = ShippedDeals(database)
        self.drawn = asyncio.Event()
        """Set when the stock has one deal less, to wake the refill."""

    @property
    def can_prove(self) -> bool:
        """Whether proofs are turned on."""
        return self.proof_seconds > 0

    async def draw_graded(
        self, rules: Ruleset, level: Level, within: int | None = None
    ) -> DrawnDeal | None:
        """A proven winnable deal that no one was given: the nearest to the level, at most ``within`` from it.

        ``None`` if there is none in stock.
        """
        drawn = await self._draw(DealKind.OPEN, rules, level, within)
        if drawn is None or not isinstance(drawn.deal, str):
            return None
        return DrawnDeal(Code(drawn.deal), drawn.grade, level)

    async def draw_sealed(self, rules: Ruleset) -> bytes | None:
        """The secret seed of a proven winnable deal, used nowhere else; ``None`` if the stock is empty."""
        drawn = await self._draw(DealKind.SEALED, rules)
        return drawn.deal if drawn and isinstance(drawn.deal, bytes) else None

    async def draw_or_find_sealed(self, rules: Ruleset, player_id: str) -> SealedDeal:
        """As ``draw_sealed``; if only the reserve is left, wait a few seconds for a search on behalf of this player.

        In some games few deals can be proven winnable: if none is in time, a random one. Raises ``TooManyJobsError``.
        """
        waited = 0.0
        while (seed := await self._draw_sealed_for(player_id, rules)) is None:
            if (
                not self.can_prove
                or waited >= _REQUEST_SECONDS
                or await self.find_or_search(player_id, DealKind.SEALED, rules)
                is SearchState.FAILED
            ):
                return SealedDeal(random_seed(rules), is_proven=False)
            await asyncio.sleep(_RETRY_SECONDS)
            waited += _RETRY_SECONDS
        return SealedDeal(seed, is_proven=True)

    async def find_or_search(self, owner: str, kind: DealKind, rules: Ruleset) -> SearchState:
        """Whether a deal can be drawn; if not, start a search at once on behalf of this player.

        Call it again every second or so. Raises ``TooManyJobsError``; see ``DealSearches.find_or_start``.
        """
        if await self.count(kind, rules) > self._reserve_of(kind, rules):
            return SearchState.READY
        return self.searches.find_or_start(owner, kind, rules, self.proof_seconds)

    async def prove(
        self, kind: DealKind, rules: Ruleset, owner: str, urgency: Urgency = Urgency.BACKGROUND
    ) -> bool:
        """Find one winnable deal in the background and add it to the stock; false if none is proven in time."""
        is_waited_for = urgency is Urgency.INTERACTIVE
        work = partial(
            proving.find,
            kind,
            rules.id,
            rules.revision,
            self.proof_seconds,
            is_waited_for=is_waited_for,
        )
        found = await self._jobs.run(
            work, seconds=proving.with_grading(self.proof_seconds), owner=owner, urgency=urgency
        )
        return found is not None and await self._store(found)

    async def is_proven(self, rules: Ruleset, seed: bytes, owner: str) -> bool:
        """Whether the deal of a seed is proven winnable in time."""
        work = partial(proving.is_proven, rules.id, rules.revision, seed, self.proof_seconds)
        return await self._jobs.run(work, seconds=2 * self.proof_seconds, owner=owner)

    async def is_proven_code(self, rules: Ruleset, code: Code) -> bool:
        """Whether an open deal is one of those that were proven winnable before they were dealt."""
        return bool(await self.list_proven_codes([(rules, code)]))

    async def list_proven_codes(
        self, deals: Collection[tuple[Ruleset, Code]]
    ) -> set[tuple[str, Code]]:
        """Those of some open deals that were proven winnable before they were dealt, by the ids of their games."""
        proven = {(rules.id, code) for rules, code in deals if is_shipped(rules, code)}
        others = {
            (rules.id, rules.revision, fingerprint_of(deck_of_code(code, rules.decks))): code
            for rules, code in deals
            if (rules.id, code) not in proven
        }
        if not others:
            return proven
        fingerprints = {fingerprint for _, _, fingerprint in others}
        found = await self._database.read(
            partial(repository.list_proven, fingerprints=fingerprints)
        )
        return proven | {(key[0], others[key]) for key in found & others.keys()}

    async def count(self, kind: DealKind, rules: Ruleset, level: Level = Level.ANY) -> int:
        """How many deals are in the stock, of a level if one is given."""
        return await self._database.read(
            lambda connection: repository.count(connection, kind, rules, level)
        )

    async def list_grades(self) -> dict[str, set[Grade]]:
        """The difficulties of the open deals in stock, by the ids of their rule sets."""
        return await self._database.read(repository.list_grades)

    async def has_level(self, player_id: str, rules: Ruleset, level: Level) -> bool:
        """Whether there is a deal of a level for this player now, so that it may be promised."""
        if level is Level.GENTLE and await self.shipped.first(player_id, rules):
            return True
        return await self.count(DealKind.OPEN, rules, level) > 0

    async def close(self) -> None:
        """Stop all searches."""
        await self.searches.close()

    def _reserve_of(self, kind: DealKind, rules: Ruleset) -> int:
        return self._reserve if kind is DealKind.SEALED and rules in DAILY_RULESETS else 0

    async def _draw_sealed_for(self, player_id: str, rules: Ruleset) -> bytes | None:
        """A sealed deal for a player, from the reserve only where a search of theirs has just added one."""
        reserve = self._reserve_of(DealKind.SEALED, rules)
        if self.searches.forget_found(player_id, DealKind.SEALED, rules):
            reserve = 0
        drawn = await self._draw(DealKind.SEALED, rules, reserve=reserve)
        return drawn.deal if drawn and isinstance(drawn.deal, bytes) else None

    async def _draw(
        self,
        kind: DealKind,
        rules: Ruleset,
        level: Level = Level.ANY,
        within: int | None = None,
        reserve: int = 0,
    ) -> Drawn | None:
        at_ms = self._clock()
        drawn = await self._database.write(
            lambda connection: repository.draw(
                connection, kind, rules, at_ms, level, furthest=within, reserve=reserve
            )
        )
        if drawn:
            self.drawn.set()
        return drawn

    async def _store(self, found: Proven) -> bool:
        at_ms = self._clock()
        return await self._database.write(
            lambda connection: repository.add(connection, found, at_ms)
        )
