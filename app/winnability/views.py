"""View models of the page of winnability."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Final, NamedTuple

from app.games.lookup import get_ruleset
from app.i18n.formats import count_of
from app.rulesets.families import FAMILIES
from app.text import ngettext, number_text, pgettext
from app.winnability.model import Tally
from app.winnability.record import code_of

_CLOSE: Final = 0.01
_ORDER: Final = {
    rules.id: place
    for place, rules in enumerate(rules for family in FAMILIES for rules in family.rulesets)
}
"""That of the games page."""


class GameBoundsView(NamedTuple):
    """A game: its bounds, its deals as shares in percent, and the same in words."""

    path: str
    title: str
    bounds: str
    won_share: float
    undecided_share: float
    deals: str
    won: str
    unwinnable: str
    undecided: str


@dataclass(frozen=True, slots=True)
class WinnabilityView:
    """The page."""

    path: str
    games: Sequence[GameBoundsView]
    deals: str
    limit: str
    """The effort for each deal, as a sentence."""
    first_code: str


def winnability_view(tallies: Sequence[Tally]) -> WinnabilityView:
    """The page with a part for each game."""
    limits: Counter[float] = Counter()
    for one in tallies:
        limits[one.usual_seconds] += one.deals
    usual = limits.most_common(1)[0][0] if limits else 0.0
    return WinnabilityView(
        path="/winnability",
        games=[_game(one) for one in sorted(tallies, key=lambda one: _ORDER[one.ruleset])],
        deals=count_of(sum(one.deals for one in tallies), "deal"),
        limit=_limit(usual, max((one.seconds for one in tallies), default=0.0)),
        first_code=code_of(0),
    )


def _game(one: Tally) -> GameBoundsView:
    rules = get_ruleset(one.ruleset)
    return GameBoundsView(
        path=f"/rules/{rules.id}",
        title=rules.title,
        bounds=bounds_text(*one.bounds),
        won_share=round(100 * one.won / one.deals, 2),
        undecided_share=round(100 * one.undecided / one.deals, 2),
        deals=number_text(one.deals),
        won=number_text(one.won),
        unwinnable=number_text(one.unwinnable),
        undecided=number_text(one.undecided),
    )


def _limit(usual: float, most: float) -> str:
    n, seconds = int(usual), f"{usual:g}"
    if usual == most:
        return ngettext(
            "Each deal had %(seconds)s second of processor time.",
            "Each deal had %(seconds)s seconds of processor time.",
            n,
            seconds=seconds,
        )
    return ngettext(
        "Most deals had %(seconds)s second of processor time, a few up to %(most)s.",
        "Most deals had %(seconds)s seconds of processor time, a few up to %(most)s.",
        n,
        seconds=seconds,
        most=f"{most:g}",
    )


def bounds_text(low: float, high: float) -> str:
    """Two shares in percent, rounded outwards, so that the text never claims more than is known.

    They have a second decimal where they are less than a percentage point apart.
    """
    decimals = 2 if high - low < _CLOSE else 1
    unit = 100 * 10**decimals
    # Rounded first, because 100 * 0.29 is a little less than 29.
    lower, upper = floor(round(unit * low, 6)), ceil(round(unit * high, 6))
    most = "100" if upper == unit else f"{100 * upper / unit:.{decimals}f}"
    least = f"{100 * lower / unit:.{decimals}f}"
    return pgettext("share", "%(low)s to %(high)s%%", low=least, high=most)
