"""Which jobs may wait: each player and each network has a number of places, and some are kept for others.

Half of the places are kept for networks that have none yet. Of the others, the more are taken, the fewer one network
may have (a *dynamic threshold*, as in the buffers of switches): at most half as many as are still free. So one network
can't take every place, nor can a hundred; the next person of another network finds one.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum
from typing import Final, NamedTuple

from app.jobs.queue import Origin, QueuedJob
from app.text import gettext, sentences

_RETRY_AFTER: Final = 5  # seconds


class Shortage(Enum):
    """Whose places for jobs are all taken, as a sentence for the player."""

    PLAYER = gettext("You have too many requests in progress.")
    NETWORK = gettext("Your network has too many requests in progress.")
    SITE = gettext("Too many people are waiting for the solver.")


class TooManyJobsError(Exception):
    """There is no place for this job. Try again after ``retry_after`` seconds."""

    def __init__(
        self, retry_after: int = _RETRY_AFTER, shortage: Shortage = Shortage.PLAYER
    ) -> None:
        self.detail = sentences(shortage.value, gettext("Try again in a moment."))
        super().__init__(self.detail)
        self.retry_after = retry_after
        self.shortage = shortage


class Places(NamedTuple):
    """How many jobs may be queued or running: for each player, for each network, and for all together.

    ``named`` are further places, which only named players get: guests of many networks can't take them.
    """

    per_owner: int = 3
    per_network: int = 30
    total: int = 200
    named: int = 50


def check_capacity(
    places: Places, open_jobs: Collection[QueuedJob], owner: str, origin: Origin
) -> None:
    """Raise ``TooManyJobsError`` unless there is a place for one more job, besides those that are open."""
    if sum(job.owner == owner for job in open_jobs) >= places.per_owner:
        raise TooManyJobsError
    free = places.total + (places.named if origin.is_named else 0) - len(open_jobs)
    if free <= 0:
        raise TooManyJobsError(3 * _RETRY_AFTER, Shortage.SITE)
    taken = sum(job.origin == origin for job in open_jobs)
    shared = free - places.total // 2
    if taken and taken >= min(places.per_network, shared // 2):
        raise TooManyJobsError(2 * _RETRY_AFTER, Shortage.NETWORK)
