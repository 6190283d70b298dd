"""What the record says about a game: how many deals were won, and the bounds of the true share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from app.rulesets import RULESETS
from app.solver.solve import SearchOutcome
from app.winnability.record import Trial

_Z: Final = 1.959964  # standard deviations, within which 95 % of a normal distribution lie


@dataclass(frozen=True, slots=True)
class Tally:
    """The deals of one game. ``seconds`` is the most that one of them was given, ``usual_seconds`` what most were."""

    ruleset: str
    won: int
    unwinnable: int
    undecided: int
    seconds: float
    usual_seconds: float

    @property
    def deals(self) -> int:
        """How many deals were tried."""
        return self.won + self.unwinnable + self.undecided

    @property
    def bounds(self) -> tuple[float, float]:
        """The share of deals that can be won lies between these, with 95 % confidence.

        For the lower one no undecided deal counts as winnable, for the upper one all do.
        """
        low, _ = wilson(self.won, self.deals)
        _, high = wilson(self.won + self.undecided, self.deals)
        return low, high


def tally(trials: Iterable[Trial]) -> Sequence[Tally]:
    """Count the trials of each game that has any, under its current rules."""
    counts: Counter[tuple[str, SearchOutcome]] = Counter()
    limits: dict[str, Counter[float]] = {}
    revisions = {rules.id: rules.revision for rules in RULESETS}
    for trial in trials:
        if trial.revision == revisions.get(trial.ruleset):
            counts[trial.ruleset, trial.verdict] += 1
            limits.setdefault(trial.ruleset, Counter())[trial.limit] += 1
    return [
        Tally(
            name,
            won=counts[name, SearchOutcome.WON],
            unwinnable=counts[name, SearchOutcome.UNWINNABLE],
            undecided=counts[name, SearchOutcome.UNDECIDED],
            seconds=max(limits[name]),
            usual_seconds=limits[name].most_common(1)[0][0],
        )
        for name in revisions
        if name in limits
    ]


def wilson(hits: int, of: int) -> tuple[float, float]:
    """The 95 % confidence interval of a share (Wilson score)."""
    if not of:
        return 0.0, 1.0
    share, z2 = hits / of, _Z * _Z
    middle = share + z2 / (2 * of)
    spread = _Z * sqrt(share * (1 - share) / of + z2 / (4 * of * of))
    return max(0.0, (middle - spread) / (1 + z2 / of)), min(1.0, (middle + spread) / (1 + z2 / of))
