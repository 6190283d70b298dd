"""Which three of a day's deals are featured, so that players meet on few leaderboards.

The first is the headline, the one deal of the day that is shown to everybody: a game that most visitors know and can
win, and never the same two days in a row. The second is another one that they know, tomorrow's headline: a newcomer who
has played the first finds something familiar. The third is a game of this site. Those take turns in an order that is
drawn anew after each turn, so each is featured equally often. The lot is a hash, so it is the same in every process.
"""

from __future__ import annotations

from datetime import date, timedelta
from hashlib import sha256
from typing import Final

from app.engine.ruleset import Ruleset
from app.rulesets import HOUSE_RULESETS, WELL_KNOWN_RULESETS

FEATURED: Final = 3
_ONE_DAY: Final = timedelta(days=1)


def featured_rulesets(day: date) -> tuple[Ruleset, ...]:
    """The featured rule sets of a day, the headline first."""
    return (headline_ruleset(day), headline_ruleset(day + _ONE_DAY), _of_the_house(day))


def headline_ruleset(day: date) -> Ruleset:
    """The headline of a day."""
    return WELL_KNOWN_RULESETS[day.toordinal() % len(WELL_KNOWN_RULESETS)]


def _of_the_house(day: date) -> Ruleset:
    """A game of this site: after a turn of all of them the order is drawn anew."""
    turn, place = divmod(day.toordinal(), len(HOUSE_RULESETS))
    return sorted(HOUSE_RULESETS, key=lambda rules: _lot(f"{turn}/{rules.id}"))[place]


def _lot(text: str) -> bytes:
    return sha256(text.encode()).digest()
