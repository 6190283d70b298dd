"""The algorithm portfolio: which searches take turns in each family of games."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.solver.board import Board
from app.solver.carrying import may_carry
from app.solver.fan_heuristic import FanHeuristic
from app.solver.heuristic import Heuristic
from app.solver.klondike_pruning import KlondikePruning
from app.solver.pruning import SuitReservePruning
from app.solver.pruning_choice import pruning_for
from app.solver.rule_tables import NO_PILE, UNLIMITED, EmptyPileCode, RuleTables, UnitCode
from app.solver.run_heuristic import RunHeuristic
from app.solver.search import Search
from app.solver.search_weights import (
    FANS,
    FANS_2,
    ONE_PASS,
    PIECES,
    PIECES_2,
    PLAYER_FILLS,
    PLAYER_FILLS_2,
    RUNS,
    RUNS_2,
    RUNS_3,
    STOCK_FILLS,
    SUIT_FILLS,
    SUITS,
    SUITS_2,
    THIEVES,
    WASTE_FILLS,
    WASTE_ORDER,
    Weights,
)
from app.solver.spider_heuristic import SpiderHeuristic
from app.solver.suit_heuristic import SuitHeuristic
from app.solver.suit_pruning import SuitPruning
from app.solver.suit_terrace_heuristic import SuitTerraceHeuristic
from app.solver.terrace_heuristic import TerraceHeuristic
from app.solver.thieves_heuristic import ThievesHeuristic

_WIDTHS: Final = (1, 3, 10)  # of variations
_TO_PROVE: Final = 16  # time slices for a search that proves more often than it wins
_TO_GO_ON: Final = 8  # the same for searches that win late


@dataclass(frozen=True, slots=True)
class Configuration:
    """A kind of heuristic and its weights, the nodes to expand in a contour each cycle, and the kind of stages.

    ``slices`` is its share of time.
    """

    kind: type[
        FanHeuristic
        | RunHeuristic
        | SpiderHeuristic
        | SuitHeuristic
        | SuitTerraceHeuristic
        | TerraceHeuristic
        | ThievesHeuristic
    ]
    weights: Weights
    width: int = 3
    slices: int = 1
    fine: bool = False
    carries: bool = False  # in ``solve``, which writes the runs out again

    def heuristic(self, tables: RuleTables) -> Heuristic:
        """The heuristic for a rule set."""
        return self.kind(self.weights, tables.full_stock)

    def search(self, tables: RuleTables, board: Board, *, whole: bool = False) -> Search:
        """A search from the board's position."""
        pruning, heuristic = pruning_for(tables), self.heuristic(tables)
        return Search(board, heuristic, self.width, pruning, fine=self.fine, whole=whole)


def portfolio_for(tables: RuleTables) -> tuple[Configuration, ...]:
    """The configurations for a rule set, the best first.

    In Bristol, deals that are not won quickly can often be exhausted, so the best configuration gets
    most of the time slices.
    """
    if tables.unit is UnitCode.SUIT_RUN and all(
        group.whole_run for group in tables.rules.foundations
    ):
        return tuple(
            Configuration(SpiderHeuristic, weights, fine=True) for weights in (PIECES, PIECES_2)
        )
    if _has_suits_or_units(tables):
        return _suit_portfolio(tables)
    if tables.lifts_runs:
        return tuple(
            Configuration(RunHeuristic, weights, fine=True) for weights in (RUNS, RUNS_2, RUNS_3)
        )
    if tables.waste == NO_PILE:
        return (
            Configuration(FanHeuristic, FANS, slices=4),
            Configuration(FanHeuristic, FANS_2),
        )
    if tables.empty_pile is EmptyPileCode.MUST_FILL:
        order = (PLAYER_FILLS, PLAYER_FILLS_2, WASTE_FILLS)
    elif tables.fills[0] == tables.waste:
        order = (WASTE_FILLS, PLAYER_FILLS, STOCK_FILLS)
    else:
        order = (STOCK_FILLS, WASTE_FILLS, PLAYER_FILLS_2)
    return tuple(Configuration(TerraceHeuristic, weights, fine=True) for weights in order)


def _suit_portfolio(tables: RuleTables) -> tuple[Configuration, ...]:
    pruning = pruning_for(tables)
    order: tuple[Weights, ...]
    if isinstance(pruning, KlondikePruning):
        # Without a limit on redeals there is time for everything in any order, and coarse stages find wins sooner.
        # With a single pass most deals are lost, and only a search that goes on to its end can prove that.
        return (
            Configuration(
                SuitHeuristic,
                SUITS,
                slices=_TO_PROVE if tables.redeals == 0 else 1,
                fine=tables.redeals != UNLIMITED,
            ),
            Configuration(SuitHeuristic, SUITS_2, fine=True),
        )
    if isinstance(pruning, SuitPruning) and tables.waste != NO_PILE:
        # Deals that are not won soon need long searches: restarts win hardly any of them.
        carries = may_carry(tables)
        return tuple(
            Configuration(kind, weights, slices=_TO_GO_ON, fine=True, carries=carries)
            for kind, weights in ((ThievesHeuristic, ONE_PASS), (SuitHeuristic, THIEVES))
        )
    if isinstance(pruning, SuitReservePruning) and tables.empty_pile is EmptyPileCode.AUTO_FILL:
        # Deals that these weights do not win are often won by a variation of them, so most of the time is for those.
        return (Configuration(SuitTerraceHeuristic, SUIT_FILLS, fine=True),)
    if tables.waste == NO_PILE:
        order = (SUITS, SUITS_2)
    elif tables.redeals == UNLIMITED:
        # Every card of the waste comes up again, so its order matters little.
        order = (SUITS_2, THIEVES, SUITS)
    else:
        order = (WASTE_ORDER, THIEVES, SUITS_2)
    return tuple(Configuration(SuitHeuristic, weights, fine=True) for weights in order)


def variation(portfolio: Sequence[Configuration], number: int) -> Configuration:
    """One of endless variations of a portfolio, the same for a number everywhere.

    Each weight is at most doubled or halved at random, and so is the ratio of its two values, though less.
    """
    base = portfolio[number % len(portfolio)]
    rng = random.Random(number)  # noqa: S311 - luck is all it is for
    weights = {}
    for name, (early, late) in base.weights.items():
        factor, tilt = 2 ** rng.uniform(-1, 1), 2 ** rng.uniform(-0.3, 0.3)
        weights[name] = (round(early * factor), round(late * factor * tilt))
    return replace(base, weights=weights, width=rng.choice(_WIDTHS))


def _has_suits_or_units(tables: RuleTables) -> bool:
    """Whether the older heuristics were not made for this game."""
    return bool(tables.suits) or tables.unit not in (UnitCode.TOP_CARD, UnitCode.RUN)


def player_heuristic(tables: RuleTables, weights: Weights | None) -> Heuristic:
    """The heuristic of a player who does not see every card; by default that of the search."""
    if not weights:
        return portfolio_for(tables)[0].heuristic(tables)
    if _has_suits_or_units(tables):
        return SuitHeuristic(weights, tables.full_stock)
    if tables.lifts_runs:
        return RunHeuristic(weights, tables.full_stock)
    if tables.waste == NO_PILE:
        return FanHeuristic(weights, tables.full_stock)
    return TerraceHeuristic(weights, tables.full_stock)
