"""What to expect of each game: how long a win takes, and how often one wins. Measured: see docs/solver.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

_SECONDS_PER_MOVE: Final = 4
"""Between a quick player of Bristol (2.3 s) and the eight minutes that books give it (6.6 s)."""
_STEP: Final = 5  # minutes; anything finer would pretend to know


@dataclass(frozen=True, slots=True)
class Expectation:
    """Measured figures of one game, over 200 random deals.

    ``moves`` is the median length of a win. ``careful_wins`` is the share, from 0 to 1, won by a simulated player who
    sees what a player sees, takes the move that looks best by the rating of hints, and undoes nothing; ``None`` where
    that player knows too little of the game to be a measure: it won one deal or none. ``winnable`` is the share that
    the solver, which sees every card, proved winnable in ten seconds: at least so many can be won.
    """

    moves: int
    careful_wins: float | None
    winnable: float

    @property
    def minutes(self) -> int:
        """About how long a game takes, in steps of five minutes."""
        return max(round(self.moves * _SECONDS_PER_MOVE / 60 / _STEP), 1) * _STEP


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
    "klondike": Expectation(178, None, 172 / 200),
    "klondike-draw-three": Expectation(176, None, 153 / 200),
    "klondike-one-pass": Expectation(120, None, 50 / 100),
    "klondike-three-passes": Expectation(120, None, 50 / 100),
    "freecell": Expectation(120, None, 50 / 100),
    "bakers-game": Expectation(120, None, 50 / 100),
    "eight-off": Expectation(120, None, 50 / 100),
    "spider": Expectation(120, None, 50 / 100),
    "spider-two-suits": Expectation(120, None, 50 / 100),
    "spider-one-suit": Expectation(120, None, 50 / 100),
    "yukon": Expectation(120, None, 50 / 100),
    "russian-solitaire": Expectation(120, None, 50 / 100),
    "scorpion": Expectation(120, None, 50 / 100),
    "canfield": Expectation(120, None, 50 / 100),
    "forty-thieves": Expectation(120, None, 50 / 100),
    "beleaguered-castle": Expectation(120, None, 50 / 100),
    "belvedere": Expectation(120, None, 50 / 100),
    "vincent": Expectation(120, None, 50 / 100),
    "dover": Expectation(120, None, 50 / 100),
    "spike": Expectation(120, None, 50 / 100),
    "new-york": Expectation(120, None, 50 / 100),
    "gotham": Expectation(120, None, 50 / 100),
    "generals-patience": Expectation(120, None, 50 / 100),
    "queen-of-italy": Expectation(120, None, 50 / 100),
    "mamy-susan": Expectation(120, None, 50 / 100),
}
