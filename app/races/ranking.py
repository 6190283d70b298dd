"""Who stands where in a race: won, whole seconds, actions, together.

If nobody wins: cards home, then the earlier second in which so many were home, together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from app.races.log import Ending, Finished
from app.races.room import Room, Seat


class Place(NamedTuple):
    """A seat and its rank; several may share one (1, 1, 3)."""

    rank: int
    seat: Seat
    run: Finished


def places(room: Room) -> list[Place]:
    """Everybody whose run is over, the best first."""
    return ranked([(seat, seat.run) for seat in room.racers if seat.run])


def ranked(runs: Sequence[tuple[Seat, Finished]]) -> list[Place]:
    """Runs in order, with shared ranks."""
    ordered = sorted(runs, key=lambda one: _merit(one[1]))
    found: list[Place] = []
    for number, (seat, run) in enumerate(ordered, start=1):
        level = bool(found) and _merit(found[-1].run) == _merit(run)
        found.append(Place(found[-1].rank if level else number, seat, run))
    return found


def _merit(run: Finished) -> tuple[int, int, int]:
    """Less is better. The milliseconds are left out: no network is that fair."""
    if run.ending is Ending.WON:
        return 0, run.elapsed_ms // 1000, run.actions
    return 1, -run.home, run.reached_ms // 1000
