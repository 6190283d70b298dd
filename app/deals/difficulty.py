"""The difficulty of deals, computed once for each and stored. One that self-play has not measured is recomputed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from cachetools import LRUCache

from app.db.engine import Database
from app.deals import proving, repository
from app.deals.first_deals import first_deals
from app.deals.model import fingerprint_of
from app.engine.cards import Card
from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code, deck_of_code, deck_of_seed, pack_deck
from app.jobs.queue import JobFailedError, current_origin
from app.jobs.scheduler import PeriodicTask
from app.jobs.service import Jobs
from app.logs import logger_of
from app.rulesets import RULESETS
from app.single_flight import KeyedTasks
from app.solver.difficulty import Difficulty

_SECONDS: Final = 60.0
_MOST_WAITING: Final = 20
_MOST_OF_NETWORK: Final = (
    4  # so that nobody who opens one address after another keeps everybody else waiting
)
_MOST_KNOWN: Final = 4096
_REGRADE_SECONDS: Final = 60.0
_MOST_REGRADED: Final = 20  # each time
_MOST_FAILED: Final = 1000

_log: Final = logger_of("deals")

_Key = tuple[str, int, bytes]
"""Rule set, revision, and the packed deck."""


class DifficultyService:
    """Answers at once with the stored difficulty, and has unknown ones computed in the background."""

    def __init__(self, database: Database, jobs: Jobs | None) -> None:
        """Without ``jobs``, only stored difficulties are known."""
        self._database = database
        self._jobs = jobs
        self._known: LRUCache[tuple[str, int, Code], Difficulty] = LRUCache(_MOST_KNOWN)
        self._running: KeyedTasks[_Key, None] = KeyedTasks()
        self._networks: dict[_Key, str] = {}  # for which network each is computed
        self._failed: LRUCache[_Key, None] = LRUCache(_MOST_FAILED)

    def tasks(self) -> list[PeriodicTask]:
        """The periodic task that grades the stock again after a change of the method; none without jobs."""
        if self._jobs is None:
            return []
        return [
            PeriodicTask(
                name="grade deals in stock anew",
                seconds=_REGRADE_SECONDS,
                run=self.regrade_stock,
                lease="deals/regrade",
                lease_ms=int((_MOST_REGRADED * _SECONDS + _REGRADE_SECONDS) * 1000),
            )
        ]

    async def of_deck(self, rules: Ruleset, deck: Sequence[Card]) -> Difficulty | None:
        """The difficulty of a deck, if it is known."""
        fingerprint = fingerprint_of(deck)
        found = await self._database.read(
            lambda connection: repository.grade(connection, fingerprint, rules)
        )
        if found and found.is_old:
            self._start(rules, deck)
        return found

    async def of_code(
        self, rules: Ruleset, code: Code, *, wanted: bool = True
    ) -> Difficulty | None:
        """The difficulty of an open deal, if it is known; else it is computed in the background if ``wanted``."""
        if first := first_deals(rules).get(code):
            return first
        key = (rules.id, rules.revision, code)
        known = self._known.get(key)
        if known is None:
            deck = deck_of_code(code, rules.decks)
            known = await self.of_deck(rules, deck)
            if known and not known.is_old:
                self._known[key] = known
            elif known is None and wanted:
                self._start(rules, deck)
        return known

    async def regrade_stock(self) -> None:
        """Compute again the difficulty of some deals in stock that an earlier release graded without self-play."""
        if self._jobs is None:
            return
        games = await self._database.read(repository.list_with_old_grades)
        left = _MOST_REGRADED
        for rules in (rules for rules in RULESETS if rules.id in games):
            # As many more as have failed, so that these never stand in the way of the others.
            most = left + len(self._failed)
            deals = await self._database.read(
                partial(repository.list_old_grades, rules=rules, most=most)
            )
            keys = [(rules.id, rules.revision, _pack(rules, deal)) for deal in deals]
            for key in [key for key in keys if key not in self._failed][:left]:
                left -= 1
                await self._compute(self._jobs, key)

    async def close(self) -> None:
        """Stop all computations."""
        await self._running.close()

    def _start(self, rules: Ruleset, deck: Sequence[Card]) -> None:
        # No one waits for it: if many are waiting, the next visit to the page is early enough.
        key = (rules.id, rules.revision, pack_deck(deck))
        network = current_origin.get().network
        is_free = (
            key not in self._failed
            and len(self._running) < _MOST_WAITING
            and [*self._networks.values()].count(network) < _MOST_OF_NETWORK
        )
        if self._jobs and key not in self._running and is_free:
            self._networks[key] = network
            task = self._running.start(key, partial(self._compute, self._jobs, key))
            task.add_done_callback(lambda _: self._networks.pop(key, None))

    async def _compute(self, jobs: Jobs, key: _Key) -> None:
        ruleset, revision, _ = key
        try:
            found = await jobs.run(
                partial(proving.grade_deal, *key), seconds=_SECONDS, owner="grades"
            )
            if found:
                await self._database.write(
                    lambda connection: repository.keep_grade(connection, found)
                )
            else:
                self._failed[key] = None
                _log.warning("A deal of %s %d could not be graded in time", ruleset, revision)
        except JobFailedError as error:
            if error.failure is not None:  # else the server stops
                self._failed[key] = None
                _log.warning("A deal of %s %d could not be graded: %s", ruleset, revision, error)
        except Exception:  # noqa: BLE001 - it runs in the background
            _log.exception("Could not compute the difficulty of a deal of %s %d", ruleset, revision)


def _pack(rules: Ruleset, deal: str | bytes) -> bytes:
    """The packed deck of a deal in stock, which has a code or a seed."""
    if isinstance(deal, bytes):
        return pack_deck(deck_of_seed(deal, rules.decks))
    return pack_deck(deck_of_code(Code(deal), rules.decks))
