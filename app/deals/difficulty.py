"""How hard deals are, worked out once for each and kept."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Final

from app.db.engine import Database
from app.deals import proving, repository
from app.engine.cards import Card
from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code, deck_of_code
from app.jobs.job import JobFailedError
from app.jobs.service import Jobs
from app.solver.difficulty import Difficulty

_SECONDS: Final = 60.0
_MOST_WAITING: Final = 20
_MOST_KNOWN: Final = 4096

_log = logging.getLogger("fairdeal.pool")


class DifficultyService:
    """Answers at once with what is known."""

    def __init__(self, database: Database, jobs: Jobs | None) -> None:
        """Without ``jobs`` nothing new is found out."""
        self._database = database
        self._jobs = jobs
        self._known: dict[tuple[str, int, Code], Difficulty] = {}
        self._at_work: dict[tuple[str, int, Code], asyncio.Task[None]] = {}

    async def of_deck(self, rules: Ruleset, deck: Sequence[Card]) -> Difficulty | None:
        """How hard a deck is in a game, if that is known."""
        fingerprint = repository.fingerprint_of(deck)
        return await self._database.read(
            lambda connection: repository.grade(connection, fingerprint, rules)
        )

    async def of_code(
        self, rules: Ruleset, code: Code, *, wanted: bool = True
    ) -> Difficulty | None:
        """How hard an open deal is; while that is not known it is being found out, if it is ``wanted``."""
        key = (rules.id, rules.revision, code)
        if key not in self._known:
            found = await self.of_deck(rules, deck_of_code(code, rules.decks))
            if found is None:
                if wanted:
                    self._find_out(key)
                return None
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[key] = found
        return self._known[key]

    async def close(self) -> None:
        """Find out nothing more."""
        for task in self._at_work.values():
            task.cancel()
        await asyncio.gather(*self._at_work.values(), return_exceptions=True)

    def _find_out(self, key: tuple[str, int, Code]) -> None:
        # Nobody waits for it, so with many to find out the next look at the page is early enough.
        if self._jobs and key not in self._at_work and len(self._at_work) < _MOST_WAITING:
            self._at_work[key] = asyncio.create_task(self._work_out(self._jobs, key))

    async def _work_out(self, jobs: Jobs, key: tuple[str, int, Code]) -> None:
        ruleset, revision, code = key
        try:
            with suppress(JobFailedError):
                found = await jobs.run(
                    partial(proving.graded, ruleset, revision, code),
                    seconds=_SECONDS,
                    owner="grades",
                )
                await self._database.write(
                    lambda connection: repository.keep_grade(connection, found)
                )
        except Exception:  # noqa: BLE001 - nobody waits for it who could be told
            _log.exception("How hard %s %s is could not be found out", ruleset, code)
        finally:
            del self._at_work[key]
