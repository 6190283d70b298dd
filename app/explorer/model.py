"""A position of a deal with the branches that its games took from there."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from app.engine.actions import Action
from app.engine.history import History

MAX_LINE: Final = 1_000
"""The longest line that can be explored; games are merged up to there."""


def weighted_median(counts: Mapping[int, int]) -> float:
    """The median of some values, given how often there is each."""
    values = sorted(counts)
    ends = [*accumulate(counts[value] for value in values)]
    low, high = ((ends[-1] - 1) // 2, ends[-1] // 2)
    return (values[bisect_right(ends, low)] + values[bisect_right(ends, high)]) / 2


@dataclass(frozen=True, slots=True)
class Branch:
    """An action of a position: how many games took it, how many of them won, and how long they were in the median.

    ``median_moves`` is as people count them, without what was undone in games of one's own.
    """

    action: str
    games: int
    won: int
    median_actions: float
    median_moves: float


@dataclass(frozen=True, slots=True)
class PositionGames:
    """All games that went through a position, and where they went, the branch of most games first.

    ``ended`` of the games ended here, so they took no branch.
    """

    games: int
    won: int
    ended: int
    branches: Sequence[Branch]


@dataclass(frozen=True, slots=True)
class Explored:
    """A position on a line of a deal. ``chances`` to win, by action, are ``None`` while they are unknown."""

    history: History
    actions: Sequence[Action]
    played: PositionGames
    chances: Mapping[str, float] | None

    @property
    def chance(self) -> float | None:
        """The chance to win with the best action; ``None`` while it is unknown."""
        if self.chances is None:
            return None
        return max(self.chances.values(), default=0.0)
