"""Writing down what was asked of the site and of its games: sums, every few seconds, from each process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from sqlalchemy import Connection, case, delete, func, select
from sqlalchemy.dialects import postgresql, sqlite

from app.clock import DAY_MS, day_of
from app.db.engine import Database
from app.db.schema import site_days, traffic
from app.games.outcome import Outcome, Result
from app.http.request_stats import RequestStats, Sum

KEPT_MS: Final = 2 * DAY_MS
"""So long what was asked is known by every ten minutes."""

_DROPPED_AT_ONCE_MS: Final = 3_600_000
_t = traffic.c


class Counters:
    """Counts what became of actions, and writes that down together with what the web layer has counted."""

    def __init__(self, database: Database, clock: Callable[[], int], asked: RequestStats) -> None:
        """``clock`` gives milliseconds since 1970, UTC."""
        self._database = database
        self._clock = clock
        self._asked = asked
        self._fates: Counter[str] = Counter()

    def accepted(self) -> None:
        """Count an action that entered a log; what every move calls."""
        self._fates["accepted"] += 1

    def refused(self, outcome: Outcome) -> None:
        """Count an action that did not."""
        self._fates["refused" if outcome.result is Result.REFUSED else "late"] += 1

    async def write(self) -> None:
        """Write down what has come together."""
        asked = self._asked.take()
        fates, self._fates = self._fates, Counter()
        if asked or fates:
            day = day_name(self._clock())
            await self._database.write(partial(_add, asked=asked, fates=fates, day=day))

    async def forget(self) -> None:
        """Drop what is too old, an hour at a time."""
        before_ms = self._clock() - KEPT_MS
        oldest = select(func.min(_t.minute_ms))
        while True:
            first = await self._database.read(lambda connection: connection.scalar(oldest))
            if first is None or first >= before_ms:
                return
            until_ms = min(before_ms, first + _DROPPED_AT_ONCE_MS)
            drop = delete(traffic).where(_t.minute_ms < until_ms)
            await self._database.write(partial(Connection.execute, statement=drop))


def day_name(at_ms: int) -> str:
    """``2026-11-21``."""
    return day_of(at_ms).isoformat()


def _add(
    connection: Connection,
    asked: Mapping[tuple[int, str], Sum],
    fates: Mapping[str, int],
    day: str,
) -> None:
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    # In one order in all processes: so none waits for another that waits for it.
    rows = [_row(*key, found) for key, found in sorted(asked.items(), key=lambda item: item[0])]
    if rows:
        adding = dialect.insert(traffic)
        new = adding.excluded
        is_slower = new.slowest_us > _t.slowest_us
        summed = {name: _t[name] + new[name] for name in ("requests", "faults", "timed", "took_us")}
        connection.execute(
            adding.on_conflict_do_update(
                index_elements=["minute_ms", "route"],
                set_={
                    **summed,
                    "slowest_us": case((is_slower, new.slowest_us), else_=_t.slowest_us),
                    "slowest_id": case((is_slower, new.slowest_id), else_=_t.slowest_id),
                    "fault_id": case((new.fault_id != "", new.fault_id), else_=_t.fault_id),
                },
            ),
            rows,
        )
    sums = {
        "requests": sum(row["requests"] for row in rows),
        "faults": sum(row["faults"] for row in rows),
        **{name: fates.get(name, 0) for name in ("accepted", "refused", "late")},
    }
    adding = dialect.insert(site_days)
    grown = {name: site_days.c[name] + adding.excluded[name] for name in sums}
    connection.execute(
        adding.on_conflict_do_update(index_elements=["day"], set_=grown), {"day": day, **sums}
    )


def _row(minute_ms: int, route: str, found: Sum) -> dict[str, Any]:
    return {
        "minute_ms": minute_ms,
        "route": route,
        "requests": found.requests,
        "faults": found.faults,
        "timed": found.timed,
        "took_us": round(found.took * 1_000_000),
        "slowest_us": round(found.slowest * 1_000_000),
        "slowest_id": found.slowest_id,
        "fault_id": found.fault_id,
    }
