"""Everything of the daily deal that a server process needs, put together."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor

from app.daily.booking import IsNamed
from app.daily.caretaker import Caretaker
from app.daily.closing import Closing
from app.daily.preparing import Preparing, Winnable
from app.daily.results import Results
from app.daily.service import DailyService
from app.play.service import PlayService
from app.storage.database import Database


class DailyDesk:
    """The services, and the jobs behind them."""

    def __init__(
        self,
        database: Database,
        play: PlayService,
        clock: Callable[[], int],
        is_named: IsNamed,
        *,
        winnable: Winnable | None = None,
        executor: Executor | None = None,
    ) -> None:
        """``executor`` does what takes long; without one, a thread does."""
        self.service = DailyService(database, play, clock, is_named)
        self.results = Results(database, self.service)
        self.closing = Closing(database, clock, executor)
        self.caretaker = Caretaker(Preparing(database, clock, winnable), self.closing, clock)
