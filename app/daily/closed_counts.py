"""How many played and solved the deals of closed days, remembered for a while: the feed of them is public."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import date
from functools import partial
from typing import Final

from cachetools import TTLCache

from app.clock import MINUTE_MS, Clock
from app.daily import repository
from app.db.engine import Database

COUNTED_MS: Final = 15 * MINUTE_MS
"""Counts change after a day has closed only where moderators hide or restore a result."""
_MOST_DAYS: Final = 100

Counts = Mapping[tuple[date, str], tuple[int, int]]


class ClosedCounts:
    """The counts of the days asked for last."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._kept: TTLCache[date, Mapping[str, tuple[int, int]]] = TTLCache(
            _MOST_DAYS, COUNTED_MS, timer=clock
        )

    async def find(self, days: Collection[date]) -> Counts:
        """How many players began each deal of some closed days, and how many solved it, by day and rule set."""
        known = {day: kept for day in days if (kept := self._kept.get(day)) is not None}
        missing = [day for day in days if day not in known]
        if missing:
            first, last = min(missing), max(missing)
            found = await self._database.read(
                partial(repository.count_results, first=first, last=last)
            )
            by_day: defaultdict[date, dict[str, tuple[int, int]]] = defaultdict(dict)
            for (day, ruleset), counts in found.items():
                by_day[day][ruleset] = counts
            for day in missing:
                known[day] = self._kept[day] = by_day[day]
        return {(day, ruleset): counts for day in known for ruleset, counts in known[day].items()}
