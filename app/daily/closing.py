"""Closing a day: every run is replayed and compared, then seeds, decks and runs are published.

Any process may try, one does the work at a time, and whoever comes after a process that was
killed goes on where it stopped: each run's finding is kept as soon as it is known.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Final

from sqlalchemy import Connection

from app.clock import day_of
from app.daily import deals, runs
from app.daily.days import settled_ms
from app.daily.deals import Deal
from app.daily.ranking import Verdict
from app.daily.replay import Finding, Run, check
from app.db import leases
from app.db.engine import Database
from app.errors import ConflictError, DealNotFoundError
from app.http.formats import iso_time, long_date
from app.jobs.service import Jobs

_LEASE_MS: Final = 60_000
_RUNS_AT_ONCE: Final = 50
_REPLAY_SECONDS: Final = 60.0  # for the runs of one batch
NO_RECORD: Final = "0" * 64
"""What stands for the day before the first."""

Replay = Callable[[Sequence[Run]], Awaitable[list[Finding]]]
"""Has runs replayed, best in another process: there it does not slow the players down."""

_log = logging.getLogger("fairdeal.daily")


def in_a_worker(jobs: Jobs) -> Replay:
    """Replays in a worker process, which has a time limit."""

    async def replay(runs: Sequence[Run]) -> list[Finding]:
        return await jobs.run(partial(check, runs), seconds=_REPLAY_SECONDS)

    return replay


async def replay_in_a_thread(runs: Sequence[Run]) -> list[Finding]:
    """The same without other processes."""
    return await asyncio.to_thread(check, runs)


@dataclass(slots=True)
class Report:
    """What closing a day did. Deals closed before are not counted."""

    day: date
    deals: int = 0
    runs: int = 0
    removed: int = 0


class AtWorkError(ConflictError):
    """Another process is closing this day."""

    title = "Somebody else is at it"


class _OustedError(Exception):
    """Our lease ran out and somebody else has taken over."""


class Closing:
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
            lambda connection: deals.unclosed_days(connection, day_of(self._clock()))
        )
        return [day for day in days if settled_ms(day) <= self._clock()]

    async def close(self, day: date) -> Report:
        """Close a day, or do nothing when it is closed.

        Raises ``ConflictError`` before its time and ``AtWorkError`` while another process is closing it.
        """
        if self._clock() < settled_ms(day):
            at = iso_time(settled_ms(day))
            raise ConflictError(f"{long_date(day)} cannot be closed before {at}.")
        dealt, unclosed = await self._database.read(
            lambda connection: (
                deals.deals_between(connection, day, day),
                deals.unclosed_days(connection, day),
            )
        )
        if not dealt:
            raise DealNotFoundError(f"There are no deals of {long_date(day)}.")
        if unclosed:  # each record carries on from the day before
            raise ConflictError(f"{long_date(unclosed[0])} has to be closed first.")
        report = Report(day)
        open_deals = [deal for deal in dealt if not deal.is_closed]
        if not open_deals:
            return report
        try:
            await self._write(day, lambda _connection: None)
            for deal in open_deals:
                await self._close(deal, report)
        except _OustedError:
            raise AtWorkError(f"Another process is closing {long_date(day)} now.") from None
        await self._database.write(
            lambda connection: leases.release(connection, _lease(day), self._holder)
        )
        _log.info("%s is closed: %d runs, %d removed", day, report.runs, report.removed)
        return report

    async def _close(self, deal: Deal, report: Report) -> None:
        while batch := await self._database.read(
            lambda connection: runs.unchecked(connection, deal, _RUNS_AT_ONCE)
        ):
            findings = await self._replay(batch)
            await self._write(deal.day, _noting(findings))
            report.runs += len(findings)
            report.removed += sum(found.verdict is Verdict.REMOVED for found in findings)
        record = await self._database.read(lambda connection: _record(connection, deal))
        at_ms = self._clock()
        await self._write(
            deal.day, lambda connection: deals.close_deal(connection, deal, at_ms, record)
        )
        report.deals += 1

    async def _write(self, day: date, work: Callable[[Connection], None]) -> None:
        """Write only as the one who holds the lease, and hold it on."""
        now = self._clock()

        def fenced(connection: Connection) -> None:
            if not leases.acquire(connection, _lease(day), self._holder, now, now + _LEASE_MS):
                raise _OustedError
            work(connection)

        await self._database.write(fenced)


def record_of(deal: Deal, previous: str | None, digests: Iterable[str]) -> str:
    """One hash over everything of a day: changing any run, or any day before, gives another one.

    SHA-256 of lines in ASCII, each ended by a line feed: ``fairdeal/daily/record/1``, game, day, commitment, the
    record of the day before that was closed (zeros for the first), then the digests of all runs, sorted.
    """
    whole = hashlib.sha256()
    head = ("fairdeal/daily/record/1", deal.ruleset, deal.day.isoformat(), deal.commitment)
    for line in (*head, previous or NO_RECORD, *digests):
        whole.update(f"{line}\n".encode("ascii"))
    return whole.hexdigest()


def _record(connection: Connection, deal: Deal) -> str:
    previous = deals.previous_record(connection, deal)
    return record_of(deal, previous, runs.digests(connection, deal))


def _noting(findings: Sequence[Finding]) -> Callable[[Connection], None]:
    def note_all(connection: Connection) -> None:
        for finding in findings:
            runs.note(connection, finding)

    return note_all


def _lease(day: date) -> str:
    return f"daily/close/{day.isoformat()}"
