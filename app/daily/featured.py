"""Which three of a day's deals are featured, so that players meet on few leaderboards.

The daily games stand in an order that changes by lot, and a day features the next three: over as many days as there are
games, each is featured three times, and drawn large once. The lot is a hash, so it is the same in every process.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from hashlib import sha256
from typing import Final

from app.engine.ruleset import Ruleset
from app.rulesets import DAILY_RULESETS

FEATURED: Final = 3


def featured_rulesets(
    day: date, rulesets: Sequence[Ruleset] = DAILY_RULESETS
) -> tuple[Ruleset, ...]:
    """The featured rule sets of a day; the first one is drawn large."""
    turn, place = divmod(day.toordinal(), len(rulesets))
    lots = sorted(rulesets, key=lambda rules: sha256(f"{turn}/{rules.id}".encode()).digest())
    first = place * FEATURED
    return tuple(lots[n % len(lots)] for n in range(first, first + min(FEATURED, len(lots))))
