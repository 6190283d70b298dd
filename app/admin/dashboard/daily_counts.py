"""How many games were played on each day: counted once a day is over, and today's anew every few minutes.

So the overview reads a few hundred rows, however many games there are. What happens to a game after its day, as when a
loss is taken back, does not change what was counted then.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from functools import partial
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, case, func, select, text, union
from sqlalchemy.dialects import postgresql, sqlite

from app.clock import DAY_MS, day_begins_ms, day_of
from app.db.engine import Database
from app.db.schema import game_days, games
from app.games.model import Status

_SETTLED_MS: Final = 600_000  # after midnight: what was under way then has been written
_MOST_AT_ONCE: Final = 400  # days of a site that is counted for the first time
_ONE: Final = timedelta(days=1)
_g, _d = games.c, game_days.c
# Written out: only then does a database see that a partial index holds all that is wanted.
_HAS_ENDED: Final = text("status <> 'playing'")


class Counted(NamedTuple):
    """The games of a day, of one rule set or of all."""

    begun: int = 0
    ended: int = 0
    won: int = 0
    players: int = 0


class DailyCounts:
    """A job that may be run at any time and any number of times."""

    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        """``clock`` gives milliseconds since 1970, UTC."""
        self._database = database
        self._clock = clock

    async def count(self) -> None:
        """Count every day that has not been counted to its end, up to today."""
        now_ms = self._clock()
        today = day_of(now_ms)
        first = await self._database.read(partial(_first_uncounted, today=today))
        for number in range(min((today - first).days + 1, _MOST_AT_ONCE)):
            day = first + number * _ONE
            counted = await self._database.read(partial(count_day, day=day))
            await self._database.write(partial(_keep, day=day, counted=counted, now_ms=now_ms))


def count_day(connection: Connection, day: date) -> dict[str, Counted]:
    """The games of a day by rule set; with an empty one, of all."""
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
    whole = Counted(begun_all, ended_all, won_all, players)
    return {"": whole} | {ruleset: Counted(*counts) for ruleset, counts in found.items()}


def _first_uncounted(connection: Connection, today: date) -> date:
    last = connection.execute(
        select(_d.day, _d.counted_ms).where(_d.ruleset == "").order_by(_d.day.desc()).limit(1)
    ).one_or_none()
    if last:
        day = date.fromisoformat(last.day)
        is_whole = last.counted_ms >= day_begins_ms(day) + DAY_MS + _SETTLED_MS
        return day + _ONE if is_whole else day
    oldest = connection.scalar(select(func.min(_g.started_ms)))
    return day_of(oldest) if oldest is not None else today


def _keep(connection: Connection, day: date, counted: Mapping[str, Counted], now_ms: int) -> None:
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    adding = dialect.insert(game_days)
    now = {name: adding.excluded[name] for name in (*Counted._fields, "counted_ms")}
    rows = [*_rows(day, counted, now_ms)]
    connection.execute(
        adding.on_conflict_do_update(index_elements=["day", "ruleset"], set_=now), rows
    )


def _rows(day: date, counted: Mapping[str, Counted], now_ms: int) -> Iterator[dict[str, Any]]:
    for ruleset, counts in sorted(counted.items()):
        yield {
            "day": day.isoformat(),
            "ruleset": ruleset,
            **counts._asdict(),
            "counted_ms": now_ms,
        }
