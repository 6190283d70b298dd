"""From the share of games that the fast player wins to the chance of the player who judges each turn.

The judging player plays better than the fast one, so it wins more often than its games predict. A curve for each rule
set, fitted by ``python -m bench.insight_calibration`` to games that it played by itself, makes up for that. It rises
throughout, so the order of actions stays.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, log
from typing import Final, NamedTuple

BEND: Final = 1.5
"""The log odds, below and above zero, at which a curve may bend: those of 18 and 82 %."""


class Curve(NamedTuple):
    """From log odds to log odds, in three straight parts: what is added, and how steep each part is, from the left.

    The slopes are above zero, so the order of chances stays.
    """

    add: float
    low: float
    middle: float
    high: float


def line(add: float, times: float) -> Curve:
    """A curve that does not bend: for few games, which would bend it by chance."""
    return Curve(add, times, times, times)


CALIBRATION: Final[Mapping[str, Curve]] = {
    "bristol": line(1.093, 1.286),
    "signora": line(1.223, 0.871),
    "terrace": line(1.300, 0.627),
    "blondes-and-brunettes-till-dawn": line(0.984, 0.632),
    "falling-star": line(0.454, 0.774),
    "blondes-and-brunettes": Curve(0.573, 1.515, 0.438, 1.149),
    "rouge-et-noir-classic": line(-0.338, 0.402),
    "rouge-et-noir": line(0.021, 0.523),
    "klondike": Curve(0.644, 0.198, 0.372, 0.682),
    "klondike-draw-three": line(0.016, 0.403),
    "spider-one-suit": Curve(-0.042, 0.370, 0.192, 4.153),
    "spider-two-suits": Curve(-0.106, 0.782, 0.434, 4.727),
    "yukon": line(-0.260, 0.655),
    "canfield": line(-0.551, 0.306),
    "forty-thieves": line(0.096, 0.785),
    "scorpion": line(-0.348, 0.813),
    "belvedere": line(1.338, 0.863),
    "queen-of-italy": line(1.005, 0.689),
    "mamy-susan": line(-0.833, 0.855),
    "dover": line(1.013, 0.623),
    "new-york": line(0.623, 0.738),
    "gotham": line(2.239, 1.059),
    "spike": line(-0.420, 0.587),
    "vincent": line(0.206, 0.904),
}
"""The curve of each rule set.

Fitted to 200 games each, of Bristol and of Blondes and Brunettes to 600, of Klondike and Spider (One Suit) to 700, of
Spider (Two Suits) to 530. A game that
its player won less than ten times has none: see docs/insight.md.
"""

_LEAST: Final = 1e-9  # of a chance that is neither proven nor refuted
_MOST_ODDS: Final = 30.0  # beyond it nothing changes


def is_measured(ruleset: str) -> bool:
    """Whether the chances of a rule set were compared with games that were played."""
    return ruleset in CALIBRATION


def calibrated(ruleset: str, share: float) -> float:
    """The chance to win where the fast player wins this share of games; what is certain stays so.

    >>> calibrated("unknown", 0.25), calibrated("unknown", 1.0)
    (0.25, 1.0)
    """
    curve = CALIBRATION.get(ruleset)
    return corrected(share, curve) if curve else share


def corrected(share: float, curve: Curve) -> float:
    """A share of games by a curve of ``CALIBRATION``."""
    if not 0 < share < 1:
        return share
    odds = log_odds(share)
    inner = max(-BEND, min(BEND, odds))
    outer = odds - inner
    slope_out = curve.low if outer < 0 else curve.high
    return chance_of(curve.add + curve.middle * inner + slope_out * outer)


def log_odds(chance: float) -> float:
    """The log odds of a chance, which are bounded."""
    chance = min(1 - _LEAST, max(_LEAST, chance))
    return log(chance / (1 - chance))


def chance_of(odds: float) -> float:
    """The chance with these log odds."""
    return 1 / (1 + exp(-max(-_MOST_ODDS, min(_MOST_ODDS, odds))))


def slope(ruleset: str, share: float) -> float:
    """How much the chance changes with the share, for standard deviations."""
    step = 0.005
    low, high = max(1e-9, share - step), min(1 - 1e-9, share + step)
    return (calibrated(ruleset, high) - calibrated(ruleset, low)) / (high - low)
