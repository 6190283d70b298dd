"""Closing a day: verifies every attempt, then publishes seeds, decks and attempts.

Any process may do it, but only one at a time: the one that holds the lease. Attempts are verified in portions of
bounded length, and each portion is stored, so that another process can continue after a crash. If a portion cannot be
verified in time, its attempts are verified one by one, and one that still cannot be is set aside: it keeps no day open.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Final

from sqlalchemy import Connection

from app.clock import Clock, day_of
from app.daily import attempt_logs, published_record, repository
from app.daily.attempt_logs import SET_ASIDE, UNVERIFIED, GameLength
from app.daily.model import DailyDeal, settled_ms
from app.daily.setting_aside import SetAside
from app.daily.verification import AttemptToVerify, Verification, verify_attempts
from app.db.engine import Database
from app.db.leases import Lease, LeaseLostError, new_holder
from app.errors import ConflictError, DealNotFoundError
from app.games.attempt_reasons import NOT_REPLAYED, TOO_LONG
from app.games.attempt_verdicts import AttemptVerdict
from app.i18n.formats import iso_time, long_date
from app.jobs.queue import JobFailedError
from app.jobs.service import Jobs
from app.logs import logger_of
from app.text import gettext

MOST_ACTIONS: Final = 200_000
"""A server sets longer attempts aside without a replay. They are longer than a portion, and than new games can be."""

_LEASE_MS: Final = (
    180_000  # longer than a portion takes, or two processes could take it from each other forever
)
_ATTEMPTS_AT_ONCE: Final = 200
_ACTIONS_AT_ONCE: Final = 20_000  # a second or two of work
_SET_ASIDE_AT_ONCE: Final = 1_000
_VERIFY_SECONDS: Final = 60.0  # for the attempts of one portion

VerifyAttempts = Callable[[Sequence[AttemptToVerify]], Awaitable[list[Verification]]]
"""Verifies attempts, preferably in another process, where it does not block the event loop."""

_log: Final = logger_of("daily")


def verify_in_worker(jobs: Jobs) -> VerifyAttempts:
    """Verify attempts in a worker process, with a time limit."""

    async def verify(attempts: Sequence[AttemptToVerify]) -> list[Verification]:
        return await jobs.run(partial(verify_attempts, attempts), seconds=_VERIFY_SECONDS)

    return verify


async def verify_in_thread(attempts: Sequence[AttemptToVerify]) -> list[Verification]:
    """Verify attempts in a thread."""
    return await asyncio.to_thread(verify_attempts, attempts)


@dataclass(slots=True)
class ClosingReport:
    """What was done to close a day. Deals that were already closed are not counted.

    ``attempts`` were judged, ``removed`` of them with a bad result, and others set aside.
    """

    day: date
    deals: int = 0
    attempts: int = 0
    removed: int = 0
    set_aside: int = 0


class ClosingInProgressError(ConflictError):
    """Another process is closing this day."""

    title = gettext("Already in progress")


class DayClosing:
    """Closes days."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        verify: VerifyAttempts = verify_in_thread,
        most_actions: int | None = None,
    ) -> None:
        """Without ``most_actions``, attempts of any length are verified."""
        self._database = database
        self._clock = clock
        self._verify = verify
        self._most_actions = most_actions
        self._holder = new_holder()

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
            raise ConflictError(
                gettext("%(day)s can't be closed before %(at)s.", day=long_date(day), at=at)
            )
        deals, unclosed = await self._database.read(
            lambda connection: (
                repository.list_deals(connection, day, day),
                repository.list_unclosed_days(connection, day),
            )
        )
        if not deals:
            raise DealNotFoundError(gettext("There are no deals for %(day)s.", day=long_date(day)))
        if unclosed:  # each record is chained to the one of the previous day
            raise ConflictError(
                gettext("Close %(unclosed)s first.", unclosed=long_date(unclosed[0]))
            )
        report = ClosingReport(day)
        open_deals = [deal for deal in deals if not deal.is_closed]
        if not open_deals:
            return report
        lease = self._lease(day)
        try:
            await lease.write(lambda _connection: None)
            for deal in open_deals:
                await self._close(deal, report)
        except LeaseLostError:
            raise ClosingInProgressError(
                gettext("Another process is already closing %(day)s.", day=long_date(day))
            ) from None
        except Exception:
            await lease.release()  # so that it can be tried again at once
            raise
        await lease.release()
        _log.info("%s is closed: %d attempts, %d removed", day, report.attempts, report.removed)
        if report.set_aside:
            _log.warning(
                "%s: %d attempts were set aside; 'fairdeal daily close %s' judges them",
                *(day, report.set_aside, day),
            )
        return report

    async def judge_set_aside(self, day: date) -> ClosingReport:
        """Verify the attempts of a closed day that were set aside. The record of the day stays the same."""
        report = ClosingReport(day)
        for deal in await self._database.read(partial(_list_deals, day=day)):
            while lengths := await self._database.read(partial(_list_set_aside, deal=deal)):
                for length in lengths:
                    verifications = await self._verify(await self._read([length], deal))
                    await self._database.write(partial(_store, verifications))
                    _count(report, verifications)
        return report

    async def _close(self, deal: DailyDeal, report: ClosingReport) -> None:
        while lengths := await self._database.read(partial(_list_unverified, deal=deal)):
            portion = attempt_logs.take_portion(lengths, _ACTIONS_AT_ONCE)
            await self._verify_portion(deal, portion, report)
        record_hash = await self._database.read(partial(published_record.compute_record, deal=deal))
        at_ms = self._clock()
        report.deals += await self._lease(deal.day).write(
            partial(repository.close_deal, deal=deal, at_ms=at_ms, record=record_hash)
        )

    async def _verify_portion(
        self, deal: DailyDeal, portion: Sequence[GameLength], report: ClosingReport
    ) -> None:
        if self._most_actions is not None and portion[0].actions > self._most_actions:
            await self._set_aside(deal, portion[0], TOO_LONG, report)
            return
        try:
            verifications = await self._verify(await self._read(portion, deal))
        except JobFailedError as error:
            if error.failure is None:  # the server stops
                raise
            if len(portion) == 1:
                await self._set_aside(deal, portion[0], NOT_REPLAYED, report)
                return
            for length in portion:
                await self._verify_portion(deal, [length], report)
            return
        await self._lease(deal.day).write(partial(_store, verifications))
        _count(report, verifications)

    async def _set_aside(
        self, deal: DailyDeal, length: GameLength, reason: str, report: ClosingReport
    ) -> None:
        [recorded] = await self._database.read(
            partial(attempt_logs.read_attempts, game_ids=[length.game_id], with_events=False)
        )
        found = SetAside(recorded.attempt)
        await found.read(self._database, deal)
        await self._lease(deal.day).write(partial(found.store, reason=reason))
        report.set_aside += 1

    async def _read(self, portion: Sequence[GameLength], deal: DailyDeal) -> list[AttemptToVerify]:
        return await self._database.read(
            partial(attempt_logs.read_attempts_to_verify, deal=deal, portion=portion)
        )

    def _lease(self, day: date) -> Lease:
        name = f"daily/close/{day.isoformat()}"
        return Lease(self._database, name, self._clock, _LEASE_MS, self._holder)


def _store(verifications: Sequence[Verification], connection: Connection) -> None:
    for verification in verifications:
        published_record.store_verification(connection, verification)


def _count(report: ClosingReport, verifications: Sequence[Verification]) -> None:
    report.attempts += len(verifications)
    report.removed += sum(each.verdict is AttemptVerdict.REMOVED for each in verifications)


def _list_deals(connection: Connection, day: date) -> list[DailyDeal]:
    return repository.list_deals(connection, day, day)


def _list_unverified(connection: Connection, deal: DailyDeal) -> list[GameLength]:
    return attempt_logs.list_lengths(connection, deal, UNVERIFIED, limit=_ATTEMPTS_AT_ONCE)


def _list_set_aside(connection: Connection, deal: DailyDeal) -> list[GameLength]:
    return attempt_logs.list_lengths(connection, deal, SET_ASIDE, limit=_SET_ASIDE_AT_ONCE)
