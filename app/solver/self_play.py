"""Whole games played by the estimates, seeing only what a player sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from app.engine.actions import Action
from app.engine.cards import Card, fresh_deck
from app.engine.deal import opening
from app.engine.ruleset import Ruleset
from app.engine.transition import apply, is_won
from app.engine.vocabulary import DealTo
from app.solver.calibration import calibrated
from app.solver.fast_player import QUICK_LOOK, LookAhead
from app.solver.sight import see
from app.solver.solve import Budget, SearchOutcome, solve_from
from app.solver.turn_estimator import TurnEstimator

KNOWN_CARDS_POSITIONS: Final = 200_000  # positions at least for a game in which every card is known


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game played by the estimates: its actions, whether they won, and what it cost.

    ``chances`` are the estimated chances to win when each turn began, before calibration, and
    ``starts`` how many actions came before it. Solving the end is one more start, without an estimate.
    """

    actions: tuple[Action, ...]
    won: bool
    positions: int
    chances: tuple[float, ...]
    starts: tuple[int, ...] = ()

    def chance_of_actions(self, ruleset: str) -> list[float]:
        """For each action, the chance when its turn began; 1 or 0 once every card is known."""
        known = [calibrated(ruleset, chance) for chance in self.chances]
        chances = [*known, float(self.won)][: len(self.starts)]
        ends = [*self.starts[1:], len(self.actions)]
        return [
            chance
            for chance, start, end in zip(chances, self.starts, ends, strict=True)
            for _ in range(start, end)
        ]


def turns_of(rules: Ruleset) -> int:
    """How many turns a game has at most: every card is turned, and a deal turns several at once."""
    turned = {
        DealTo.NOWHERE: 1,
        DealTo.WASTE: rules.stock.draws,
        DealTo.EACH_RESERVE: rules.reserve.count if rules.reserve else 1,
        DealTo.EACH_TABLEAU: rules.tableau.count,
        DealTo.EACH_FILLED_TABLEAU: rules.tableau.count,
    }[rules.stock.deals_to]
    stock, *others = opening(rules, fresh_deck(rules.decks)).piles
    return ceil(stock.down / turned) + sum(pile.down for pile in others) + 1


def play_out(
    deck: Sequence[Card],
    rules: Ruleset,
    seed: str,
    budget: int,
    *,
    look: LookAhead = QUICK_LOOK,
    solving: int = 0,
) -> PlayedGame:
    """Play a deal, with about ``budget`` positions for each turn, seeing only what a player sees.

    Once every card is known, the last one by elimination, the position is solved, in at least
    ``KNOWN_CARDS_POSITIONS`` positions.
    """
    position = opening(rules, deck)
    actions: list[Action] = []
    chances: list[float] = []
    starts: list[int] = []
    passed = [position]
    positions = 0
    while not is_won(rules, position):
        # Only where the waste is turned over do cards lie face down that were seen before.
        sight = see(position, passed if rules.stock.redeals != 0 else ())
        if known := sight.only_position(rules):
            found = solve_from(rules, known, Budget(positions=max(budget, KNOWN_CARDS_POSITIONS)))
            positions += found.positions
            won = found.outcome is SearchOutcome.WON
            starts.append(len(actions))
            actions += found.actions
            return PlayedGame(tuple(actions), won, positions, tuple(chances), tuple(starts))
        insight = TurnEstimator(
            rules, sight, f"{seed}/{len(actions)}", every_action=False, look=look, solving=solving
        )
        insight.run(budget)
        positions += insight.positions
        chances.append(insight.chance)
        starts.append(len(actions))
        plan = insight.plan()
        if not plan:
            break
        for action in plan:
            position = apply(rules, position, action)
            passed.append(position)
            actions.append(action)
    won = is_won(rules, position)
    return PlayedGame(tuple(actions), won, positions, tuple(chances), tuple(starts))
