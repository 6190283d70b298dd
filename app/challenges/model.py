"""A challenge and the attempts at it as values, and the errors of challenges."""

from __future__ import annotations

from typing import NamedTuple

from app.clock import DAY_MS
from app.errors import ConflictError, NotFoundError, PageLink
from app.text import Text, gettext, ngettext


class ChallengeNotFoundError(NotFoundError):
    """A link that leads to no challenge."""

    title = gettext("Challenge not found")
    default_links = (PageLink("/together", gettext("Play together")),)


class CannotChallengeError(ConflictError):
    """A game that cannot be a challenge, or a challenge that this player cannot take."""

    code = "no_challenge"
    title = gettext("Challenge not possible")


class ChallengeOverError(ConflictError):
    """A challenge that has ended or is full."""

    code = "challenge_over"
    title = gettext("This challenge is over")


class Help(NamedTuple):
    """The help that a game had up to the version at which it is compared: from hidden cards, and hints."""

    is_assisted: bool = False
    hints: int = 0


class Challenge(NamedTuple):
    """A game to beat: a game up to a version, its player, and the maker of the link."""

    token: str
    game_id: str
    version: int
    maker_id: str
    made_ms: int
    until_ms: int
    player_id: str
    player: str

    @property
    def days(self) -> int:
        """How long it is open, from first to last."""
        return (self.until_ms - self.made_ms) // DAY_MS


class MadeChallenge(NamedTuple):
    """An open challenge as its maker finds it again: the game, and how many others have played the cards."""

    token: str
    ruleset: str
    revision: int
    attempts: int


class ChallengeAttempt(NamedTuple):
    """A game in a challenge; ``counts`` unless it is practice."""

    game_id: str
    player_id: str
    player: str
    counts: bool
    version: int


def ended_after(days: int) -> Text:
    """Says that a challenge has ended."""
    return ngettext(
        "This challenge ended after %(n)s day.", "This challenge ended after %(n)s days.", days
    )
