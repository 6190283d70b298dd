"""Everything of the daily deal that a server process needs, put together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from app.daily.closing import Closing, Replay, replay_in_a_thread
from app.daily.preparing import Preparing, Seeds
from app.daily.recording import IsNamed
from app.daily.replay import Finding, Run, check
from app.daily.results import Results
from app.daily.schedule import Caretaker
from app.daily.service import DailyService
from app.db.engine import Database
from app.games.service import GameService
from app.jobs.service import Jobs

_REPLAY_SECONDS: Final = 60.0  # for the runs that are looked at in one go


def _replaying(jobs: Jobs) -> Replay:
    async def replay(runs: Sequence[Run]) -> list[Finding]:
        return await jobs.run(partial(check, runs), seconds=_REPLAY_SECONDS)

    return replay


class DailyDesk:
    """The services, and the jobs behind them."""

    def __init__(
        self,
        database: Database,
        play: GameService,
        clock: Callable[[], int],
        is_named: IsNamed,
        *,
        seeds: Seeds | None,
        jobs: Jobs | None = None,
    ) -> None:
        """``jobs`` does what takes long; without it, a thread does. Without ``seeds`` deals are made unproven."""
        replay = _replaying(jobs) if jobs else replay_in_a_thread
        self.closing = Closing(database, clock, replay)
        self.caretaker = Caretaker(Preparing(database, clock, seeds), self.closing, clock)
        self.service = DailyService(
            database,
            play,
            clock,
            is_named,
            unproven=seeds is None,
            on_missing=self.caretaker.hurry,
        )
        self.results = Results(database, self.service)
