"""The stock of proven deals: draw one, or have one found while a player waits."""

from __future__ import annotations

import asyncio
import secrets
from enum import Enum, auto
from functools import partial
from typing import Final, NamedTuple

from app.clock import Clock
from app.db.engine import Database
from app.deals import proving, repository
from app.deals.first_deals import first_deals
from app.deals.first_moves import begins_with_a_move
from app.deals.model import DealKind, Drawn, Proven, fingerprint_of
from app.deals.starters import starter_deals
from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code, deck_of_code, new_seed
from app.games.callbacks import DrawnDeal
from app.games.levels import Level, distance
from app.games.repository import list_dealt
from app.jobs.queue import JobProgress, JobState, Urgency
from app.jobs.service import Jobs
from app.logs import logger_of
from app.rulesets import DAILY_RULESETS
from app.solver.difficulty import Grade

_GRADING_SECONDS: Final = 60.0
_MOST_SEARCHES: Final = 1000
WAIT_SECONDS: Final = 12.0
"""Seconds that a player may have to wait for a proof."""
PATIENCE_SECONDS: Final = 5.0
"""Seconds after which a player who waits at a page gets a deal without a proof; the search goes on for the stock."""
_FORGOTTEN_SECONDS: Final = 60.0  # after which a search that failed says nothing about the next one
_REQUEST_SECONDS: Final = 10.0  # that a request may wait for a deal when the stock is empty
_RETRY_SECONDS: Final = 0.25

_log: Final = logger_of("deals")


class SearchState(Enum):
    """How the search for a deal that a player waits for stands."""

    READY = auto()  # a deal can be drawn
    SEARCHING = auto()
    FAILED = auto()  # none was proven in time; asking again starts a new search


class SealedDeal(NamedTuple):
    """The secret seed of a deal, used nowhere else, and whether it is proven winnable."""

    seed: bytes
    is_proven: bool


