"""What to expect of each game: how long a win takes, and how often one wins. Measured: see docs/solver.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

_SECONDS_PER_MOVE: Final = 4
"""Between a quick player of Bristol (2.3 s) and the eight minutes that books give it (6.6 s)."""
_STEP: Final = 5  # minutes, and moves; anything finer would pretend to know


@dataclass(frozen=True, slots=True)
class Expectation:
    """Measured figures of one game, over 200 random deals.

    ``moves`` is the median length of a win. ``careful_wins`` is the share, from 0 to 1, won by a simulated player who
    sees only what a player sees, judges each turn and undoes nothing: see docs/insight.md. ``winnable`` is the share
    that the solver, which sees every card, proved winnable in ten seconds: at least that share can be won.
    """

    moves: int
    careful_wins: float
    winnable: float

    @property
    def minutes(self) -> int:
        """About how long a game takes, in steps of five minutes."""
        return max(round(self.moves * _SECONDS_PER_MOVE / 60 / _STEP), 1) * _STEP

    @property
    def usual_moves(self) -> int:
        """About how many moves a win takes, in steps of five."""
        return round(self.moves / _STEP) * _STEP


# ``python -m bench.careful_play`` for the moves (for Rouge et Noir those of the solver's lines),
# ``python -m bench.insight`` for the careful wins (where every card is in sight from the start, the deals that the
# solver wins: a player who knows every card may plan as it does),
# ``python -m bench.solver --from FR35H-00000`` for the winnable deals.
EXPECTATIONS: Final[Mapping[str, Expectation]] = {
    "bristol": Expectation(73, 194 / 200, 199 / 200),
    "signora": Expectation(215, 158 / 200, 199 / 200),
    "blondes-and-brunettes": Expectation(194, 93 / 200, 175 / 200),
    "blondes-and-brunettes-till-dawn": Expectation(203, 116 / 200, 177 / 200),
    "rouge-et-noir": Expectation(153, 23 / 200, 166 / 200),
    "terrace": Expectation(194, 133 / 200, 191 / 200),
    "falling-star": Expectation(199, 68 / 200, 153 / 200),
    "rouge-et-noir-classic": Expectation(155, 43 / 200, 185 / 200),
    # The moves of these are of the solver's lines.
    "klondike": Expectation(178, 75 / 200, 181 / 200),
    "klondike-draw-three": Expectation(176, 26 / 200, 162 / 200),
    "klondike-one-pass": Expectation(123, 5 / 200, 32 / 200),
    "klondike-three-passes": Expectation(132, 4 / 200, 94 / 200),
    "freecell": Expectation(107, 200 / 200, 200 / 200),
    "bakers-game": Expectation(93, 132 / 200, 132 / 200),
    "eight-off": Expectation(93, 200 / 200, 200 / 200),
    "spider": Expectation(230, 4 / 200, 197 / 200),
    "spider-two-suits": Expectation(156, 50 / 200, 200 / 200),
    "spider-one-suit": Expectation(139, 104 / 200, 200 / 200),
    "yukon": Expectation(102, 24 / 200, 170 / 200),
    "russian-solitaire": Expectation(87, 6 / 200, 7 / 200),
    "scorpion": Expectation(56, 12 / 200, 28 / 200),
    "canfield": Expectation(217, 24 / 200, 186 / 200),
    "forty-thieves": Expectation(249, 13 / 200, 101 / 200),
    "beleaguered-castle": Expectation(134, 130 / 200, 130 / 200),
    "belvedere": Expectation(64, 163 / 200, 200 / 200),
    "vincent": Expectation(87, 44 / 200, 40 / 200),
    "dover": Expectation(222, 148 / 200, 186 / 200),
    "spike": Expectation(101, 32 / 200, 122 / 200),
    "new-york": Expectation(235, 68 / 200, 197 / 200),
    "gotham": Expectation(302, 64 / 75, 193 / 200),
    "generals-patience": Expectation(250, 0 / 200, 9 / 200),
    "queen-of-italy": Expectation(249, 118 / 200, 194 / 200),
    "mamy-susan": Expectation(304, 13 / 200, 118 / 200),
    "simple-simon": Expectation(120, 182 / 200, 182 / 200),
}
