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
    sees what a player sees, takes the move that looks best by the rating of hints, and undoes nothing; ``None`` where
    that player knows too little of the game to be a measure: it won one deal or none. ``winnable`` is the share that
    the solver, which sees every card, proved winnable in ten seconds: at least that share can be won.
    """

    moves: int
    careful_wins: float | None
    winnable: float

    @property
    def minutes(self) -> int:
        """About how long a game takes, in steps of five minutes."""
        return max(round(self.moves * _SECONDS_PER_MOVE / 60 / _STEP), 1) * _STEP

    @property
    def usual_moves(self) -> int:
        """About how many moves a win takes, in steps of five."""
        return round(self.moves / _STEP) * _STEP


# ``python -m bench.careful_play`` for the moves and careful wins (for Rouge et Noir the moves of the solver's lines),
# ``python -m bench.solver --from FR35H-00000`` for the winnable deals.
EXPECTATIONS: Final[Mapping[str, Expectation]] = {
    "bristol": Expectation(73, 97 / 200, 199 / 200),
    "signora": Expectation(215, 57 / 200, 199 / 200),
    "blondes-and-brunettes": Expectation(194, 26 / 200, 175 / 200),
    "blondes-and-brunettes-till-dawn": Expectation(203, 25 / 200, 177 / 200),
    "rouge-et-noir": Expectation(153, None, 166 / 200),
    "terrace": Expectation(194, 14 / 200, 191 / 200),
    "falling-star": Expectation(199, 10 / 200, 153 / 200),
    "rouge-et-noir-classic": Expectation(155, None, 185 / 200),
    # The moves of these are of the solver's lines.
    "klondike": Expectation(178, None, 181 / 200),
    "klondike-draw-three": Expectation(176, None, 162 / 200),
    "klondike-one-pass": Expectation(123, None, 32 / 200),
    "klondike-three-passes": Expectation(132, None, 94 / 200),
    "freecell": Expectation(107, None, 200 / 200),
    "bakers-game": Expectation(93, None, 132 / 200),
    "eight-off": Expectation(93, None, 200 / 200),
    "spider": Expectation(230, None, 197 / 200),
    "spider-two-suits": Expectation(156, None, 200 / 200),
    "spider-one-suit": Expectation(139, None, 200 / 200),
    "yukon": Expectation(102, None, 170 / 200),
    "russian-solitaire": Expectation(87, None, 7 / 200),
    "scorpion": Expectation(56, None, 28 / 200),
    "canfield": Expectation(217, None, 186 / 200),
    "forty-thieves": Expectation(249, None, 101 / 200),
    "beleaguered-castle": Expectation(134, None, 130 / 200),
    "belvedere": Expectation(64, None, 200 / 200),
    "vincent": Expectation(87, None, 40 / 200),
    "dover": Expectation(222, None, 186 / 200),
    "spike": Expectation(101, None, 122 / 200),
    "new-york": Expectation(235, None, 197 / 200),
    "gotham": Expectation(302, None, 193 / 200),
    "generals-patience": Expectation(250, None, 9 / 200),
    "queen-of-italy": Expectation(249, None, 194 / 200),
    "mamy-susan": Expectation(304, None, 118 / 200),
    "simple-simon": Expectation(120, None, 182 / 200),
}
