"""What to expect of each game: how long a win takes, and how often it is won. Measured: see docs/solver.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

_SECONDS_PER_MOVE: Final = 6
"""With the thinking before it: books give Bristol eight minutes (6.6 s a move)."""
_SECONDS_PER_TURN: Final = 2
"""To turn or deal cards takes no thinking: about as long as a quick player takes for any move (2.3 s)."""
_STEP: Final = 5  # minutes, and moves; anything finer would pretend to precision


@dataclass(frozen=True, slots=True)
class Expectation:
    """Measured figures of one game, over 200 random deals or more.

    ``moves`` is the median length of a win, ``turns`` about how many of them only turn or deal cards of the stock:
    see docs/solver.md. ``careful_wins`` is the share, from 0 to 1, won by a simulated player who
    sees only what a player sees, judges each turn and undoes nothing: see docs/insight.md. ``winnable`` is the share
    that the solver, which sees every card, proved winnable in ten seconds: at least that share can be won.
    """

    moves: int
    careful_wins: float
    winnable: float
    turns: int = 0

    @property
    def minutes(self) -> int:
        """About how long a game takes, in steps of five minutes."""
        thinking = (self.moves - self.turns) * _SECONDS_PER_MOVE
        seconds = thinking + self.turns * _SECONDS_PER_TURN
        return max(round(seconds / 60 / _STEP), 1) * _STEP

    @property
    def usual_moves(self) -> int:
        """About how many moves a win takes, in steps of five."""
        return round(self.moves / _STEP) * _STEP


# ``python -m bench.careful_play`` for the moves (for Rouge et Noir those of the solver's lines) and the turns,
# ``python -m bench.insight`` for the careful wins (where every card is in sight from the start, the deals that the
# solver wins: a player who knows every card may plan as it does),
# ``python -m bench.solver --from FR35H-00000`` for the winnable deals.
EXPECTATIONS: Final[Mapping[str, Expectation]] = {
    "bristol": Expectation(73, 194 / 200, 199 / 200, turns=10),
    "signora": Expectation(215, 158 / 200, 199 / 200, turns=69),
    "blondes-and-brunettes": Expectation(194, 93 / 200, 184 / 200, turns=43),
    "blondes-and-brunettes-till-dawn": Expectation(203, 116 / 200, 186 / 200, turns=30),
    "rouge-et-noir": Expectation(153, 23 / 200, 194 / 200, turns=5),
    "terrace": Expectation(194, 133 / 200, 192 / 200, turns=26),
    "falling-star": Expectation(199, 68 / 200, 164 / 200, turns=29),
    "rouge-et-noir-classic": Expectation(155, 43 / 200, 198 / 200, turns=6),
    # The moves of these are of the solver's lines.
    "klondike": Expectation(178, 303 / 700, 181 / 200, turns=55),
    "klondike-draw-three": Expectation(176, 26 / 200, 162 / 200, turns=51),
    "klondike-one-pass": Expectation(123, 5 / 200, 32 / 200, turns=23),
    "klondike-three-passes": Expectation(132, 4 / 200, 94 / 200, turns=23),
    "freecell": Expectation(107, 200 / 200, 200 / 200),
    "bakers-game": Expectation(93, 132 / 200, 132 / 200),
    "eight-off": Expectation(93, 200 / 200, 200 / 200),
    "spider": Expectation(230, 4 / 200, 194 / 200, turns=5),
    "spider-two-suits": Expectation(156, 98 / 530, 200 / 200, turns=5),
    "spider-one-suit": Expectation(139, 315 / 700, 200 / 200, turns=5),
    "yukon": Expectation(102, 24 / 200, 171 / 200),
    "russian-solitaire": Expectation(87, 6 / 200, 7 / 200),
    "scorpion": Expectation(56, 12 / 200, 28 / 200, turns=1),
    "canfield": Expectation(217, 24 / 200, 190 / 200, turns=106),
    "forty-thieves": Expectation(249, 13 / 200, 101 / 200, turns=64),
    "beleaguered-castle": Expectation(134, 130 / 200, 130 / 200),
    "belvedere": Expectation(64, 163 / 200, 200 / 200, turns=8),
    "vincent": Expectation(87, 44 / 200, 40 / 200, turns=8),
    "dover": Expectation(222, 132 / 200, 195 / 200, turns=19),
    "spike": Expectation(101, 28 / 200, 132 / 200, turns=7),
    "new-york": Expectation(235, 68 / 200, 200 / 200),
    "gotham": Expectation(302, 178 / 200, 200 / 200),
    # The solver won none of the deals tried: as many turns as in Forty Thieves.
    "generals-patience": Expectation(250, 0 / 200, 42 / 200, turns=64),
    "queen-of-italy": Expectation(249, 150 / 200, 197 / 200, turns=77),
    "mamy-susan": Expectation(304, 10 / 200, 159 / 200, turns=54),
    "simple-simon": Expectation(120, 184 / 200, 184 / 200),
}
