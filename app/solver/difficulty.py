"""The difficulty of a deal, estimated by playouts of a player who cannot see hidden cards."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.engine.cards import Card
from app.engine.deal import opening
from app.engine.position import Position
from app.engine.ruleset import Ruleset
from app.engine.transition import apply, is_won
from app.solver.hints import observe, rank_actions
from app.solver.solve import CancelCheck

_MAX_ACTIONS = 600
_GREEDY = 0.85  # the probability that the simulated player takes the best-looking action


class Grade(StrEnum):
    """The difficulty in a word."""

    GENTLE = "gentle"
    FAIR = "fair"
    HARD = "hard"
    FIENDISH = "fiendish"


@dataclass(frozen=True, slots=True)
class Difficulty:
    """A simulated player without knowledge of hidden cards won ``wins`` of ``games``."""

    games: int
    wins: int

    @property
    def grade(self) -> Grade:
        """Gentle if half of the games were won, fair if a fifth, hard if at least one, else fiendish."""
        if 2 * self.wins >= self.games:
            return Grade.GENTLE
        if 5 * self.wins >= self.games:
            return Grade.FAIR
        return Grade.HARD if self.wins else Grade.FIENDISH


def difficulty(
    rules: Ruleset, deck: Sequence[Card], games: int = 20, cancelled: CancelCheck | None = None
) -> Difficulty:
    """Play the deal ``games`` times; the same deck always gives the same result.

    Whether the deal can be won at all is a different question: see ``solve``.
    """
    rng = random.Random(" ".join(card.text for card in deck))  # noqa: S311 - guards nothing
    played = wins = 0
    while played < games and not (cancelled and cancelled()):
        wins += is_won(rules, _playout(rules, opening(rules, deck), rng))
        played += 1
    return Difficulty(played, wins)


def _playout(rules: Ruleset, position: Position, rng: random.Random) -> Position:
    """Play an epsilon-greedy game that never returns to an earlier position; return where it ends."""
    seen = {position}
    for _ in range(_MAX_ACTIONS):
        found = _next(rules, position, seen, rng)
        if found is None:
            break
        position = found
        seen.add(position)
    return position


def _next(
    rules: Ruleset, position: Position, seen: set[Position], rng: random.Random
) -> Position | None:
    """The next position: after the best-looking action, sometimes after the next best; ``None`` at the end."""
    new: Position | None = None
    for action in rank_actions(rules, observe(position), 1, rng):
        there = apply(rules, position, action)
        if there not in seen:
            new = there
            if rng.random() < _GREEDY:
                break
    return new
