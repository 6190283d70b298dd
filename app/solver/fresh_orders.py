"""The chance after an action that turns a card: the mean of the best chances after it, over fresh orders of the cards.

An estimate of a position plays out the actions that seem best, and judges the others by a look and a few games of the
fast player. Where that look misleads, as it often does for a deal, this says what the action is worth: the unseen cards
are laid in one order after another, and each position after the action is estimated by what shows there. Only the sight
has a say, so the answer knows no hidden card.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt
from typing import Final

from app.engine.actions import Action
from app.engine.position import Position
from app.engine.ruleset import Ruleset
from app.engine.transition import apply, is_won
from app.solver.estimates import NOTHING_KNOWN, Estimate
from app.solver.insight import estimator_for
from app.solver.sight import Sight, see

# For each order; with half as many, the chances of Bristol were up to 14 points too low.
POSITIONS: Final = 60_000
LEAST_ORDERS: Final = 6  # fewer tell nothing about their deviation


class FreshOrders:
    """The chance after an action, refined by one order after another."""

    def __init__(
        self,
        rules: Ruleset,
        sight: Sight,
        action: Action,
        seed: str,
        shown: Iterable[Position] = (),
    ) -> None:
        """Prepare. What the earlier positions ``shown`` showed stays known; the sight was made from them."""
        self._rules, self._sight, self._action, self._seed = rules, sight, action, seed
        self._shown = tuple(shown)
        self._chances: list[float] = []
        self._noise = 0.0  # the variances of the chances, added up

    @property
    def turns_a_card(self) -> bool:
        """Whether the action shows a card that was never seen; else the position after it says more."""
        return see(self._after(0), self._shown).hidden() < self._sight.hidden()

    def run(self, orders: int) -> Estimate:
        """The estimate of so many orders; those of fewer are among them."""
        while len(self._chances) < orders:
            self._add(self._after(len(self._chances)))
        count = len(self._chances)
        mean = sum(self._chances) / count
        spread = sum((chance - mean) ** 2 for chance in self._chances) / max(1, count - 1)
        # Orders that agree by chance are known no better than each of them.
        deviation = sqrt(max(spread, self._noise / count) / count)
        return Estimate(self._action, mean, min(NOTHING_KNOWN, deviation))

    def _after(self, number: int) -> Position:
        order = self._sight.world(self._rules, number, f"{self._seed}/fresh")
        return apply(self._rules, order, self._action)

    def _add(self, after: Position) -> None:
        if is_won(self._rules, after):
            self._chances.append(1.0)
            return
        estimator = estimator_for(self._rules, see(after, self._shown), self._seed)
        estimator.run(POSITIONS)
        found = estimator.estimates()
        self._chances.append(found.chance)
        self._noise += found.actions[0].deviation ** 2 if found.actions else 0.0
