"""What a rating is, and how an event changes it: Bradley-Terry by Weng and Lin, as the library computes it.

All functions are pure and give the same numbers again, so ratings can be computed again from the counted ranks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Final, NamedTuple

from openskill.models import BradleyTerryFull

PROVISIONAL_GAMES: Final = 10
"""A rating is provisional until it follows from this many events."""

MOST_IN_GROUP: Final = 8
"""The work grows with the square of it. More players are divided by lot into groups that are rated on their own."""

MEAN: Final = 1500.0
DEVIATION: Final = 250.0
_LIBRARY: Final = BradleyTerryFull(mu=MEAN, sigma=DEVIATION, beta=DEVIATION, tau=DEVIATION / 50)
_DIGITS: Final = 3  # kept: the last bits of a logarithm differ between machines


class Rating(NamedTuple):
    """A player's strength, how far it may be off (one standard deviation), and the events that it follows from."""

    mean: float = MEAN
    deviation: float = DEVIATION
    games: int = 0

    @property
    def is_provisional(self) -> bool:
        """Whether it follows from too few events to be ranked."""
        return self.games < PROVISIONAL_GAMES


class EventResult(NamedTuple):
    """A player's rank in an event; equal results share a rank."""

    player_id: str
    game_id: str
    rank: int


class Event(NamedTuple):
    """A race or a daily deal that is decided. ``key`` names it forever."""

    key: str
    family: str
    at_ms: int


Ratings = Mapping[str, Rating]
"""Ratings by player, of one family."""


def rate(key: str, results: Sequence[EventResult], before: Ratings) -> dict[str, Rating]:
    """The ratings of an event's players after it. Alone, a player's rating stays as it is."""
    after: dict[str, Rating] = {}
    if len(results) > 1:
        for group in groups_of(key, results):
            after.update(_rate_group(group, before))
    return after


def groups_of(key: str, results: Sequence[EventResult]) -> list[list[EventResult]]:
    """The groups of an event, drawn by lot: the same lot each time. Their sizes differ by one at most."""
    count = -(-len(results) // MOST_IN_GROUP)
    drawn = sorted(results, key=lambda one: sha256(f"{key}/{one.game_id}".encode()).digest())
    return [drawn[number::count] for number in range(count)]


def replay(log: Iterable[tuple[str, Sequence[EventResult]]]) -> dict[str, Rating]:
    """The ratings of a family after the events of ``log``, in this order."""
    ratings: dict[str, Rating] = {}
    for key, results in log:
        ratings.update(rate(key, results, ratings))
    return ratings


def _rate_group(group: Sequence[EventResult], before: Ratings) -> dict[str, Rating]:
    # The order of additions decides the last bits, so it must not depend on the order of rows.
    ordered = sorted(group, key=lambda one: (one.rank, one.game_id))
    ratings = [before.get(one.player_id, Rating()) for one in ordered]
    rated = _LIBRARY.rate(
        [[_LIBRARY.rating(mu=one.mean, sigma=one.deviation)] for one in ratings],
        ranks=[one.rank for one in ordered],
    )
    return {
        one.player_id: Rating(
            round(team[0].mu, _DIGITS), round(team[0].sigma, _DIGITS), rating.games + 1
        )
        for one, rating, team in zip(ordered, ratings, rated, strict=True)
    }
