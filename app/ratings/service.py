"""Counts decided races and daily deals into ratings, each once, and counts again what has changed since.

An event, its results and the ratings after it are stored in one transaction, under the next number and a unique key: a
crash, or another process at the same work, neither loses nor doubles it. Afterwards all ratings of a family can be
computed again from the stored results.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from app.clock import DAY_MS, MINUTE_MS
from app.db.engine import Database
from app.errors import ConflictError, MalformedError
from app.jobs.scheduler import PeriodicTask
from app.jobs.service import Jobs
from app.logs import logger_of
from app.ratings import model, repository, results
from app.ratings.model import Event, EventResult, Rating
from app.ratings.repository import Counted, Ranked
from app.rulesets.families import FAMILIES, Family
from app.text import gettext

PAGE_SIZE: Final = 50
_MOST_PAGES: Final = 100_000
_PERIOD_SECONDS: Final = 30.0
_REVISION_SECONDS: Final = 1800.0
_LEASE: Final = "ratings"
_LEASE_MS: Final = 10 * MINUTE_MS
_LATE_MS: Final = DAY_MS
"""How late a race is usually stored that time has ended; it takes seconds while any process runs."""

_COMPUTE_SECONDS: Final = 120.0
_TRIES: Final = 5

T = TypeVar("T")

_log: Final = logger_of("ratings")


class RankingPage(NamedTuple):
    """A page of the ranking of a family; pages count from 1, and there is always one."""

    family: Family
    number: int
    pages: int
    players: int
    rows: list[Ranked]
    provisional: int
    """How many players have a rating, but no rank yet."""


class Differences(NamedTuple):
    """Where stored ratings differ from computed ones, and the keys of events whose results have changed since."""

    events: int
    ratings: int
    changed_keys: list[str]
    wrong: list[str]
    """``FAMILY/PLAYER`` of each rating that differs."""

    def __bool__(self) -> bool:
        return bool(self.changed_keys or self.wrong)


class _OvertakenError(Exception):
    """Another process has counted an event meanwhile."""


class RatingService:
    """The ratings of all players."""

    def __init__(self, database: Database, jobs: Jobs | None = None) -> None:
        """Without ``jobs``, ratings are computed in a thread."""
        self._database = database
        self._jobs = jobs

    def tasks(self) -> list[PeriodicTask]:
        """The tasks for the scheduler. One process at a time does both."""
        return [
            PeriodicTask(
                name=name, seconds=seconds, run=run, lease=f"{_LEASE}/{word}", lease_ms=_LEASE_MS
            )
            for name, word, seconds, run in (
                ("count races and daily deals", "count", _PERIOD_SECONDS, self.count_decided),
                ("revise ratings", "revise", _REVISION_SECONDS, self.revise),
            )
        ]

    # --- reading

    async def ranked_families(self) -> list[Family]:
        """The families in which any player has a rank, in order."""
        ids = [family.id for family in FAMILIES]
        found = await self._database.read_elsewhere(partial(repository.list_families, families=ids))
        return [family for family in FAMILIES if family.id in found]

    async def first_family(self) -> Family:
        """The family to show where none was chosen: the first that has a ranking, if any has."""
        return next(iter(await self.ranked_families()), FAMILIES[0])

    async def ranking(self, family: Family, page: int) -> RankingPage:
        """A page of a ranking; past the last one there are no rows. Raises ``MalformedError``."""
        if not 1 <= page <= _MOST_PAGES:
            raise MalformedError(gettext("Choose a page from 1 to %(most)s.", most=_MOST_PAGES))
        first = (page - 1) * PAGE_SIZE

        def read(connection: Connection) -> RankingPage:
            count = repository.count_ranked(connection, family.id)
            rows = repository.list_ranked(connection, family.id, first=first, limit=PAGE_SIZE)
            provisional = repository.count_provisional(connection, family.id)
            pages = max(1, -(-count // PAGE_SIZE))
            return RankingPage(family, page, pages, count, rows, provisional)

        return await self._database.read_elsewhere(read)

    async def ratings_of(self, player_id: str) -> list[tuple[Family, Rating]]:
        """A player's ratings, in the order of the families."""
        found = await self._database.read(partial(repository.find_ratings_of, player_id=player_id))
        return [(family, found[family.id]) for family in FAMILIES if family.id in found]

    # --- counting

    async def count_decided(self, *, also_old: bool = False) -> int:
        """Count the events that were decided since the last time, in order; how many.

        Races that were found to have ended days before the last counted event wait for ``also_old``, which reads
        all races.
        """

        def list_pending(connection: Connection) -> list[Event]:
            since_ms = 0 if also_old else repository.find_last_ms(connection) - _LATE_MS
            return results.list_pending(connection, since_ms)

        count = 0
        for event in await self._database.read(list_pending):
            try:
                await self._count_event(event)
            except _OvertakenError:
                break  # the other process counts on
            except IntegrityError:  # it is tried again, and keeps no other from being counted
                _log.exception("Can't count %s", event.key)
            else:
                count += 1
        return count

    async def revise(self) -> int:
        """Count events again whose results have changed since they were counted; how many.

        First those that were never counted, however old they are.
        """
        await self.count_decided(also_old=True)
        changed = await self._database.read(results.list_changed)
        await self._recount(changed)
        if changed:
            _log.info("Counted anew: %s", ", ".join(changed))
        return len(changed)

    async def compare(self) -> Differences:
        """Compute all ratings again and compare them with the stored ones, and stored results with the results."""
        changed = await self._database.read(results.list_changed)
        events, count, wrong = 0, 0, list[str]()
        for family in FAMILIES:
            log, stored, named = await self._database.read(partial(_read, family=family.id))
            computed = await self._replay(log)
            events, count = events + len(log), count + len(stored)
            wrong += [
                f"{family.id}/{player_id}"
                for player_id in sorted(stored.keys() | (computed.keys() & named))
                if stored.get(player_id) != computed.get(player_id)
            ]
        return Differences(events, count, changed, wrong)

    async def rebuild(self) -> None:
        """Count again what has changed, and store all ratings as they are computed from the results."""
        await self.revise()
        for family in FAMILIES:
            await self._store_anew(family.id, [])

    async def _count_event(self, event: Event) -> None:
        def read(connection: Connection) -> tuple[int, list[EventResult], dict[str, Rating]]:
            found = results.read_results(connection, event)
            before = repository.find_ratings(
                connection, event.family, [one.player_id for one in found]
            )
            return repository.find_head(connection), found, before

        head, found, before = await self._database.read(read)
        after = await self._compute(len(found), partial(model.rate, event.key, found, before))

        def write(connection: Connection) -> None:
            repository.add_event(connection, _next_number(connection, head), event)
            repository.set_results(connection, head + 1, found)
            repository.save_ratings(connection, event.family, after)

        try:
            await self._database.write(write)
        except IntegrityError:
            if await self._database.read(repository.find_head) == head:
                raise
            raise _OvertakenError from None

    async def _recount(self, keys: Sequence[str]) -> None:
        counted = await self._database.read(
            lambda connection: [repository.find_event(connection, key) for key in keys]
        )
        known = [one for one in counted if one]
        for family in sorted({one.event.family for one in known}):
            await self._store_anew(family, [one for one in known if one.event.family == family])

    async def _store_anew(self, family: str, changed: Sequence[Counted]) -> None:
        """Store the ratings of a family as they are computed, with the results of some events as they stand now."""
        for _ in range(_TRIES):
            with suppress(_OvertakenError):
                return await self._try_to_store_anew(family, changed)
        raise ConflictError(gettext("New results keep coming in. Try again later."))

    async def _try_to_store_anew(self, family: str, changed: Sequence[Counted]) -> None:

        def read(connection: Connection) -> tuple[int, list[Counted], dict[int, list[EventResult]]]:
            fresh = {one.number: results.read_results(connection, one.event) for one in changed}
            return repository.find_head(connection), repository.list_log(connection, family), fresh

        head, log, fresh = await self._database.read(read)
        log = [one._replace(results=fresh.get(one.number, one.results)) for one in log]
        computed = await self._replay(log)

        def write(connection: Connection) -> None:
            _next_number(connection, head)
            for number, found in fresh.items():
                repository.set_results(connection, number, found)
            repository.replace_ratings(connection, family, computed)

        await self._database.write(write)

    async def _replay(self, log: Sequence[Counted]) -> dict[str, Rating]:
        plain = [(one.event.key, one.results) for one in log]
        return await self._compute(
            sum(len(found) for _, found in plain), partial(model.replay, plain)
        )

    async def _compute(self, count: int, work: Callable[[], T]) -> T:
        """A race is rated at once; more work is done elsewhere, so that it does not block the event loop."""
        if count <= model.MOST_IN_GROUP:
            return work()
        if self._jobs is None:
            return await asyncio.to_thread(work)
        return await self._jobs.run(work, seconds=_COMPUTE_SECONDS)


def _next_number(connection: Connection, head: int) -> int:
    """The number after ``head``; raises ``_OvertakenError`` if that is not the last event any more."""
    repository.lock_event(connection, head)
    if repository.find_head(connection) != head:
        raise _OvertakenError
    return head + 1


def _read(connection: Connection, family: str) -> tuple[list[Counted], dict[str, Rating], set[str]]:
    log = repository.list_log(connection, family)
    ids = {one.player_id for counted in log for one in counted.results}
    return (
        log,
        repository.find_ratings(connection, family),
        repository.list_named(connection, ids),
    )
