"""Closing a day: verifies every run, then publishes seeds, decks and runs.

Any process may do it, but only one at a time: the one that holds the lease. Verifications are
stored batch by batch, so that another process can continue after a crash.
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
from app.daily import published_record, repository
from app.daily.model import Deal, Verdict, settled_ms
from app.daily.verification import Run, Verification, verify_runs
from app.db import leases
from app.db.engine import Database
from app.errors import ConflictError, DealNotFoundError
from app.http.formats import iso_time, long_date
from app.jobs.service import Jobs

_LEASE_MS: Final = 60_000
_RUNS_AT_ONCE: Final = 50
_VERIFY_SECONDS: Final = 60.0  # for the runs of one batch

VerifyRuns = Callable[[Sequence[Run]], Awaitable[list[Verification]]]
"""Verifies runs, preferably in another process, where it does not block the event loop."""

T = TypeVar("T")

_log = logging.getLogger("fairdeal.daily")


def verify_in_worker(jobs: Jobs) -> VerifyRuns:
    """Verify runs in a worker process, with a time limit."""

    async def verify(runs: Sequence[Run]) -> list[Verification]:
        return await jobs.run(partial(verify_runs, runs), seconds=_VERIFY_SECONDS)

    return verify


async def verify_in_thread(runs: Sequence[Run]) -> list[Verification]:
    """Verify runs in a thread."""
    return await asyncio.to_thread(verify_runs, runs)


@dataclass(slots=True)
class ClosingReport:
    """What was done to close a day. Deals that were already closed are not counted."""

    day: date
    deals: int = 0
    runs: int = 0
    removed: int = 0


class ClosingInProgressError(ConflictError):
    """Another process is closing this day."""

    title = "Already in progress"


class _LeaseLostError(Exception):
    """The lease of this process ran out and another process has taken over."""


class DayClosing:
    """Closes days."""

    def __init__(
        self, database: Database, clock: Callable[[], int], verify: VerifyRuns = verify_in_thread
    ) -> None:
        self._database = database
        self._clock = clock
        self._verify = verify
        self._holder = secrets.token_hex(8)

    async def list_due_days(self) -> list[date]:
        """The days that can be closed now, oldest first."""
        days = await self._database.read(
            lambda connection: repository.list_unclosed_days(connection, day_of(self._clock()))
        )
        return [day for day in days if settled_ms(day) <= self._clock()]

    async def close(self, day: date) -> ClosingReport:
        """Close a day, or do nothing if it is closed.

        Raises ``ConflictError`` before the day has ended and ``ClosingInProgressError`` while another
        process is closing it.
        """
        if self._clock() < settled_ms(day):
            at = iso_time(settled_ms(day))
            raise ConflictError(f"{long_date(day)} cannot be closed before {at}.")
        deals, unclosed = await self._database.read(
            lambda connection: (
                repository.list_deals(connection, day, day),
                repository.list_unclosed_days(connection, day),
            )
        )
        if not deals:
            raise DealNotFoundError(f"There are no deals for {long_date(day)}.")
        if unclosed:  # each record is chained to the one of the previous day
            raise ConflictError(f"Close {long_date(unclosed[0])} first.")
        report = ClosingReport(day)
        open_deals = [deal for deal in deals if not deal.is_closed]
        if not open_deals:
            return report
        try:
            await self._write(day, lambda _connection: None)
            for deal in open_deals:
                await self._close(deal, report)
        except _LeaseLostError:
            raise ClosingInProgressError(
                f"Another process is already closing {long_date(day)}."
            ) from None
        await self._database.write(
            lambda connection: leases.release(connection, _lease(day), self._holder)
        )
        _log.info("%s is closed: %d runs, %d removed", day, report.runs, report.removed)
        return report

    async def _close(self, deal: Deal, report: ClosingReport) -> None:
        while batch := await self._database.read(
            lambda connection: published_record.list_unverified_runs(
                connection, deal, _RUNS_AT_ONCE
            )
        ):
            verifications = await self._verify(batch)
            await self._write(deal.day, partial(_store, verifications))
            report.runs += len(verifications)
            report.removed += sum(each.verdict is Verdict.REMOVED for each in verifications)
        record_hash = await self._database.read(partial(published_record.compute_record, deal=deal))
        at_ms = self._clock()
        report.deals += await self._write(
            deal.day, partial(repository.close_deal, deal=deal, at_ms=at_ms, record=record_hash)
        )

    async def _write(self, day: date, work: Callable[[Connection], T]) -> T:
        """Run a transaction that also renews the lease; raises if another process holds it."""
        now = self._clock()

        def write(connection: Connection) -> T:
            if not leases.acquire(connection, _lease(day), self._holder, now, now + _LEASE_MS):
                raise _LeaseLostError
            return work(connection)

        return await self._database.write(write)


def _store(verifications: Sequence[Verification], connection: Connection) -> None:
    for verification in verifications:
        published_record.store_verification(connection, verification)


def _lease(day: date) -> str:
    return f"daily/close/{day.isoformat()}"
