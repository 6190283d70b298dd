"""Which attempts are confirmed: those of players who are unlikely to have seen the cards before.

It is decided when an attempt starts and stored with it, so that neither a claimed name nor an account merge changes it.
Unconfirmed attempts are listed with that mark, and count for no rank and no record.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Final

from sqlalchemy import Connection

from app.daily.model import Doubt, opens_ms
from app.throttle import Counter, Limit, count_attempt

ClaimedMs = Callable[[Connection, str], int | None]
"""When a player created their account; ``None`` for a guest."""

_KIND: Final = "daily attempt from a place"  # a hash input
_MINUTES: Final = 24 * 60


def attempts_counter(day: date, ruleset: str, network: str, most: int) -> Counter:
    """Counts the attempts at a deal from a network. Its hash is also stored with the attempts, for signals."""
    return Counter(Limit(_KIND, most, _MINUTES), (day.isoformat(), ruleset, network))


def find_doubt(
    connection: Connection,
    day: date,
    *,
    claimed_ms: int | None,
    started_ms: int,
    counter: Counter | None,
) -> Doubt | None:
    """Why an attempt that starts now is not confirmed, or ``None``. Counts it in ``counter``.

    ``claimed_ms`` is when its player created their account: anybody can get a name while the deal is open, even after
    they have seen its cards.
    """
    is_over = counter is not None and count_attempt(connection, [counter], started_ms) > 0
    if claimed_ms is None:
        return Doubt.GUEST
    if claimed_ms >= opens_ms(day):
        return Doubt.NEW_NAME
    return Doubt.NETWORK if is_over else None
