"""Everything that the administration does by itself beside the players, put together."""

from __future__ import annotations

from collections.abc import Callable

from app.admin.dashboard.counters import Sums
from app.admin.dashboard.daily_counts import Days
from app.admin.integrity.access_records import Sightings
from app.admin.integrity.checkpoints import Checkpoints
from app.admin.integrity.refusals import Refusals
from app.admin.integrity.scanner import Looking
from app.admin.periodic import Duty, Housekeeping
from app.admin.retention import Retention
from app.db.engine import Database
from app.games.callbacks import Announce
from app.games.outcome import Outcome
from app.http.request_stats import Traffic
from app.settings import Settings


class Upkeep:
    """Listens to what is played, and does its duties in the background."""

    def __init__(
        self, database: Database, clock: Callable[[], int], settings: Settings, asked: Traffic
    ) -> None:
        """``clock`` gives milliseconds since 1970, UTC; ``asked`` is what the web layer counts."""
        self.refusals = Refusals(database, clock)
        self.checkpoints = Checkpoints(database, clock)
        self.sightings = Sightings(database, clock)
        self.looking = Looking(database, clock)
        self.retention = Retention(database, clock, settings)
        self.sums = Sums(database, clock, asked)
        self.days = Days(database, clock)
        self._house = Housekeeping(
            database,
            clock,
            [
                Duty("refused actions", 3, self.refusals.write),
                Duty("what was asked", 10, self.sums.write),
                Duty("sightings", 3, self.sightings.write),
                Duty("signals", 10, self.looking.work, for_one=True),
                Duty("chains of games", 60, self.checkpoints.write),
                Duty("forgotten chains", 60, self.checkpoints.walk, for_one=True),
                Duty("games of the days", 300, self.days.count, for_one=True),
                Duty("retention", 3600, self.retention.run, for_one=True),
                Duty("old minutes", 3600, self.sums.forget, for_one=True),
            ],
        )
        self.begin = self._house.begin
        self.close = self._house.close

    def hears(self, announce: Announce) -> Announce:
        """The same as ``announce``, but heard here, too."""

        def told(game_id: str, version: int) -> None:
            self.checkpoints.moved(game_id, version)
            self.sums.accepted()
            announce(game_id, version)

        return told

    def refused(self, player_id: str, seen: int, action: str, outcome: Outcome) -> None:
        """Take in an action that was not accepted; what the play service calls."""
        self.refusals.note(player_id, seen, action, outcome)
        self.sums.refused(outcome)
