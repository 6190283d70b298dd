"""Rate limits counted in the database, so that all processes share one count.

Each counter is stored under a hash, so the table contains no names and no addresses. A counter ends at a fixed moment,
however many attempts follow: nobody is locked out for longer. A bucket allows a burst and then an even rate.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import partial
from typing import Final, NamedTuple

from sqlalchemy import Connection, case, delete, select

from app.clock import HOUR_MS, MINUTE_MS
from app.db.engine import Database, insert_into
from app.db.schema import tallies
from app.errors import RateLimitedError
from app.i18n.formats import count_of
from app.jobs.queue import current_origin
from app.text import Text, gettext, sentences

_t = tallies.c
_KEPT_MS: Final = HOUR_MS  # no transaction still needs a counter that ended so long ago


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
        return _hash(self.limit.kind, *self.keys)


class TokenBucket(NamedTuple):
    """Full at first with ``at_once`` tokens, and filled again at an even rate.

    So many people behind one address can come at once, such as a school class, but not minute after minute.
    """

    kind: str
    per_minute: int
    at_once: int

    def take(self, connection: Connection, key: str, now_ms: int) -> int:
        """Take a token; return 0, or the milliseconds until there will be one.

        What is stored is when the bucket will be full again: each token moves that further away, at most by the time
        that all of them take (the generic cell rate algorithm).
        """
        interval = MINUTE_MS / self.per_minute
        latest = now_ms + round(
            (self.at_once - 1) * interval
        )  # it is full again then, and has a token
        bucket = _hash(self.kind, key)
        step = max(1, round(interval))
        taken = connection.execute(
            insert_into(connection, tallies)
            .values(bucket=bucket, count=1, until_ms=now_ms + step)
            .on_conflict_do_update(
                index_elements=["bucket"],
                set_={"until_ms": case((_t.until_ms < now_ms, now_ms), else_=_t.until_ms) + step},
                where=_t.until_ms <= latest,
            )
            .returning(_t.until_ms)
        ).first()
        if taken:
            return 0
        full_ms: int = connection.scalars(select(_t.until_ms).where(_t.bucket == bucket)).one()
        return full_ms - latest


def counters_of_guest(limit: Limit, key: str) -> list[Counter]:
    """What counts a guest who makes this request, for their network; nothing counts players with an account.

    Or one person could do the same under many names. Ask outside a transaction, which runs in another thread.
    """
    origin = current_origin.get()
    is_counted = origin.network and not origin.is_named
    return [Counter(limit, (key, origin.network))] if is_counted else []


def _hash(*words: str) -> bytes:
    return hashlib.sha256("\0".join(words).encode("utf-8", "surrogatepass")).digest()


def count_attempt(connection: Connection, counters: Sequence[Counter], now_ms: int) -> int:
    """Count an attempt in each counter up to the first that is over its limit; return the milliseconds to wait, or 0.

    Pass the narrowest limit first, so that a refused attempt uses up nothing that others share. All callers pass
    the kinds in the same order: otherwise two transactions could deadlock.
    """
    insertion = insert_into(connection, tallies)
    for counter in counters:
        until_ms = now_ms + counter.limit.minutes * MINUTE_MS
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


def reset_all(connection: Connection, counters: Sequence[Counter]) -> None:
    """Set several counters back to zero."""
    for counter in counters:
        reset(connection, counter)


def remember(connection: Connection, counter: Counter, now_ms: int) -> None:
    """Remember that something happened, from now on for the minutes of the limit."""
    reset(connection, counter)
    count_attempt(connection, [counter], now_ms)


def milliseconds_to_wait(connection: Connection, counter: Counter, now_ms: int) -> int:
    """How long no further attempt is allowed, without counting one; 0 if one is."""
    used_up = select(_t.until_ms).where(
        _t.bucket == counter.bucket, _t.until_ms > now_ms, _t.count >= counter.limit.most
    )
    until_ms: int | None = connection.scalars(used_up).one_or_none()
    return 0 if until_ms is None else until_ms - now_ms


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
    again = gettext("Try again in %(delay)s.", delay=_delay(seconds))
    raise RateLimitedError(sentences(sentence, again), seconds)


def _delay(seconds: int) -> Text:
    if seconds < 90:  # noqa: PLR2004 - as people say it
        return count_of(seconds, "second")
    unit, length = ("minute", 60) if seconds <= 2 * 3600 else ("hour", 3600)
    return count_of(-(-seconds // length), unit)
