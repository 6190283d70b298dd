"""What can be in the way of a ghost."""

from __future__ import annotations

from app.errors import ConflictError, NotFoundError


class NoGhostError(NotFoundError):
    """A link that leads to no run."""

    title = "There is no such challenge"


class NoChallengeError(ConflictError):
    """A run that nobody can be asked to beat."""

    code = "no_challenge"
    title = "This run is no challenge"


class GhostGoneError(ConflictError):
    """The thirty days are over, or five hundred have tried."""

    code = "challenge_over"
    title = "This challenge is over"
