"""What became of an attempt at a daily deal, in one word that is stored with it."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class AttemptVerdict(StrEnum):
    """The result of an attempt.

    ``REMOVED`` attempts failed verification; ``HIDDEN`` ones were taken off the leaderboard by a moderator; those
    ``SET_ASIDE`` could not be judged when their day was closed.
    """

    OPEN = "open"
    SOLVED = "solved"
    UNSOLVED = "unsolved"
    REMOVED = "removed"
    HIDDEN = "hidden"
    SET_ASIDE = "set_aside"


COUNTED: Final = (AttemptVerdict.SOLVED, AttemptVerdict.UNSOLVED)
"""Those of attempts that have ended and count: in ratings, judgements and the explorer."""
