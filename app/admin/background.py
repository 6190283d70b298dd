"""Background work of the admin area: its recorders and counters, and the periodic tasks that write them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from app.admin.dashboard.counters import Counters, DailyCounter
from app.admin.event_months import EventMonths
from app.admin.guest_expiry import GuestExpiry, OnAway
from app.admin.integrity.access_records import AccessRecorder
from app.admin.integrity.hash_chain import CheckpointWriter
from app.admin.integrity.refused_actions import RefusedActionRecorder
from app.admin.integrity.scanner import SignalScanner
from app.admin.retention import Retention
from app.clock import Clock
from app.db.engine import Database
from app.games.callbacks import PublishVersion
from app.games.outcome import ActionOutcome
from app.http.monitoring import RequestStats
from app.jobs.scheduler import PeriodicTask
from app.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class AdminBackground:
    """The recorders and counters of one process, and the tasks that write them."""

    refused_actions: RefusedActionRecorder
    checkpoints: CheckpointWriter
    access_records: AccessRecorder
    scanner: SignalScanner
    retention: Retention
    months: EventMonths
    guest_expiry: GuestExpiry
    counters: Counters
    daily_counter: DailyCounter

    @classmethod
    def create(
        cls,
        database: Database,
        clock: Clock,
        settings: Settings,
        stats: RequestStats,
        on_away: Sequence[OnAway] = (),
    ) -> Self:
        """The background work of one process; ``stats`` is what its HTTP layer counts."""
        return cls(
            refused_actions=RefusedActionRecorder(database, clock),
            checkpoints=CheckpointWriter(database, clock),
            access_records=AccessRecorder(database, clock),
            scanner=SignalScanner(database, clock),
            retention=Retention(database, clock, settings),
            months=EventMonths(database, clock),
            guest_expiry=GuestExpiry(database, clock, settings.guest_days, on_away),
            counters=Counters(database, clock, stats),
            daily_counter=DailyCounter(database, clock),
        )

    def tasks(self) -> list[PeriodicTask]:
        """The tasks for the scheduler. Those that write what is held in memory run once more at shutdown."""
        return [
            PeriodicTask(
                name="write refused actions",
                seconds=3,
                run=self.refused_actions.flush,
                at_close=True,
            ),
            PeriodicTask(
                name="write access records", seconds=3, run=self.access_records.flush, at_close=True
            ),
            PeriodicTask(name="write counters", seconds=10, run=self.counters.flush, at_close=True),
            PeriodicTask(
                name="write hash chain checkpoints",
                seconds=60,
                run=self.checkpoints.write,
                at_close=True,
            ),
            # Lease names never change: processes of two releases must agree on them.
            PeriodicTask(
                name="scan for signals", seconds=10, run=self.scanner.run, lease="admin/signals"
            ),
            PeriodicTask(
                name="scan for missing checkpoints",
                seconds=60,
                run=self.checkpoints.scan,
                lease="admin/forgotten chains",
            ),
            PeriodicTask(
                name="count the games of each day",
                seconds=300,
                run=self.daily_counter.run,
                lease="admin/games of the days",
            ),
            PeriodicTask(
                name="delete what has expired",
                seconds=3600,
                run=self.retention.run,
                lease="admin/retention",
            ),
            *self.months.tasks(),
            PeriodicTask(
                name="delete guests who stay away",
                seconds=3600,
                run=self.guest_expiry.run,
                lease="admin/guest expiry",
            ),
            PeriodicTask(
                name="delete old counters",
                seconds=3600,
                run=self.counters.delete_old,
                lease="admin/old minutes",
            ),
        ]

    def wrap_publish(self, publish: PublishVersion) -> PublishVersion:
        """``publish``, which the game service calls after each move, with recording added."""

        def record_and_publish(game_id: str, version: int) -> None:
            self.checkpoints.track(game_id, version)
            self.counters.count_accepted()
            publish(game_id, version)

        return record_and_publish

    def record_refusal(
        self, player_id: str, seen: int, action: str, outcome: ActionOutcome
    ) -> None:
        """Record a refused action; the game service calls this."""
        self.refused_actions.record(player_id, seen, action, outcome)
        self.counters.count_refused(outcome)
