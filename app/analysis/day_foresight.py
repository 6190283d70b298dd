"""Measures the foresight of the best attempts of closed days in the background: see `app.solver.foresight`.

One attempt at a time, by the process that holds the lease. An attempt without a row is the next to do, and a failed
one gets a row without figures. While a day waits to be closed, its verification goes first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Final

from app.analysis import foresights
from app.analysis.closed_attempts import NothingLeft, load_attempt
from app.analysis.judgement_repository import find_closed_deals, is_day_waiting
from app.analysis.judging import turns_of
from app.analysis.model import replay_steps
from app.analysis.tasks import FORESIGHT_SECONDS, find_foresight
from app.clock import Clock, day_of
from app.db.engine import Database
from app.games.event_log import EventLog
from app.games.model import Game
from app.jobs.queue import JobFailedError
from app.jobs.scheduler import PeriodicTask
from app.jobs.service import Jobs
from app.logs import logger_of
from app.solver.foresight import Foresight

DAYS: Final = timedelta(days=7)
"""Attempts of older days are not measured any more."""

_PERIOD_SECONDS: Final = 20.0
_LEASE_MS: Final = int(
    1000 * (2 * FORESIGHT_SECONDS + _PERIOD_SECONDS)
)  # longer than an attempt takes

_log: Final = logger_of("analysis")


class DayForesight:
    """Measures attempts of closed days, one each time that it runs."""

    def __init__(
        self,
        database: Database,
        log: EventLog,
        jobs: Jobs,
        clock: Clock,
        *,
        is_on: bool = True,
    ) -> None:
        self._database = database
        self._log = log
        self._jobs = jobs
        self._clock = clock
        self._is_on = is_on
        self._nothing_left = NothingLeft(clock)

    def tasks(self) -> list[PeriodicTask]:
        """The periodic task; none where long computations are turned off."""
        if not self._is_on:
            return []
        return [
            PeriodicTask(
                name="measure foresight",
                seconds=_PERIOD_SECONDS,
                run=self.run,
                lease="analysis/foresight",
                lease_ms=_LEASE_MS,
            )
        ]

    async def run(self) -> bool:
        """Measure the next attempt; whether there was one."""
        today = day_of(self._clock())
        if await self._database.read(partial(is_day_waiting, today=today)):
            return False
        first = today - DAYS
        deals = await self._database.read(partial(find_closed_deals, first=first))
        if self._nothing_left.is_known(deals):
            return False
        game_id = await self._database.read(partial(foresights.find_unmeasured, first=first))
        if game_id is None:
            self._nothing_left.note(deals)
            return False
        found: Foresight | None = None
        if game := await load_attempt(self._log, game_id):
            search = await asyncio.to_thread(foresight_search, game)
            try:
                found = Foresight.parse(await self._jobs.run(search, seconds=FORESIGHT_SECONDS))
            except JobFailedError as error:
                if error.failure is None:  # the server stops
                    return False
                _log.warning("The foresight of attempt %s could not be measured", game_id)
        note = partial(foresights.note, game_id=game_id, found=found, at_ms=self._clock())
        await self._database.write(note)
        return True


def foresight_search(game: Game) -> Callable[[], str]:
    """The measurement of an ended game, for a worker process."""
    steps = replay_steps(game.logged_actions())
    line = " ".join(map(str, game.history.actions()))
    return partial(find_foresight, game.rules.id, game.rules.revision, turns_of(game, steps), line)
