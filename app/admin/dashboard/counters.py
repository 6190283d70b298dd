"""Counters of requests and actions, which each process adds to the database every few seconds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from sqlalchemy import Connection, case, delete, func, select

from app.clock import DAY_MS, day_of
from app.db.engine import Database
from app.db.schema import site_days, traffic
from app.db.statements import insert_into
from app.games.outcome import Outcome, Result
from app.http.metrics import RequestStats, RouteTotals

KEPT_MS: Final = 2 * DAY_MS
"""How long counters are kept for every ten minutes; the sums of each day are kept for ever."""

_DELETE_STEP_MS: Final = 3_600_000
_t = traffic.c


class Counters:
    """Counts actions in memory, and writes that together with what the HTTP layer counts."""

    def __init__(self, database: Database, clock: Callable[[], int], stats: RequestStats) -> None:
        """``clock`` gives milliseconds since 1970, UTC."""
        self._database = database
        self._clock = clock
        self._stats = stats
        self._outcomes: Counter[str] = Counter()

    def count_accepted(self) -> None:
        """Count an accepted action; called with every move."""
        self._outcomes["accepted"] += 1

    def count_refused(self, outcome: Outcome) -> None:
        """Count an action that was not accepted."""
        self._outcomes["refused" if outcome.result is Result.REFUSED else "late"] += 1

    async def flush(self) -> None:
        """Add the counters to the database and start again from zero."""
        requests = self._stats.drain()
        outcomes, self._outcomes = self._outcomes, Counter()
        if requests or outcomes:
            day = day_of(self._clock()).isoformat()
            await self._database.write(partial(_add, requests=requests, outcomes=outcomes, day=day))

    async def delete_old(self) -> None:
        """Delete old counters, an hour at a time."""
        before_ms = self._clock() - KEPT_MS
        oldest = select(func.min(_t.minute_ms))
        while True:
            first = await self._database.read(lambda connection: connection.scalar(oldest))
            if first is None or first >= before_ms:
                return
            until_ms = min(before_ms, first + _DELETE_STEP_MS)
            old = delete(traffic).where(_t.minute_ms < until_ms)
            await self._database.write(partial(Connection.execute, statement=old))


def _add(
    connection: Connection,
    requests: Mapping[tuple[int, str], RouteTotals],
    outcomes: Mapping[str, int],
    day: str,
) -> None:
    # In the same order in all processes, so that they cannot deadlock.
    rows = [_row(*key, found) for key, found in sorted(requests.items(), key=lambda item: item[0])]
    if rows:
        adding = insert_into(connection, traffic)
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
        **{name: outcomes.get(name, 0) for name in ("accepted", "refused", "late")},
    }
    adding = insert_into(connection, site_days)
    grown = {name: site_days.c[name] + adding.excluded[name] for name in sums}
    connection.execute(
        adding.on_conflict_do_update(index_elements=["day"], set_=grown), {"day": day, **sums}
    )


def _row(minute_ms: int, route: str, found: RouteTotals) -> dict[str, Any]:
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
