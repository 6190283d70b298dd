"""The difficulty of deals, computed once for each and stored."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Final

from cachetools import LRUCache

from app.db.engine import Database
from app.deals import proving, repository
from app.engine.cards import Card
from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code, deck_of_code
from app.jobs.queue import JobFailedError
from app.jobs.service import Jobs
from app.solver.difficulty import Difficulty

_SECONDS: Final = 60.0
_MOST_WAITING: Final = 20
_MOST_KNOWN: Final = 4096

_log = logging.getLogger("fairdeal.deals")


class DifficultyService:
    """Answers at once with the stored difficulty, and has unknown ones computed in the background."""

    def __init__(self, database: Database, jobs: Jobs | None) -> None:
        """Without ``jobs``, only stored difficulties are known."""
        self._database = database
        self._jobs = jobs
        self._known: LRUCache[tuple[str, int, Code], Difficulty] = LRUCache(_MOST_KNOWN)
        self._running: dict[tuple[str, int, Code], asyncio.Task[None]] = {}

    async def of_deck(self, rules: Ruleset, deck: Sequence[Card]) -> Difficulty | None:
        """The difficulty of a deck, if it is known."""
        fingerprint = repository.fingerprint_of(deck)
        return await self._database.read(
            lambda connection: repository.grade(connection, fingerprint, rules)
        )

    async def of_code(
        self, rules: Ruleset, code: Code, *, wanted: bool = True
    ) -> Difficulty | None:
        """The difficulty of an open deal, if it is known; else it is computed in the background if ``wanted``."""
        key = (rules.id, rules.revision, code)
        known = self._known.get(key)
        if known is None:
            known = await self.of_deck(rules, deck_of_code(code, rules.decks))
            if known:
                self._known[key] = known
            elif wanted:
                self._start(key)
        return known

    async def close(self) -> None:
        """Stop all computations."""
        for task in self._running.values():
            task.cancel()
        await asyncio.gather(*self._running.values(), return_exceptions=True)

    def _start(self, key: tuple[str, int, Code]) -> None:
        # No one waits for it: if many are waiting, the next visit to the page is early enough.
        if self._jobs and key not in self._running and len(self._running) < _MOST_WAITING:
            self._running[key] = asyncio.create_task(self._compute(self._jobs, key))

    async def _compute(self, jobs: Jobs, key: tuple[str, int, Code]) -> None:
        ruleset, revision, code = key
        try:
            with suppress(JobFailedError):
                found = await jobs.run(
                    partial(proving.grade_deal, ruleset, revision, code),
                    seconds=_SECONDS,
                    owner="grades",
                )
                await self._database.write(
                    lambda connection: repository.keep_grade(connection, found)
                )
        except Exception:  # noqa: BLE001 - it runs in the background
            _log.exception("Could not compute the difficulty of %s %s", ruleset, code)
        finally:
            del self._running[key]
