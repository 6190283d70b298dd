"""How often something was tried, counted in the database: all processes see one count.

What is counted is named by a hash, so the table holds no names and no addresses. Each count ends at a fixed moment,
however often somebody tries in between: nobody is shut out for longer than that.
"""

from __future__ import annotations

import hashlib
import ipaddress
from collections.abc import Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection, case, delete, select
from sqlalchemy.dialects import postgresql, sqlite

from app.db.schema import tallies
from app.errors import RateLimitedError

_t = tallies.c
_MINUTE_MS: Final = 60_000
# Nobody asks for a count that ended so long ago, so removing it disturbs nobody.
_KEPT_MS: Final = 3_600_000


class Limit(NamedTuple):
    """At most ``most`` tries of one kind within ``minutes``."""

    kind: str
    most: int
    minutes: int


class Tally(NamedTuple):
    """One thing to be counted: a limit, and what it applies to."""

    limit: Limit
    whose: tuple[str, ...]

    @property
    def bucket(self) -> bytes:
        """Where it is counted."""
        text = "\0".join((self.limit.kind, *self.whose))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def network_of(address: str) -> str:
    """What one household has: a whole address, or the first half of a new long one."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address):
        mapped = parsed.ipv4_mapped
        return str(mapped or ipaddress.IPv6Network((parsed, 64), strict=False))
    return str(parsed)


def count(connection: Connection, wanted: Sequence[Tally], now_ms: int) -> int:
    """Count one try, tally by tally, up to the first for which it is one too many; the milliseconds to wait, or 0.

    Name the narrowest limit first: whoever runs into it uses up nothing that others share. All callers name the kinds
    in one order, or two of them could wait for each other for ever.
    """
    insertion = (postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert)(
        tallies
    )
    for tally in wanted:
        until_ms = now_ms + tally.limit.minutes * _MINUTE_MS
        is_over = _t.until_ms <= now_ms
        row = connection.execute(
            insertion.values(bucket=tally.bucket, count=1, until_ms=until_ms)
            .on_conflict_do_update(
                index_elements=["bucket"],
                set_={
                    "count": case((is_over, 1), else_=_t.count + 1),
                    "until_ms": case((is_over, until_ms), else_=_t.until_ms),
                },
            )
            .returning(_t.count, _t.until_ms)
        ).one()
        if row[0] > tally.limit.most:
            return int(row[1]) - now_ms
    return 0


def forgive(connection: Connection, tally: Tally) -> None:
    """Forget what was counted, as after a success."""
    connection.execute(delete(tallies).where(_t.bucket == tally.bucket))


def note(connection: Connection, tally: Tally, now_ms: int) -> None:
    """Remember from now on, for as long as the limit says."""
    forgive(connection, tally)
    count(connection, [tally], now_ms)


def is_noted(connection: Connection, tally: Tally, now_ms: int) -> bool:
    """Whether something is remembered."""
    found = select(_t.count).where(_t.bucket == tally.bucket, _t.until_ms > now_ms)
    return connection.execute(found).first() is not None


def sweep(connection: Connection, now_ms: int) -> None:
    """Drop what ended long ago."""
    connection.execute(delete(tallies).where(_t.until_ms < now_ms - _KEPT_MS))


def refuse(wait_ms: int, sentence: str) -> None:
    """Raise ``RateLimitedError`` when there is something to wait for."""
    if wait_ms <= 0:
        return
    seconds = -(-wait_ms // 1000)
    minutes = -(-seconds // 60)
    wait = f"{seconds} seconds" if seconds < 90 else f"{minutes} minutes"  # noqa: PLR2004 - as people say it
    raise RateLimitedError(f"{sentence} Please wait {wait}, then try again.", seconds)
