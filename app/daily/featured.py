"""Which three of a day's deals are featured, so that players meet on few leaderboards.

One of them is of a game that most visitors know, the others are of the house. Each kind stands in an order that changes
by lot, and a day features the next of it, so the games of a kind are featured equally often. The lot also says which of
the three is drawn large. It is a hash, so it is the same in every process.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from hashlib import sha256
from typing import Final

from app.engine.ruleset import Ruleset
from app.rulesets import HOUSE_RULESETS, WELL_KNOWN_RULESETS

FEATURED: Final = 3


def featured_rulesets(day: date) -> tuple[Ruleset, ...]:
    """The featured rule sets of a day; the first one is drawn large."""
    known = _next_of(WELL_KNOWN_RULESETS, 1, day)
    house = _next_of(HOUSE_RULESETS, FEATURED - len(known), day)
    return tuple(sorted((*known, *house), key=lambda rules: _lot(f"{day}/{rules.id}")))


def _next_of(rulesets: Sequence[Ruleset], count: int, day: date) -> list[Ruleset]:
    """So many games of a kind: after a turn of all of them the order is another one."""
    turn, place = divmod(day.toordinal(), len(rulesets))
    lots = sorted(rulesets, key=lambda rules: _lot(f"{turn}/{rules.id}"))
    return [lots[(place * count + n) % len(lots)] for n in range(count)]


def _lot(text: str) -> bytes:
    return sha256(text.encode()).digest()
