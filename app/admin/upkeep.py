"""Everything that the administration does by itself beside the players, put together."""

from __future__ import annotations

from collections.abc import Callable

from app.admin.checkpoints import Checkpoints
from app.admin.housekeeping import Duty, Housekeeping
from app.admin.refusals import Refusals
from app.admin.retention import Retention
from app.play.hooks import Announce
from app.settings import Settings
from app.storage.database import Database


class Upkeep:
    """Listens to what is played, and does its duties in the background."""

    def __init__(self, database: Database, clock: Callable[[], int], settings: Settings) -> None:
        """``clock`` gives milliseconds since 1970, UTC."""
        self.refusals = Refusals(database, clock)
        self.checkpoints = Checkpoints(database, clock)
        self.retention = Retention(database, clock, settings)
        self._house = Housekeeping(
            database,
            clock,
            [
                Duty("refused actions", 3, self.refusals.write),
                Duty("chains of games", 60, self.checkpoints.write),
                Duty("forgotten chains", 60, self.checkpoints.walk, for_one=True),
                Duty("retention", 3600, self.retention.run, for_one=True),
            ],
        )
        self.begin = self._house.begin
        self.close = self._house.close

    def hears(self, announce: Announce) -> Announce:
        """The same as ``announce``, but heard here, too."""

        def told(game_id: str, version: int) -> None:
            self.checkpoints.moved(game_id, version)
            announce(game_id, version)

        return told
