"""Which weights a search uses for which game.

Found by trial: from a first guess, one to four weights were changed at random, and a change stayed
when a set of deals was won in fewer positions. The pairs are for a full and an empty stock. What
several sets of weights share stands in a set of its own, whose name begins with an underscore.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from app.engine.vocabulary import Match
from app.solver.fan_heuristic import FanHeuristic
from app.solver.fan_pruning import FanPruning
from app.solver.heuristic import Heuristic
from app.solver.pruning import Pruning, ReservePruning
from app.solver.rulebook import NOBODY, DealRule, Rulebook, SpaceRule
from app.solver.run_heuristic import RunHeuristic
from app.solver.terrace_heuristic import TerraceHeuristic

Weights = Mapping[str, tuple[int, int]]

_TERRACE: Final[Weights] = {
    "out": (36, 32),
    "waste": (32, 32),
    "waste blocked": (48, 2),
    "heights": (4, 4),
}
# Found with spaces that the stock fills, that the waste fills, and that the player fills (twice).
STOCK_FILLS: Final[Weights] = {
    **_TERRACE,
    "reserve": (160, 160),
    "spaces": (-29, -45),
    "same tops": (8, 8),
    "singles": (-16, -16),
    "tableau blocked": (28, 51),
    "waste blocked early": (0, 4),
    "lowest": (-42, -6),
    "buried ready": (1, -1),
    "ready tops": (-27, -17),
    "waste falls in turn": (10, 10),
}
WASTE_FILLS: Final[Weights] = {
    **_TERRACE,
    "out": (38, 38),
    "reserve": (160, 160),
    "waste blocked": (48, 48),
    "spaces": (-28, -17),
    "same tops": (15, 0),
    "singles": (-8, -8),
    "tableau blocked": (21, 25),
    "waste blocked early": (-1, -1),
    "long piles": (0, -1),
    "lowest": (11, 0),
    "highest": (-5, -10),
    "waste lies": (2, 2),
    "next gaps": (5, 5),
    "reserve squared": (-2, 0),
    "waste rises in turn": (-2, 0),
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
    "spaces": (-17, -16),
    "singles": (-18, -18),
    "tableau blocked": (33, 55),
    "reserve gap": (-2, 0),
    "waste blocked early": (9, 13),
    "waste falls": (19, 19),
    "waste top lies": (1, 1),
    "highest": (6, 6),
    "waste lies": (6, 11),
    "next gaps": (-5, -5),
    "reserve squared": (3, 3),
    "waste falls in turn": (-10, -10),
    "waste rises in turn": (0, 12),
    "reserve blocked": (2, 2),
}
PLAYER_FILLS_TOO: Final[Weights] = {
    **_PLAYER_FILLS,
    "spaces": (-17, -17),
    "same tops": (8, 8),
    "singles": (-16, -16),
    "tableau blocked": (27, 45),
    "waste blocked early": (0, 4),
    "waste top lies": (3, 3),
}
FANS: Final[Weights] = {
    "out": (19, 54),
    "blocked": (5, 11),
    "blocked at once": (14, 14),
    "over low cards": (7, 25),
    "reserve": (8, 10),
    "spaces": (-3, -15),
}
FANS_TOO: Final[Weights] = {
    "out": (48, 48),
    "blocked": (16, 16),
    "over low cards": (16, 16),
}
_RUNS: Final[Weights] = {
    "out": (32, 32),
    "down": (72, 72),
    "spaces": (-48, -48),
    "blocked": (15, 16),
    "from king": (-8, -8),
    "buried kings": (14, 4),
}
_LOOSE_RUNS: Final[Weights] = {
    **_RUNS,
    "in order": (0, -1),
    "over ready": (5, 5),
    "lowest": (0, -6),
    "king runs": (3, 3),
}
RUNS: Final[Weights] = {**_LOOSE_RUNS, "from king squared": (2, 0), "whole runs": (24, -19)}
RUNS_TOO: Final[Weights] = {**_RUNS, "whole runs": (-9, -9)}
RUNS_AGAIN: Final[Weights] = {**_LOOSE_RUNS, "whole runs": (-10, -19)}


@dataclass(frozen=True, slots=True)
class Configuration:
    """How positions are weighed, how many of a stage are opened in one round, and its share of turns."""

    worth: Heuristic
    width: int
    turns: int = 1


def portfolio_for(book: Rulebook) -> tuple[Configuration, ...]:
    """The recipes for a rule set, the best first.

    Where deals cover whole columns there are few stages, so more is opened in each. In Bristol
    what is not soon won can often be searched to the end, so the best goes on with most turns.
    """
    stock = book.full_stock
    if book.lifts_runs:
        return tuple(
            Configuration(RunHeuristic(weights, stock), width=30)
            for weights in (RUNS, RUNS_TOO, RUNS_AGAIN)
        )
    if book.waste == NOBODY:
        return (
            Configuration(FanHeuristic(FANS, stock), width=3, turns=4),
            Configuration(FanHeuristic(FANS_TOO, stock), width=3),
        )
    if book.space is SpaceRule.MUST_FILL:
        order = (PLAYER_FILLS, PLAYER_FILLS_TOO, WASTE_FILLS)
    elif book.fills[0] == book.waste:
        order = (WASTE_FILLS, PLAYER_FILLS, STOCK_FILLS)
    else:
        order = (STOCK_FILLS, WASTE_FILLS, PLAYER_FILLS_TOO)
    return tuple(Configuration(TerraceHeuristic(weights, stock), width=3) for weights in order)


def pruning_for(book: Rulebook) -> Pruning:
    """What tells a rule set's positions that need no search, where the arguments for it hold."""
    first = book.rules.foundations[0]
    if book.lifts_runs or len(book.rules.foundations) > 1:
        return Pruning()
    if first.build.match is Match.ALTERNATE_COLOR:
        one = book.first_foundation == book.first_reserve + 1
        return Pruning() if not one or book.to_tableau[book.first_reserve] else ReservePruning()
    fans = first.build.match is Match.ANY and not first.build.circular
    closed = book.space is SpaceRule.CLOSED and book.deals is DealRule.EACH_RESERVE
    return FanPruning() if fans and closed else Pruning()
