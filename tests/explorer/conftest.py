from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from app.daily import repository as daily_repository
from app.daily.closing import DayClosing
from app.daily.model import settled_ms
from app.db.engine import Database
from app.explorer.chances import Chances
from app.explorer.merging import GameMerging
from app.explorer.model import Explored
from app.explorer.service import ExplorerService
from app.games.service import GameService
from app.jobs.queue import Job, JobProgress, JobState
from app.jobs.service import Jobs
from app.sharing.service import SharingService
from app.spectating import repository as spectating_repository
from tests.support.dailies import DAY, DailyServer
from tests.support.daily_site import client, site

__all__ = ["client", "site"]


@dataclass
class InlineJobs:
    """Jobs that run at once, in this process."""

    done: dict[str, Any] = field(default_factory=dict)

    async def run(self, work: Any, **_more: Any) -> Any:
        return work()

    def submit(self, owner: str, work: Any, *, key: str, **_more: Any) -> Any:
        self.done[key] = Job(
            id=key, owner=owner, state=JobState.DONE, progress=JobProgress(), result=work()
        )
        return self.done[key]

    async def wait(self, job_id: str, _owner: str) -> Any:
        return self.done[job_id]


@dataclass
class Explorers:
    """A server with daily deals, open games and their explorer."""

    daily: DailyServer

    def __post_init__(self) -> None:
        database = self.daily.database
        self.games = games = GameService(
            database,
            clock=self.daily.clock,
            is_ranked_private=daily_repository.is_private,
            list_unwatched=spectating_repository.list_unwatched,
        )
        self.jobs = InlineJobs()
        jobs = cast(Jobs, self.jobs)
        self.merging = GameMerging(database, jobs)
        self.chances = Chances(database, jobs)
        self.sharing = SharingService(database, games)
        self.service = ExplorerService(
            database,
            games,
            self.daily.service,
            self.sharing,
            merging=self.merging,
            chances=self.chances,
        )

    async def close_day(self, closing: DayClosing | None = None) -> None:
        self.daily.clock.now = settled_ms(DAY)
        await (closing or self.daily.closing).close(DAY)
        await self.merging.merge_closed_days()

    async def settle(self) -> None:
        """Wait for the chances that are being stored."""
        await asyncio.gather(*self.chances._running.tasks())

    async def explore(self, line: str = "", viewer_id: str | None = None) -> Explored:
        return (await self.service.explore_daily(viewer_id, DAY, "bristol", line)).explored


@pytest.fixture
async def explorers(database: Database) -> Explorers:
    daily = DailyServer(database)
    await daily.add_players("anna", "ben", "cleo", "dora")
    await daily.deal_winnable()
    return Explorers(daily)
