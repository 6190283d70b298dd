"""What a game is part of, how it stands, and who may watch it: the words that the database has for it."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Status(StrEnum):
    """The status of a game. ``LOST`` only means that no move is left; undo is still possible."""

    PLAYING = "playing"
    WON = "won"
    LOST = "lost"
    RESIGNED = "resigned"

    @property
    def is_over(self) -> bool:
        """Whether no more events are accepted."""
        return self in _OVER


_OVER: Final = frozenset({Status.WON, Status.RESIGNED})


class Kind(StrEnum):
    """What a game is part of. The rules are the same, but ranked games limit undo."""

    OPEN = "open"
    DAILY = "daily"
    RACE = "race"
    SHARED = "shared"  # an open game that several people play together
    CHALLENGE = "ghost"  # an attempt at a challenge on an open deal
    RANKED_CHALLENGE = "duel"  # an attempt at a challenge on a ranked deal, published since

    @property
    def is_ranked(self) -> bool:
        """Whether the deal is secret and results on it are compared."""
        return self.has_ranked_rules and self is not Kind.RANKED_CHALLENGE

    @property
    def has_ranked_rules(self) -> bool:
        """Whether ranked rules apply: a card once shown stays shown, no hints, no restart.

        An attempt at a challenge follows the rules of the game it is compared with.
        """
        return self not in _WITHOUT_RANKED_RULES

    @property
    def is_challenge_attempt(self) -> bool:
        """Whether this is an attempt at a challenge."""
        return self in _CHALLENGES

    @property
    def can_pause(self) -> bool:
        """Whether long breaks don't count in its time. Games ranked by time never pause."""
        return self in _WITH_PAUSES


_WITHOUT_RANKED_RULES: Final = frozenset({Kind.OPEN, Kind.SHARED, Kind.CHALLENGE})
_CHALLENGES: Final = frozenset({Kind.CHALLENGE, Kind.RANKED_CHALLENGE})
_WITH_PAUSES: Final = frozenset({Kind.OPEN, Kind.SHARED})


class Audience(StrEnum):
    """Who may watch a game."""

    NOBODY = "nobody"
    LINK = "link"
    PUBLIC = "public"
