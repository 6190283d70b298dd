"""What the overview counts: requests and actions as they happen, and the games of each day.

Past days are counted once, today again every few minutes. The overview then reads a few hundred rows, however many
games there are. A loss that is undone on a later day does not change the counts of its own day.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from functools import partial
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, case, delete, func, select, text, union
from sqlalchemy.exc import SQLAlchemyError

from app.clock import DAY_MS, HOUR_MS, MINUTE_MS, Clock, day_begins_ms, day_of
from app.db.engine import Database, insert_into
from app.db.schema import game_days, games, site_days, traffic
from app.games.model import Status
from app.games.outcome import ActionOutcome, ActionResult
from app.http.monitoring import RequestStats, RouteTotals

KEPT_MS: Final = 2 * DAY_MS
"""How long the ten-minute counters are kept; daily totals are kept permanently."""

_DELETE_STEP_MS: Final = HOUR_MS
_MAX_UNWRITTEN: Final = 30  # flushes that failed; the oldest are dropped
_t = traffic.c


class Counters:
    """Counts actions in memory, and writes them together with what the HTTP layer counts."""

    def __init__(self, database: Database, clock: Clock, stats: RequestStats) -> None:
        self._database = database
        self._clock = clock
        self._stats = stats
        self._outcomes: Counter[str] = Counter()
        self._unwritten: deque[Callable[[Connection], None]] = deque(maxlen=_MAX_UNWRITTEN)

    def count_accepted(self) -> None:
        """Count an accepted action; called with every move."""
        self._outcomes["accepted"] += 1

    def count_refused(self, outcome: ActionOutcome) -> None:
        """Count an action that was not accepted."""
        self._outcomes["refused" if outcome.result is ActionResult.REFUSED else "late"] += 1

    async def flush(self) -> None:
        """Add the counters to the database and start again from zero.

        What cannot be written is added with a later flush.
        """
        requests = self._stats.drain()
        outcomes, self._outcomes = self._outcomes, Counter()
        if requests or outcomes:
            day = day_of(self._clock()).isoformat()
            self._unwritten.append(partial(_add, requests=requests, outcomes=outcomes, day=day))
        while self._unwritten:
            add = self._unwritten.popleft()
            try:
                await self._database.write(add)
            except SQLAlchemyError:
                self._unwritten.appendleft(add)
                raise

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


_SETTLED_MS: Final = 10 * MINUTE_MS  # after midnight: by then everything is written
_MAX_DAYS_PER_RUN: Final = 400
_ONE: Final = timedelta(days=1)
_g, _d = games.c, game_days.c
# Literal, so that the database uses the partial index.
_HAS_ENDED: Final = text("status <> 'playing'")


class DayCounts(NamedTuple):
    """The games of a day, for one rule set or for all."""

    begun: int = 0
    ended: int = 0
    won: int = 0
    players: int = 0


class DailyCounter:
    """Counts the games of each day; safe to run at any time."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def run(self) -> None:
        """Count every day whose final count is missing, up to today."""
        now_ms = self._clock()
        today = day_of(now_ms)
        first = await self._database.read(partial(_find_first_uncounted, today=today))
        for number in range(min((today - first).days + 1, _MAX_DAYS_PER_RUN)):
            day = first + number * _ONE
            counted = await self._database.read(partial(count_day, day=day))
            await self._database.write(partial(_save, day=day, counted=counted, now_ms=now_ms))


def count_day(connection: Connection, day: date) -> dict[str, DayCounts]:
    """The counts of a day by rule set; all games together under ``""``."""
    since_ms = day_begins_ms(day)
    begun_then = _g.started_ms.between(since_ms, since_ms + DAY_MS - 1)
    ended_then = _g.updated_ms.between(since_ms, since_ms + DAY_MS - 1)
    found: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    begun = select(_g.ruleset, func.count()).where(begun_then).group_by(_g.ruleset)
    for ruleset, count in connection.execute(begun):
        found[ruleset][0] = count
    won = func.sum(case((_g.status == Status.WON, 1), else_=0))
    ended = select(_g.ruleset, func.count(), won).where(_HAS_ENDED, ended_then).group_by(_g.ruleset)
    for ruleset, count, wins in connection.execute(ended):
        found[ruleset][1:] = [count, int(wins)]
    who = union(
        select(_g.owner_id).where(begun_then), select(_g.owner_id).where(_HAS_ENDED, ended_then)
    )
    players = connection.scalar(select(func.count()).select_from(who.subquery())) or 0
    begun_all, ended_all, won_all = (
        sum(counts[at] for counts in found.values()) for at in range(3)
    )
    whole = DayCounts(begun_all, ended_all, won_all, players)
    return {"": whole} | {ruleset: DayCounts(*counts) for ruleset, counts in found.items()}


def _find_first_uncounted(connection: Connection, today: date) -> date:
    last = connection.execute(
        select(_d.day, _d.counted_ms).where(_d.ruleset == "").order_by(_d.day.desc()).limit(1)
    ).one_or_none()
    if last:
        day = date.fromisoformat(last.day)
        is_final = last.counted_ms >= day_begins_ms(day) + DAY_MS + _SETTLED_MS
        return day + _ONE if is_final else day
    oldest = connection.scalar(select(func.min(_g.started_ms)))
    return day_of(oldest) if oldest is not None else today


def _save(connection: Connection, day: date, counted: Mapping[str, DayCounts], now_ms: int) -> None:
    adding = insert_into(connection, game_days)
    latest = {name: adding.excluded[name] for name in (*DayCounts._fields, "counted_ms")}
    rows = [*_rows(day, counted, now_ms)]
    connection.execute(
        adding.on_conflict_do_update(index_elements=["day", "ruleset"], set_=latest), rows
    )


def _rows(day: date, counted: Mapping[str, DayCounts], now_ms: int) -> Iterator[dict[str, Any]]:
    for ruleset, counts in sorted(counted.items()):
        yield {
            "day": day.isoformat(),
            "ruleset": ruleset,
            **counts._asdict(),
            "counted_ms": now_ms,
        }
