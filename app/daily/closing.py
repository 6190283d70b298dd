"""Closing a day: every run is replayed and compared, then seeds, decks and runs are published.

Any process may try, one does the work at a time, and whoever comes after a process that was
killed goes on where it stopped: each run's finding is kept as soon as it is known.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Final, TypeVar

from sqlalchemy import Connection

from app.clock import day_of
from app.daily import record, repository
from app.daily.days import settled_ms
from app.daily.model import Deal, Verdict
from app.daily.verification import Run, Verification, check
from app.db import leases
from app.db.engine import Database
from app.errors import ConflictError, DealNotFoundError
from app.http.formats import iso_time, long_date
from app.jobs.service import Jobs

_LEASE_MS: Final = 60_000
_RUNS_AT_ONCE: Final = 50
_REPLAY_SECONDS: Final = 60.0  # for the runs of one batch

Replay = Callable[[Sequence[Run]], Awaitable[list[Verification]]]
"""Has runs replayed, best in another process: there it does not slow the players down."""

T = TypeVar("T")

_log = logging.getLogger("fairdeal.daily")


def in_a_worker(jobs: Jobs) -> Replay:
    """Replays in a worker process, which has a time limit."""

    async def replay(runs: Sequence[Run]) -> list[Verification]:
        return await jobs.run(partial(check, runs), seconds=_REPLAY_SECONDS)

    return replay


async def replay_in_a_thread(runs: Sequence[Run]) -> list[Verification]:
    """The same without other processes."""
    return await asyncio.to_thread(check, runs)


@dataclass(slots=True)
class ClosingReport:
    """What closing a day did. Deals closed before are not counted."""

    day: date
    deals: int = 0
    runs: int = 0
    removed: int = 0


class ClosingInProgressError(ConflictError):
    """Another process is closing this day."""

    title = "Somebody else is at it"


class _LeaseLostError(Exception):
    """Our lease ran out and somebody else has taken over."""


class DayClosing:
    """The job."""

    def __init__(
        self, database: Database, clock: Callable[[], int], replay: Replay = replay_in_a_thread
    ) -> None:
        self._database = database
        self._clock = clock
        self._replay = replay
        self._holder = secrets.token_hex(8)

    async def due(self) -> list[date]:
        """The days that can be closed and are not."""
        days = await self._database.read(
            lambda connection: repository.unclosed_days(connection, day_of(self._clock()))
        )
        return [day for day in days if settled_ms(day) <= self._clock()]

    async def close(self, day: date) -> ClosingReport:
        """Close a day, or do nothing when it is closed.

        Raises ``ConflictError`` before its time and ``AtWorkError`` while another process is closing it.
        """
        if self._clock() < settled_ms(day):
            at = iso_time(settled_ms(day))
            raise ConflictError(f"{long_date(day)} cannot be closed before {at}.")
        dealt, unclosed = await self._database.read(
            lambda connection: (
                repository.deals_between(connection, day, day),
                repository.unclosed_days(connection, day),
            )
        )
        if not dealt:
            raise DealNotFoundError(f"There are no deals of {long_date(day)}.")
        if unclosed:  # each record carries on from the day before
            raise ConflictError(f"{long_date(unclosed[0])} has to be closed first.")
        report = ClosingReport(day)
        open_deals = [deal for deal in dealt if not deal.is_closed]
        if not open_deals:
            return report
        try:
            await self._write(day, lambda _connection: None)
            for deal in open_deals:
                await self._close(deal, report)
        except _LeaseLostError:
            raise ClosingInProgressError(
                f"Another process is closing {long_date(day)} now."
            ) from None
        await self._database.write(
            lambda connection: leases.release(connection, _lease(day), self._holder)
        )
        _log.info("%s is closed: %d runs, %d removed", day, report.runs, report.removed)
        return report

    async def _close(self, deal: Deal, report: ClosingReport) -> None:
        while batch := await self._database.read(
            lambda connection: record.unchecked(connection, deal, _RUNS_AT_ONCE)
        ):
            verifications = await self._replay(batch)
            await self._write(deal.day, _storing(verifications))
            report.runs += len(verifications)
            report.removed += sum(found.verdict is Verdict.REMOVED for found in verifications)
        day_record = await self._database.read(
            lambda connection: record.compute_record(connection, deal)
        )
        at_ms = self._clock()
        report.deals += await self._write(
            deal.day, lambda connection: repository.close_deal(connection, deal, at_ms, day_record)
        )

    async def _write(self, day: date, work: Callable[[Connection], T]) -> T:
        """Write only as the one who holds the lease, and hold it on."""
        now = self._clock()

        def fenced(connection: Connection) -> T:
            if not leases.acquire(connection, _lease(day), self._holder, now, now + _LEASE_MS):
                raise _LeaseLostError
            return work(connection)

        return await self._database.write(fenced)


def _storing(verifications: Sequence[Verification]) -> Callable[[Connection], None]:
    def note_all(connection: Connection) -> None:
        for verification_of_run in verifications:
            record.note(connection, verification_of_run)

    return note_all


def _lease(day: date) -> str:
    return f"daily/close/{day.isoformat()}"
