"""Estimates of the chance to win, and what all ways to make them have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from app.engine.actions import Action

NOTHING_KNOWN: Final = 0.5
"""The deviation of an estimate that rests on nothing."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """The chance (0 to 1) to win after an action, and the standard deviation of that estimate.

    It ``is_rough`` if so few games were played that it rests on the looks of a position: these may be far off.
    """

    action: Action
    chance: float
    deviation: float
    is_rough: bool = False

    @property
    def is_known(self) -> bool:
        """Whether the estimate rests on anything."""
        return self.deviation < NOTHING_KNOWN

    def is_clearly_better_than(self, other: Estimate) -> bool:
        """Whether the difference is more than the deviations of both explain."""
        return self.chance - other.chance > self.deviation + other.deviation


@dataclass(frozen=True, slots=True)
class Estimates:
    """All legal actions, the best first, after ``positions`` positions. No action: the game is over.

    Of equally good actions, the one that the plan begins with is first.
    """

    actions: tuple[Estimate, ...]
    positions: int

    @property
    def chance(self) -> float:
        """The chance to win with the best action; 0 if there is none."""
        return self.actions[0].chance if self.actions else 0.0


class Estimator(ABC):
    """Estimates the chances at a position, and can be refined: each step of ``work`` costs some positions."""

    done = False
    """Whether nothing is left to refine."""

    work: Iterator[None]

    @property
    @abstractmethod
    def positions(self) -> int:
        """The positions evaluated so far."""

    @property
    @abstractmethod
    def chance(self) -> float:
        """The chance to win by the plan."""

    @property
    def leads_on(self) -> bool:
        """Whether the plan turns a card or wins, as far as is known."""
        return True

    @abstractmethod
    def plan(self) -> list[Action]:
        """The actions up to the next reveal, or up to the win, that are best as far as known."""

    @abstractmethod
    def plans(self, actions: Iterable[Action]) -> list[list[Action]]:
        """The plans that begin with these legal actions, as far as it is known how to go on."""

    @abstractmethod
    def list_estimates(self) -> list[Estimate]:
        """Each legal action once."""

    def estimates(self) -> Estimates:
        """The estimates so far."""
        first = next(iter(self.plan()), None)
        found = sorted(self.list_estimates(), key=lambda one: (-one.chance, one.action != first))
        return Estimates(tuple(found), self.positions)

    def play_out_next_best(self, most: int) -> None:
        """Look at the best of the other choices until its chance is not rough, for about ``most`` positions."""
        del most

    def refine(self) -> None:
        """Continue for one step: a game, or a slice of a search."""
        if not self.done:
            next(self.work)

    def run(self, budget: int) -> None:
        """Refine until ``budget`` positions were evaluated since the beginning."""
        while not self.done and self.positions < budget:
            next(self.work)
