"""How hard a deal is: how often somebody wins who plays sensibly and cannot see hidden cards."""

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
from app.solver.determinization import view_of
from app.solver.hints import ranked
from app.solver.solve import Stopper

_MOST_ACTIONS = 600
_CARE = 0.85  # how often the simulated player takes what looks best


class Grade(StrEnum):
    """A word for how often a deal is won without foresight."""

    GENTLE = "gentle"
    FAIR = "fair"
    HARD = "hard"
    FIENDISH = "fiendish"


@dataclass(frozen=True, slots=True)
class Difficulty:
    """``wins`` of ``games`` that a simulated player won, knowing only what lay in sight."""

    games: int
    wins: int

    @property
    def grade(self) -> Grade:
        """The word for it: half of the games, a fifth, at least one, none."""
        if 2 * self.wins >= self.games:
            return Grade.GENTLE
        if 5 * self.wins >= self.games:
            return Grade.FAIR
        return Grade.HARD if self.wins else Grade.FIENDISH


def difficulty(
    rules: Ruleset, deck: Sequence[Card], games: int = 20, cancelled: Stopper | None = None
) -> Difficulty:
    """Play the deal ``games`` times; the same deck always gives the same answer.

    Whether the deal can be won at all is another question: see ``solve``.
    """
    chance = random.Random(" ".join(card.text for card in deck))  # noqa: S311 - guards nothing
    played = wins = 0
    while played < games and not (cancelled and cancelled()):
        wins += is_won(rules, _play_out(rules, opening(rules, deck), chance))
        played += 1
    return Difficulty(played, wins)


def _play_out(rules: Ruleset, position: Position, chance: random.Random) -> Position:
    """Play until nothing new is left to do; a position that stood before is not gone back to."""
    seen = {position}
    for _ in range(_MOST_ACTIONS):
        found = _next(rules, position, seen, chance)
        if found is None:
            break
        position = found
        seen.add(position)
    return position


def _next(
    rules: Ruleset, position: Position, seen: set[Position], chance: random.Random
) -> Position | None:
    """Where the player goes from here: mostly what looks best, at times the next best."""
    new: Position | None = None
    for action in ranked(rules, view_of(position), 1, chance):
        there = apply(rules, position, action)
        if there not in seen:
            new = there
            if chance.random() < _CARE:
                break
    return new
