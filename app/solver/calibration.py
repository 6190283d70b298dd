"""From the share of games that the fast player wins to the chance of the player who judges each turn.

The judging player plays better than the fast one, so it wins more often than its games predict. A
logistic map for each rule set, fitted by ``python -m bench.insight_calibration`` to games that it played by
itself, makes up for that. It rises throughout, so the order of actions stays.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, log
from typing import Final

CALIBRATION: Final[Mapping[str, tuple[float, float]]] = {
    "bristol": (1.093, 1.286),
    "signora": (1.223, 0.871),
    "terrace": (1.300, 0.627),
    "blondes-and-brunettes-till-dawn": (0.984, 0.632),
    "falling-star": (0.454, 0.774),
    "blondes-and-brunettes": (0.505, 0.797),
    "rouge-et-noir-classic": (-0.338, 0.402),
    "rouge-et-noir": (0.021, 0.523),
    "klondike": (0.458, 0.271),
    "klondike-draw-three": (0.016, 0.403),
    "spider-one-suit": (0.246, 0.333),
    "spider-two-suits": (0.416, 0.615),
    "yukon": (-0.260, 0.655),
    "canfield": (-0.551, 0.306),
    "forty-thieves": (0.096, 0.785),
    "scorpion": (-0.348, 0.813),
    "belvedere": (1.338, 0.863),
    "queen-of-italy": (0.546, 0.775),
    "mamy-susan": (-1.043, 0.622),
    "dover": (1.493, 0.697),
    "new-york": (0.623, 0.738),
}
"""For each rule set, the offset of the log odds, and the factor that multiplies them first.

Fitted to 200 games each, of Klondike to 346, of Bristol and of Blondes and Brunettes to 600. A game that
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
    return corrected(share, *curve) if curve else share


def corrected(share: float, add: float, times: float) -> float:
    """A share by a map: ``add`` and ``times`` as in ``CALIBRATION``."""
    if not 0 < share < 1:
        return share
    return chance_of(add + times * log_odds(share))


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
