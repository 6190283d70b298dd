"""The ranking of the racers whose games have ended, and why a race may have none."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from app.games.ranks import competition_ranks
from app.races.events import Finished, GameEnding
from app.races.room import Phase, RaceSeat, Room


class RankedSeat(NamedTuple):
    """A seat and its rank; equal results share one (1, 1, 3)."""

    rank: int
    seat: RaceSeat
    finished: Finished


class WhyUnranked(StrEnum):
    """Why a race that is over ranks nobody."""

    UNPLAYED = "unplayed"
    NONE_HOME = "none_home"


def why_unranked(room: Room) -> WhyUnranked | None:
    """Why the order of all racers would say nothing; ``None`` for a race with ranks, and before the end."""
    done = [seat.finished for seat in room.racers if seat.finished]
    if room.phase is not Phase.ENDED or not done or any(one.home for one in done):
        return None
    return WhyUnranked.NONE_HOME if any(one.moves for one in done) else WhyUnranked.UNPLAYED


def rank_racers(room: Room) -> list[RankedSeat]:
    """The racers whose games have ended, the best first: a win, whole seconds, then actions.

    Without a win: cards home, then the second in which that count was reached.
    """
    if why_unranked(room):
        return []
    done = [(seat, seat.finished) for seat in room.racers if seat.finished]
    done.sort(key=lambda one: _rank_key(one[1]))
    ranks = competition_ranks([_rank_key(finished) for _, finished in done])
    return [RankedSeat(rank, *one) for rank, one in zip(ranks, done, strict=True)]


def list_winners(room: Room) -> list[RankedSeat]:
    """The racers who got all cards home, the best first. Later winners took longer, so their ranks are final."""
    return [one for one in rank_racers(room) if one.finished.ending is GameEnding.WON]


def _rank_key(finished: Finished) -> tuple[int, int, int]:
    """The sort key. Milliseconds are left out, because no network is that fair."""
    if finished.ending is GameEnding.WON:
        return 0, finished.elapsed_ms // 1000, finished.actions
    return 1, -finished.home, finished.reached_ms // 1000
