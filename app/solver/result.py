"""What is asked of the solver, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from app.engine.actions import Action


class Outcome(StrEnum):
    """What is known of a position. ``UNDECIDED`` is no opinion: the budget was too small."""

    WON = "won"
    UNWINNABLE = "unwinnable"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Budget:
    """How much work may be spent; whichever limit is met first ends it.

    With ``positions`` alone the answer is the same on every machine. The search remembers every
    position, so there is always a limit on them: about 100 bytes each.
    """

    positions: int = 16_000_000
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search has come."""

    positions: int
    seconds: float


@dataclass(frozen=True, slots=True)
class SolveResult:
    """The outcome; ``line`` leads to the win, is empty otherwise, and was replayed by the rules.

    ``cancelled`` says that the search was broken off by request.
    """

    outcome: Outcome
    line: tuple[Action, ...]
    positions: int
    seconds: float
    cancelled: bool = False
