"""The algorithm portfolio: heuristic weights and pruning for each family of games.

The weights come from random local search: one to four of them were changed at random, and a change
was kept when a set of deals was won in fewer positions. Each pair is for a full and an empty stock.
Sets that start with an underscore hold what several sets share.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.engine.cards import Rank
from app.engine.vocabulary import Build, Match, OnlyRank
from app.solver.board import Board
from app.solver.carrying import may_carry
from app.solver.fan_heuristic import FanHeuristic
from app.solver.fan_pruning import FanPruning
from app.solver.group_pruning import GroupPruning
from app.solver.heuristic import Heuristic
from app.solver.klondike_pruning import KlondikePruning
from app.solver.pruning import Pruning, ReservePruning, SuitReservePruning
from app.solver.rule_tables import NO_PILE, UNLIMITED, DealCode, EmptyPileCode, RuleTables, UnitCode
from app.solver.run_heuristic import RunHeuristic
from app.solver.search import Search
from app.solver.spider_heuristic import SpiderHeuristic
from app.solver.suit_heuristic import SuitHeuristic
from app.solver.suit_pruning import SuitPruning
from app.solver.suit_terrace_heuristic import SuitTerraceHeuristic
from app.solver.terrace_heuristic import TerraceHeuristic
from app.solver.thieves_heuristic import ThievesHeuristic

Weights = Mapping[str, tuple[int, int]]

_WIDTHS: Final = (1, 3, 10)  # of variations
_TO_PROVE: Final = 16  # time slices for a search that proves more often than it wins
_TO_GO_ON: Final = 8  # the same for searches that win late

_TERRACE: Final[Weights] = {
    "out": (36, 32),
    "waste": (32, 32),
    "waste blocked": (48, 2),
    "height squares": (4, 4),
}
# Tuned for empty piles filled from the stock, from the waste, and by the player (two sets).
STOCK_FILLS: Final[Weights] = {
    **_TERRACE,
    "reserve": (160, 160),
    "empty piles": (-29, -45),
    "same tops": (8, 8),
    "singles": (-16, -16),
    "tableau blocked": (28, 51),
    "waste blocked early": (0, 4),
    "lowest": (-42, -6),
    "buried ready": (1, -1),
    "ready tops": (-27, -17),
    "waste builds down": (10, 10),
}
WASTE_FILLS: Final[Weights] = {
    **_TERRACE,
    "out": (38, 38),
    "reserve": (160, 160),
    "waste blocked": (48, 48),
    "empty piles": (-28, -17),
    "same tops": (15, 0),
    "singles": (-8, -8),
    "tableau blocked": (21, 25),
    "waste blocked early": (-1, -1),
    "long piles": (0, -1),
    "lowest": (11, 0),
    "highest": (-5, -10),
    "waste playable": (2, 2),
    "next gaps": (5, 5),
    "reserve squared": (-2, 0),
    "waste builds up": (-2, 0),
    "waste buried ready": (0, 3),
    "reserve blocked": (-16, 0),
}
_PLAYER_FILLS: Final[Weights] = {
    **_TERRACE,
    "reserve": (132, 132),
    "lowest": (-10, -18),
    "buried ready": (-5, -4),
    "ready tops": (-10, 0),
}
PLAYER_FILLS: Final[Weights] = {
    **_PLAYER_FILLS,
    "empty piles": (-17, -16),
    "singles": (-18, -18),
    "tableau blocked": (33, 55),
    "reserve gap": (-2, 0),
    "waste blocked early": (9, 13),
    "waste inversions": (19, 19),
    "waste top playable": (1, 1),
    "highest": (6, 6),
    "waste playable": (6, 11),
    "next gaps": (-5, -5),
    "reserve squared": (3, 3),
    "waste builds down": (-10, -10),
    "waste builds up": (0, 12),
    "reserve blocked": (2, 2),
}
PLAYER_FILLS_2: Final[Weights] = {
    **_PLAYER_FILLS,
    "empty piles": (-17, -17),
    "same tops": (8, 8),
    "singles": (-16, -16),
    "tableau blocked": (27, 45),
    "waste blocked early": (0, 4),
    "waste top playable": (3, 3),
}
FANS: Final[Weights] = {
    "out": (19, 54),
    "blocked": (5, 11),
    "adjacent blocked": (14, 14),
    "over low cards": (7, 25),
    "reserve": (8, 10),
    "empty piles": (-3, -15),
}
FANS_2: Final[Weights] = {
    "out": (48, 48),
    "blocked": (16, 16),
    "over low cards": (16, 16),
}
_RUNS: Final[Weights] = {
    "out": (32, 32),
    "down": (72, 72),
    "empty piles": (-48, -48),
    "blocked": (15, 16),
    "from king": (-8, -8),
    "buried kings": (14, 4),
}
_RUNS_1_3: Final[Weights] = {
    **_RUNS,
    "in order": (0, -1),
    "over ready": (5, 5),
    "lowest": (0, -6),
    "king runs": (3, 3),
}
RUNS: Final[Weights] = {**_RUNS_1_3, "from king squared": (2, 0), "whole runs": (24, -19)}
RUNS_2: Final[Weights] = {**_RUNS, "whole runs": (-9, -9)}
RUNS_3: Final[Weights] = {**_RUNS_1_3, "whole runs": (-10, -19)}
SUITS: Final[Weights] = {
    "out": (40, 40),
    "down": (60, 60),
    "empty piles": (-60, -60),
    "empty cells": (-30, -30),
    "hand": (10, 10),
    "reserve": (40, 40),
    "blocked": (24, 24),
    "disorder": (24, 24),
    "mixed": (16, 16),
    "over next": (16, 16),
    "uneven": (4, 4),
    "buried kings": (16, 16),
}
SUITS_2: Final[Weights] = {
    "out": (60, 60),
    "down": (40, 40),
    "empty piles": (-20, -20),
    "empty cells": (-20, -20),
    "hand": (20, 20),
    "reserve": (60, 60),
    "over low": (16, 16),
    "disorder": (30, 30),
    "mixed": (24, 24),
    "over next": (30, 30),
}
# Set by hand: changes were kept when ten deals of Forty Thieves came further in as many positions.
THIEVES: Final[Weights] = {
    **SUITS,
    "empty piles": (-30, -30),
    "hand": (60, 60),
    "disorder": (0, 0),
}
# By the slopes of progress and of wins over random weights: 9,400 searches of 20,000 positions of 225 deals of
# General's Patience.
SUIT_FILLS: Final[Weights] = {
    "out": (31, 49),
    "reserve": (104, 196),
    "waste": (30, 33),
    "waste blocked": (40, 0),
    "empty piles": (-34, -50),
    "same tops": (10, 8),
    "singles": (-15, -18),
    "tableau blocked": (33, 48),
    "height squares": (3, 4),
    "reserve gap": (1, 1),
    "waste blocked early": (7, 16),
    "waste inversions": (-1, 3),
    "waste top playable": (3, 1),
    "long piles": (0, 1),
    "lowest": (-46, -4),
    "highest": (-2, -2),
    "buried ready": (3, 6),
    "ready tops": (-28, -13),
    "waste playable": (2, 2),
    "next gaps": (-2, 0),
    "reserve squared": (0, 1),
    "waste builds down": (8, 8),
    "waste builds up": (0, 4),
    "waste buried ready": (0, 6),
    "reserve blocked": (1, 0),
    "over next": (7, 13),
    "over second": (-3, -3),
    "waste over next": (6, 6),
    "waste over second": (1, 2),
    "next in stock": (0, -6),
    "path": (10, 14),
    "waste path": (10, 8),
    "stock path": (-5, 3),
}
# By random local search: a change was kept when 30 deals of Mamy Susan were won in fewer positions, or came further.
WASTE_ORDER: Final[Weights] = {
    "out": (60, 63),
    "down": (40, 40),
    "empty piles": (-20, -44),
    "hand": (33, 39),
    "reserve": (81, 81),
    "blocked": (24, 12),
    "over low": (16, 28),
    "disorder": (18, 18),
    "over next": (30, 30),
    "next in hand": (-3, 0),
    "waste blocked": (16, 16),
    "waste over low": (8, 8),
    "waste playable": (-4, -4),
}
# By the slopes of wins over random weights: 3,400 short searches of 270 deals of Forty Thieves.
ONE_PASS: Final[Weights] = {
    "out": (35, 34),
    "empty piles": (-7, 3),
    "hand": (74, 74),
    "blocked": (17, 16),
    "over next": (15, 18),
    "uneven": (4, 4),
    "disorder": (1, 3),
    "long": (5, 2),
    "movable tops": (14, 11),
    "next in stock": (8, -1),
    "over low": (5, 7),
    "over other": (1, -3),
    "over second": (3, 2),
    "over third": (1, 0),
    "same tops": (8, 0),
    "settled": (-6, -7),
    "shortest": (-8, -5),
    "waste blocked": (-4, 0),
    "waste over low": (7, 1),
    "waste over next": (2, 4),
    "waste over second": (2, 2),
    "waste playable": (-1, 5),
}
_PIECES: Final[Weights] = {
    "out": (40, 40),
    "down": (60, 60),
    "empty piles": (-60, -60),
    "pieces": (16, 16),
    "disorder": (8, 8),
    "run squares": (-4, -4),
    "over down": (8, 8),
    "buried kings": (8, 8),
}
# Set by hand: one to two changes at a time, kept when six deals came further in as many positions.
PIECES: Final[Weights] = {**_PIECES, "blocked": (12, 12), "next flip": (16, 16)}
PIECES_2: Final[Weights] = _PIECES


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


def _goes_home_in_suit(tables: RuleTables) -> bool:
    """Whether the proofs of ``SuitPruning`` hold."""
    in_suit = all(
        group.build.match is Match.SAME_SUIT and not group.whole_run
        for group in tables.rules.foundations
    )
    stays = not any(tables.to_tableau[tables.first_foundation : tables.first_tableau])
    may_be_empty = tables.empty_pile not in (EmptyPileCode.AUTO_FILL, EmptyPileCode.MUST_FILL)
    plain = tables.first_reserve == tables.first_cell and tables.redeals == 0
    dealt = tables.deals in (DealCode.WASTE, DealCode.NOWHERE)
    return in_suit and stays and may_be_empty and plain and dealt and tables.fixed_base == 0


def _is_klondike(tables: RuleTables) -> bool:
    """Whether the proofs of ``KlondikePruning`` hold."""
    tableau = tables.rules.tableau
    in_suit = all(
        group.build.match is Match.SAME_SUIT and not group.build.circular and not group.whole_run
        for group in tables.rules.foundations
    )
    alternates = tableau.build == Build(step=-1, match=Match.ALTERNATE_COLOR, circular=False)
    kings = tableau.empty_pile == OnlyRank(Rank.KING)
    waste = tables.first_reserve == tables.first_foundation and tables.deals is DealCode.WASTE
    beside = tables.first_cell == tables.first_foundation and tables.deals is DealCode.EACH_RESERVE
    plain = (waste or beside) and not any(tables.to_reserve)
    runs = tables.unit is UnitCode.RUN and tables.rules.decks == 1 and tables.fixed_base == 0
    return in_suit and alternates and kings and plain and runs


def _reserve_goes_home(tables: RuleTables) -> bool:
    """Whether there is one reserve pile that plays only to the foundations, as ``ReservePruning`` needs.

    What it says of columns holds where they alternate colors.
    """
    one = tables.first_foundation == tables.first_reserve + 1
    return (
        one
        and tables.rules.tableau.build.match is Match.ALTERNATE_COLOR
        and not any(tables.to_tableau[tables.first_reserve : tables.first_tableau])
        and not any(tables.to_reserve)
        and tables.first_reserve not in tables.fills
        and tables.deals is not DealCode.EACH_RESERVE
    )


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


def pruning_for(tables: RuleTables) -> Pruning:
    """The pruning whose proofs hold for a rule set."""
    first = tables.rules.foundations[0]
    if _goes_home_in_suit(tables):
        alone = tables.rules.decks == 1 and tables.waste == NO_PILE
        if alone and tables.unit is UnitCode.GROUP:
            return GroupPruning()
        return SuitPruning(tables.rules.decks)
    if _is_klondike(tables):
        return KlondikePruning()
    if tables.lifts_runs or len(tables.rules.foundations) > 1:
        return Pruning()
    if first.build.match is Match.ALTERNATE_COLOR:
        return ReservePruning() if _reserve_goes_home(tables) else Pruning()
    if first.build.match is Match.SAME_SUIT and not first.whole_run:
        return SuitReservePruning() if _reserve_goes_home(tables) else Pruning()
    fans = first.build.match is Match.ANY and not first.build.circular
    closed = (
        tables.empty_pile is EmptyPileCode.STAYS_EMPTY and tables.deals is DealCode.EACH_RESERVE
    )
    return FanPruning() if fans and closed else Pruning()
