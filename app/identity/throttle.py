"""Rate limits against guessing, counted in the database so that all processes share one count.

Each counter is stored under a hash, so the table contains no names and no addresses. It ends at a fixed moment,
however many attempts follow: nobody is locked out for longer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import partial
from typing import Final, NamedTuple

from sqlalchemy import Connection, case, delete, select

from app.db.engine import Database, insert_into
from app.db.schema import tallies
from app.errors import RateLimitedError
from app.http.formats import count_of

_t = tallies.c
_MINUTE_MS: Final = 60_000
_KEPT_MS: Final = 3_600_000  # no transaction still needs a counter that ended so long ago


class Limit(NamedTuple):
    """At most ``most`` attempts of one kind within ``minutes``. The kind is part of what is hashed."""

    kind: str
    most: int
    minutes: int


class Counter(NamedTuple):
    """The count of attempts against one limit, for one name, network or player."""

    limit: Limit
    keys: tuple[str, ...]

    @property
    def bucket(self) -> bytes:
        """The hash under which it is stored."""
        text = "\0".join((self.limit.kind, *self.keys))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def count_attempt(connection: Connection, counters: Sequence[Counter], now_ms: int) -> int:
    """Count an attempt in each counter up to the first that is over its limit; return the milliseconds to wait, or 0.

    Pass the narrowest limit first, so that a refused attempt uses up nothing that others share. All callers pass
    the kinds in the same order: otherwise two transactions could deadlock.
    """
    insertion = insert_into(connection, tallies)
    for counter in counters:
        until_ms = now_ms + counter.limit.minutes * _MINUTE_MS
        is_over = _t.until_ms <= now_ms
        row = connection.execute(
            insertion.values(bucket=counter.bucket, count=1, until_ms=until_ms)
            .on_conflict_do_update(
                index_elements=["bucket"],
                set_={
                    "count": case((is_over, 1), else_=_t.count + 1),
                    "until_ms": case((is_over, until_ms), else_=_t.until_ms),
                },
            )
            .returning(_t.count, _t.until_ms)
        ).one()
        if row[0] > counter.limit.most:
            return int(row[1]) - now_ms
    return 0


async def count_or_raise(database: Database, counter: Counter, now_ms: int, sentence: str) -> None:
    """Count an attempt; raises ``RateLimitedError`` with the sentence when it is over the limit."""
    wait_ms = await database.write(partial(count_attempt, counters=[counter], now_ms=now_ms))
    raise_if_limited(wait_ms, sentence)


def reset(connection: Connection, counter: Counter) -> None:
    """Set a counter back to zero, as after a success."""
    connection.execute(delete(tallies).where(_t.bucket == counter.bucket))


def remember(connection: Connection, counter: Counter, now_ms: int) -> None:
    """Remember that something happened, from now on for the minutes of the limit."""
    reset(connection, counter)
    count_attempt(connection, [counter], now_ms)


def is_remembered(connection: Connection, counter: Counter, now_ms: int) -> bool:
    """Whether something happened within the minutes of the limit."""
    found = select(_t.count).where(_t.bucket == counter.bucket, _t.until_ms > now_ms)
    return connection.execute(found).first() is not None


def delete_expired(connection: Connection, now_ms: int) -> None:
    """Delete the counters that ended long ago."""
    connection.execute(delete(tallies).where(_t.until_ms < now_ms - _KEPT_MS))


def raise_if_limited(wait_ms: int, sentence: str) -> None:
    """Raise ``RateLimitedError`` when there is a time to wait."""
    if wait_ms <= 0:
        return
    seconds = -(-wait_ms // 1000)
    minutes = -(-seconds // 60)
    wait = count_of(seconds, "second") if seconds < 90 else count_of(minutes, "minute")  # noqa: PLR2004 - as people say it
    raise RateLimitedError(f"{sentence} Try again in {wait}.", seconds)
