"""Daily counts of games: past days are counted once, today again every few minutes.

The overview then reads a few hundred rows, however many games there are. A loss that is undone on a later day does not
change the counts of its own day.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from functools import partial
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, case, func, select, text, union

from app.clock import DAY_MS, day_begins_ms, day_of
from app.db.engine import Database
from app.db.schema import game_days, games
from app.db.statements import insert_into
from app.games.model import Status

_SETTLED_MS: Final = 600_000  # after midnight: by then everything is written
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

    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        """``clock`` gives milliseconds since 1970, UTC."""
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
