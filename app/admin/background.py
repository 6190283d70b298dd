"""What the admin area records and counts by itself, apart from the requests of players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from app.admin.dashboard.counters import Counters
from app.admin.dashboard.daily_counts import DailyCounts
from app.admin.integrity.access_records import AccessRecords
from app.admin.integrity.checkpoints import Checkpoints
from app.admin.integrity.refused_actions import Refusals
from app.admin.integrity.scanner import SignalScanner
from app.admin.retention import Retention
from app.clock import Clock
from app.db.engine import Database
from app.games.callbacks import PublishVersion
from app.games.outcome import Outcome
from app.http.request_stats import RequestStats
from app.jobs.scheduler import PeriodicTask
from app.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class AdminBackground:
    """The records, and the tasks that write them."""

    refusals: Refusals
    checkpoints: Checkpoints
    access_records: AccessRecords
    scanner: SignalScanner
    retention: Retention
    counters: Counters
    daily_counts: DailyCounts

    @classmethod
    def of(cls, database: Database, clock: Clock, settings: Settings, stats: RequestStats) -> Self:
        """The records of one process on its database; ``stats`` is what its HTTP layer counts."""
        return cls(
            refusals=Refusals(database, clock),
            checkpoints=Checkpoints(database, clock),
            access_records=AccessRecords(database, clock),
            scanner=SignalScanner(database, clock),
            retention=Retention(database, clock, settings),
            counters=Counters(database, clock, stats),
            daily_counts=DailyCounts(database, clock),
        )

    def tasks(self) -> list[PeriodicTask]:
        """What the scheduler repeats. What a process holds in memory is written a last time when it stops."""
        return [
            PeriodicTask(
                name="write refused actions", seconds=3, run=self.refusals.write, at_close=True
            ),
            PeriodicTask(
                name="write access records", seconds=3, run=self.access_records.write, at_close=True
            ),
            PeriodicTask(name="write counters", seconds=10, run=self.counters.write, at_close=True),
            PeriodicTask(
                name="write hash chain checkpoints",
                seconds=60,
                run=self.checkpoints.write,
                at_close=True,
            ),
            # The names of leases are older than the names of the tasks: releases side by side must agree on them.
            PeriodicTask(
                name="scan for signals", seconds=10, run=self.scanner.work, lease="admin/signals"
            ),
            PeriodicTask(
                name="walk forgotten hash chains",
                seconds=60,
                run=self.checkpoints.walk,
                lease="admin/forgotten chains",
            ),
            PeriodicTask(
                name="count the games of each day",
                seconds=300,
                run=self.daily_counts.count,
                lease="admin/games of the days",
            ),
            PeriodicTask(
                name="delete what has expired",
                seconds=3600,
                run=self.retention.run,
                lease="admin/retention",
            ),
            PeriodicTask(
                name="delete old counters",
                seconds=3600,
                run=self.counters.forget,
                lease="admin/old minutes",
            ),
        ]

    def accepted(self, announce: PublishVersion) -> PublishVersion:
        """The same as ``announce``, recorded here as well."""

        def told(game_id: str, version: int) -> None:
            self.checkpoints.moved(game_id, version)
            self.counters.accepted()
            announce(game_id, version)

        return told

    def refused(self, player_id: str, seen: int, action: str, outcome: Outcome) -> None:
        """Record an action that was not accepted; the game service calls this."""
        self.refusals.note(player_id, seen, action, outcome)
        self.counters.refused(outcome)