class _DealSearch(NamedTuple):
    """A search on behalf of a player; ``None`` while they have too many jobs for it."""

    since_ms: int
    task: asyncio.Task[bool] | None

    @property
    def has_found(self) -> bool:
        """Whether it has added a deal to the stock."""
        task = self.task
        return task is not None and task.done() and not task.cancelled() and task.result()


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
        """``seconds`` is the time limit of a proof in the background; 0 turns proofs off.

        ``reserve`` is how many sealed deals of each game with a daily deal are kept for that: players can't draw them.
        """
        self._database = database
        self._jobs = jobs
        self._clock = clock
        self._seconds = seconds
        self._reserve = reserve
        self._searches: dict[tuple[str, DealKind, str], _DealSearch] = {}
        self.drawn = asyncio.Event()
        """Set when the stock has one deal less, to wake the refill."""

    @property
    def can_prove(self) -> bool:
        """Whether proofs are turned on."""
        return self._seconds > 0

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

    async def first_deal(self, player_id: str, rules: Ruleset) -> DrawnDeal | None:
        """One of the gentle deals that come with the program and this player was not dealt; ``None`` if all were.

        Chance decides, so that two newcomers rarely get the same one.
        """
        deals = first_deals(rules)
        dealt = await self._database.read(
            lambda connection: list_dealt(connection, player_id, rules.id, list(deals))
        )
        left = [code for code in deals if code not in dealt]
        if not left:
            return None
        code = secrets.choice(left)
        return DrawnDeal(code, deals[code].grade, Level.GENTLE)

    async def starter(
        self, player_id: str, rules: Ruleset, level: Level, within: int | None = None
    ) -> DrawnDeal | None:
        """One of those nearest to the level of the deals that every site begins with and this player was not dealt.

        Others may have been: it is for when the stock is empty. Of those that are equally near, one that begins with a
        move is preferred. With ``within``, it is at most so far from the level, and may be one of the first deals.
        """
        deals = starter_deals(rules)
        if within is not None:
            near = {**deals, **first_deals(rules)}.items()
            deals = {code: found for code, found in near if distance(level, found.grade) <= within}
        dealt = await self._database.read(
            lambda connection: list_dealt(connection, player_id, rules.id, list(deals))
        )
        left = {code: distance(level, deals[code].grade) for code in deals if code not in dealt}
        if not left:
            return None
        least = min(left.values())
        nearest = [code for code, far in left.items() if far == least]
        code = secrets.choice(
            [code for code in nearest if begins_with_a_move(rules, code)] or nearest
        )
        return DrawnDeal(code, deals[code].grade, level)

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
                return SealedDeal(new_seed(), is_proven=False)
            await asyncio.sleep(_RETRY_SECONDS)
            waited += _RETRY_SECONDS
        return SealedDeal(seed, is_proven=True)

    async def find_or_search(self, owner: str, kind: DealKind, rules: Ruleset) -> SearchState:
        """Whether a deal can be drawn; if not, start a search at once on behalf of this player.

        Call it again every second or so. An open deal has failed after ``PATIENCE_SECONDS``, however long the search
        takes or has to wait for a worker. Raises ``TooManyJobsError``.
        """
        key = (owner, kind, rules.id)
        if await self.count(kind, rules) > self._reserve_of(kind, rules):
            return SearchState.READY
        search = self._searches.get(key) or _DealSearch(self._clock(), None)
        if kind is DealKind.SEALED and search.has_found:
            return SearchState.READY
        waited = (self._clock() - search.since_ms) / 1000
        has_ended = search.task is not None and search.task.done()
        if has_ended or (search.task is None and waited >= _FORGOTTEN_SECONDS):
            del self._searches[key]
            if search.task and not search.has_found and waited < _FORGOTTEN_SECONDS:
                return SearchState.FAILED
            search = _DealSearch(
                self._clock(), None
            )  # found, but another player drew it; or long ago
        elif kind is DealKind.OPEN and waited >= PATIENCE_SECONDS:
            return SearchState.FAILED
        if search.task is None:
            self._search(key, rules, search)
        return SearchState.SEARCHING

    def progress(self, owner: str, kind: DealKind, rules: Ruleset) -> JobProgress:
        """The progress of this player's search."""
        job = self._jobs.find(_key(kind, rules), owner)
        return job.progress if job else JobProgress()

    async def prove(
        self, kind: DealKind, rules: Ruleset, owner: str, urgency: Urgency = Urgency.BACKGROUND
    ) -> bool:
        """Find one winnable deal in the background and add it to the stock; false if none is proven in time."""
        is_waited_for = urgency is Urgency.INTERACTIVE
        work = partial(
            proving.find, kind, rules.id, rules.revision, self._seconds, is_waited_for=is_waited_for
        )
        found = await self._jobs.run(
            work, seconds=_with_grading(self._seconds), owner=owner, urgency=urgency
        )
        return found is not None and await self._store(found)

    async def is_proven(self, rules: Ruleset, seed: bytes, owner: str) -> bool:
        """Whether the deal of a seed is proven winnable in time."""
        work = partial(proving.is_proven, rules.id, rules.revision, seed, self._seconds)
        return await self._jobs.run(work, seconds=2 * self._seconds, owner=owner)

    async def is_proven_code(self, rules: Ruleset, code: Code) -> bool:
        """Whether an open deal is one of those that were proven winnable before they were dealt."""
        if code in first_deals(rules) or code in starter_deals(rules):
            return True
        fingerprint = fingerprint_of(deck_of_code(code, rules.decks))
        return await self._database.read(
            lambda connection: repository.is_proven(connection, rules, fingerprint)
        )

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
        if level is Level.GENTLE and await self.first_deal(player_id, rules):
            return True
        return await self.count(DealKind.OPEN, rules, level) > 0

    async def close(self) -> None:
        """Stop all searches."""
        tasks = [search.task for search in self._searches.values() if search.task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _reserve_of(self, kind: DealKind, rules: Ruleset) -> int:
        return self._reserve if kind is DealKind.SEALED and rules in DAILY_RULESETS else 0

    async def _draw_sealed_for(self, player_id: str, rules: Ruleset) -> bytes | None:
        """A sealed deal for a player, from the reserve only where a search of theirs has just added one."""
        key = (player_id, DealKind.SEALED, rules.id)
        search, reserve = self._searches.get(key), self._reserve_of(DealKind.SEALED, rules)
        if search and search.has_found:
            del self._searches[key]
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

    def _search(self, key: tuple[str, DealKind, str], rules: Ruleset, search: _DealSearch) -> None:
        if len(self._searches) >= _MOST_SEARCHES:
            self._searches = {
                key: search
                for key, search in self._searches.items()
                if search.task and not search.task.done()
            }
        self._searches[key] = search  # they wait from now on, even if there are too many jobs
        owner, kind, _ = key
        seconds = min(WAIT_SECONDS, self._seconds)
        work = partial(proving.find, kind, rules.id, rules.revision, seconds, is_waited_for=True)
        job = self._jobs.submit(owner, work, seconds=_with_grading(seconds), key=_key(kind, rules))
        task = asyncio.create_task(self._store_result(job.id, owner))
        self._searches[key] = search._replace(task=task)

    async def _store_result(self, job_id: str, owner: str) -> bool:
        job = await self._jobs.wait(job_id, owner)
        self._jobs.forget(job_id, owner)  # or the next search would find this result
        if job is None or job.state is not JobState.DONE or not isinstance(job.result, Proven):
            return False
        try:
            return await self._store(job.result)
        except Exception:  # noqa: BLE001 - the search has failed, and the player may ask for another
            _log.exception("Could not store a deal that was found")
            return False

    async def _store(self, found: Proven) -> bool:
        at_ms = self._clock()
        return await self._database.write(
            lambda connection: repository.add(connection, found, at_ms)
        )


def _key(kind: DealKind, rules: Ruleset) -> str:
    return f"pool/{kind}/{rules.id}"


def _with_grading(seconds: float) -> float:
    """Time to grade the deal too, after a proof at the last moment."""
    return seconds + _GRADING_SECONDS
