"""Reviews the attempts of closed days in the background, so that results can tell luck from skill.

One process at a time, by a lease. Each review is stored with what it says of the attempt in one transaction, so after a
crash the next process goes on where the last one ended. What players ask for has workers of its own. While a day waits
to be closed, its verification goes first.
"""

from __future__ import annotations

import asyncio
from datetime import timedelta
from functools import partial
from typing import Final

from sqlalchemy import Connection

from app.analysis import judgement_repository, repository
from app.analysis.closed_attempts import NothingLeft, load_attempt
from app.analysis.judged_view import own_moves
from app.analysis.judgement_repository import Figures, Unjudged
from app.analysis.model import FullReview
from app.analysis.repository import JUDGED_REVIEW, Subject
from app.analysis.service import review_search
from app.analysis.tasks import REVIEW_SECONDS
from app.clock import MINUTE_MS, Clock, day_of
from app.db.engine import Database
from app.db.leases import Lease, new_holder
from app.games.event_log import EventLog
from app.games.model import Game
from app.jobs.queue import JobFailedError
from app.jobs.scheduler import PeriodicTask
from app.jobs.service import Jobs
from app.logs import logger_of

DAYS: Final = timedelta(days=7)
"""Attempts of older days are judged only if a player asks for a review."""

_PERIOD_SECONDS: Final = 60.0
_AT_ONCE: Final = 100  # to find the next ones, all attempts of these days are ranked
_ANSWERED_AT_ONCE: Final = 200
_LEASE: Final = "analysis/days"
_LEASE_MS: Final = 10 * MINUTE_MS  # longer than a review; renewed before each

_log: Final = logger_of("analysis")


class DayReviews:
    """Reviews attempts of closed days; safe to run at any time and in several processes."""

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
        self._lease = Lease(database, _LEASE, clock, _LEASE_MS, new_holder())

    def tasks(self) -> list[PeriodicTask]:
        """The periodic task; none where long computations are turned off."""
        if not self._is_on:
            return []
        return [PeriodicTask(name="review closed days", seconds=_PERIOD_SECONDS, run=self.run)]

    async def run(self) -> int:
        """Review what is to be reviewed now, unless another process is doing it; how many attempts."""
        if not await self._lease.hold():
            return 0
        count = 0
        try:
            await self._note_answered()
            while unjudged := await self._next():
                for attempt in unjudged:
                    if not (await self._is_free() and await self._lease.hold()):
                        return count
                    if not await self._judge(attempt):
                        return count
                    count += 1
            return count
        finally:
            await self._lease.release()

    async def _next(self) -> list[Unjudged]:
        first = day_of(self._clock()) - DAYS
        deals = await self._database.read(
            partial(judgement_repository.find_closed_deals, first=first)
        )
        if self._nothing_left.is_known(deals):
            return []
        unjudged = await self._database.read(
            partial(judgement_repository.list_unjudged, first=first, limit=_AT_ONCE)
        )
        if not unjudged:
            self._nothing_left.note(deals)
        return unjudged

    async def _is_free(self) -> bool:
        today = day_of(self._clock())
        is_waiting = partial(judgement_repository.is_day_waiting, today=today)
        return not await self._database.read(is_waiting)

    async def _judge(self, attempt: Unjudged) -> bool:
        """Review an attempt and store it; false when the server stops."""
        text: str | None = None
        version = attempt.actions
        game = await load_attempt(self._log, attempt.game_id)
        if game:
            version = game.version
            search = await asyncio.to_thread(review_search, game)
            try:
                text = await self._jobs.run(search, seconds=REVIEW_SECONDS)
            except JobFailedError as error:
                if error.failure is None:
                    return False
                _log.warning("The attempt %s could not be reviewed", attempt.game_id)
        subject, now = Subject(attempt.game_id, JUDGED_REVIEW, version), self._clock()

        def store(connection: Connection) -> None:
            review = text
            if text is not None:
                repository.add_question(connection, subject, now)
                known = repository.find_question(connection, subject)
                review = (known.answer if known else None) or text
                repository.save_answer(connection, subject, review)
            judgement_repository.note(connection, attempt.game_id, _figures(game, review), now)

        await self._database.write(store)
        return True

    async def _note_answered(self) -> None:
        """Note the reviews that players have asked for."""
        answered = await self._database.read(
            partial(judgement_repository.list_answered, limit=_ANSWERED_AT_ONCE)
        )
        if not answered:
            return
        found = [
            (game_id, _figures(await load_attempt(self._log, game_id), answer))
            for game_id, answer in answered
        ]
        now = self._clock()

        def store(connection: Connection) -> None:
            for game_id, figures in found:
                judgement_repository.note(connection, game_id, figures, now)

        await self._database.write(store)


def _figures(game: Game | None, answer: str | None) -> Figures:
    """The figures that the page of a review shows, too."""
    judged = FullReview.parse(answer).judged if answer else None
    if not (game and judged):
        return Figures()
    return Figures(own_moves(game, judged, hinted=()).measured_accuracy, judged.luck)
