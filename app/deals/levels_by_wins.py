"""How hard new deals are for players who chose nothing: it grows with their wins of a game. A loss changes nothing."""

from __future__ import annotations

from typing import Final

from app.games.levels import Level, distance
from app.solver.difficulty import Grade

_GENTLE_WINS: Final = 2
_MEDIUM_WINS: Final = 5
COUNTED_WINS: Final = _MEDIUM_WINS + 1
"""More wins of a game need not be counted: they tell nothing new."""
NOT_HARD: Final = frozenset({Grade.GENTLE, Grade.MEDIUM})


def level_after(wins: int) -> Level:
    """The level of the next deal after ``wins`` wins of the game: gentle, then medium, then any."""
    if wins < _GENTLE_WINS:
        return Level.GENTLE
    return Level.MEDIUM if wins < _MEDIUM_WINS else Level.ANY


def is_last_step(wins: int) -> bool:
    """Whether this win, the last one counted, is the one after which deals of any difficulty come."""
    return wins == _MEDIUM_WINS


def furthest(level: Level) -> int | None:
    """The greatest distance from a level at which a deal is not yet hard; ``None`` where any deal will do."""
    return None if level is Level.ANY else max(distance(level, each) for each in NOT_HARD)
