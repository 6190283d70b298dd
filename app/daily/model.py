"""The values of the daily deal: deals, attempts, how they rank, and a deal beside its viewer's attempt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from app.daily.streaks import Streak
from app.engine.ruleset import Ruleset


class Verdict(StrEnum):
    """What became of an attempt.

    ``REMOVED`` did not stand up to being replayed; ``HIDDEN`` was taken off the boards by a person.
    """

    OPEN = "open"
    SOLVED = "solved"
    UNSOLVED = "unsolved"
    REMOVED = "removed"
    HIDDEN = "hidden"


class Score(NamedTuple):
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


def shared_ranks(rank: int, place: int, scores: Iterable[Score]) -> list[int]:
    """Ranks along a stretch of the board in order: equal efforts share one (1, 1, 3).

    Its first attempt has ``rank``, and is number ``place`` counting everybody, ties one by one.
    """
    ranks: list[int] = []
    before: Score | None = None
    for number, score in enumerate(scores, start=place):
        if before is not None and score != before:
            rank = number
        ranks.append(rank)
        before = score
    return ranks


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """One game's deal of one day. ``seed`` is secret until ``closed_ms`` is there."""

    day: date
    ruleset: str
    revision: int
    seed: bytes
    commitment: str
    verified: bool | None
    created_ms: int
    closed_ms: int | None = None
    record: str | None = None

    @property
    def is_closed(self) -> bool:
        """Whether its board is final and its secrets are published."""
        return self.closed_ms is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """What one player made of one deal; ``effort`` and ``cards_home`` are known once it has ended.

    ``stood`` is the verdict of a result that is hidden: see ``app.daily.moderation``.
    """

    game_id: str
    day: date
    ruleset: str
    player_id: str
    started_ms: int
    listed: bool
    verdict: Verdict = Verdict.OPEN
    ended_ms: int | None = None
    score: Score | None = None
    cards_home: int | None = None
    reason: str | None = None
    stood: Verdict | None = None

    @property
    def recorded_verdict(self) -> Verdict:
        """What was played, whether or not it is hidden now."""
        return self.stood or self.verdict

    @property
    def has_ended(self) -> bool:
        """Whether nothing more can come of it."""
        return self.verdict is not Verdict.OPEN


@dataclass(frozen=True, slots=True)
class PlayerDeal:
    """A deal, and what the visitor has made of it."""

    deal: Deal
    rules: Ruleset
    attempt: Attempt | None


@dataclass(frozen=True, slots=True)
class Today:
    """The deals of today.

    ``missing`` are the games whose deals are being prepared, ``late`` are attempts from yesterday that may
    still be finished.
    """

    day: date
    player_deals: list[PlayerDeal]
    missing: list[Ruleset]
    late: list[PlayerDeal]
    streak: Streak
