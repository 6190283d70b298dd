"""Who stands where: solved, then fewest actions, then whole seconds, then together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Verdict(StrEnum):
    """What became of an attempt.

    ``REMOVED`` did not stand up to being replayed; ``HIDDEN`` was taken off the boards by a person.
    """

    OPEN = "open"
    SOLVED = "solved"
    UNSOLVED = "unsolved"
    REMOVED = "removed"
    HIDDEN = "hidden"


class Effort(NamedTuple):
    """What solved attempts are ordered by; less is better."""

    actions: int
    seconds: int


class Rivals(NamedTuple):
    """Everybody else's ended attempts at a deal, guests' included, seen from one of them."""

    better: int
    level: int
    worse: int


@dataclass(frozen=True, slots=True)
class Standing:
    """Where an attempt stands among the solved ones of players with names, or would with a name.

    ``rank`` is ``None`` for an attempt that did not solve the deal. ``ahead_of`` is how many in a
    hundred others it did better than, ``None`` while there is no other.
    """

    rank: int | None
    ahead_of: int | None


def ahead_of(rivals: Rivals) -> int | None:
    """How many in a hundred others did worse, rounded down so that the boast is true."""
    others = sum(rivals)
    return 100 * rivals.worse // others if others else None


def shared_ranks(rank: int, place: int, efforts: Iterable[Effort]) -> list[int]:
    """Ranks along a stretch of the board in order: equal efforts share one (1, 1, 3).

    Its first attempt has ``rank``, and is number ``place`` counting everybody, ties one by one.
    """
    ranks: list[int] = []
    before: Effort | None = None
    for number, effort in enumerate(efforts, start=place):
        if before is not None and effort != before:
            rank = number
        ranks.append(rank)
        before = effort
    return ranks
